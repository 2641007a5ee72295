#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/arguments.h"
#include "base/random.h"
#include "firestore/resource_name.h"
#include "firestore/write.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {

// A write to a collection, ready for a commit.
struct DocumentWrite {
  Write write;
  // The document's shard value, as JSON; empty if an update leaves it as it is, and in an ordinary
  // collection.
  std::string shard = {};
};

inline constexpr Parameter kTransformParameters[] = {
    {.name = "kind",
     .type = ParameterType::kWord,
     .required = true,
     .allowed = "serverTimestamp|increment|arrayUnion|arrayRemove|delete",
     .description = "What is done with the field. Only an update can delete it."},
    {.name = "path",
     .type = ParameterType::kList,
     .required = true,
     .description = "The names that lead to the field."},
    {.name = "value",
     .type = ParameterType::kValue,
     .allowed = "a value",
     .description = "A number on the wire for increment; {\"values\": […]} for arrayUnion and "
                    "arrayRemove."},
};
inline constexpr Parameter kDocumentParameters[] = {
    {.name = "fields",
     .type = ParameterType::kObject,
     .required = true,
     .description = "As they stand on the wire."},
    {.name = "transforms",
     .type = ParameterType::kList,
     .members = kTransformParameters,
     .description = "What the server is to do with other fields."},
    {.name = "shard",
     .type = ParameterType::kValue,
     .allowed = "one of the collection's shard values",
     .description = "Of a document that names none. Left out: it is drawn."},
};

// Both read the user's data, an object with kDocumentParameters. An error names the field that
// Firestore cannot hold, or that would leave the document without one of the collection's shard
// values: sharded queries find a document only by its shard value.

// Reads a whole document. In a sharded collection it gets a shard value drawn by `random`, unless
// it has one.
Status ReadDocument(JsonScanner& scanner, const ShardedCollection& collection,
                    const DocumentPath& path, Random& random, DocumentWrite& document);

// A part of a document: it replaces the fields, and the parts of maps, that `document` has, and
// leaves all others. The kind "delete" removes a field.
struct DocumentMerge {
  // For an existing document, and for a missing one if `if_missing` is empty. Leaves the shard as
  // it is, unless it may move the document.
  DocumentWrite merge;
  // For a missing document: a whole document, with a shard value. Empty if the merge may move the
  // document to the shard that `document` names, and in an ordinary collection.
  std::optional<DocumentWrite> if_missing;
  // For an existing document without a shard value, if `document` names one and must not move a
  // document.
  std::optional<Write> if_unsharded;
};
// `move`: the merge may move the document to the shard that it names.
Result<DocumentMerge> ReadMerge(std::string_view json, const ShardedCollection& collection,
                                const DocumentPath& path, const std::string& name, Random& random,
                                bool move);

// The error about a shard that the caller may name only with the permission to move the document.
Failure RefuseMove(const FieldPath& shard_field);

// Reads changes to a document, which must exist. The names in `fields`, and the first one of each
// transform, are field paths with dots in them. The kind "delete" removes a field.
Status ReadChanges(JsonScanner& scanner, const ShardedCollection& collection,
                   const DocumentPath& path, DocumentWrite& document);

}  // namespace shardline
