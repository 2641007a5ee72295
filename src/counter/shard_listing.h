#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/padded_text.h"
#include "counter/answers.h"
#include "counter/counter.h"
#include "operation/billed.h"
#include "operation/executor.h"

namespace shardline {

// Reads all shards of a counter, page by page, in the order of their names and as of one instant.
// Sends nothing itself: an operation sends NextPage() and hands the answer to AddPage(), until
// complete().
class ShardListing {
 public:
  static constexpr int kPageSize = 300;

  // The counter must outlive the listing.
  explicit ShardListing(const Counter& counter) : counter_(&counter) {}

  Call NextPage() const;
  // Takes in an answer, and returns what it was billed. When it fails, nothing has changed.
  Result<Billed> AddPage(const PaddedText& body);

  bool complete() const { return complete_; }
  const std::vector<CountedDocument>& shards() const { return shards_; }
  const std::string& read_time() const { return read_time_; }
  // Looks among those that have been read so far.
  bool Contains(const std::string& name) const;

 private:
  const Counter* counter_;
  std::vector<CountedDocument> shards_;
  std::string read_time_;
  bool complete_ = false;
};

}  // namespace shardline
