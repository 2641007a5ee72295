#include "upkeep/own_documents.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/reason.h"
#include "counter/places.h"
#include "firestore/query.h"
#include "firestore/value.h"
#include "firestore/write.h"
#include "operation/collection_page.h"

namespace shardline {
namespace {

struct OwnCollectionRow {
  std::string_view collection;
  // The fields that the library writes; the first of them, a number or a boolean, tells that the
  // document is of the kind that it seems to be.
  std::span<const std::string_view> fields;
  // The only document that there is; empty: any number.
  std::string_view id = {};
};

constexpr std::string_view kMemberFields[] = {"delta",  "shard",  "change",
                                              "before", "choice", "expireAt"};
constexpr std::string_view kKeyFields[] = {"applied", "change", "expireAt"};
constexpr std::string_view kTotalFields[] = {"value", "shards", "readTime", "field", "origin"};

const OwnCollectionRow& RowOf(OwnKind kind) {
  static constexpr OwnCollectionRow kRows[] = {
      {kMemberCollection, kMemberFields},
      {kKeyCollection, kKeyFields},
      {kTotalsCollection, kTotalFields, kSharedTotalId},
      {kTotalsCollection, kTotalFields, kPublishedId},
  };
  return kRows[static_cast<std::size_t>(kind)];
}

}  // namespace

OwnFate DecideOwnDocument(OwnKind kind, const JsonView& fields,
                          std::optional<Timestamp> expired_before) {
  const std::span<const std::string_view> own = RowOf(kind).fields;
  const JsonView first = fields[own[0]];
  const bool is_own = first.Read(Amount::Read) || !first["booleanValue"].Raw().empty();
  // A migration can come before the first publication.
  const bool is_origin = kind == OwnKind::kPublished && !fields["origin.stringValue"].Raw().empty();
  if (!is_own && !is_origin) return OwnFate::kStays;
  if (expired_before) {
    const std::optional<Timestamp> expires =
        Timestamp::Parse(fields["expireAt.timestampValue"].String());
    if (!expires || *expires >= *expired_before) return OwnFate::kStays;
  }
  for (JsonItems members(fields, JsonItems::Of::kObject); members.Next();) {
    const auto is_this = [&](std::string_view name) { return members.Is(name); };
    if (std::none_of(own.begin(), own.end(), is_this)) return OwnFate::kEmptied;
  }
  return OwnFate::kDeleted;
}

OwnDocuments::OwnDocuments(const Counter& counter, OperationContext& context, OwnKind kind,
                           std::optional<Timestamp> expired_before,
                           std::optional<Timestamp> written_until)
    : context_(context),
      kind_(kind),
      expired_before_(expired_before),
      written_until_(written_until),
      collection_(counter.OwnCollection(RowOf(kind).collection)) {}

Call OwnDocuments::ReadPage() const {
  const std::string_view id = RowOf(kind_).id;
  if (!id.empty()) {
    // Every user may get it, but not every user may list the collection.
    const std::string name = collection_.Document(id).Name(context_.database);
    return {.path = context_.database.UrlPath(":batchGet"), .body = EncodeBatchGet({name})};
  }
  return shardline::ReadPage(context_.database,
                             {.collection = collection_, .limit = page_size_, .after = after_});
}

Result<std::optional<Call>> OwnDocuments::NextCall() {
  if (std::holds_alternative<Done>(state_)) return std::optional<Call>();
  if (auto* deleting = std::get_if<Deleting>(&state_)) {
    return Call{context_.database.UrlPath(":commit"), std::move(deleting->body),
                Effect::kRepeatable};
  }
  if (refusals_ >= MaxRefusals(context_.retry)) {
    return Fail(kTooMuchContention,
                "Other clients kept writing to the documents that were to be deleted. Call again "
                "later, and it goes on.");
  }
  return ReadPage();
}

Result<Billed> OwnDocuments::HandleAnswer(const PaddedText& body) {
  return std::holds_alternative<Deleting>(state_) ? OnDeleted(body) : OnPage(body);
}

Result<Billed> OwnDocuments::OnDeleted(const PaddedText& body) {
  const Billed billed = std::get<Deleting>(state_).billed;
  SHARDLINE_CHECK(DecodeCommit(body, static_cast<std::size_t>(billed.writes + billed.deletes)));
  deleted_ += billed.deletes;
  refusals_ = 0;
  page_size_ = std::min(2 * page_size_, kMaxPage);
  GoOnBehindPage();
  return billed;
}

Result<Billed> OwnDocuments::OnPage(const PaddedText& body) {
  const bool is_one = !RowOf(kind_).id.empty();
  DocumentsAnswer answer(body, is_one ? StreamedAnswer::kBatchGet : StreamedAnswer::kQuery);
  std::vector<OwnDocument> page;
  const std::string collection = context_.database.documents() + '/' + collection_.text();
  PageBounds bounds{collection, after_, {}, static_cast<std::size_t>(page_size_)};
  while (answer.Next()) {
    if (answer.document().exists()) page.push_back({answer.document(), OwnFate::kStays});
  }
  for (const OwnDocument& own : page) SHARDLINE_CHECK(bounds.Take(own.document.name));
  // Nothing has expired that the server's own clock does not say has.
  std::optional<Timestamp> expired_before = expired_before_;
  const std::optional<Timestamp> now = Timestamp::Parse(answer.read_time());
  if (expired_before && now) expired_before = std::min(*expired_before, *now);
  for (OwnDocument& own : page) {
    const bool is_newer =
        written_until_ && Timestamp::Parse(own.document.update_time) > *written_until_;
    if (is_newer) continue;
    own.fate = DecideOwnDocument(kind_, own.document.fields, expired_before);
  }
  SHARDLINE_CHECK(answer.Finish());
  is_last_page_ = page.size() < static_cast<std::size_t>(page_size_);
  last_ = page.empty() ? after_ : page.back().document.name;
  SettleDoubts(page);
  if (std::optional<Deleting> deleting = PlanCommit(page)) {
    state_ = std::move(*deleting);
  } else {
    GoOnBehindPage();
  }
  const std::size_t reads = std::max<std::size_t>(page.size(), 1);
  return Billed{.reads = static_cast<std::int64_t>(reads)};
}

void OwnDocuments::SettleDoubts(const std::vector<OwnDocument>& page) {
  for (const OwnDocument& own : page) std::erase(doubtful_, own.document.name);
  deleted_ += static_cast<std::int64_t>(std::erase_if(doubtful_, [&](const std::string& name) {
    return is_last_page_ || CompareNames(name, last_) < 0;
  }));
}

std::optional<OwnDocuments::Deleting> OwnDocuments::PlanCommit(
    const std::vector<OwnDocument>& page) const {
  std::vector<Write> writes;
  Deleting deleting;
  for (const auto& [document, fate] : page) {
    if (fate == OwnFate::kStays) continue;
    Write write = Write::Delete(document.name, Precondition::AsRead(document.update_time));
    if (fate == OwnFate::kDeleted) {
      deleting.names.push_back(document.name);
      ++deleting.billed.deletes;
    } else {
      write.kind = Write::Kind::kUpdate;
      write.mask.emplace();  // Without values: removed.
      for (const std::string_view name : RowOf(kind_).fields) {
        write.mask->push_back(*FieldPath::Parse(name));
      }
      ++deleting.billed.writes;
    }
    writes.push_back(std::move(write));
  }
  if (writes.empty()) return std::nullopt;
  deleting.body = EncodeCommit(writes);
  return deleting;
}

void OwnDocuments::GoOnBehindPage() {
  after_ = last_;
  if (is_last_page_) {
    state_ = Done{};
  } else {
    state_ = ReadingPage{};
  }
}

bool OwnDocuments::HandleFailure(const CallFailure& failure) {
  const auto* deleting = std::get_if<Deleting>(&state_);
  if (deleting == nullptr) {
    const bool may_be_hidden = !expired_before_;
    if (!may_be_hidden || failure.error.code != Code::kPermissionDenied) return false;
    state_ = Done{};
    return true;
  }
  if (!IsRefusal(failure.error.code)) return false;
  ++refusals_;
  if (failure.maybe_applied) {
    doubtful_.insert(doubtful_.end(), deleting->names.begin(), deleting->names.end());
  }
  page_size_ = std::max(page_size_ / 4, 1);
  state_ = ReadingPage{};
  return true;
}

}  // namespace shardline
