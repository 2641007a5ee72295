#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "indexes/index_file.h"

namespace shardline {

// Decodes the link in Firestore's error about a missing index:
//
//   https://console.firebase.google.com/…/indexes?create_composite=<base64>
//   https://console.firebase.google.com/…/indexes?create_exemption=<base64>
//
// The base64 is a google.firestore.admin.v1.Index on the wire: 1 name, 2 query scope, 3 fields {1
// path, 2 order, 3 array config, 4 vector {1 dimension, 2 flat}}, 5 API scope, 6 density
// (google/firestore/admin/v1/index.proto). Its name holds project, database and collection. The
// second kind is about one field, whose name is in `name` in place of an index.
struct MissingIndex {
  std::string project;
  std::string database;
  // For a single field, the one missing index.
  CompositeIndex index;
  bool is_single_field = false;
  // An entry of `indexes`; for a single field, an entry of `fieldOverrides`, which also has the
  // field's present indexes, because it replaces them.
  nlohmann::ordered_json entry;
  // Whether the new entry replaces an entry of the index file for this single field.
  bool takes_place = false;
};

// Finds the link in an error's message, or reads a link. kInvalidArgument if there is no readable
// link. `file` lists the present indexes of a single field; without a file, the field has the
// automatic ones.
Result<MissingIndex> ReadMissingIndex(std::string_view message, const IndexFile* file = nullptr);

// Firestore's link for this index of `database`, "projects/p/databases/d". Requires at least one
// field, and modes that the library knows, except vectors.
std::string WriteMissingIndexLink(std::string_view database, const CompositeIndex& index);

// JavaScript calls this. Takes JSON, [message, {indexes: the index file's text}], and returns
// {kind: "composite" | "single-field", project, database, collection, scope, entry, explanation,
// risk}.
Result<std::string> ExplainMissingIndex(const PaddedText& arguments);

}  // namespace shardline
