#include "delivery/deliver_increment.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/reason.h"
#include "counter/increment.h"
#include "firestore/query.h"

namespace shardline {
namespace {

using Kind = DeliveryOutcome::Kind;

// Pauses between rounds grow no further than behind so many failures.
constexpr int kLongestPause = 4;
// What clocks may be off by, and requests may take, before a moment that was computed.
constexpr std::int64_t kClockMarginMicros = 10'000'000;
constexpr std::int64_t kHourMicros = std::int64_t{3600} * 1'000'000;
// Nobody waits so long for an answer but a device that sleeps.
constexpr Duration kLongestWait = std::chrono::hours(1);
constexpr std::int64_t kDayMicros = 24 * kHourMicros;

// kUnimplemented: a proxy has garbled the answer, and the next one may be the server's.
bool IsPrecondition(Code code) {
  return code == Code::kFailedPrecondition || code == Code::kNotFound ||
         code == Code::kAlreadyExists || code == Code::kUnimplemented;
}

// What may go well in another life of the batch, with another token too.
bool IsPassing(Code code) {
  return IsTransient(code) || code == Code::kOutcomeUnknown || code == Code::kUnauthenticated;
}

// By the server's clock, as far as it was known then.
Timestamp MadeAt(const Batch& batch) {
  return {batch.now.micros - std::min(batch.age, batch.now.micros)};
}

// A full name without the database in front.
std::string_view PathIn(const DatabaseName& database, std::string_view name) {
  return name.substr(database.documents().size() + 1);
}

}  // namespace

Result<std::unique_ptr<Operation>> DeliverIncrement::Start(OperationContext& context,
                                                           std::unique_ptr<const Counter> counter,
                                                           Batch batch) {
  SHARDLINE_CHECK(ShardChoice::Check(*counter));
  return std::make_unique<DeliverIncrement>(context, std::move(counter), std::move(batch));
}

DeliverIncrement::DeliverIncrement(OperationContext& context,
                                   std::unique_ptr<const Counter> counter, Batch batch)
    : Operation(context),
      counter_(std::move(counter)),
      choice_(*counter_),
      batch_(std::move(batch)),
      basis_(batch_.basis),
      maybe_counted_(batch_.sent) {
  assert(CheckId(batch_.client, "client"));
  assert(std::isfinite(batch_.delta.number()));
  if (shards() == 0) {
    Send(choice_.AskForShards());
  } else {
    OnShardsKnown();
  }
}

void DeliverIncrement::ChooseShard() {
  assert(shards() > 0);
  const std::uint64_t first = HashText(batch_.id) % static_cast<std::uint64_t>(shards());
  choice_.Use((static_cast<std::int64_t>(first) + moves_ % kShardChoices) % shards());
}

void DeliverIncrement::OnShardCount(Failure&& no_counter) {
  if (no_counter) return OnNoCounter(std::move(no_counter.error()));
  OnShardsKnown();
}

void DeliverIncrement::OnShardsKnown() {
  ChooseShard();
  // The first batch has no ledger to rely on, if it was sent in an earlier life; and on one that is
  // shared, others may have gone on.
  const bool look_first = batch_.shared || batch_.restarts > 0 || (batch_.sent && !basis_.exists());
  if (has_ledger() && look_first) {
    const auto most = static_cast<std::int64_t>(kLongestPause);
    ReadLedger({}, static_cast<int>(std::clamp(batch_.restarts, std::int64_t{0}, most)));
  } else {
    Commit();
  }
}

void DeliverIncrement::OnNoCounter(Error error) {
  ReadingLedger reading{CommitFate::kRefused, std::move(error)};
  if (maybe_counted_ && has_ledger()) return ReadLedger(std::move(reading), 0);
  if (maybe_counted_) return EndUnknown(std::move(reading.error->message));
  End(Kind::kRefused, std::move(reading.error));
}

// ---- The commit ----

void DeliverIncrement::Commit() {
  assert(shards() > 0);
  step_ = Committing{};
  Send(MakeCommit());
}

std::optional<Timestamp> DeliverIncrement::Expiry() const {
  if (counter().has_votes()) return std::nullopt;
  const Timestamp expiry = ExpiryOf(LedgerName(), ledger_ ? ledger_->read_time : batch_.now);
  if (!ledger_ || !ledger_->expire_at) return expiry;
  // It never falls, unless it has come from a clock that was wrong by more than rules let pass.
  const Timestamp most{ledger_->read_time.micros + 2 * kLedgerLifeMicros + 2 * kDayMicros};
  return *ledger_->expire_at <= most ? std::max(expiry, *ledger_->expire_at) : expiry;
}

Call DeliverIncrement::MakeCommit() {
  CommitBody writes;
  if (has_ledger()) {
    expiry_ = Expiry();
    const std::string id = counter().ShardId(shard());
    writes.Add(LedgerWrite(LedgerName(), basis_, {batch_.id, delta(), id, expiry_}));
  }
  writes.Add(Write::Increment(ShardName(), counter().count_field(), delta()));
  Call call{
      .path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kRepeatable};
  // Sent blindly, it might find that the ledger was deleted, and count again.
  if (has_ledger() && !basis_.exists()) call.effect = Effect::kOnce;
  return call;
}

void DeliverIncrement::NoteCommit(const CallFailure& failure) {
  commits_.NoteFailure(failure.error.code);
  maybe_counted_ = maybe_counted_ || failure.maybe_applied;
}

void DeliverIncrement::OnRetry(CallId, const CallFailure& failure, Call& call) {
  if (!std::holds_alternative<Committing>(step_)) return;
  NoteCommit(failure);
  if (!IsContention(failure.error.code)) return;
  // One that may have been counted stays where it is, so that it can be looked for there.
  if (!has_ledger() || !maybe_counted_) ++moves_;
  ChooseShard();
  if (!has_ledger() || basis_.exists()) {
    call.body = MakeCommit().body;
  } else if (++rounds_ < context().retry.max_attempts) {
    step_ = ReadingLedger{CommitFate::kLost, failure.error};
    call = LedgerCall(0);
  } else {
    End(Kind::kUnsettled, failure.error);
  }
}

Result<Billed> DeliverIncrement::OnCommitted(const PaddedText& body) {
  const std::size_t writes = has_ledger() ? 2 : 1;
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, writes, &answer));
  if (has_ledger()) {
    if (!Timestamp::Parse(answer.update_time)) {
      return Fail(kAnswerUnreadable, "The update time of the first write is no timestamp.");
    }
    outcome_.ledger = basis_.After(batch_.id);
    outcome_.ledger->update_time = std::move(answer.update_time);
  }
  commits_.NoteSuccess();
  std::optional<Error> error;
  if (IsSaturated(answer, delta())) error = SaturatedError();
  End(Kind::kApplied, std::move(error));
  return Billed{.writes = static_cast<std::int64_t>(writes)};
}

