#include "stock/stock.h"

#include <algorithm>

#include "base/number.h"
#include "base/reason.h"
#include "exactly_once/marker.h"
#include "firestore/fields_writer.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

std::string_view IdOf(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool IsShardId(std::string_view id) {
  constexpr std::size_t kMostDigits = 4;
  return !id.empty() && id.size() <= kMostDigits &&
         id.find_first_not_of("0123456789") == std::string_view::npos;
}

std::int64_t UnitsIn(const DocumentAnswer& document, std::string_view field) {
  return std::clamp(document.fields.Member(field)["integerValue"].Read(DecodeInteger),
                    std::int64_t{0}, kMaxStockUnits);
}

StockTake ReadTake(const DocumentAnswer& document) {
  StockTake take{document.name, document.update_time, UnitsIn(document, "units")};
  take.shard = document.fields["shard.stringValue"].String();
  if (!IsShardId(take.shard)) take.shard = "0";
  take.change = document.fields["change.stringValue"].String();
  take.before = document.fields["before.stringValue"].String();
  if (const JsonView held = document.fields["heldUntil.timestampValue"]) {
    take.held_until = Timestamp::Parse(held.Read(DecodeTime));
  }
  return take;
}

}  // namespace

FieldPath StockField(std::string_view name) { return *FieldPath::Parse(name); }

Result<Stock> Stock::Make(const DatabaseName& database, std::string_view path,
                          std::int64_t shards) {
  if (shards < 1 || shards > kMaxStockShards) {
    return OptionMustBe("shards", "an integer from 1 to 10,000") << ".";
  }
  SHARDLINE_TRY(DocumentPath && document, DocumentPath::Parse(path));
  return Stock(database, std::move(document), shards);
}

bool Stock::Has(std::string_view collection, std::string_view name) const {
  const std::size_t end = name.rfind('/');
  return end != std::string_view::npos &&
         name.substr(0, end) == database_.documents() + '/' + Collection(collection).text();
}

std::string Stock::NameIn(std::string_view collection, std::string_view id) const {
  return path_.Collection(collection).Document(id).Name(database_);
}

std::string Stock::ShardName(std::int64_t shard) const {
  std::string id;
  AppendInt64(id, shard);
  return ShardName(id);
}

Failure Stock::NotFound() const {
  return Fail(kStockNotFound, "There is no stock at ")
         << Param{"path", path()}
         << ", or it has fewer shards than you say: call create() first, or pass its own number of "
            "shards.";
}

std::string_view StockShard::id() const { return IdOf(name); }
std::string_view StockTake::key() const { return IdOf(name); }

Status DecodeStock(const PaddedText& body, const Stock& stock, StreamedAnswer::Asked asked,
                   StockReading& reading) {
  reading = {};
  DocumentsAnswer answer(body, asked);
  while (answer.Next()) {
    const DocumentAnswer& document = answer.document();
    if (stock.Has(kStockShards, document.name)) {
      reading.shards.push_back({document.name, document.update_time, UnitsIn(document, "left")});
    } else if (stock.Has(kStockTakes, document.name)) {
      reading.takes.push_back(ReadTake(document));
    } else {
      answer.scanner().Reject("it holds a document that was not asked for");
    }
  }
  SHARDLINE_CHECK(answer.Finish());
  reading.read_time = *Timestamp::Parse(answer.read_time());
  return {};
}

Status DecodeStockDocuments(const PaddedText& body, const Stock& stock,
                            const std::vector<std::string>& names, StockReading& reading) {
  SHARDLINE_CHECK(DecodeStock(body, stock, StreamedAnswer::kBatchGet, reading));
  std::vector<std::string> found;
  for (const StockShard& shard : reading.shards) found.push_back(shard.name);
  for (const StockTake& take : reading.takes) found.push_back(take.name);
  if (!std::is_permutation(found.begin(), found.end(), names.begin(), names.end())) {
    return Fail(kAnswerUnreadable, "it does not hold the documents that were asked for")
        .With("http", "200");
  }
  return {};
}

Write ShardWrite(std::string name, std::int64_t delta, std::string by, Precondition precondition) {
  FieldsWriter fields;
  fields.Text("by", by);
  Write write{.name = std::move(name), .fields = fields.Take()};
  write.mask.emplace().push_back(StockField("by"));
  write.transforms.push_back(
      {StockField("left"), FieldTransform::Kind::kIncrement, Amount::Integer(delta).Encode()});
  write.precondition = std::move(precondition);
  return write;
}

Write ReturnWrite(std::string name, std::int64_t units, std::string by) {
  return ShardWrite(std::move(name), units, std::move(by), {Precondition::Kind::kExists});
}

std::string ByTake(std::string_view key) { return "take:" + std::string(key); }
std::string ByShard(std::string_view id) { return "shard:" + std::string(id); }

Write TakeWrite(const StockTake& basis, const TakeChange& change, Timestamp now) {
  FieldsWriter fields;
  fields.Number("units", Amount::Integer(change.units)).Text("shard", change.shard);
  fields.Text("change", change.change).Text("before", basis.change);
  if (change.held_until) fields.Time("heldUntil", change.held_until->ToString());
  if (change.units == 0) fields.Time("expireAt", ExpiryOf(basis.name, now).ToString());
  Write write{.name = basis.name, .fields = fields.Take()};
  write.precondition = Precondition::AsRead(basis.update_time);
  return write;
}

bool IsAboutStock(Code code) {
  return code == Code::kAborted || code == Code::kFailedPrecondition ||
         code == Code::kAlreadyExists || code == Code::kNotFound || code == Code::kPermissionDenied;
}

int PauseAfter(int refusals, bool was_aborted, const RetryPolicy& retry) {
  constexpr int kWithoutPause = 3;
  constexpr int kLongest = 3;
  const int most = std::min(kLongest, retry.max_attempts - 1);
  return std::clamp(std::max(refusals - kWithoutPause, was_aborted ? 1 : 0), 0, std::max(most, 0));
}

}  // namespace shardline
