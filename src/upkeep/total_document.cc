#include "upkeep/total_document.h"

#include <cassert>
#include <chrono>
#include <utility>

#include "counter/places.h"
#include "firestore/answers.h"
#include "firestore/fields_writer.h"
#include "firestore/query.h"
#include "firestore/write.h"

namespace shardline {
namespace {

constexpr std::string_view kFields[] = {"value", "shards", "readTime", "field"};
constexpr std::string_view kOrigin = "origin";

// `published` may be null.
Write KeptWrite(const std::string& name, const SumAndCount& total, const FieldPath* published,
                const std::string& update_time) {
  FieldsWriter fields;
  fields.Number(kFields[0], total.sum).Number(kFields[1], Amount::Integer(total.count));
  fields.Time(kFields[2], total.read_time);
  if (published) fields.Text(kFields[3], published->text());
  Write write{.name = name, .fields = fields.Take()};
  write.precondition = Precondition::AsRead(update_time);
  if (!update_time.empty()) {
    // Other fields do not belong there, but stay if they are there.
    write.mask.emplace();
    for (const std::string_view field : kFields) write.mask->push_back(*FieldPath::Parse(field));
  }
  return write;
}

// nullopt if the document's fields are not those of a total.
std::optional<SumAndCount> DecodeKept(const JsonView& fields) {
  const std::optional<Amount> value = fields[kFields[0]].Read(Amount::Read);
  const std::optional<Amount> shards = fields[kFields[1]].Read(Amount::Read);
  const JsonView read_time = fields[kFields[2]]["timestampValue"];
  if (!value || !shards || shards->is_double() || !read_time) return std::nullopt;
  return SumAndCount{*value, shards->integer(), read_time.Read(DecodeTime)};
}

}  // namespace

bool TotalDocument::IsPublishedInto(const FieldPath& field, const JsonView& kept) {
  return kept[kFields[3]]["stringValue"].String() == field.text();
}

std::string TotalDocument::OriginIn(const JsonView& kept) {
  return kept[kOrigin]["stringValue"].String();
}

Write TotalDocument::Claim(const Counter& counter, std::string_view origin,
                           const std::string& update_time) {
  Write write = Write::RemoveField(counter.TotalName(kPublishedId), *FieldPath::Parse(kOrigin),
                                   Precondition::AsRead(update_time));
  write.fields = FieldsWriter().Text(kOrigin, origin).Take();
  return write;
}

TotalDocument::TotalDocument(Executor& executor, const Counter& counter, std::string_view id,
                             Duration max_age)
    : executor_(executor),
      counter_(counter),
      name_(counter.TotalName(id)),
      max_age_(max_age),
      reading_(executor, counter) {}

void TotalDocument::Start() {
  assert(state_ == State::kNotStarted);
  state_ = State::kReadingDocument;
  executor_.Send(
      {.path = counter_.database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})});
}

Result<Billed> TotalDocument::HandleAnswer(CallId id, const PaddedText& body) {
  if (state_ == State::kReadingDocument) return OnDocument(body);
  return state_ == State::kReadingShards ? reading_.HandleAnswer(id, body) : OnWritten(body);
}

Result<Billed> TotalDocument::OnDocument(const PaddedText& body) {
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name_);
  std::optional<SumAndCount> kept = DecodeKept(document.fields);
  SHARDLINE_CHECK(answer.Finish());
  update_time_ = document.update_time;
  age_ = FreshAge(kept ? Timestamp::Parse(kept->read_time) : std::nullopt,
                  Timestamp::Parse(answer.read_time()), max_age_);
  if (age_) {
    total_ = std::move(*kept);
    state_ = State::kFresh;
  } else {
    ReadShards();
  }
  return Billed{.reads = 1};
}

void TotalDocument::ReadShards() {
  assert(state_ == State::kReadingDocument);
  state_ = State::kReadingShards;
  reading_.Start(TotalSource::kSum);
}

Status TotalDocument::AddUp() {
  assert(all_read());
  return reading_.AddUp(total_);
}

void TotalDocument::Keep(const FieldPath* published) {
  assert(all_read() && !total_.read_time.empty());
  state_ = State::kWriting;
  CommitBody writes;
  writes.Add(KeptWrite(name_, total_, published, update_time_));
  if (published) {
    writes.Add(Write::SetField(counter_.ParentName(), *published, total_.sum,
                               {Precondition::Kind::kExists}));
  }
  writes_ = writes.size();
  // Sent once: a faster client, or the next one that finds it too old, does the same.
  Call call{.path = counter_.database().UrlPath(":commit"),
            .body = writes.Take(),
            .effect = Effect::kOnce};
  call.retry_aborted = false;
  executor_.Send(std::move(call));
}

Result<Billed> TotalDocument::OnWritten(const PaddedText& body) {
  assert(state_ == State::kWriting);
  SHARDLINE_CHECK(DecodeCommit(body, writes_));
  state_ = State::kWritten;
  return Billed{.writes = static_cast<std::int64_t>(writes_)};
}

}  // namespace shardline
