#include "upkeep/roll_up.h"

#include <string_view>
#include <utility>

#include "firestore/answers.h"
#include "firestore/fields_writer.h"
#include "firestore/query.h"
#include "firestore/write.h"

namespace shardline {
namespace {

constexpr std::string_view kFields[] = {"value", "shards", "readTime"};

Write RollUpWrite(const std::string& name, const SumAndCount& total,
                  const std::string& update_time) {
  FieldsWriter fields;
  fields.Number(kFields[0], total.sum).Number(kFields[1], Amount::Integer(total.count));
  fields.Time(kFields[2], total.read_time);
  Write write{.name = name, .fields = fields.Take()};
  write.precondition = Precondition::AsRead(update_time);
  if (!update_time.empty()) {
    // Nothing else belongs there; if it stands there all the same, it stays.
    write.mask.emplace();
    for (const std::string_view field : kFields) write.mask->push_back(*FieldPath::Parse(field));
  }
  return write;
}

// nullopt if the document does not hold what it should.
std::optional<SumAndCount> DecodeRollUp(const JsonView& fields) {
  const std::optional<Amount> value = fields[kFields[0]].Read(Amount::Read);
  const std::optional<Amount> shards = fields[kFields[1]].Read(Amount::Read);
  const JsonView read_time = fields[kFields[2]]["timestampValue"];
  if (!value || !shards || shards->is_double() || !read_time) return std::nullopt;
  return SumAndCount{*value, shards->integer(), read_time.Read(DecodeTime)};
}

// How old the total is that was read at `now`; nullopt if it is not there, or too old.
std::optional<Duration> FreshAge(const std::optional<SumAndCount>& rolled_up,
                                 const std::optional<Timestamp>& now, Duration max_age) {
  if (!rolled_up || !now) return std::nullopt;
  const Duration age(now->micros - Timestamp::Parse(rolled_up->read_time)->micros);
  // What comes from the future says nothing about its age.
  if (age > max_age || age < Duration(0)) return std::nullopt;
  return age;
}

}  // namespace

ReadRollUp::ReadRollUp(OperationContext& context, std::unique_ptr<const Counter> counter,
                       Duration max_age, std::string_view id)
    : Operation(context),
      counter_(std::move(counter)),
      name_(counter_->RollUpName(id)),
      max_age_(max_age),
      reading_(executor(), *counter_) {
  Send({.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})});
}

Result<Billed> ReadRollUp::OnAnswer(CallId id, PaddedText& body) {
  if (state_ == State::kReadingRollUp) return OnRollUp(body);
  return state_ == State::kAddingUp ? OnPartOfTotal(id, body) : OnWritten(body);
}

Result<Billed> ReadRollUp::OnRollUp(const PaddedText& body) {
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name_);
  std::optional<SumAndCount> rolled_up = DecodeRollUp(document.fields);
  SHARDLINE_CHECK(answer.Finish());
  update_time_ = document.update_time;
  age_ = FreshAge(rolled_up, Timestamp::Parse(answer.read_time()), max_age_);
  if (age_) {
    total_ = std::move(*rolled_up);
    Finish();
  } else {
    AddUp();
  }
  return Billed{.reads = 1};
}

void ReadRollUp::AddUp() {
  state_ = State::kAddingUp;
  reading_.Start(TotalSource::kSum);
}

Result<Billed> ReadRollUp::OnPartOfTotal(CallId id, const PaddedText& body) {
  Result<Billed> billed = reading_.HandleAnswer(id, body);
  if (billed && reading_.complete()) OnAllRead();
  return billed;
}

void ReadRollUp::OnAllRead() {
  if (Status status = reading_.AddUp(total_); !status) return FinishWithError(status.TakeFailure());
  state_ = State::kWriting;
  CommitBody writes;
  writes.Add(RollUpWrite(name_, total_, update_time_));
  if (const std::optional<Write> write = AlsoWritten()) writes.Add(*write);
  writes_ = writes.size();
  // Sent once: whoever is faster, or the next reader, does as well.
  Call call{.path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kOnce};
  call.retry_aborted = false;
  Send(std::move(call));
}

Result<Billed> ReadRollUp::OnWritten(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, writes_));
  NoteWritten();
  Finish();
  return Billed{.writes = static_cast<std::int64_t>(writes_)};
}

void ReadRollUp::OnFailure(CallId id, const CallFailure& failure) {
  if (state_ == State::kAddingUp) {
    if (!reading_.HandleFailure(id, failure)) FinishWithFailure(failure);
    return;
  }
  if (!DoesWithout(failure.error)) return FinishWithFailure(failure);
  // The total is known, and somebody else's write is as good as ours.
  if (state_ == State::kWriting) return Finish();
  if (failure.error.code != Code::kPermissionDenied) return FinishWithFailure(failure);
  AddUp();
}

void ReadRollUp::WriteResult(JsonWriter& writer) const {
  if (!age_) return reading_.Write(writer, total_, billed());
  BeginTotal(writer, total_, "rollup", billed());
  writer.Key("ageMs").Int(std::chrono::ceil<std::chrono::milliseconds>(*age_).count()).EndObject();
}

}  // namespace shardline
