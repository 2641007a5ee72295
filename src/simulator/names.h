// The server's checks of the names of documents and collections.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "firestore/value.h"

namespace shardline::simulator {

// `__…__`, of at least five characters: kept for Firestore itself.
bool IsReserved(std::string_view id);

// An id of a document may also be `__id<number>__`.
Status CheckDocumentId(std::string_view id);
Status CheckCollectionId(std::string_view id);

// The place of a document or collection.
struct ResourcePath {
  std::string database;  // "projects/p/databases/d"
  std::string path;      // "posts/p1"; empty for the root of the database.
};

// "projects/p/databases/d/documents/posts/p1": a whole name of a document.
Result<ResourcePath> ParseDocumentName(std::string_view name);
// The same, or the root "projects/p/databases/d/documents".
Result<ResourcePath> ParseParentName(std::string_view name);

// The full name.
std::string DocumentName(std::string_view database, std::string_view path);

// The last segment of a path.
std::string_view LastId(std::string_view path);
// The path without its last segment; empty at the top.
std::string_view ParentPath(std::string_view path);

// Turns a reference with the full name of a document of the database into one with its path.
// Returns false, and leaves an empty path, for anything else.
bool MakeRelative(Value& value, std::string_view database);

}  // namespace shardline::simulator
