// Runs a query over a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/query.h"
#include "simulator/store.h"

namespace shardline::simulator {

struct Row {
  const Document* document;
  ContentPtr content;
};

struct QueryRows {
  std::vector<Row> rows;
  // How many the offset passed over.
  std::int64_t skipped = 0;
};

// Without `at`, over the documents as they are now.
QueryRows RunQuery(Store& store, const Query& query, std::optional<Timestamp> at);

}  // namespace shardline::simulator
