#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "counter/counter.h"
#include "firestore/amount.h"
#include "firestore/field_path.h"
#include "operation/billed.h"
#include "operation/executor.h"

namespace shardline {

// Reads all shards of a counter, page by page, in the order of their names and as of one instant,
// and adds up several fields of them. Sends nothing itself: an operation sends NextPage() and hands
// the answer to AddPage(), until complete().
class FieldSums {
 public:
  // Both must outlive it. The fields are names without dots.
  FieldSums(const Counter& counter, const std::vector<FieldPath>& fields)
      : counter_(counter), fields_(fields), sums_(fields.size()) {}

  Call NextPage() const;
  // Takes in an answer, and returns what it was billed. When it fails, nothing has changed.
  Result<Billed> AddPage(const PaddedText& body);

  bool complete() const { return complete_; }
  // In the order of the fields.
  const std::vector<Sum>& sums() const { return sums_; }
  // How many shards there are that have one of the fields.
  std::int64_t shards() const { return shards_; }
  const std::string& read_time() const { return read_time_; }

 private:
  const Counter& counter_;
  const std::vector<FieldPath>& fields_;
  std::string last_;  // The full name of the last document that was read.
  std::vector<Sum> sums_;
  std::int64_t shards_ = 0;
  std::string read_time_;
  bool complete_ = false;
};

}  // namespace shardline
