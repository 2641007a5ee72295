#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/padded_text.h"
#include "counter/answers.h"
#include "counter/counter.h"
#include "operation/billed.h"
#include "operation/executor.h"

namespace shardline {

// A snapshot read of all shards of a counter, page by page, in the order of their names. Sends
// nothing itself: an operation sends NextPage() and hands the answer to AddPage(), until
// complete().
class ShardListing {
 public:
  static constexpr int kPageSize = 300;

  // The fields that are read of each document.
  enum class Reads : std::uint8_t {
    kField,     // The count field.
    kDocument,  // All fields. A delete needs them: the document may have others.
  };

  // In the extension's layout, the documents are read as a whole. The counter must outlive the
  // listing. `read_time` is empty or as the server wrote it.
  explicit ShardListing(const Counter& counter, Reads reads, std::string read_time = {})
      : counter_(&counter),
        whole_(reads == Reads::kDocument || counter.is_extension()),
        read_time_(std::move(read_time)) {}
  // The partials alone. Requires the extension's layout.
  static ShardListing OfPartials(const Counter& counter);

  Call NextPage() const;
  // Takes in an answer, and returns the operations billed for it. When it fails, nothing has
  // changed.
  Result<Billed> AddPage(const PaddedText& body);

  bool complete() const { return complete_; }
  const std::vector<CountedDocument>& shards() const { return shards_; }
  const std::string& read_time() const { return read_time_; }
  // The shard of that full name among those that have been read so far; null if it is not there.
  const CountedDocument* Find(const std::string& name) const;

 private:
  // The name behind which the next page begins; empty for the first of all.
  const std::string& Last() const { return shards_.empty() ? after_ : shards_.back().name; }

  const Counter* counter_;
  bool whole_;
  // The bounds of the listed names, both exclusive; empty for no bound.
  std::string after_;
  std::string before_;
  std::vector<CountedDocument> shards_;
  std::string read_time_;
  bool complete_ = false;
};

}  // namespace shardline
