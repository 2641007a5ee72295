// What the queue of increments (delivery_queue.h) and the operation that sends them
// (deliver_increment.h) tell each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "counter/amount.h"
#include "firestore/timestamp.h"

namespace shardline {

// Increments that are sent together, as one. Once made it stays as it is until its fate is known.
struct Batch {
  std::string client;  // The ledger's id.
  // The id was the user's choice, so others may write the same ledger.
  bool shared = false;
  std::int64_t seq = 1;
  std::string id;  // 20 letters and digits: tells it from all other batches.
  Amount delta = Amount::Integer(0);
  // The ledger's, after the batch before; empty if there is no ledger yet.
  std::string update_time;
  Timestamp staged_at;  // By the client's clock.
  // It may have been sent before: in an earlier life of the page, or by another tab.
  bool sent = false;

  // {"client", "shared", "seq", "id", "delta", "updateTime", "stagedAt": ms, "sent"}
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
    kRestart,    // Not counted; to be made anew on the ledger as it is now.
  };
  Kind kind = Kind::kUnsettled;
  std::optional<Error> error = {};
  // The ledger as it is now, if that has become known. Empty update time: it is not there.
  bool knows_ledger = false;
  std::int64_t seq = 0;
  std::string update_time = {};

  // Writes members of an object that the caller has begun: {"outcome": "applied", "error": {"code",
  // "message", "status"}, "seq", "updateTime"}; those that say nothing are left out.
  void Write(JsonWriter& writer) const;
  // Passes over other members.
  static DeliveryOutcome Read(JsonScanner& scanner);
};

void WriteError(JsonWriter& writer, const Error& error);
Error ReadError(JsonScanner& scanner);

}  // namespace shardline
