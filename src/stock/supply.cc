#include "stock/supply.h"

#include <algorithm>
#include <utility>

#include "base/reason.h"
#include "exactly_once/marker.h"
#include "firestore/fields_writer.h"
#include "firestore/query.h"
#include "operation/procedure.h"

namespace shardline {

std::vector<std::int64_t> SpreadUnits(std::int64_t units, std::int64_t shards) {
  std::vector<std::int64_t> shares;
  for (std::int64_t i = 0; i < shards; ++i) {
    shares.push_back(units / shards + (i < units % shards ? 1 : 0));
  }
  return shares;
}

Result<std::unique_ptr<Operation>> CreateStock::Start(OperationContext& context, const Stock& stock,
                                                      std::int64_t units) {
  CommitBody body;
  std::int64_t shard = 0;
  for (const std::int64_t left : SpreadUnits(units, stock.shards())) {
    FieldsWriter fields;
    fields.Number("left", Amount::Integer(left));
    Write write{.name = stock.ShardName(shard++), .fields = fields.Take()};
    write.precondition.kind = Precondition::Kind::kMissing;
    if (!body.AddIfFits(write)) {
      return Fail(kRequestTooLarge,
                  "The stock's shards do not fit into one request of 10 MiB: choose fewer shards, "
                  "or a shorter path.");
    }
  }
  return std::make_unique<CreateStock>(context, stock, body.Take());
}

CreateStock::CreateStock(OperationContext& context, const Stock& stock, std::string body)
    : Operation(context), shards_(stock.shards()) {
  SendCommit(std::move(body), Effect::kRepeatable);
}

Result<Billed> CreateStock::OnAnswer(CallId, PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, static_cast<std::size_t>(shards_)));
  created_ = true;
  Finish();
  return Billed{.writes = shards_};
}

void CreateStock::OnFailure(CallId, const CallFailure& failure) {
  if (IsRefusal(failure.error.code)) return Finish();
  FinishWithFailure(failure);
}

void CreateStock::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("created").Boolean(created_).EndObject();
}

AddUnits::AddUnits(OperationContext& context, Stock stock, const std::string& key,
                   std::int64_t units, Timestamp server_now)
    : Operation(context),
      stock_(std::move(stock)),
      name_(stock_.AddName(key.empty() ? MakeAutoId(random()) : key)),
      change_(MakeAutoId(random())) {
  SendCommit(MakeBody(units, server_now), Effect::kRepeatable);
}

std::string AddUnits::MakeBody(std::int64_t units, Timestamp server_now) {
  FieldsWriter fields;
  fields.Number("units", Amount::Integer(units)).Text("change", change_);
  fields.Time("expireAt", ExpiryOf(name_, server_now).ToString());
  Write add{.name = name_, .fields = fields.Take()};
  add.precondition.kind = Precondition::Kind::kMissing;
  // Few units do not all go to the first shards.
  const auto first =
      static_cast<std::int64_t>(random().Below(static_cast<std::uint64_t>(stock_.shards())));
  for (std::int64_t shards = std::min(units, stock_.shards());;) {
    CommitBody body;
    body.Add(add);
    const std::int64_t fitting = AddTo(body, units, first, shards);
    if (fitting == shards) {
      writes_ = static_cast<std::int64_t>(body.size());
      return body.Take();
    }
    shards = fitting;
  }
}

std::int64_t AddUnits::AddTo(CommitBody& body, std::int64_t units, std::int64_t first,
                             std::int64_t shards) const {
  std::int64_t fitting = 0;
  for (const std::int64_t more : SpreadUnits(units, shards)) {
    const std::int64_t shard = (first + fitting) % stock_.shards();
    const Write write = ReturnWrite(stock_.ShardName(shard), more, "add");
    if (fitting == 0) {
      body.Add(write);
    } else if (!body.AddIfFits(write)) {
      break;
    }
    ++fitting;
  }
  return fitting;
}

Result<Billed> AddUnits::OnAnswer(CallId, PaddedText& body) {
  if (!is_reading_) {
    SHARDLINE_CHECK(DecodeCommit(body, static_cast<std::size_t>(writes_)));
    added_ = true;
    Finish();
    return Billed{.writes = writes_};
  }
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name_);
  const std::string change = document.fields["change.stringValue"].String();
  const bool is_there = document.exists();
  SHARDLINE_CHECK(answer.Finish());
  if (is_there) {
    added_ = change == change_;
    Finish();
  } else if (refusal_->error.code == Code::kNotFound) {
    FinishWithError(stock_.NotFound());
  } else {
    FinishWithFailure(*refusal_);
  }
  return Billed{.reads = 1};
}

void AddUnits::OnFailure(CallId, const CallFailure& failure) {
  if (is_reading_ || !IsAboutStock(failure.error.code)) return FinishWithFailure(failure);
  refusal_ = failure;
  is_reading_ = true;
  Send({.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})});
}

void AddUnits::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("added").Boolean(added_).EndObject();
}

}  // namespace shardline