void DeliverIncrement::OnCommitFailure(const CallFailure& failure) {
  NoteCommit(failure);
  if (!has_ledger()) return OnBlindFailure(failure);
  const Code code = failure.error.code;
  ReadingLedger reading{CommitFate::kRefused, failure.error};
  if (IsPrecondition(code)) {
    reading.why = CommitFate::kConflict;
  } else if (IsPassing(code)) {
    reading.why = CommitFate::kLost;
  } else if (code == Code::kPermissionDenied) {
    reading.why = CommitFate::kDenied;
    AdviseOnRules(reading.error->message);
  }
  ++rounds_;
  if (reading.why != CommitFate::kLost) {
    if (rounds_ >= kMaxRounds) return End(Kind::kUnsettled, failure.error);
    // At once: the longer it waits, the more batches others may have counted since.
    return ReadLedger(std::move(reading), 0);
  }
  // Behind a ledger that is known the executor has tried it several times.
  const bool is_over = basis_.exists() || code != Code::kOutcomeUnknown;
  if (is_over || rounds_ >= context().retry.max_attempts) {
    return End(Kind::kUnsettled, failure.error);
  }
  ReadLedger(std::move(reading), rounds_);
}

void DeliverIncrement::AdviseOnRules(std::string& message) const {
  NextSentence(message) += "Security rules must allow one commit to create and update ";
  message += PathIn(database(), LedgerName());
  message += " (and `get` it), and to add to ";
  message += PathIn(database(), ShardName());
  message += "; counterRules() writes such rules. The delivery 'at-least-once' needs no ledger.";
}

