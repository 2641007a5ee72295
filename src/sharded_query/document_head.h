#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "firestore/timestamp.h"
#include "sharded_query/sort_key.h"

namespace shardline {

// The fields of a document that was read.
struct PlainFields {
  // Plain JSON; with room to write on behind it.
  std::string buffer;
  std::size_t size = 0;
  // The values of the query's order, and the shard value, as slices of the answer.
  std::vector<SortKey> keys;
  // The shape that marks the stand-ins in the plain JSON: an index into PlainWriter::Shapes().
  std::size_t shape = 0;

  std::string_view json() const { return {buffer.data(), size}; }
};

// A document that has been read. Its texts are slices of the answer's body.
struct DocumentHead {
  PlainFields fields;
  Timestamp create_time;
  Timestamp update_time;
  // The document's id: a slice of the answer unless its name has escapes.
  std::string_view plain_id;
  std::string unescaped_id;
  bool has_escapes = false;

  std::string_view id() const { return has_escapes ? std::string_view{unescaped_id} : plain_id; }
};

}  // namespace shardline
