#include "counter/fold.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "counter/requests.h"

namespace shardline {

bool IsRefusal(Code code) {
  return code == Code::kAlreadyExists || code == Code::kFailedPrecondition ||
         code == Code::kNotFound;
}

void FoldOperation::AddSurplus(const CountedDocument& document) {
  if (std::binary_search(folded_.begin(), folded_.end(), document.name)) return;
  surplus_.push_back(document);
}

void FoldOperation::FoldMore() {
  if (surplus_.empty()) return OnAllFolded();
  std::string writes = Guard();
  writes_sent_ = writes.empty() ? 0 : 1;
  const auto add = [&](const std::string& write) {
    if (writes_sent_++ > 0) writes += ',';
    writes += write;
  };
  // Doubles go by themselves, so that they do not cost the integers their digits.
  Sum sum;
  sent_ = 0;
  deletes_sent_ = 0;
  for (const CountedDocument& one : surplus_) {
    const bool is_double = one.amount->is_double();
    if (sent_ == batch_ || (is_double && sent_ > 0)) break;
    sum.Add(*one.amount);
    if (Deletes(one)) {
      add(EncodeDelete(one.name, one.update_time));
      ++deletes_sent_;
    } else {
      add(Emptying(one));
    }
    ++sent_;
    if (is_double) break;
  }
  const std::optional<Amount> total = sum.Total();
  if (!total) {
    // Less at once may fit; one alone always does.
    batch_ = std::max<std::size_t>(sent_ / 2, 1);
    return FoldMore();
  }
  if (target() != nullptr && *total != Amount::Integer(0)) {
    const std::int64_t shard = PickShard(target_shards(), -1, random());
    add(EncodeIncrement(target()->ShardName(shard), target()->count_field(), *total));
  }
  SendCommit(EncodeCommitOf(writes), Effect::kRepeatable);
}

Result<Billed> FoldOperation::OnFolded(const PaddedText& body) {
  std::optional<Amount> none;
  SHARDLINE_CHECK(DecodeCommitOf(writes_sent_, body, none));
  const auto end = surplus_.begin() + static_cast<std::ptrdiff_t>(sent_);
  for (auto one = surplus_.begin(); one != end; ++one) {
    // To sort them takes five times the code.
    const auto place = std::upper_bound(folded_.begin(), folded_.end(), one->name);
    folded_.insert(place, std::move(one->name));
  }
  surplus_.erase(surplus_.begin(), end);
  refusals_ = 0;
  batch_ = std::min(2 * batch_, kMaxBatch);
  const Billed billed{.writes = static_cast<std::int64_t>(writes_sent_) - deletes_sent_,
                      .deletes = deletes_sent_};
  FoldMore();
  return billed;
}

void FoldOperation::OnFoldFailure(const CallFailure& failure) {
  if (!IsRefusal(failure.error.code)) return FinishWithFailure(failure);
  if (!MayTryAgain(failure)) return;
  batch_ = std::max<std::size_t>(batch_ / 4, 1);
  surplus_.clear();
  Collect();
}

bool FoldOperation::MayTryAgain(const CallFailure& failure) {
  if (++refusals_ < 4 * context().retry.max_attempts) return true;
  FinishWithError(
      Fail({Code::kAborted,
            "Others kept writing to the documents that were to be moved. Nothing is lost: "
            "call again later, and it goes on.",
            failure.error.http_status}));
  return false;
}

}  // namespace shardline