void DeliverIncrement::OnBlindFailure(const CallFailure& failure) {
  // A success that nobody can read has most likely counted, and would count again each time.
  const bool was_success = failure.error.http_status >= 200 && failure.error.http_status < 300;
  if (IsPassing(failure.error.code) && !(was_success && maybe_counted_)) {
    return End(Kind::kUnsettled, failure.error);
  }
  if (maybe_counted_) return EndUnknown(failure.error.message);
  End(Kind::kRefused, failure.error);
}

// ---- The ledger ----

void DeliverIncrement::ReadLedger(ReadingLedger reading, int failures) {
  step_ = std::move(reading);
  Send(LedgerCall(failures));
}

Call DeliverIncrement::LedgerCall(int failures) {
  asked_at_ = now();
  return {.path = database().UrlPath(":batchGet"),
          .body = EncodeBatchGet({LedgerName()}),
          .attempts_before = failures};
}

DeliveryFacts DeliverIncrement::FactsAfter(const ReadingLedger& reading,
                                           const LedgerReading& ledger) {
  const bool is_basis = ledger.state.update_time == basis_.update_time;
  if (!is_basis) {
    idle_conflicts_ = 0;
  } else if (reading.why == CommitFate::kConflict && !reading.searched) {
    ++idle_conflicts_;
  }
  return {.last = reading.why,
          .maybe_counted = maybe_counted_,
          .idle_conflicts = idle_conflicts_,
          .clock_was_wrong = expiry_ != Expiry(),
          .may_have_expired = MayHaveExpired(),
          .no_shards = shards() == 0,
          .no_counter = shards() == 0 && reading.error && reading.error->code == Code::kNotFound,
          .shared = batch_.shared};
}

Result<Billed> DeliverIncrement::OnLedger(const PaddedText& body) {
  LedgerReading ledger;
  SHARDLINE_CHECK(DecodeLedger(body, LedgerName(), ledger));
  ledger_ = std::move(ledger);
  NoteSent();
  ReadingLedger reading = std::move(std::get<ReadingLedger>(step_));
  facts_ = FactsAfter(reading, *ledger_);
  outcome_.ledger = ledger_->state;
  Take(Decide(facts_, batch_.id, basis_, ledger_->state), std::move(reading));
  return Billed{.reads = 1};
}

void DeliverIncrement::Take(NextStep next, ReadingLedger reading) {
  switch (next) {
    case NextStep::kApplied:
      return End(Kind::kApplied);
    case NextStep::kCommit:
      return CommitOnLedger(reading.why);
    case NextStep::kSearch:
      return OnGone(std::move(reading));
    case NextStep::kRestart:
      // Where another page was given it, this is what its caller hears.
      return End(Kind::kRestart,
                 Error(kIncrementInDoubt,
                       "Others have gone on with the ledger, and another page may have sent it. "
                       "The increment may or may not have been counted."));
    case NextStep::kRefused:
      return End(Kind::kRefused, std::move(reading.error));
    case NextStep::kUnknown:
      break;
  }
  const bool refused = reading.why == CommitFate::kDenied || reading.why == CommitFate::kRefused;
  if (refused) return EndUnknown(std::move(reading.error->message));
  EndUnknown(ledger_->state.exists() && !facts_.may_have_expired
                 ? "More than 20 later batches stand in the ledger: this client's storage was "
                   "copied, or its clientId is in use elsewhere."
                 : "The ledger has expired or was deleted.");
}

