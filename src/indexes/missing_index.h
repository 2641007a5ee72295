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
// second kind is about one field, which `name` names in place of an index.
struct MissingIndex {
  std::string project;
  std::string database;
  // For a single field, with the one index that is missing.
  CompositeIndex index;
  bool is_single_field = false;
  // An entry of `indexes`, or for a single field of `fieldOverrides`: then with all that the field
  // has already, which the entry takes the place of.
  nlohmann::ordered_json entry;
  // Whether the index file has an entry for this single field, whose place the new one takes.
  bool takes_place = false;
};

// Finds the link in an error's message, or reads a link. kInvalidArgument if there is none, or none
// that can be read. `file` lists the indexes that a single field has already; without a file, the
// field has those that Firestore keeps of every field.
Result<MissingIndex> ReadMissingIndex(std::string_view message, const IndexFile* file = nullptr);

// Such a link, as Firestore would write it for `database`, "projects/p/databases/d". Requires a
// field at least, and modes that the library knows, except vectors.
std::string WriteMissingIndexLink(std::string_view database, const CompositeIndex& index);

// JavaScript calls this. Takes JSON, [message, {indexes: the index file's text}], and returns
// {kind: "composite" | "single-field", project, database, collection, scope, entry, explanation,
// risk}.
Result<std::string> ExplainMissingIndex(const PaddedText& arguments);

}  // namespace shardline
