// Whether a batch was counted whose ledger is not there: because its commit got lost, or because
// somebody has deleted the ledger since. Firestore remembers every version of a document for an
// hour, and a commit writes shard and ledger at the same moment. So if none of the shards that the
// batch may have gone to has been written since it was sent, it was not counted. Otherwise each
// version of such a shard since then tells a moment at which the ledger, if it was written, named
// the batch.
//
//   read the shards now             written before the batch was sent: not counted there
//   read the ledger as of a write   it names the batch: counted
//   read the shard just before it   and so on, back to the moment when the batch was sent
//
// A search ends after kMaxVersions writes, and at the end of the hour, without having found out. A
// shard that is gone tells nothing: what it held was moved or deleted by a resize or delete().
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "delivery/delivery_decision.h"
#include "delivery/ledger.h"
#include "firestore/field_path.h"
#include "firestore/timestamp.h"

namespace shardline {

class BatchHistory {
 public:
  // Each takes two reads.
  static constexpr int kMaxVersions = 500;

  struct Question {
    std::string batch;
    std::string ledger;               // Its full name.
    std::vector<std::string> shards;  // Full names of those that the batch may have gone to.
    FieldPath count_field;
    Timestamp sent;  // No later than when the batch was first sent, by the server's clock.
    Timestamp now;   // By the server's clock.
  };
  explicit BatchHistory(Question question) : question_(std::move(question)) {}

  // The body of the :batchGet that comes next. Requires that there is no result.
  std::string NextRead() const;
  // Takes the answer to it in. Returns how many documents were read; an error if it is no answer.
  Result<std::int64_t> Handle(const PaddedText& body);
  // nullopt: it goes on.
  std::optional<SearchResult> result() const { return result_; }
  // The server's time at which the result was found; nullopt if it took several reads.
  std::optional<Timestamp> as_of() const { return as_of_; }
  // The ledger as it was when it named the batch. Requires the result kCounted.
  const LedgerState& found() const {
    assert(result_ == SearchResult::kCounted);
    return found_;
  }

 private:
  enum class Step : std::uint8_t { kShards, kLedger, kShardBefore };
  // A version of a shard that may have been the batch's.
  struct Version {
    std::string shard;
    Timestamp written;
  };

  Status HandleShards(const PaddedText& body);
  Status HandleLedger(const PaddedText& body);
  Status HandleShardBefore(const PaddedText& body);
  void GoOn();

  Question question_;
  Step step_ = Step::kShards;
  std::vector<Version> open_;  // The last one is being looked at.
  int versions_ = 0;
  std::optional<Timestamp> as_of_;
  std::optional<SearchResult> result_;
  LedgerState found_;
};

}  // namespace shardline