void DeliverIncrement::CommitOnLedger(CommitFate why) {
  if (ledger_->state.update_time != basis_.update_time) {
    basis_ = ledger_->state;
    maybe_counted_ = false;
  }
  // Others are at it, or a server that lies: it looks again after a pause.
  const bool pauses = rounds_ > 1 && (why == CommitFate::kConflict || why == CommitFate::kDenied);
  if (pauses) return ReadLedger({}, std::min(rounds_ - 1, kLongestPause));
  Commit();
}

void DeliverIncrement::OnLedgerFailure(ReadingLedger reading, const CallFailure& failure) {
  const Code code = failure.error.code;
  Error error = failure.error;
  if (code == Code::kPermissionDenied) {
    NextSentence(error.message) += "Security rules must allow `get` on ";
    error.message += PathIn(database(), LedgerName());
    error.message += '.';
  }
  // Of documents, NOT_FOUND is never said: it is the database that is not there.
  const bool conflict = reading.why == CommitFate::kConflict;
  const bool never_counted = !maybe_counted_ && (!conflict || IsPrecondition(code));
  const bool refused = reading.why == CommitFate::kDenied || reading.why == CommitFate::kRefused;
  if (refused && never_counted) return End(Kind::kRefused, std::move(reading.error));
  if (IsPassing(code)) return End(Kind::kUnsettled, std::move(error));
  if (never_counted) return End(Kind::kRefused, std::move(error));
  EndUnknown(std::move(error.message));
}

// ---- What the database remembers ----

void DeliverIncrement::NoteSent() {
  if (sent_) return;
  const std::int64_t server_now = ledger_->read_time.micros;
  const Duration here = now() - begun_at_;
  const std::int64_t elapsed = batch_.age + kClockMarginMicros +
                               std::chrono::duration_cast<std::chrono::microseconds>(here).count();
  // Some timers stand still while a device sleeps.
  const std::int64_t by_clock = batch_.by_server ? server_now - MadeAt(batch_).micros : 0;
  sent_ = Timestamp{server_now - (by_clock > elapsed + kHourMicros ? by_clock : elapsed)};
}

void DeliverIncrement::OnGone(ReadingLedger reading) {
  if (reading.searched && IsFresh(ledger_->read_time)) {
    const SearchResult result = *std::exchange(reading.searched, std::nullopt);
    return EndSearch(result, std::move(reading));
  }
  if (shards() > 0) return Search(std::move(reading));
  Take(NextStep::kUnknown, std::move(reading));
}

bool DeliverIncrement::IsFresh(Timestamp read) const {
  return read.micros < searched_as_of_.micros + kHourMicros && now() - asked_at_ < kLongestWait;
}

void DeliverIncrement::EndSearch(SearchResult result, ReadingLedger reading) {
  Take(DecideGone(result, facts_, basis_.exists()), std::move(reading));
}

bool DeliverIncrement::MayHaveExpired() const {
  if (counter().has_votes()) return false;
  const Timestamp server_now = ledger_->read_time;
  const std::int64_t elapsed = server_now.micros - sent_->micros;
  if (elapsed >= kLedgerLifeMicros - 2 * kDayMicros) return true;
  // By a clock that was behind, it said so itself.
  return elapsed >= kHourMicros && ExpiryOf(LedgerName(), MadeAt(batch_)) <= server_now;
}

