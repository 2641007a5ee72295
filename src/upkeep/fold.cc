#include "upkeep/fold.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/reason.h"
#include "firestore/query.h"

namespace shardline {
namespace {

// Up to here, other clients' increments do not carry a shard to an end of int64 between two
// requests.
constexpr std::int64_t kSafe = std::int64_t{1} << 62;
// Integers up to here are exact as doubles.
constexpr std::int64_t kExact = std::int64_t{1} << 53;

bool IsWithin(std::int64_t value, std::int64_t bound) { return -bound <= value && value <= bound; }

// The list at ChooseTarget(), and its exclusions.
enum class Fitness : std::uint8_t { kPlain, kGuarded, kMixed, kLossy, kNever };

Fitness FitnessOf(const Amount& shard, const Amount& sum) {
  if (shard.is_double() && sum.is_double()) return Fitness::kPlain;
  if (shard.is_double() || sum.is_double()) {
    const Amount& integer = shard.is_double() ? sum : shard;
    return IsWithin(integer.integer(), kExact) ? Fitness::kMixed : Fitness::kLossy;
  }
  const std::optional<Amount> result = Add(shard, sum);
  if (!result) return Fitness::kNever;
  return IsWithin(result->integer(), kSafe) ? Fitness::kPlain : Fitness::kGuarded;
}

Amount AmountOf(const TargetShard& shard) { return shard.amount.value_or(Amount::Integer(0)); }

}  // namespace

FieldRemoval TakeField(const CountedDocument& document, const FieldPath& field, bool may_delete) {
  Precondition as_read = Precondition::AsRead(document.update_time);
  if (may_delete && !document.has_others()) {
    return {document.amount, Write::Delete(document.name, std::move(as_read))};
  }
  const std::size_t names = std::max<std::size_t>(document.own_names, 1);
  return {document.amount,
          Write::RemoveField(document.name, field.Prefix(names), std::move(as_read))};
}

Call ReadDocument(const Counter& counter, const std::string& name, std::string_view read_time) {
  return {.path = counter.database().UrlPath(":batchGet"),
          .body = EncodeBatchGet({name}, nullptr, read_time)};
}

std::vector<TargetShard> TargetShards(const Counter& counter, std::int64_t shards,
                                      const ShardListing& listing) {
  std::vector<TargetShard> targets;
  for (std::int64_t number = 0; number < shards; ++number) {
    TargetShard target{.number = number, .amount = {}, .update_time = {}};
    if (const CountedDocument* shard = listing.Find(counter.ShardName(number))) {
      target.amount = shard->amount;
      target.update_time = shard->update_time;
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

std::optional<TargetChoice> ChooseTarget(const std::vector<TargetShard>& shards, const Amount& sum,
                                         Random& random) {
  Fitness best = Fitness::kNever;
  std::uint64_t as_good = 0;
  std::size_t choice = 0;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Fitness fitness = FitnessOf(AmountOf(shards[i]), sum);
    if (fitness > best || fitness == Fitness::kNever) continue;
    as_good = fitness < best ? 1 : as_good + 1;
    best = fitness;
    // The n-th that is as good replaces those before it once in n times: all are as likely.
    if (random.Below(as_good) == 0) choice = i;
  }
  if (best == Fitness::kNever) return std::nullopt;
  return TargetChoice{choice, best == Fitness::kGuarded};
}

void Fold::Add(FieldRemoval removal) {
  const auto same = [&](const FieldRemoval& other) { return other.name() == removal.name(); };
  doubtful_.erase(std::remove_if(doubtful_.begin(), doubtful_.end(), same), doubtful_.end());
  if (std::binary_search(folded_.begin(), folded_.end(), removal.name())) return;
  removals_.push_back(std::move(removal));
}

void Fold::SetTarget(const Counter* target, std::vector<TargetShard> shards) {
  target_ = target;
  shards_ = std::move(shards);
  for (const FieldRemoval& gone : std::exchange(doubtful_, {})) {
    NoteFolded(gone.name(), gone.deletes());
  }
}

void Fold::NoteFolded(const std::string& name, bool deletes) {
  // To sort them takes five times the code.
  folded_.insert(std::upper_bound(folded_.begin(), folded_.end(), name), name);
  if (deletes) ++deleted_;
}

std::size_t Fold::NextBatch(std::optional<Amount>& sum) const {
  Sum total;
  std::size_t size = 0;
  while (size < removals_.size() && size < batch_) {
    const std::optional<Amount>& amount = removals_[size].amount;
    const bool is_double = target_ != nullptr && amount && amount->is_double();
    if (is_double && size > 0) break;
    if (amount) total.Add(*amount);
    ++size;
    if (is_double) break;
  }
  sum = total.Total();
  return size;
}

Result<Call> Fold::NextCommit(const DatabaseName& database, const std::optional<Write>& guard,
                              Random& random) {
  assert(!empty());
  if (refusals_ >= max_refusals_) {
    return Fail(
        kTooMuchContention,
        "Other clients kept writing to the documents that were to be moved. Nothing is lost: call "
        "again later, and it goes on.");
  }
  std::optional<Amount> sum;
  std::optional<TargetChoice> choice;
  for (;;) {
    sent_ = NextBatch(sum);
    if (target_ == nullptr || sum == Amount::Integer(0)) break;
    if (sum) choice = ChooseTarget(shards_, *sum, random);
    if (choice) break;
    if (sent_ == 1) {
      return Fail(kCounterFull,
                  "What is to be moved does not fit into the shards that stay, each of which holds "
                  "an integer of 64 bits. Nothing is lost: choose more shards.");
    }
    batch_ = sent_ / 2;  // Less at once may fit.
  }
  CommitBody writes;
  target_sent_.reset();
  if (choice) {
    // It comes first, because the answer has the first write's update time.
    const TargetShard& shard = shards_[choice->index];
    Write add = Write::Increment(target_->ShardName(shard.number), target_->count_field(), *sum);
    if (choice->is_guarded) add.precondition = Precondition::AsRead(shard.update_time);
    writes.Add(add);
    target_sent_ = choice->index;
    target_amount_ = shardline::Add(AmountOf(shard), *sum);
  }
  if (guard) writes.Add(*guard);
  for (std::size_t i = 0; i < sent_; ++i) writes.Add(removals_[i].write);
  writes_sent_ = writes.size();
  return Call{database.UrlPath(":commit"), writes.Take(), Effect::kRepeatable};
}

Result<Billed> Fold::HandleAnswer(const PaddedText& body) {
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, writes_sent_, &answer));
  if (target_sent_) {
    if (answer.update_time.empty()) return Fail(kAnswerUnreadable, "an update time is missing");
    shards_[*target_sent_].amount = target_amount_;
    shards_[*target_sent_].update_time = std::move(answer.update_time);
  }
  std::int64_t deletes = 0;
  for (std::size_t i = 0; i < sent_; ++i) {
    deletes += removals_[i].deletes() ? 1 : 0;
    NoteFolded(removals_[i].name(), removals_[i].deletes());
  }
  removals_.erase(removals_.begin(), removals_.begin() + static_cast<std::ptrdiff_t>(sent_));
  refusals_ = 0;
  batch_ = std::min(2 * batch_, max_batch_);
  return Billed{.writes = static_cast<std::int64_t>(writes_sent_) - deletes, .deletes = deletes};
}

void Fold::HandleRefusal(const CallFailure& failure) {
  ++refusals_;
  if (failure.maybe_applied) {
    const auto end = removals_.begin() + static_cast<std::ptrdiff_t>(sent_);
    doubtful_.insert(doubtful_.end(), std::make_move_iterator(removals_.begin()),
                     std::make_move_iterator(end));
  }
  batch_ = std::max<std::size_t>(batch_ / 4, 1);
  removals_.clear();
}

}  // namespace shardline
