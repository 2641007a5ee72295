// A multiversion store: the documents of one database with their versions of the past hour, in the
// order of their names, and the indexes of their fields. It has no notion of requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firestore/value.h"
#include "simulator/index.h"

namespace shardline::simulator {

// One version of a document: immutable, and shared by its readers.
struct Content {
  Map fields;
  Timestamp create_time;
  Timestamp update_time;
};
using ContentPtr = std::shared_ptr<const Content>;

class Document {
 public:
  explicit Document(std::string path) : path_(std::move(path)) {}

  // Relative to the database: "posts/p1".
  const std::string& path() const { return path_; }
  // Null if there is no document now.
  const ContentPtr& current() const { return current_; }
  // The version at `time`, which must not be before the store's oldest time.
  const ContentPtr& At(Timestamp time) const;
  // The time of the current version, or of the deletion.
  Timestamp since() const { return since_; }

 private:
  friend class Store;
  struct Version {
    Timestamp since;
    ContentPtr content;
  };
  // Oldest first. A counter marks the dropped front of the vector, which is erased from time to
  // time: a deque would take kilobytes for each document.
  struct History {
    std::vector<Version> versions;
    std::size_t forgotten = 0;
  };

  std::string path_;
  ContentPtr current_;
  Timestamp since_;
  // Former versions. Few documents have any.
  std::unique_ptr<History> history_;
};

struct IdLess {
  bool operator()(std::string_view a, std::string_view b) const { return CompareNames(a, b) < 0; }
};

// The documents directly in one collection.
class Collection {
 public:
  // By id, which is the end of the document's path. Deleted ones stay while their past is kept.
  using Documents = std::map<std::string_view, std::unique_ptr<Document>, IdLess>;

  const Documents& documents() const { return documents_; }
  // The number of documents that exist now.
  std::size_t size() const { return size_; }

  // The index for queries of this shape, from an LRU cache. It is built at the second call, because
  // a single query is faster without it; null until then.
  const Index* IndexFor(const IndexShape& shape);

 private:
  friend class Store;
  struct KeptIndex {
    std::unique_ptr<Index> index;
    std::uint64_t last_used = 0;
    bool built = false;
  };

  Documents documents_;
  std::size_t size_ = 0;
  std::map<std::string, KeptIndex> indexes_;
  std::uint64_t uses_ = 0;
};

class Store {
 public:
  // By path: "posts", "posts/p1/shards". A collection that ever had a document stays.
  using Collections = std::map<std::string, Collection, std::less<>>;

  const Collections& collections() const { return collections_; }
  Collection* FindCollection(std::string_view path);
  const Document* Find(std::string_view path) const;

  // The document at the time `at` (nullopt: now); null if there is none.
  ContentPtr Get(std::string_view path, std::optional<Timestamp> at) const;
  // Sets the content at `path` from `time` on; null deletes the document. Requires a time that is
  // not before the time of an earlier call.
  void Put(std::string_view path, ContentPtr content, Timestamp time);

  // Drops versions that were replaced before `horizon`.
  void Trim(Timestamp horizon);
  // Reads must not go back further than this. It also moves when there are too many versions, or
  // when they take too much memory.
  Timestamp oldest_time() const { return oldest_time_; }

  std::size_t size() const { return size_; }
  void Clear();

  // A version of a document from a time on; null: it was deleted.
  struct Version {
    std::string path;
    Timestamp time;
    ContentPtr content;
  };
  // All present and former versions, by time: Put() in this order makes an equal store.
  std::vector<Version> AllVersions() const;
  // From now on, notes the versions of Put().
  void KeepJournal() { keeps_journal_ = true; }
  bool keeps_journal() const { return keeps_journal_; }
  // The versions put since the last call.
  std::vector<Version> TakeJournal() { return std::exchange(journal_, {}); }

 private:
  struct Replaced {
    Timestamp time;
    Document* document;
  };

  void ForgetOldest();

  Collections collections_;
  // Every former version, in the order in which they were replaced.
  std::deque<Replaced> replaced_;
  Timestamp oldest_time_{Timestamp::kMinMicros};
  // The memory of the former versions, in bytes.
  std::size_t replaced_bytes_ = 0;
  std::size_t size_ = 0;
  bool keeps_journal_ = false;
  std::vector<Version> journal_;
};

}  // namespace shardline::simulator
