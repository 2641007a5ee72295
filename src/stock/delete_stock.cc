#include "stock/delete_stock.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/reason.h"
#include "firestore/value.h"
#include "firestore/write.h"
#include "operation/collection_page.h"

namespace shardline {
namespace {

struct StockPart {
  std::string_view collection;
  // The field that each document of a stock has there.
  std::string_view field;
};
constexpr StockPart kParts[] = {
    {kStockShards, "left.integerValue"},
    {kStockTakes, "units.integerValue"},
    {kStockAdds, "units.integerValue"},
};

}  // namespace

std::unique_ptr<Operation> DeleteStock::Start(OperationContext& context, Stock stock) {
  return std::make_unique<ProcedureOperation>(
      context, std::make_unique<DeleteStock>(context, std::move(stock)));
}

DeleteStock::DeleteStock(OperationContext& context, Stock stock)
    : context_(context), stock_(std::move(stock)) {}

Result<std::optional<Call>> DeleteStock::NextCall() {
  if (std::holds_alternative<Done>(state_)) return std::optional<Call>();
  if (auto* deleting = std::get_if<Deleting>(&state_)) {
    return Call{context_.database.UrlPath(":commit"), std::move(deleting->body),
                Effect::kRepeatable};
  }
  if (refusals_ >= MaxRefusals(context_.retry)) {
    return Fail(kTooMuchContention,
                "Other clients kept changing the stock while it was being deleted. Call again "
                "later, and it goes on.");
  }
  const CollectionPath collection = stock_.Collection(kParts[part_].collection);
  return ReadPage(context_.database,
                  {.collection = collection, .limit = page_size_, .after = after_});
}

Result<Billed> DeleteStock::HandleAnswer(const PaddedText& body) {
  return std::holds_alternative<Deleting>(state_) ? OnDeleted(body) : OnPage(body);
}

Result<Billed> DeleteStock::OnPage(const PaddedText& body) {
  const std::string collection =
      context_.database.documents() + '/' + stock_.Collection(kParts[part_].collection).text();
  std::vector<DocumentAnswer> page;
  DocumentsAnswer answer(body, StreamedAnswer::kQuery);
  while (answer.Next()) {
    if (answer.document().exists()) page.push_back(answer.document());
  }
  PageBounds bounds{collection, after_, {}, static_cast<std::size_t>(page_size_)};
  for (const DocumentAnswer& document : page) SHARDLINE_CHECK(bounds.Take(document.name));
  SHARDLINE_CHECK(answer.Finish());
  if (part_ == 0) emptied_at_ = *Timestamp::Parse(answer.read_time());
  std::vector<Write> writes;
  for (const DocumentAnswer& document : page) {
    if (!Goes(document)) continue;
    writes.push_back(Write::Delete(document.name, Precondition::AsRead(document.update_time)));
  }
  is_last_page_ = page.size() < static_cast<std::size_t>(page_size_);
  last_ = page.empty() ? after_ : page.back().name;
  SettleDoubt(page);
  if (writes.empty()) {
    GoOnBehindPage();
  } else {
    state_ = Deleting{EncodeCommit(writes), static_cast<std::int64_t>(writes.size()),
                      writes.front().name};
  }
  const std::size_t reads = std::max<std::size_t>(page.size(), 1);
  return Billed{.reads = static_cast<std::int64_t>(reads)};
}

bool DeleteStock::Goes(const DocumentAnswer& document) const {
  if (document.fields[kParts[part_].field].Raw().empty()) return false;
  return part_ == 0 || Timestamp::Parse(document.update_time) <= emptied_at_;
}

void DeleteStock::SettleDoubt(const std::vector<DocumentAnswer>& page) {
  if (!doubt_) return;
  const bool is_reached = is_last_page_ || CompareNames(last_, doubt_->first) >= 0;
  if (!is_reached) return;
  const bool is_there = std::any_of(page.begin(), page.end(), [&](const DocumentAnswer& document) {
    return document.name == doubt_->first;
  });
  if (!is_there) deleted_ += doubt_->count;
  doubt_.reset();
}

Result<Billed> DeleteStock::OnDeleted(const PaddedText& body) {
  const std::int64_t count = std::get<Deleting>(state_).count;
  SHARDLINE_CHECK(DecodeCommit(body, static_cast<std::size_t>(count)));
  deleted_ += count;
  refusals_ = 0;
  page_size_ = std::min(2 * page_size_, kMaxPage);
  GoOnBehindPage();
  return Billed{.deletes = count};
}

void DeleteStock::GoOnBehindPage() {
  after_ = is_last_page_ ? std::string() : last_;
  if (is_last_page_) ++part_;
  if (part_ == std::size(kParts)) {
    state_ = Done{};
  } else {
    state_ = ReadingPage{};
  }
}

bool DeleteStock::HandleFailure(const CallFailure& failure) {
  const auto* deleting = std::get_if<Deleting>(&state_);
  if (deleting == nullptr || !IsRefusal(failure.error.code)) return false;
  ++refusals_;
  if (failure.maybe_applied) doubt_ = Doubt{deleting->count, deleting->first};
  page_size_ = std::max(page_size_ / 4, 1);
  state_ = ReadingPage{};
  return true;
}

void DeleteStock::WriteResult(JsonWriter& writer, const Billed&) const {
  writer.BeginObject().Key("deleted").Int(deleted_).EndObject();
}

}  // namespace shardline
