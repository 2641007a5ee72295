#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "counter/field_reading.h"
#include "firestore/field_path.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

// The fields of a document into which the counts of its choices are published. None may lie inside
// another one.
struct ChoiceFields {
  // The number of members.
  std::optional<FieldPath> count = {};
  // The average of the members' values, null without members. The first choice is worth `from`, and
  // each choice is worth 1 more than the one before.
  std::optional<FieldPath> average = {};
  std::int64_t from = 0;
  // A map: how many members have each choice.
  std::optional<FieldPath> counts = {};
};

// Reads how many members of a set of choices have each choice, and writes that into fields of the
// set's document, which must exist. An older reading never replaces a newer one.
//
// The document `published` (counter/places.h) has the last reading that was published. It is read
// first, and written in the same commit as the fields, if its update time is unchanged
// (compare-and-swap). Therefore the server made each published reading after it had the one before,
// and a late or doubled request changes nothing. If another client was faster, or the answer to the
// commit is lost, this operation reads again.
//
// If `every` is not 0, all clients together publish at most once in that time: if the last reading
// is younger by the server's own times, nothing else is read or written. An operation that is
// beaten again and again, or gets no answer, leaves the publication to the next one.
class PublishChoices final : public Operation {
 public:
  PublishChoices(OperationContext& context, std::unique_ptr<const Counter> counter,
                 CountedFields choices, ChoiceFields fields, Duration every);

  // The reading that was published: see FieldReading::Write(). If `every` is not 0, also
  // {"published": false, "ageMs": 700} if a client has published that many milliseconds ago, which
  // is recent enough; without "ageMs" if the publication is left to the next one.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class State : std::uint8_t { kReadingLast, kReadingCounts, kWriting };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  bool has_interval() const { return every_ > Duration(0); }
  void Begin();
  Result<Billed> OnLast(const PaddedText& body);
  void OnCounts();
  // Whether the commit is out of date, or may have been applied.
  bool IsBeaten(const CallFailure& failure);
  Write LastWrite(const Amount& count) const;
  Write FieldsWrite(const Amount& count) const;
  double Average(double count) const;

  std::unique_ptr<const Counter> counter_;
  CountedFields choices_;
  ChoiceFields fields_;
  Duration every_;
  std::string last_name_;
  State state_ = State::kReadingLast;
  std::string update_time_;  // The last reading's, as read; empty if there is none.
  std::string missing_at_;   // The same, when a document was last found missing.
  std::optional<FieldReading> reading_;
  std::vector<Amount> counts_;
  std::optional<Duration> age_;  // The last reading's, if it is recent enough.
  bool is_published_ = false;
  int commits_ = 0;
};

}  // namespace shardline
