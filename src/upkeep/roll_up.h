#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "counter/counter.h"
#include "counter/total_reading.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

// Reads a total that may be out of date by so much, from a document that all readers share, and
// brings that document up to date when it is older:
//
//   <the counter's own document>/shardline_rollup/total   {value, shards, readTime}
//
// `readTime` is the moment as of which the value was the total. Ages are differences of the
// server's own times, so no client's clock matters. Readers who find the document too old all add
// up for themselves, so nobody is ever told an older total; the first of them to come back writes
// it, for each writes on the condition that nobody else has since it read. That makes one write for
// each interval, however many they are.
//
// Where security rules do not let the reader see the document, or write it, it is done without.
class ReadRollUp : public Operation {
 public:
  ReadRollUp(OperationContext& context, std::unique_ptr<const Counter> counter, Duration max_age)
      : ReadRollUp(context, std::move(counter), max_age, kRollUpId) {}

  // As ReadTotal; "source": "rollup" and "ageMs" if the document was new enough.
  void WriteResult(JsonWriter& writer) const override;

 protected:
  // Uses another document of the collection.
  ReadRollUp(OperationContext& context, std::unique_ptr<const Counter> counter, Duration max_age,
             std::string_view id);

  const Counter& counter() const { return *counter_; }
  const SumAndCount& total() const { return total_; }
  // How old the total is; nullopt if it has been added up just now.
  std::optional<Duration> age() const { return age_; }
  // What is written together with the document.
  virtual std::optional<Write> AlsoWritten() const { return std::nullopt; }
  // The document cannot be read, or not be written. False: that ends the operation.
  virtual bool DoesWithout(const Error&) { return true; }
  // The document has been written.
  virtual void NoteWritten() {}

 private:
  enum class State : std::uint8_t { kReadingRollUp, kAddingUp, kWriting };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  Result<Billed> OnRollUp(const PaddedText& body);
  Result<Billed> OnPartOfTotal(CallId id, const PaddedText& body);
  Result<Billed> OnWritten(const PaddedText& body);
  void AddUp();
  // Writes the total.
  void OnAllRead();

  std::unique_ptr<const Counter> counter_;
  std::string name_;  // Of the document.
  State state_ = State::kReadingRollUp;
  Duration max_age_;
  TotalReading reading_;
  SumAndCount total_;
  std::optional<Duration> age_;
  std::size_t writes_ = 0;
  std::string update_time_;  // Of the document, as read; empty: it is not there.
};

}  // namespace shardline
