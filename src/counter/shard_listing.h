#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/padded_text.h"
#include "counter/answers.h"
#include "counter/counter.h"
#include "operation/billed.h"
#include "operation/executor.h"

namespace shardline {

// Reads all shards of a counter, or the documents of another collection, page by page, in the order
// of their names and as of one instant.
// Sends nothing itself: an operation sends NextPage() and hands the answer to AddPage(), until
// complete().
class ShardListing {
 public:
  static constexpr int kPageSize = 300;

  // Of the extension's layout, the documents are read as a whole.
  explicit ShardListing(const Counter& counter, std::string read_time = {})
      : ShardListing(counter.database(), counter.shard_collection(), counter.count_field()) {
    whole_ = counter.is_extension();
    read_time_ = std::move(read_time);
  }
  // The partials alone. Requires the extension's layout.
  static ShardListing OfPartials(const Counter& counter);
  // `field` is the number that is read of each document. The database must outlive the listing.
  ShardListing(const DatabaseName& database, CollectionPath collection, FieldPath field)
      : database_(&database), collection_(std::move(collection)), field_(std::move(field)) {}

  Call NextPage() const;
  // Takes in an answer, and returns what it was billed. When it fails, nothing has changed.
  Result<Billed> AddPage(const PaddedText& body);

  bool complete() const { return complete_; }
  const std::vector<CountedDocument>& shards() const { return shards_; }
  const std::string& read_time() const { return read_time_; }
  // Looks among those that have been read so far.
  bool Contains(const std::string& name) const;

 private:
  const DatabaseName* database_;
  CollectionPath collection_;
  FieldPath field_;
  bool whole_ = false;
  // Nothing but what is behind and before these names; empty for no bound.
  std::string after_;
  std::string before_;
  std::vector<CountedDocument> shards_;
  std::string read_time_;
  bool complete_ = false;
};

}  // namespace shardline
