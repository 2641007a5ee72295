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

// A write to a collection, ready to be committed.
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

// Both read what a user wants written, an object with kDocumentParameters. They refuse by name of
// the field what Firestore cannot hold, and what would leave the document without one of the
// collection's shard values, by which alone sharded queries find it.

// A whole document. In a sharded collection it gets a shard value drawn by `random`, unless it
// brings one.
Status ReadDocument(JsonScanner& scanner, const ShardedCollection& collection,
                    const DocumentPath& path, Random& random, DocumentWrite& document);

// A part of a document: of what is there, the fields that `document` has, and the parts of maps,
// are replaced, and all else stays. The kind "delete" removes a field.
struct DocumentMerge {
  // If the document is there, or `if_missing` is nothing. Leaves the shard as it is, unless it may
  // move the document.
  DocumentWrite merge;
  // If it is not there: a whole document, with a shard value. Nothing if the merge may move the
  // document to the shard that `document` names, or there are no shards.
  std::optional<DocumentWrite> if_missing;
  // If it is there without a shard value, and `document` names one that it must not be moved to.
  std::optional<Write> if_unsharded;
};
// `move`: the document may be moved to the shard that is named.
Result<DocumentMerge> ReadMerge(std::string_view json, const ShardedCollection& collection,
                                const DocumentPath& path, const std::string& name, Random& random,
                                bool move);

// The text for a shard that the caller may name only together with the permission to move the
// document.
Failure RefuseMove(const FieldPath& shard_field);

// Changes to a document, which must exist. The names in `fields`, and the first one of each
// transform, are field paths with dots in them; the kind "delete" removes a field.
Status ReadChanges(JsonScanner& scanner, const ShardedCollection& collection,
                   const DocumentPath& path, DocumentWrite& document);

}  // namespace shardline
