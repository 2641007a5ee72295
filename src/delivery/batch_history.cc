#include "delivery/batch_history.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "counter/answers.h"
#include "firestore/query.h"

namespace shardline {
namespace {

// Firestore forgets after an hour; the last minute is left to slow networks.
constexpr std::int64_t kMemoryMicros = std::int64_t{59} * 60 * 1'000'000;

}  // namespace

std::string BatchHistory::NextRead() const {
  assert(!result_);
  const FieldPath* field = &question_.count_field;
  switch (step_) {
    case Step::kShards:
      return EncodeBatchGet(question_.shards, field);
    case Step::kLedger:
      return EncodeBatchGet({question_.ledger}, nullptr, open_.back().written.ToString());
    case Step::kShardBefore:
      break;
  }
  const Timestamp before{open_.back().written.micros - 1};
  return EncodeBatchGet({open_.back().shard}, field, before.ToString());
}

Result<std::int64_t> BatchHistory::Handle(const PaddedText& body) {
  switch (step_) {
    case Step::kShards:
      SHARDLINE_CHECK(HandleShards(body));
      return static_cast<std::int64_t>(question_.shards.size());
    case Step::kLedger:
      SHARDLINE_CHECK(HandleLedger(body));
      break;
    case Step::kShardBefore:
      SHARDLINE_CHECK(HandleShardBefore(body));
      break;
  }
  return 1;
}

Status BatchHistory::HandleShards(const PaddedText& body) {
  CountedDocuments shards;
  SHARDLINE_CHECK(DecodeCounts(body, question_.count_field, shards));
  as_of_ = Timestamp::Parse(shards.read_time);
  for (const std::string& name : question_.shards) {
    for (const CountedDocument& shard : shards.documents) {
      const std::optional<Timestamp> written = Timestamp::Parse(shard.update_time);
      if (shard.name == name && written && *written >= question_.sent) {
        open_.push_back({name, *written});
      }
    }
  }
  GoOn();
  return {};
}

Status BatchHistory::HandleLedger(const PaddedText& body) {
  LedgerReading ledger;
  SHARDLINE_CHECK(DecodeLedger(body, question_.ledger, ledger));
  as_of_.reset();
  if (ledger.state.Names(question_.batch)) {
    result_ = SearchResult::kCounted;
    found_ = std::move(ledger.state);
  } else {
    step_ = Step::kShardBefore;
  }
  return {};
}

Status BatchHistory::HandleShardBefore(const PaddedText& body) {
  CountedDocument before;
  SHARDLINE_CHECK(DecodeCount(body, open_.back().shard, question_.count_field, before));
  const std::optional<Timestamp> written = Timestamp::Parse(before.update_time);
  if (written && *written >= question_.sent && *written < open_.back().written) {
    open_.back().written = *written;
  } else {
    open_.pop_back();
  }
  GoOn();
  return {};
}

void BatchHistory::GoOn() {
  step_ = Step::kLedger;
  if (open_.empty()) {
    result_ = SearchResult::kNotCounted;
  } else if (versions_++ == kMaxVersions ||
             open_.back().written.micros < question_.now.micros - kMemoryMicros) {
    result_ = SearchResult::kNotFoundOut;
  }
}

}  // namespace shardline
