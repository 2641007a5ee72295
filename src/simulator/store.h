// The documents of one database with their versions of the past hour, in the order of their names,
// and the indexes of their fields. Knows nothing of requests.
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

// One version of a document; shared by all who still look at it, and never changed.
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
  // Null when there is none now.
  const ContentPtr& current() const { return current_; }
  // As it was at `time`, which must be one that the store still knows.
  const ContentPtr& At(Timestamp time) const;
  // When the current version, or the deletion, came.
  Timestamp since() const { return since_; }

 private:
  friend class Store;
  struct Version {
    Timestamp since;
    ContentPtr content;
  };
  // Oldest first. The front of a vector is forgotten by counting, and cleared out now and then: a
  // deque would take kilobytes for each document.
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
  // How many exist now.
  std::size_t size() const { return size_; }

  // The index for queries of this shape. It is built when it is asked for the second time, as a
  // single query is faster without; null until then. The least used goes when there are too many.
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
  // By path: "posts", "posts/p1/shards". One that ever had a document stays.
  using Collections = std::map<std::string, Collection, std::less<>>;

  const Collections& collections() const { return collections_; }
  Collection* FindCollection(std::string_view path);
  const Document* Find(std::string_view path) const;

  // Null if there is no such document. Without `at`, as it is now.
  ContentPtr Get(std::string_view path, std::optional<Timestamp> at) const;
  // Sets the content at `path` from `time` on; null: nothing. Requires a time that is not before
  // that of an earlier call.
  void Put(std::string_view path, ContentPtr content, Timestamp time);

  // Forgets what was replaced before `horizon`.
  void Trim(Timestamp horizon);
  // Reads must not go back further than this: versions are also forgotten when they are too many,
  // or take too much memory.
  Timestamp oldest_time() const { return oldest_time_; }

  std::size_t size() const { return size_; }
  void Clear();

  // A version of a document from a time on; null: it was deleted.
  struct Version {
    std::string path;
    Timestamp time;
    ContentPtr content;
  };
  // All that it knows, the present and the remembered past, by time: Put() in this order makes a
  // store that answers alike.
  std::vector<Version> AllVersions() const;
  // From now on, notes what is put.
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
  // The memory that they take.
  std::size_t replaced_bytes_ = 0;
  std::size_t size_ = 0;
  bool keeps_journal_ = false;
  std::vector<Version> journal_;
};

}  // namespace shardline::simulator
