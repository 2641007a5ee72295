#include "upkeep/roll_up.h"

#include <optional>
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

}  // namespace

ReadRollUp::ReadRollUp(OperationContext& context, std::unique_ptr<const Counter> counter,
                       Duration max_age, std::string_view id)
    : ReadTotal(context, std::move(counter)),
      name_(this->counter().RollUpName(id)),
      max_age_(max_age) {
  Send({.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})});
}

Result<Billed> ReadRollUp::OnAnswer(CallId id, PaddedText& body) {
  switch (step_) {
    case Step::kReading:
      return OnRollUp(body);
    case Step::kAddingUp:
      return ReadTotal::OnAnswer(id, body);
    case Step::kWriting:
      break;
  }
  SHARDLINE_CHECK(DecodeCommit(body, writes_));
  OnWritten();
  return Billed{.writes = static_cast<std::int64_t>(writes_)};
}

Result<Billed> ReadRollUp::OnRollUp(const PaddedText& body) {
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name_);
  const std::optional<SumAndCount> rolled_up = DecodeRollUp(document.fields);
  SHARDLINE_CHECK(answer.Finish());
  update_time_ = document.update_time;
  const std::optional<Timestamp> now = Timestamp::Parse(answer.read_time());
  if (rolled_up && now) {
    // What comes from the future says nothing about its age.
    age_ = Duration(now->micros - Timestamp::Parse(rolled_up->read_time)->micros);
    fresh_ = age_ <= max_age_ && age_ >= Duration(0);
  }
  if (fresh_) {
    set_total(*rolled_up);
    Finish();
  } else {
    step_ = Step::kAddingUp;
    Begin(TotalSource::kSum);
  }
  return Billed{.reads = 1};
}

void ReadRollUp::OnTotal() {
  step_ = Step::kWriting;
  CommitBody writes;
  writes.Add(RollUpWrite(name_, total(), update_time_));
  if (const std::optional<Write> write = AlsoWritten()) writes.Add(*write);
  writes_ = writes.size();
  // Sent once: whoever is faster, or the next reader, does as well.
  Call call{.path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kOnce};
  call.retry_aborted = false;
  Send(std::move(call));
}

void ReadRollUp::OnFailure(CallId id, const CallFailure& failure) {
  if (step_ == Step::kAddingUp) return ReadTotal::OnFailure(id, failure);
  if (!DoesWithout(failure.error)) return FinishWithFailure(failure);
  // The total is known, and somebody else's write is as good as ours.
  if (step_ == Step::kWriting) return Finish();
  if (failure.error.code != Code::kPermissionDenied) return FinishWithFailure(failure);
  step_ = Step::kAddingUp;
  Begin(TotalSource::kSum);
}

void ReadRollUp::WriteResult(JsonWriter& writer) const {
  if (!fresh_) return ReadTotal::WriteResult(writer);
  writer.BeginObject().Key("value");
  total().sum.Write(writer);
  writer.Key("readTime").String(total().read_time);
  writer.Key("shards").Int(total().count);
  writer.Key("source").String("rollup");
  writer.Key("ageMs").Int(std::chrono::ceil<std::chrono::milliseconds>(age_).count());
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
