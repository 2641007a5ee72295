// What the queue of increments (delivery_queue.h) and the operation that sends them
// (deliver_increment.h) tell each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "delivery/ledger.h"
#include "firestore/amount.h"
#include "firestore/timestamp.h"

namespace shardline {

// Increments that are sent together, as one. Once made it stays as it is until its fate is known.
struct Batch {
  std::string client;  // The ledger's id.
  // The id was the user's choice, so others may write the same ledger.
  bool shared = false;
  std::string id;  // 20 letters and digits: tells it from all other batches.
  Amount delta = Amount::Integer(0);
  // The ledger as it was known when the batch was made, or has become known since.
  LedgerState basis = {};
  // How long ago the batch was made, in microseconds, by one and the same clock.
  std::int64_t age = 0;
  // The server's clock if the client knows it, otherwise the client's own, which may be months
  // wrong.
  Timestamp now = {};
  bool by_server = false;
  // It may have been sent before: in an earlier life of the page, or by another tab.
  bool sent = false;
  // How often in a row it was made anew.
  std::int64_t restarts = 0;

  // {"client", "shared", "id", "delta", "ledger", "ageMs", "now": ms, "byServer",
  // "sent", "restarts"}
  void Write(JsonWriter& writer) const;
  // What is malformed or missing latches the scanner's error.
  static Batch Read(JsonScanner& scanner);
};

struct DeliveryOutcome {
  enum class Kind : std::uint8_t {
    kApplied,    // Counted, once. An error says what went wrong with it nevertheless.
    kRefused,    // Not counted, and there is no point in sending it again.
    kUnknown,    // Nobody can tell any more.
    kUnsettled,  // Not known yet: to be sent again, later.
    // Nothing that this life of the batch has sent was counted, and others have gone on with the
    // ledger: to be made anew on it, unless another page or another copy of the storage may have
    // had it counted.
    kRestart,
  };
  Kind kind = Kind::kUnsettled;
  std::optional<Error> error = {};
  // The ledger as it is now, if that has become known. Of what was sent before, nothing can be
  // counted any more that it does not name, unless it relied on this.
  std::optional<LedgerState> ledger = {};
  // The queue was put back from what a page remembers of it, so there may be another copy. No
  // delivery knows of that: whoever settles its batch adds it.
  bool put_back = false;

  // Writes members of an object that the caller has begun: {"outcome": "applied", "error": {"code",
  // "message", "status"}, "ledger"}; those that say nothing are left out.
  void Write(JsonWriter& writer) const;
  // Passes over other members, and takes in "putBack".
  static DeliveryOutcome Read(JsonScanner& scanner);
};

void WriteError(JsonWriter& writer, const Error& error);
Error ReadError(JsonScanner& scanner);

}  // namespace shardline
