#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "firestore/timestamp.h"
#include "sharded_query/sort_key.h"

namespace shardline {

// The fields of a document, read.
struct PlainFields {
  // Plain JSON; with room to write on behind it.
  std::string buffer;
  std::size_t size = 0;
  // The values that documents are sorted by, as slices of the answer.
  std::vector<SortKey> keys;
  // What of the JSON is a stand-in: an index into PlainWriter::Shapes().
  std::size_t shape = 0;

  std::string_view json() const { return {buffer.data(), size}; }
};

// A document at the head of an answer. Its texts are slices of the answer's body.
struct DocumentHead {
  std::string_view name;  // The inside of a JSON string, with its escapes.
  Timestamp create_time;
  Timestamp update_time;
  PlainFields fields;
  // The last segment of the name, its escapes resolved.
  std::string_view id;
  std::string id_storage;  // What `id` points into if there were escapes.

  // Each reads one of them; false if it is malformed.
  bool ReadName(std::string_view raw);
  bool ReadCreateTime(std::string_view text);
  bool ReadUpdateTime(std::string_view text);
};

}  // namespace shardline
