#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace shardline {

// The rules for names are those of
// https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields.
inline constexpr std::size_t kMaxIdBytes = 1'500;

// Refuses impossible ids of collections and documents: empty, with a slash, `.` or `..`, `__…__`,
// more than 1,500 bytes, malformed UTF-8. `what` names the id in the message: "shard collection".
Status CheckId(std::string_view id, const char* what);

// "projects/<project>/databases/<database>/documents"
class DatabaseName {
 public:
  static Result<DatabaseName> Make(std::string_view project_id, std::string_view database_id);

  const std::string& documents() const { return documents_; }
  // "/v1/projects/…/documents<suffix>", for a request. `suffix` is not escaped.
  std::string UrlPath(std::string_view suffix) const;

 private:
  explicit DatabaseName(std::string documents) : documents_(std::move(documents)) {}
  std::string documents_;
};

class CollectionPath;

// A path of a document inside a database: an even number of valid ids, "posts/p1".
class DocumentPath {
 public:
  static Result<DocumentPath> Parse(std::string_view text);

  const std::string& text() const { return text_; }
  std::string_view id() const;
  // Requires a checked id.
  CollectionPath Collection(std::string_view checked_id) const;
  // The name that the protocol wants: "projects/…/documents/posts/p1".
  std::string Name(const DatabaseName& database) const {
    return database.documents() + '/' + text_;
  }

 private:
  friend class CollectionPath;
  explicit DocumentPath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// A path of a collection: an odd number of valid ids, "instruments" or "posts/p1/shards".
class CollectionPath {
 public:
  static Result<CollectionPath> Parse(std::string_view text);

  const std::string& text() const { return text_; }
  std::string_view id() const;
  // The path of the document above the collection; empty at the top.
  std::string_view parent() const;
  // Requires a checked id.
  DocumentPath Document(std::string_view checked_id) const;
  // "/v1/projects/…/documents/posts/p1<verb>", where queries over the collection go.
  std::string QueryUrlPath(const DatabaseName& database, std::string_view verb) const;

 private:
  friend class DocumentPath;
  explicit CollectionPath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// An id like those of Firestore's own libraries: 20 letters and digits, drawn by `random` (a
// Random).
template <class RandomSource>
std::string MakeAutoId(RandomSource& random) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string id;
  for (int i = 0; i < 20; ++i) {
    id += kAlphabet[static_cast<std::size_t>(random.Below(kAlphabet.size()))];
  }
  return id;
}

}  // namespace shardline
