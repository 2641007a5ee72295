#include "delivery/delivery_decision.h"

namespace shardline {
namespace {

bool IsFinal(CommitFate fate) {
  return fate == CommitFate::kDenied || fate == CommitFate::kRefused;
}

// A commit that was refused may have been the browser's second, behind one that was applied.
bool WasSent(const DeliveryFacts& facts) {
  return facts.maybe_counted || facts.last != CommitFate::kNone;
}

// What was sent cannot be counted any more, since the ledger has been written.
NextStep CommitAnew(const DeliveryFacts& facts) {
  return facts.no_shards ? NextStep::kRefused : NextStep::kCommit;
}

// The ledger is as the batch relied on.
NextStep DecideUnmoved(const DeliveryFacts& facts) {
  const bool conflict_is_final =
      facts.last == CommitFate::kConflict && facts.idle_conflicts >= kMaxIdleConflicts;
  if (!IsFinal(facts.last) && !conflict_is_final) return NextStep::kCommit;
  if (facts.last == CommitFate::kDenied && facts.clock_was_wrong) return NextStep::kCommit;
  return facts.maybe_counted ? NextStep::kUnknown : NextStep::kRefused;
}

// There is none, or what is there is none.
NextStep DecideWithoutLedger(const DeliveryFacts& facts, const LedgerState& basis) {
  if (facts.no_counter) return NextStep::kRefused;
  if (WasSent(facts) && facts.may_have_expired) return NextStep::kUnknown;
  if (facts.maybe_counted) return NextStep::kSearch;
  if (basis.exists()) return WasSent(facts) ? NextStep::kSearch : NextStep::kCommit;
  // The first batch relies on there being none. A conflict says that there was one.
  return facts.last == CommitFate::kConflict ? NextStep::kSearch : DecideUnmoved(facts);
}

}  // namespace

NextStep Decide(const DeliveryFacts& facts, std::string_view batch, const LedgerState& basis,
                const LedgerState& ledger) {
  if (ledger.Names(batch)) return NextStep::kApplied;
  if (!ledger.exists()) return DecideWithoutLedger(facts, basis);
  if (ledger.update_time == basis.update_time) return DecideUnmoved(facts);
  if (!ledger.IsSound()) return DecideWithoutLedger(facts, basis);
  if (ledger.seq == basis.seq && ledger.batches == basis.batches) return CommitAnew(facts);
  // When it has expired, others begin it anew, who share it or have an older copy of the storage.
  const bool begun_anew = !basis.exists() && facts.may_have_expired;
  if (begun_anew || !ledger.CoversAllSince(basis)) {
    return WasSent(facts) ? NextStep::kUnknown : NextStep::kRestart;
  }
  // Nothing that relied on the basis can be counted any more, and what a commit was refused for may
  // have been that: rules that compare with the ledger, or a proxy that garbles answers.
  const bool others_moved_it = facts.shared && ledger.CountOfLine(batch, basis) == 0;
  return others_moved_it ? CommitAnew(facts) : NextStep::kRestart;
}

NextStep DecideGone(SearchResult search, const DeliveryFacts& facts, bool had_ledger) {
  switch (search) {
    case SearchResult::kCounted:
      return NextStep::kApplied;
    case SearchResult::kNotFoundOut:
      if (had_ledger) return NextStep::kUnknown;
      break;
    case SearchResult::kNotCounted:
      break;
  }
  return had_ledger ? NextStep::kCommit : DecideUnmoved(facts);
}

}  // namespace shardline
