#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "base/random.h"
#include "base/result.h"
#include "delivery/batch.h"
#include "firestore/amount.h"

namespace shardline {

// The increments of one counter that a client has asked for and the server has not confirmed. It
// lives in the client's storage, as text, and outlives pages. Whoever owns the storage changes it
// in atomic steps, each of which is one of Add, Stage and Settle:
//
//   asked for --Add--> waiting --Stage--> in flight --Settle--> counted, or failed
//
// Each entry has a *ticket*, from 1 on, in the order of sending. Increments are coalesced: as long
// as the last entry is waiting, further ones are added to it. The first entry may be in flight; it
// then stays as it is. What is stored before it is sent can be sent again after a crash, as the
// same batch, which is then not counted twice (deliver_increment.h).
//
// A page prepares the first entry when it stores it, so that it can send it while it is being
// closed, when there is no time for the storage. Until it is staged, that page alone may send what
// it has prepared, and it alone may prepare it anew with more in it.
//
// When the ledger of a client id that we drew has gone on without this queue, there is a copy of
// the queue: the storage was copied, put back from an older copy, or cleared and written again; or
// it has failed after it had stored, and a page went on in memory. Nobody knows then which of the
// entries the other copy has had counted, so all of them end as outcome-unknown. This is what keeps
// copies from counting twice, and it holds without exception, because nobody else ever moves the
// ledger: a queue goes under an id of its own, and only whoever has removed a settled one from the
// storage may go on from it (web/library/outbox/record_state.js). Where the id was chosen, others
// do move the ledger; there the batches of one queue, and of its copies, begin with the same
// letters (its *line*), and tell as long as the ledger lists them. When it has moved on by more
// than it lists, a queue that was put back from what a page remembers ends as outcome-unknown as
// well: most likely another tab has had it counted, and is gone. One that stands in the storage
// goes on, as nothing tells it from a new one, which knows nothing of the ledger that it finds. Its
// own batches that the ledger may come to name are remembered, so that they are not taken for
// another copy's.
//
// Does no I/O, and never aborts on what it reads.
class DeliveryQueue {
 public:
  // A ticket that was not counted, or of which nobody knows, and why.
  struct Failure {
    std::int64_t ticket;
    Error error;
  };
  // Those that one increment got: more than one if it was too large for one entry.
  struct Tickets {
    std::int64_t first;
    std::int64_t last;
  };

  // Of the client `chosen`, which must be a valid document id; or of one drawn by the dice, if that
  // is empty.
  DeliveryQueue(std::string_view chosen, Random& random);
  // Reads what Write() wrote; kDataLoss if it is anything else.
  static Result<DeliveryQueue> Parse(std::string_view text);
  std::string Write() const;

  // `most`: an entry may not add more than this, up or down; it must be positive and, for integers,
  // at least 1. kInvalidArgument if it would take more than 1,000 entries; then nothing was added.
  // `delta` must be finite.
  Result<Tickets> Add(const Amount& delta, const std::optional<Amount>& most);

  // When a batch is made: `now` by the client's clock, and `server_now` by the server's, as far as
  // the client knows it.
  struct Clock {
    Timestamp now;
    std::optional<Timestamp> server_now = std::nullopt;
  };

  // What is to be sent now: the batch in flight, or the first one waiting, which thereby is in
  // flight. None if there is nothing. `sent` is false only if no other page than `page` can have
  // sent it before. Entries that add up to nothing count as settled, and are not sent.
  std::optional<Batch> Stage(Clock clock, Random& random, std::string_view page = {});

  // Makes the first entry ready for `page` to send, unless it is in flight or another page has done
  // so. Returns what is ready or in flight.
  std::optional<Batch> Prepare(Clock clock, Random& random, std::string_view page);
  // Takes that back, so that more can be added to the entry. Only by the page that has prepared it,
  // and only if it has not sent it.
  void Unprepare(std::string_view page);

  // What became of the batch with this id. Other ids are of the past, and change nothing: two
  // senders may learn the same. A batch that is unsettled stays in flight, on a ledger that others
  // share as it is known now.
  void Settle(std::string_view id, const DeliveryOutcome& outcome, Random& random);

  bool empty() const { return entries_.empty(); }
  // Every ticket up to this one is settled.
  std::int64_t settled() const;
  // The last ones that failed, oldest first.
  const std::vector<Failure>& failures() const { return failures_; }
  // Whether the first entry may have been sent by now, by this page or by another one.
  bool MayHaveBeenSent(std::string_view page) const {
    return staged_ && (staged_->sent || staged_->page != page);
  }
  // Of all entries: waiting and in flight.
  const std::vector<Amount>& entries() const { return entries_; }

 private:
  struct Staged {
    std::string id;
    Timestamp at;  // By this device's clock.
    std::optional<Timestamp> server_at;
    std::string page;   // The page that has prepared it; empty if it was staged at once.
    bool sent = false;  // Any page may have sent it.
    // It may have been sent before it was staged last.
    bool again = false;
  };

  DeliveryQueue() = default;
  // Stages the first entry, if it is not. Requires an entry.
  void EnsureStaged(Clock clock, Random& random, std::string_view page);
  // How long ago it was staged, at least. Requires a staged entry.
  std::int64_t AgeOfStaged(Clock clock) const;
  // Puts it into the last entry; false if it does not go there.
  bool Coalesce(const Amount& delta, const std::optional<Amount>& most);
  void ReadFailures(JsonScanner& scanner);
  void ReadStaged(JsonScanner& scanner);
  void DropFirst() { entries_.erase(entries_.begin()); }
  void DropZeros();
  // Requires a staged entry.
  Batch StagedBatch(Clock clock, std::string_view page) const;
  void TakeLedger(const DeliveryOutcome& outcome, Random& random);
  // How many batches of this queue the ledger has counted beyond what is known of it.
  std::int64_t CountOwn(const DeliveryOutcome& outcome) const;
  // Whether somebody has gone on with the ledger who is not known here. Requires a staged entry.
  bool HasOtherCopy(const DeliveryOutcome& outcome) const;
  // Its batches are told from those of its copies, if others share the ledger.
  void DrawLine(Random& random);
  // All entries are settled, with an error.
  void FailAll();

  std::string client_;
  bool shared_ = false;
  // What its batches begin with: so much of it as a line is long. Empty if the id was drawn: then
  // the ledger's number tells.
  std::string line_;
  // The ledger, after what has been settled.
  LedgerState ledger_;
  // The ids of the last own batches that the ledger may come to name: those that were not said to
  // be applied, since nobody may have been able to read it; and those that relied on there being no
  // ledger, since a duplicate of one that arrives late is applied when the ledger has been deleted.
  std::vector<std::string> own_;
  std::int64_t next_ticket_ = 1;
  std::vector<Amount> entries_;
  std::optional<Staged> staged_;  // The first entry.
  // How often in a row the first entry was made anew.
  std::int64_t restarts_ = 0;
  std::vector<Failure> failures_;
};

}  // namespace shardline
