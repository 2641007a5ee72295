#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_view.h"
#include "counter/counter.h"
#include "counter/total_reading.h"
#include "firestore/field_path.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"

namespace shardline {

// A total that clients share in a document. A reader that finds it too old renews it:
//
//   <the counter's own document>/shardline_totals/<id>   {value, shards, readTime, field, origin}
//
// `readTime` is the moment as of which the value was the total. `field` is the field of the
// counter's document that has the same value, if it has been published. `origin`, which may be
// there without the others, names the counter whose count was migrated into this one
// (upkeep/drain.h). Ages are differences of the server's own times, so no client's clock matters.
// All readers that find the document too old add up the shards. The first of them to finish writes
// the document, because each writes only if the document is unchanged since it was read
// (compare-and-swap). Therefore each interval has one write, however many readers there are.
//
// It is a part of an operation: it sends its calls with the operation's executor, and the operation
// hands over their answers and failures, and ends when it is complete.
class TotalDocument {
 public:
  // Whether the last publication went into that field of the counter's document. `kept` has the
  // fields of the total's document.
  static bool IsPublishedInto(const FieldPath& field, const JsonView& kept);

  // The origin in these fields; empty if they have no origin.
  static std::string OriginIn(const JsonView& kept);
  // Writes the origin into the counter's document `published`, on the condition that the document
  // was last written at `update_time`.
  static Write Claim(const Counter& counter, std::string_view origin,
                     const std::string& update_time);

  // The executor and the counter must outlive it. A total is too old when it is older than
  // `max_age`. Sends nothing yet.
  TotalDocument(Executor& executor, const Counter& counter, std::string_view id, Duration max_age);

  // Reads the document. Call it once.
  void Start();
  // Takes in an answer, and returns its bill. If it fails, nothing has changed.
  Result<Billed> HandleAnswer(CallId id, const PaddedText& body);
  // Adds up the shards, for total(). Requires all_read(). kOutOfRange if no 64-bit integer holds
  // the total.
  Status AddUp();
  // Writes the document, and with `published` the total into that field of the counter's document,
  // which must exist, in the same commit. Requires that AddUp() has succeeded.
  void Keep(const FieldPath* published = nullptr);
  // A call that reads the shards has ended without a usable answer. False: the failure ends the
  // operation.
  bool HandleFailure(CallId id, const CallFailure& failure) {
    return reading_.HandleFailure(id, failure);
  }
  // Reads the shards instead, because the document cannot be read. Requires that its reading is
  // under way.
  void ReadShards();

  bool is_reading_shards() const { return state_ == State::kReadingShards; }
  // True if all parts of the total are read, and nothing is written yet.
  bool all_read() const { return is_reading_shards() && reading_.complete(); }
  // True if the total is known, and the document's write is under way.
  bool is_writing() const { return state_ == State::kWriting; }
  bool is_written() const { return state_ == State::kWritten; }
  bool complete() const { return state_ == State::kFresh || is_written(); }

  const SumAndCount& total() const { return total_; }
  // The age of the total; nullopt if this reader has just added it up.
  std::optional<Duration> age() const { return age_; }
  const TotalReading& reading() const { return reading_; }

 private:
  enum class State : std::uint8_t {
    kNotStarted,
    kReadingDocument,
    kFresh,
    kReadingShards,
    kWriting,
    kWritten,
  };

  Result<Billed> OnDocument(const PaddedText& body);
  Result<Billed> OnWritten(const PaddedText& body);

  Executor& executor_;
  const Counter& counter_;
  std::string name_;  // The document's name.
  Duration max_age_;
  State state_ = State::kNotStarted;
  TotalReading reading_;
  SumAndCount total_;
  std::optional<Duration> age_;
  std::size_t writes_ = 0;
  std::string update_time_;  // The document's update time, as read; empty if it is missing.
};

}  // namespace shardline
