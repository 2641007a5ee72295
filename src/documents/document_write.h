#pragma once

#include <string>

#include "base/json_scanner.h"
#include "base/random.h"
#include "firestore/resource_name.h"
#include "firestore/write.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {

// A write to a sharded collection, ready to be committed.
struct DocumentWrite {
  Write write;
  // The document's shard value, as JSON; empty if an update leaves it as it is.
  std::string shard = {};
};

// Both read what a user wants written, [{fields on the wire}, [[kind, [names], value], …]], of
// which the second part are transforms: "serverTimestamp" (value null), "increment" (a number on
// the wire), "arrayUnion" and "arrayRemove" ({"values": […]}). They refuse by name of the field
// what Firestore cannot hold, and what would leave the document without one of the collection's
// shard values, by which alone sharded queries find it.

// A whole document. It gets a shard value drawn by `random`, unless it brings one.
Status ReadDocument(JsonScanner& scanner, const ShardedCollection& collection,
                    const DocumentPath& path, Random& random, DocumentWrite& document);

// Changes to a document, which must exist. The names in `fields`, and the first one of each
// transform, are field paths with dots in them; the kind "delete" removes a field.
Status ReadChanges(JsonScanner& scanner, const ShardedCollection& collection,
                   const DocumentPath& path, DocumentWrite& document);

}  // namespace shardline
