#include "simulation/marker_client.h"

#include <array>
#include <cstddef>

namespace shardline::simulation {
namespace {

using enum ModelMutant;

constexpr auto kRows = std::to_array<ModelMutantRow>({
    {kOwnerTakenForSole, "owner-taken-for-sole", "another page's requests are not reckoned with"},
    {kLostAnswerForgotten, "lost-answer-forgotten", "a request without an answer is forgotten"},
    {kEarlierCallForgotten, "earlier-call-forgotten", "an earlier call's request is forgotten"},
    {kWithdrawnIsCounted, "withdrawn-is-counted", "a withdrawn batch is taken for a counted one"},
    {kRefusedWithoutReading, "refused-without-reading", "a denied commit is a refused batch"},
    {kRefusedWithoutWithdrawing, "refused-without-withdrawing",
     "a denied commit without a marker is a refused batch"},
    {kExistsIsCounted, "exists-is-counted", "ALREADY_EXISTS is taken for a counted batch"},
    {kTakenIsRefused, "taken-is-refused", "a withdrawal that came too late is taken for done"},
    {kLostIsCounted, "lost-is-counted", "a commit without an answer is taken for done"},
    {kTooOldSends, "too-old-sends", "a batch is sent when its marker may have expired"},
    {kTooOldWithdraws, "too-old-withdraws",
     "a withdrawal is sent again when the marker may have expired"},
    {kSleepsInPause, "sleeps-in-pause",
     "the age is looked at when a pause begins, not when it ends"},
    {kWrongClockWithdraws, "wrong-clock-withdraws",
     "a batch that was denied for its clock is withdrawn"},
    {kCommitUnconditional, "commit-unconditional", "a commit overwrites the marker"},
    {kWithdrawalUnconditional, "withdrawal-unconditional", "a withdrawal overwrites the marker"},
    {kExpiryUnbounded, "expiry-unbounded", "rules let markers expire at any time"},
    {kRowNotLookedAt, "row-not-looked-at", "a row is settled that another page has taken over"},
});

constexpr std::array<std::string_view, static_cast<std::size_t>(TableRow::kCount)> kNames = {
    "applied",
    "withdrawn",
    "missing, too old",
    "missing, and the withdrawal found it",
    "missing, commit refused, the clock was wrong",
    "missing, withdrawal refused, the clock was wrong",
    "missing, commit refused",
    "missing, withdrawal refused, a commit may arrive",
    "missing, withdrawal refused",
};

constexpr std::array<BatchStep, static_cast<std::size_t>(TableRow::kCount)> kSteps = {
    BatchStep::kCounted,  BatchStep::kRefused, BatchStep::kUnknown,
    BatchStep::kUnknown,  BatchStep::kCommit,  BatchStep::kWithdraw,
    BatchStep::kWithdraw, BatchStep::kUnknown, BatchStep::kRefused,
};

}  // namespace

std::span<const ModelMutantRow> ModelMutants() { return kRows; }

std::string_view Name(TableRow row) { return kNames[static_cast<std::size_t>(row)]; }
BatchStep StepOf(TableRow row) { return kSteps[static_cast<std::size_t>(row)]; }

TableRow RowOf(const BatchFacts& facts, Marker marker) {
  const bool was_refused =
      facts.last == MarkerFate::kRefused || facts.last == MarkerFate::kNotWithdrawn;
  if (marker == Marker::kApplied) return TableRow::kApplied;
  if (marker == Marker::kWithdrawn) return TableRow::kWithdrawn;
  if (facts.is_too_old) return TableRow::kTooOld;
  if (facts.last == MarkerFate::kTaken) return TableRow::kWasThere;
  if (facts.last == MarkerFate::kRefused && facts.clock_was_wrong) return TableRow::kClockWasWrong;
  if (was_refused && facts.clock_was_wrong) return TableRow::kWithdrawalClockWasWrong;
  if (facts.last == MarkerFate::kRefused && facts.can_withdraw) return TableRow::kCanBeWithdrawn;
  return was_refused && facts.may_arrive ? TableRow::kMayArrive : TableRow::kNothingCanArrive;
}

bool ModelClient::MayArrive(const ClientCall& call) const {
  return (call.lost && !is(kLostAnswerForgotten)) ||
         (call.sent_before && !is(kEarlierCallForgotten)) ||
         (!call.sole_owner && !is(kOwnerTakenForSole));
}

BatchStep ModelClient::Ask(const BatchFacts& facts, Marker marker) {
  const TableRow row = RowOf(facts, marker);
  ++times_[static_cast<std::size_t>(row)];
  const BatchStep step = Decide(facts, marker);
  is_off_table_ = is_off_table_ || step != StepOf(row);
  return step;
}

void ModelClient::Begin(ClientCall& call, const Moment& moment) const {
  if (moment.is_too_old && !is(kTooOldSends)) {
    call.request = Request::kRead;
  } else if (call.withdraws) {
    call.request = Request::kWithdrawal;
    call.dated = true;
  } else {
    call.request = Request::kCommit;
    call.dated = true;
  }
}

bool ModelClient::Handle(ClientCall& call, Reply reply, const Moment& moment) {
  const bool tells_nothing =
      reply == Reply::kContention ||
      (reply == Reply::kLost && !(call.request == Request::kCommit && is(kLostIsCounted)));
  if (call.request == Request::kCommit && reply == Reply::kLost) call.lost = true;
  if (tells_nothing && !moment.is_last_attempt) return true;
  if (tells_nothing) {
    call.verdict = Verdict::kWaiting;
  } else if (call.request == Request::kCommit) {
    OnCommit(call, reply);
  } else if (call.request == Request::kWithdrawal) {
    OnWithdrawal(call, reply);
  } else {
    OnMarker(call,
             reply == Reply::kMissing     ? Marker::kMissing
             : reply == Reply::kApplied   ? Marker::kApplied
             : reply == Reply::kWithdrawn ? Marker::kWithdrawn
                                          : Marker::kHidden,
             moment);
  }
  if (call.verdict != Verdict::kNone) call.request = Request::kNone;
  return false;
}

void ModelClient::Resume(ClientCall& call, const Moment& moment) const {
  if (!moment.is_too_old || is(kTooOldSends)) return;
  if (call.request == Request::kWithdrawal && is(kTooOldWithdraws)) return;
  call.request = Request::kRead;
}

void ModelClient::Read(ClientCall& call, MarkerFate last, Reply refusal) const {
  call.last = last;
  if (!call.refusal) call.refusal = refusal;
  call.request = Request::kRead;
}

void ModelClient::OnCommit(ClientCall& call, Reply reply) const {
  if (reply == Reply::kDenied && is(kRefusedWithoutReading)) {
    call.verdict = Verdict::kRefused;
  } else if (reply == Reply::kDenied || (reply == Reply::kExists && !is(kExistsIsCounted))) {
    Read(call, MarkerFate::kRefused, reply);
  } else {
    call.verdict = Verdict::kCounted;
  }
}

void ModelClient::OnWithdrawal(ClientCall& call, Reply reply) const {
  if (reply == Reply::kExists && !is(kTakenIsRefused)) {
    Read(call, MarkerFate::kTaken, reply);
  } else if (reply == Reply::kDenied && MayArrive(call)) {
    Read(call, MarkerFate::kNotWithdrawn, reply);
  } else {
    call.verdict = Verdict::kRefused;
    // Nothing was sent that the marker could tell of.
    call.unmarked = reply == Reply::kDenied;
  }
}

void ModelClient::OnMarker(ClientCall& call, Marker marker, const Moment& moment) {
  const bool clock_was_wrong = marker != Marker::kHidden && call.refusal == Reply::kDenied &&
                               call.guessed && call.dated && moment.clock_is_wrong;
  if (marker != Marker::kHidden) call.guessed = false;
  if (marker == Marker::kHidden && !call.refusal) call.refusal = Reply::kHidden;
  if (is(kWithdrawnIsCounted) && marker == Marker::kWithdrawn) marker = Marker::kApplied;
  switch (Ask({.last = call.last,
               .can_withdraw = call.can_withdraw && !is(kRefusedWithoutWithdrawing),
               .may_arrive = MayArrive(call),
               .is_too_old = moment.is_too_old && !is(kTooOldSends),
               .clock_was_wrong = clock_was_wrong && !is(kWrongClockWithdraws)},
              marker)) {
    case BatchStep::kCounted:
      call.verdict = Verdict::kCounted;
      break;
    case BatchStep::kRefused:
      call.verdict = Verdict::kRefused;
      call.unmarked = marker != Marker::kWithdrawn &&
                      (call.last == MarkerFate::kNotWithdrawn || !call.can_withdraw);
      break;
    case BatchStep::kUnknown:
      call.verdict = Verdict::kUnknown;
      break;
    case BatchStep::kCommit:
      call.last = MarkerFate::kNone;
      call.refusal.reset();
      call.request = Request::kCommit;
      call.dated = true;
      break;
    case BatchStep::kWithdraw:
      call.request = Request::kWithdrawal;
      call.dated = true;
      break;
  }
}

}  // namespace shardline::simulation
