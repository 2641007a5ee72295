#include "exactly_once/publish_choices.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/reason.h"
#include "counter/places.h"
#include "firestore/answers.h"
#include "firestore/encoded_value.h"
#include "firestore/fields_writer.h"
#include "firestore/query.h"
#include "firestore/timestamp.h"

namespace shardline {
namespace {

constexpr std::string_view kValue = "value";
constexpr std::string_view kReadTime = "readTime";
constexpr std::int64_t kWrites = 2;

}  // namespace

PublishChoices::PublishChoices(OperationContext& context, std::unique_ptr<const Counter> counter,
                               CountedFields choices, ChoiceFields fields, Duration every)
    : Operation(context),
      counter_(std::move(counter)),
      choices_(std::move(choices)),
      fields_(std::move(fields)),
      every_(every),
      last_name_(counter_->TotalName(kPublishedId)) {
  Begin();
}

void PublishChoices::Begin() {
  state_ = State::kReadingLast;
  Call call{.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({last_name_})};
  // The first refusal usually means that another client was faster: look at once.
  call.attempts_before = commits_ > 1 ? commits_ : 0;
  Send(std::move(call));
}

Result<Billed> PublishChoices::OnAnswer(CallId, PaddedText& body) {
  if (state_ == State::kReadingLast) return OnLast(body);
  if (state_ == State::kReadingCounts) {
    SHARDLINE_TRY(const Billed billed, reading_->HandleAnswer(body));
    if (reading_->complete()) OnCounts();
    return billed;
  }
  SHARDLINE_CHECK(DecodeCommit(body, kWrites));
  is_published_ = true;
  Finish();
  return Billed{.writes = kWrites};
}

Result<Billed> PublishChoices::OnLast(const PaddedText& body) {
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(last_name_);
  const auto last = Timestamp::Parse(document.fields[kReadTime]["timestampValue"].String());
  SHARDLINE_CHECK(answer.Finish());
  if (has_interval()) age_ = FreshAge(last, Timestamp::Parse(answer.read_time()), every_);
  if (age_) {
    Finish();
    return Billed{.reads = 1};
  }
  update_time_ = document.update_time;
  state_ = State::kReadingCounts;
  reading_.emplace(executor(), *counter_, choices_);
  reading_->Start(TotalSource::kSum);
  return Billed{.reads = 1};
}

void PublishChoices::OnCounts() {
  Result<std::vector<Amount>> counts = reading_->AddUp();
  if (!counts) return FinishWithError(counts.TakeFailure());
  counts_ = std::move(*counts);
  Sum sum;
  for (const Amount& each : counts_) sum.Add(each);
  std::optional<Amount> count = sum.Total();
  if (!count && fields_.count) {
    return FinishWithError(
        Fail(kTotalTooLarge, "The number of choices does not fit into a 64-bit integer."));
  }
  // The totals of a counter's fields fit, although their sum does not. No field gets the sum.
  if (!count) count = Amount::Double(sum.Number());
  state_ = State::kWriting;
  ++commits_;
  CommitBody writes;
  writes.Add(LastWrite(*count));
  writes.Add(FieldsWrite(*count));
  Call call{.path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kOnce};
  call.retry_aborted = false;
  Send(std::move(call));
}

Write PublishChoices::LastWrite(const Amount& count) const {
  FieldsWriter fields;
  fields.Number(kValue, count).Time(kReadTime, reading_->read_time());
  Write write{.name = last_name_, .fields = fields.Take()};
  write.mask.emplace();
  for (const std::string_view field : {kValue, kReadTime}) {
    write.mask->push_back(*FieldPath::Parse(field));
  }
  write.precondition = Precondition::AsRead(update_time_);
  return write;
}

double PublishChoices::Average(double count) const {
  double sum = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    sum += counts_[i].number() * static_cast<double>(fields_.from + static_cast<std::int64_t>(i));
  }
  return sum / count;
}

Write PublishChoices::FieldsWrite(const Amount& count) const {
  std::vector<std::pair<FieldPath, EncodedValue>> values;
  if (fields_.count) values.emplace_back(*fields_.count, count.Encode());
  if (fields_.average) {
    const double number = count.number();
    values.emplace_back(*fields_.average, number > 0
                                              ? Amount::Double(Average(number)).Encode()
                                              : EncodedValue::OfChecked(R"({"nullValue":null})"));
  }
  if (fields_.counts) {
    FieldsWriter map;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      map.Number(choices_.fields[i].segments().front(), counts_[i]);
    }
    values.emplace_back(*fields_.counts, EncodedValue::Map(map.Take()));
  }
  std::sort(values.begin(), values.end(),
            [](const auto& one, const auto& other) { return one.first < other.first; });
  Write write{.name = counter_->ParentName()};
  write.mask.emplace();
  std::vector<FieldChange> changes;
  for (const auto& [field, value] : values) {
    changes.push_back({field, value.json()});
    write.mask->push_back(field);
  }
  write.fields = FieldsOf(changes);
  write.precondition = {Precondition::Kind::kExists};
  return write;
}

bool PublishChoices::IsBeaten(const CallFailure& failure) {
  const Code code = failure.error.code;
  // The set's document is missing, or the last one, which has been deleted meanwhile. If the last
  // one is unchanged at the next attempt, it is the set's document.
  if (code == Code::kNotFound) return std::exchange(missing_at_, update_time_) != update_time_;
  return failure.maybe_applied || code == Code::kAborted || code == Code::kAlreadyExists ||
         code == Code::kFailedPrecondition;
}

void PublishChoices::OnFailure(CallId, const CallFailure& failure) {
  if (state_ == State::kReadingCounts && reading_->HandleFailure(failure)) return;
  const bool is_beaten = state_ == State::kWriting && IsBeaten(failure);
  if (is_beaten && commits_ < context().retry.max_attempts) return Begin();
  const bool is_missing = failure.error.code == Code::kNotFound;
  if (is_beaten && has_interval() && !is_missing) return Finish();
  const bool is_unwritten = state_ == State::kWriting && is_missing;
  FinishWithFailure(failure, is_unwritten ? kWriteItFirst : "");
}

void PublishChoices::WriteResult(JsonWriter& writer) const {
  if (is_published_) return reading_->Write(writer, counts_, billed());
  writer.BeginObject().Key("published").Boolean(false);
  if (age_) writer.Key("ageMs").Int(std::chrono::ceil<std::chrono::milliseconds>(*age_).count());
  writer.EndObject();
}

}  // namespace shardline
