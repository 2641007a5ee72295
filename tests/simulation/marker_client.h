// A model of a client that commits one batch, in one value: it handles the marker like CommitBatch
// (exactly_once/commit_batch.h), with the same table, Decide(). marker_replay.h compares it with
// CommitBatch, answer by answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "exactly_once/marker.h"

namespace shardline::simulation {

// Faults that are planted in the client, the server or the row on purpose: the model must find
// each of them.
enum class ModelMutant : std::uint8_t {
  kNone,
  // The table's.
  kOwnerTakenForSole,
  kLostAnswerForgotten,
  kEarlierCallForgotten,
  kWithdrawnIsCounted,
  kRefusedWithoutReading,
  kRefusedWithoutWithdrawing,
  kExistsIsCounted,
  kTakenIsRefused,
  kLostIsCounted,
  kTooOldSends,
  kTooOldWithdraws,
  kSleepsInPause,
  kWrongClockWithdraws,
  // The server's.
  kCommitUnconditional,
  kWithdrawalUnconditional,
  kExpiryUnbounded,
  // The row's.
  kRowNotLookedAt,
};

struct ModelMutantRow {
  ModelMutant mutant;
  std::string_view name;
  std::string_view what;
};
// All but kNone.
std::span<const ModelMutantRow> ModelMutants();

// The rows of the table in exactly_once/marker.h, from the top.
enum class TableRow : std::uint8_t {
  kApplied,
  kWithdrawn,
  kTooOld,
  kWasThere,
  kClockWasWrong,
  kWithdrawalClockWasWrong,
  kCanBeWithdrawn,
  kMayArrive,
  kNothingCanArrive,
  kCount,
};
std::string_view Name(TableRow row);
TableRow RowOf(const BatchFacts& facts, Marker marker);
// The step that the row names.
BatchStep StepOf(TableRow row);

// The request that a call waits for.
enum class Request : std::uint8_t { kNone, kCommit, kRead, kWithdrawal };

// The reply. The server gives the first four to a write, and the last four to a read.
enum class Reply : std::uint8_t {
  kDone,
  kExists,
  kDenied,
  kContention,
  kMissing,
  kApplied,
  kWithdrawn,
  kHidden,
  // Nothing, or nothing that tells anything.
  kLost,
};

enum class Verdict : std::uint8_t { kNone, kCounted, kRefused, kUnknown, kWaiting };

struct ClientCall {
  Request request = Request::kNone;
  Verdict verdict = Verdict::kNone;
  // As the call was asked for.
  bool withdraws = false;
  bool sent_before = false;
  bool sole_owner = false;
  bool can_withdraw = true;
  // As it has gone so far.
  bool lost = false;
  bool guessed = true;  // No reading has returned the time.
  bool dated = false;   // A marker was sent.
  MarkerFate last = MarkerFate::kNone;
  std::optional<Reply> refusal;  // The first one.
  // The verdict is kRefused, and no marker makes it certain: the withdrawal was refused, too, or
  // there is none, because the marker is a key's.
  bool unmarked = false;

  friend bool operator==(const ClientCall&, const ClientCall&) = default;
};

// The conditions at this moment.
struct Moment {
  // The batch is older than its life.
  bool is_too_old = false;
  // The executor does not try the request once more.
  bool is_last_attempt = false;
  // The clock that the call has guessed would have another marker written.
  bool clock_is_wrong = false;
};

class ModelClient {
 public:
  explicit ModelClient(ModelMutant mutant) : mutant_(mutant) {}

  void Begin(ClientCall& call, const Moment& moment) const;
  // True if the request is sent once more: behind a pause, which ends with Resume().
  bool Handle(ClientCall& call, Reply reply, const Moment& moment);
  void Resume(ClientCall& call, const Moment& moment) const;

  // How often each row of the table was asked for.
  std::int64_t times(TableRow row) const { return times_[static_cast<std::size_t>(row)]; }
  // Decide() has said something else than the table.
  bool is_off_table() const { return is_off_table_; }

 private:
  bool is(ModelMutant mutant) const { return mutant_ == mutant; }
  bool MayArrive(const ClientCall& call) const;
  void OnCommit(ClientCall& call, Reply reply) const;
  void OnWithdrawal(ClientCall& call, Reply reply) const;
  void OnMarker(ClientCall& call, Marker marker, const Moment& moment);
  void Read(ClientCall& call, MarkerFate last, Reply refusal) const;
  BatchStep Ask(const BatchFacts& facts, Marker marker);

  ModelMutant mutant_;
  std::int64_t times_[static_cast<std::size_t>(TableRow::kCount)] = {};
  bool is_off_table_ = false;
};

}  // namespace shardline::simulation
