#include "upkeep/clean_up_markers.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "counter/places.h"
#include "firestore/answers.h"
#include "firestore/query.h"
#include "firestore/value.h"
#include "firestore/write.h"
#include "operation/collection_page.h"

namespace shardline {
namespace {

constexpr std::string_view kExpireAt = "expireAt";

EncodedValue Encode(Timestamp time) {
  JsonWriter writer;
  writer.BeginObject().Key("timestampValue").String(time.ToString()).EndObject();
  return EncodedValue::OfChecked(writer.text());
}

// Other documents stay.
bool IsMarker(const DocumentAnswer& document) {
  bool is_marker = !document.fields["applied.booleanValue"].Raw().empty();
  for (JsonItems members(document.fields, JsonItems::Of::kObject); members.Next();) {
    is_marker = is_marker && (members.Is("applied") || members.Is(kExpireAt));
  }
  return is_marker;
}

}  // namespace

std::unique_ptr<Operation> CleanUpMarkers::Start(OperationContext& context, Timestamp older_than) {
  return std::make_unique<ProcedureOperation>(
      context, std::make_unique<CleanUpMarkers>(context, older_than));
}

CleanUpMarkers::CleanUpMarkers(OperationContext& context, Timestamp older_than)
    : context_(context),
      older_than_(older_than),
      collection_(*CollectionPath::Parse(kMarkerCollection)) {}

Result<std::optional<Call>> CleanUpMarkers::NextCall() {
  if (std::holds_alternative<Done>(state_)) return std::optional<Call>();
  if (auto* deleting = std::get_if<Deleting>(&state_)) {
    return Call{context_.database.UrlPath(":commit"), std::move(deleting->body),
                Effect::kRepeatable};
  }
  if (refusals_ >= MaxRefusals(context_.retry)) {
    return Fail(kTooMuchContention,
                "Other clients kept deleting the same markers. Call again later, and it goes on.");
  }
  return ReadPage();
}

Call CleanUpMarkers::ReadPage() const {
  if (by_name_) {
    return shardline::ReadPage(
        context_.database, {.collection = collection_, .limit = page_size_, .after = after_.name});
  }
  const FieldPath expire_at = *FieldPath::Parse(kExpireAt);
  Query query{.collection = collection_,
              .filters = {{expire_at, FilterOp::kLess, Encode(older_than_)}},
              .orders = {{expire_at}, {FieldPath::DocumentName()}},
              .limit = page_size_};
  if (!after_.name.empty()) {
    query.start.emplace();
    query.start->values.Add(Encode(after_.expire_at));
    query.start->values.Add(EncodedValue::Reference(after_.name));
  }
  return {.path = collection_.QueryUrlPath(context_.database, ":runQuery"),
          .body = EncodeRunQuery(query, {})};
}

bool CleanUpMarkers::IsBehind(const Place& place, const Place& before) const {
  if (before.name.empty()) return true;
  if (!by_name_ && place.expire_at != before.expire_at) return place.expire_at > before.expire_at;
  return CompareNames(place.name, before.name) > 0;
}

Result<Billed> CleanUpMarkers::HandleAnswer(const PaddedText& body) {
  return std::holds_alternative<Deleting>(state_) ? OnDeleted(body) : OnPage(body);
}

Result<Billed> CleanUpMarkers::OnPage(const PaddedText& body) {
  struct Found {
    Place place;
    Write deletion;
    bool is_marker;
  };
  std::vector<Found> page;
  DocumentsAnswer answer(body, StreamedAnswer::kQuery);
  while (answer.Next()) {
    const DocumentAnswer& document = answer.document();
    if (!document.exists()) continue;
    const std::optional<Timestamp> expires =
        Timestamp::Parse(document.fields["expireAt.timestampValue"].String());
    const Place place{expires.value_or(Timestamp{Timestamp::kMaxMicros}), document.name};
    // Were it taken, a page that comes again would have no end.
    if (!IsBehind(place, page.empty() ? after_ : page.back().place)) {
      answer.scanner().Reject("its documents are out of order");
    }
    page.push_back({place, Write::Delete(document.name, Precondition::AsRead(document.update_time)),
                    IsMarker(document)});
  }
  SHARDLINE_CHECK(answer.Finish());
  const auto size = static_cast<std::int64_t>(page.size());
  const Timestamp now = *Timestamp::Parse(answer.read_time());
  std::vector<Write> writes;
  is_last_page_ = size < page_size_;
  last_ = page.empty() ? after_ : page.back().place;
  for (Found& found : page) {
    // A marker has expired only if the server's own clock agrees. If it has not, no later one has.
    const bool has_expired = found.place.expire_at < std::min(now, older_than_);
    if (!has_expired && !by_name_) is_last_page_ = true;
    if (has_expired && found.is_marker) writes.push_back(std::move(found.deletion));
  }
  if (writes.empty()) {
    GoOnBehindPage();
  } else {
    state_ = Deleting{EncodeCommit(writes), static_cast<std::int64_t>(writes.size())};
  }
  return Billed{.reads = std::max<std::int64_t>(size, 1)};
}

Result<Billed> CleanUpMarkers::OnDeleted(const PaddedText& body) {
  const std::int64_t count = std::get<Deleting>(state_).count;
  SHARDLINE_CHECK(DecodeCommit(body, static_cast<std::size_t>(count)));
  deleted_ += count;
  refusals_ = 0;
  page_size_ = std::min(2 * page_size_, kMaxPage);
  GoOnBehindPage();
  return Billed{.deletes = count};
}

void CleanUpMarkers::GoOnBehindPage() {
  after_ = last_;
  if (is_last_page_) {
    state_ = Done{};
  } else {
    state_ = ReadingPage{};
  }
}

bool CleanUpMarkers::HandleFailure(const CallFailure& failure) {
  const auto* deleting = std::get_if<Deleting>(&state_);
  if (deleting == nullptr) {
    // The field has no index.
    const bool was_by_name = std::exchange(by_name_, true);
    after_ = {};
    return !was_by_name && failure.error.code == Code::kFailedPrecondition;
  }
  if (!IsRefusal(failure.error.code)) return false;
  ++refusals_;
  // An attempt whose answer was lost has deleted them.
  if (failure.maybe_applied) deleted_ += deleting->count;
  page_size_ = std::max(page_size_ / 4, 1);
  state_ = ReadingPage{};
  return true;
}

void CleanUpMarkers::WriteResult(JsonWriter& writer, const Billed& billed) const {
  writer.BeginObject().Key("deleted").Int(deleted_);
  WriteBilled(writer.Key("billed"), billed);
  writer.EndObject();
}

}  // namespace shardline
