// Counts the index entries of a document: those of single fields, and those of composite indexes.
#pragma once

#include <cstdint>
#include <string_view>

#include "firestore/value.h"
#include "indexes/index_file.h"

namespace shardline::simulator {

// `indexes` may be null: then only the automatic indexes count.
std::int64_t CountIndexEntries(std::string_view collection_group, const Map& document,
                               const IndexFile* indexes);

}  // namespace shardline::simulator
