#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firestore/write.h"
#include "operation/operation.h"
#include "stock/stock.h"

namespace shardline {

// The units of each shard, of `units` in all: as many as of any other, or one more.
std::vector<std::int64_t> SpreadUnits(std::int64_t units, std::int64_t shards);

// Makes the shards of a stock in one commit, each on the condition that it is not there. Therefore
// an existing stock stays as it is.
class CreateStock final : public Operation {
 public:
  // `units` must be from 0 to kMaxStockUnits. Refuses shards that do not fit into one request.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context, const Stock& stock,
                                                  std::int64_t units);
  CreateStock(OperationContext& context, const Stock& stock, std::string body);

  // {"created": true}: true only if it was surely this operation.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  std::int64_t shards_;
  bool created_ = false;
};

// Adds units to all shards. The same commit makes the document of its idempotency key, on the
// condition that it is not there: a key adds once. If one request cannot name all shards, the units
// go to as many as fit, because only one commit is atomic with the key; takers find units in every
// shard.
class AddUnits final : public Operation {
 public:
  // `key`: see KeyId(); empty: one is drawn. `units` must be from 1 to kMaxStockUnits. `server_now`
  // is the best clock there is: by it the key's document expires.
  AddUnits(OperationContext& context, Stock stock, const std::string& key, std::int64_t units,
           Timestamp server_now);

  // {"added": true}: whether it was this operation that added them.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  std::string MakeBody(std::int64_t units, Timestamp server_now);
  // Adds the units to the body, spread over `shards` shards from `first` on. Returns how many of
  // these fit into the request, at least one: if some do not, the body must be made for fewer.
  std::int64_t AddTo(CommitBody& body, std::int64_t units, std::int64_t first,
                     std::int64_t shards) const;

  // Constant after construction.
  Stock stock_;
  std::string name_;
  std::string change_;

  std::int64_t writes_ = 0;
  bool is_reading_ = false;
  std::optional<CallFailure> refusal_;  // How the commit was refused.
  bool added_ = false;
};

}  // namespace shardline