void DeliverIncrement::Search(ReadingLedger reading) {
  std::vector<std::string> shard_names;
  for (std::int64_t i = 0; i < std::min(shards(), kShardChoices); ++i) {
    moves_ = i;
    ChooseShard();
    shard_names.push_back(ShardName());
  }
  moves_ = 0;
  ChooseShard();
  searched_as_of_ = ledger_->read_time;
  asked_at_ = now();
  BatchHistory history({.batch = batch_.id,
                        .ledger = LedgerName(),
                        .shards = std::move(shard_names),
                        .count_field = counter().count_field(),
                        .sent = *sent_,
                        .now = searched_as_of_});
  step_ = Searching{std::move(reading), std::move(history)};
  SendSearch();
}

void DeliverIncrement::SendSearch() {
  Send({.path = database().UrlPath(":batchGet"),
        .body = std::get<Searching>(step_).history.NextRead()});
}

Result<Billed> DeliverIncrement::OnSearchAnswer(const PaddedText& body) {
  BatchHistory& history = std::get<Searching>(step_).history;
  SHARDLINE_TRY(const std::int64_t reads, history.Handle(body));
  if (history.result()) {
    OnSearched(*history.result());
  } else {
    SendSearch();
  }
  return Billed{.reads = reads};
}

void DeliverIncrement::OnSearchFailure(const CallFailure& failure) {
  if (IsPassing(failure.error.code)) return End(Kind::kUnsettled, failure.error);
  OnSearched(SearchResult::kNotFoundOut);
}

// What a search has found out holds for as long as a ledger lives that was written meanwhile. A
// device may sleep for weeks between two steps; so unless it was done at once, the ledger is read
// once more, and the server's clock says how long it took.
void DeliverIncrement::OnSearched(SearchResult result) {
  Searching search = std::move(std::get<Searching>(step_));
  // The commit may have arrived after the ledger was read, which still was not there then.
  if (result == SearchResult::kCounted) {
    outcome_.ledger = search.history.found();
    return End(Kind::kApplied);
  }
  const std::optional<Timestamp> as_of = search.history.as_of();
  if (as_of && IsFresh(*as_of)) return EndSearch(result, std::move(search.reading));
  search.reading.searched = result;
  ReadLedger(std::move(search.reading), 0);
}

// ---- What all steps share ----

Result<Billed> DeliverIncrement::OnAnswer(CallId, PaddedText& body) {
  if (std::holds_alternative<Committing>(step_)) return OnCommitted(body);
  if (std::holds_alternative<ReadingLedger>(step_)) return OnLedger(body);
  if (std::holds_alternative<Searching>(step_)) return OnSearchAnswer(body);
  Failure no_counter;
  Result<Billed> billed = choice_.HandleAnswer(body, no_counter);
  if (billed) OnShardCount(std::move(no_counter));
  return billed;
}

void DeliverIncrement::OnFailure(CallId, const CallFailure& failure) {
  if (std::holds_alternative<Committing>(step_)) return OnCommitFailure(failure);
  if (std::holds_alternative<Searching>(step_)) return OnSearchFailure(failure);
  if (auto* reading = std::get_if<ReadingLedger>(&step_)) {
    return OnLedgerFailure(std::move(*reading), failure);
  }
  if (IsPassing(failure.error.code)) return End(Kind::kUnsettled, failure.error);
  OnNoCounter(failure.error);
}

void DeliverIncrement::EndUnknown(std::string why) {
  why += " The increment may or may not have been counted.";
  End(Kind::kUnknown, Error(kIncrementInDoubt, std::move(why)));
}

void DeliverIncrement::End(Kind kind, std::optional<Error> error) {
  outcome_.kind = kind;
  if (kind == Kind::kUnsettled) {
    outcome_.ledger.reset();
    if (basis_ != batch_.basis) outcome_.ledger = basis_;
  }
  outcome_.error = std::move(error);
  Finish();
}

void DeliverIncrement::WriteResult(JsonWriter& writer) const {
  writer.BeginObject();
  outcome_.Write(writer);
  writer.Key("shard").Int(shard());
  writer.Key("shards").Int(shards());
  commits_.Write(writer);
  writer.EndObject();
}

}  // namespace shardline
