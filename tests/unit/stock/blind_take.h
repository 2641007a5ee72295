// The take that Shardline does not make: it lowers a shard without having read it, and relies on a
// security rule that refuses a commit by which the shard would fall below zero. The measure in
// rush_test.cc compares it with the take that Shardline makes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/reason.h"
#include "experiment/network.h"
#include "firestore/query.h"
#include "firestore/write.h"
#include "operation/procedure.h"
#include "stock/stock.h"

namespace shardline {

// Takes one unit.
class BlindTake final : public Operation {
 public:
  BlindTake(OperationContext& context, Stock stock)
      : Operation(context, Patience::kShort), stock_(std::move(stock)) {
    const auto shards = static_cast<std::uint64_t>(stock_.shards());
    Take(stock_.ShardName(static_cast<std::int64_t>(random().Below(shards))));
  }

  void WriteResult(JsonWriter& writer) const override {
    writer.BeginObject().Key("taken").Boolean(taken_).EndObject();
  }

 private:
  enum class Step : std::uint8_t { kTaking, kLooking, kSearching };

  Result<Billed> OnAnswer(CallId, PaddedText& body) override {
    if (step_ == Step::kTaking) {
      SHARDLINE_CHECK(DecodeCommit(body, 2));
      End(true);
      return Billed{.writes = 2};
    }
    StockReading reading;
    SHARDLINE_CHECK(DecodeStock(body, stock_, StreamedAnswer::kQuery, reading));
    const std::size_t documents = reading.shards.size() + reading.takes.size();
    if (step_ == Step::kSearching) {
      End(false);
    } else if (reading.shards.empty()) {
      Ask(Step::kSearching, kStockTakes, "heldUntil",
          {{"timestampValue", reading.read_time.ToString()}}, FilterOp::kLessOrEqual, 10);
    } else {
      Take(reading.shards[random().Below(reading.shards.size())].name);
    }
    return Billed{.reads = std::max<std::int64_t>(1, static_cast<std::int64_t>(documents))};
  }

  void OnFailure(CallId, const CallFailure& failure) override {
    const Code code = failure.error.code;
    if (step_ != Step::kTaking || !IsAboutStock(code)) return FinishWithFailure(failure);
    // No other client has this key: an earlier attempt was applied.
    if (code == Code::kAlreadyExists || code == Code::kFailedPrecondition) return End(true);
    if (++refusals_ >= MaxRefusals(context().retry)) return FinishWithFailure(failure);
    Ask(Step::kLooking, kStockShards, "left", {{"integerValue", "1"}}, FilterOp::kGreaterOrEqual,
        20);
  }

  void Take(std::string shard) {
    step_ = Step::kTaking;
    const StockShard named{.name = std::move(shard)};
    StockTake basis;
    basis.name = stock_.TakeName(key_);
    CommitBody body;
    body.Add(TakeWrite(basis, {1, named.id(), change_}, Timestamp{0}));
    body.Add(ReturnWrite(named.name, -1, ByTake(key_)));
    Send({.path = database().UrlPath(":commit"),
          .body = body.Take(),
          .effect = Effect::kRepeatable,
          .retry_aborted = false});
  }

  void Ask(Step step, std::string_view collection, const char* field, const nlohmann::json& bound,
           FilterOp op, std::int32_t limit) {
    step_ = step;
    Query query{.collection = stock_.Collection(collection)};
    query.filters.push_back({StockField(field), op, EncodedValue::OfChecked(bound.dump())});
    query.orders.push_back({StockField(field), step == Step::kLooking ? Direction::kDescending
                                                                      : Direction::kAscending});
    query.limit = limit;
    Send({.path = query.collection.QueryUrlPath(database(), ":runQuery"),
          .body = EncodeRunQuery(query, {}),
          .attempts_before = PauseAfter(refusals_, false, context().retry)});
  }

  void End(bool taken) {
    taken_ = taken;
    Finish();
  }

  Stock stock_;
  std::string key_ = MakeAutoId(random());
  std::string change_ = MakeAutoId(random());
  Step step_ = Step::kTaking;
  int refusals_ = 0;
  bool taken_ = false;
};

// A server with that rule. A commit that is refused costs the time of a request, and no write.
class GuardedNetwork final : public experiment::Network {
 public:
  // The simulator must outlive the network.
  explicit GuardedNetwork(simulator::Simulator& simulator)
      : simulator_(simulator), inner_(simulator) {}

  experiment::Passage Draw(experiment::ClientId, const HttpRequest&) override { return {}; }

  experiment::Reply Arrive(const experiment::Arrival& arrival) override {
    if (!arrival.request.path.ends_with(":commit") || !FallsBelowZero(arrival)) {
      return inner_.Arrive(arrival);
    }
    ++denied_;
    experiment::Reply reply;
    reply.after = std::chrono::milliseconds(50);
    reply.status = 403;
    reply.body = R"({"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "no"}})";
    return reply;
  }

  std::int64_t denied() const { return denied_; }

 private:
  // Whether the shard of a commit has fewer units than it takes.
  bool FallsBelowZero(const experiment::Arrival& arrival) {
    const nlohmann::json writes = nlohmann::json::parse(arrival.request.body)["writes"];
    const nlohmann::json& last = writes.back();
    if (!last.contains("updateTransforms")) return false;
    const auto integer = [](const nlohmann::json& value) {
      return std::stoll(value["integerValue"].get_ref<const std::string&>());
    };
    const std::string name = last["update"]["name"];
    const std::string path = arrival.request.path.substr(0, arrival.request.path.rfind(':'));
    const simulator::Delivery read =
        simulator_.Handle({"POST", path + ":batchGet", simulator::Caller::kAdmin},
                          PaddedText(nlohmann::json{{"documents", {name}}}.dump()), arrival.now);
    const nlohmann::json found = nlohmann::json::parse(read.answer.body)[0]["found"];
    return integer(found["fields"]["left"]) + integer(last["updateTransforms"][0]["increment"]) < 0;
  }

  simulator::Simulator& simulator_;
  experiment::DirectNetwork inner_;
  std::int64_t denied_ = 0;
};

}  // namespace shardline
