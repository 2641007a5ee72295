// Unique ids, in the ways that teams try first, and in ours.

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "api/ids_api.h"
#include "experiment/counter_workload.h"
#include "experiment/next_by_transaction.h"
#include "ids/sequence.h"

namespace shardline::experiment {
namespace {

// Notes every id that a user was given.
class IssuedIds {
 public:
  void Note(std::int64_t id) {
    last_ = id;
    ++issued_;
    ids_.insert(id);
  }

  // See Workload.
  std::optional<std::int64_t> TakeValue() { return std::exchange(last_, std::nullopt); }

  void Report(JsonWriter& writer) const {
    const auto distinct = static_cast<std::int64_t>(ids_.size());
    writer.Key("ids").BeginObject().Key("issued").Int(issued_);
    writer.Key("distinct").Int(distinct);
    writer.Key("duplicates").Int(issued_ - distinct).EndObject();
  }

 private:
  std::unordered_set<std::int64_t> ids_;
  std::int64_t issued_ = 0;
  std::optional<std::int64_t> last_;
};

// The delivery of the counter that ids come from.
constexpr std::string_view kDelivery = "at-least-once";

// Takes an id in a transaction on the counter's one document.
class TransactionUsers final : public CounterUsers {
 public:
  Started Begin(const User& user) override {
    return std::make_unique<NextByTransaction>(user.context);
  }

  Started Continue(const User&, int, const Operation& done) override {
    ids_.Note(ResultInteger(done, "value"));
    return std::unique_ptr<Operation>();
  }

  std::optional<std::int64_t> TakeValue() override { return ids_.TakeValue(); }

  void Report(JsonWriter& writer, std::optional<std::int64_t> found,
              const Outcomes& outcomes) const override {
    WriteCount(writer, found, outcomes);
    ids_.Report(writer);
  }

 private:
  IssuedIds ids_;
};

// Increments one of several shards, and then takes the sum of all for an id: a client that has
// incremented in between gets the same.
class SumUsers final : public CounterUsers {
 public:
  explicit SumUsers(const Options& options)
      : one_more_(options, kDelivery), total_(TotalArguments(options, kDelivery)) {}

  Started Begin(const User& user) override {
    reads_total_.erase(user.number);
    return one_more_.Begin(user);
  }

  Started Continue(const User& user, int, const Operation& done) override {
    if (!reads_total_.contains(user.number)) {
      SHARDLINE_TRY(std::unique_ptr<Operation> again, one_more_.Continue(user, done));
      if (again) return again;
      reads_total_.insert(user.number);
      return Start(StartCounterTotal, total_, user.context);
    }
    ids_.Note(ResultInteger(done, "value"));
    return std::unique_ptr<Operation>();
  }

  std::optional<std::int64_t> TakeValue() override { return ids_.TakeValue(); }

  void Report(JsonWriter& writer, std::optional<std::int64_t> found,
              const Outcomes& outcomes) const override {
    WriteCount(writer, found, outcomes);
    ids_.Report(writer);
  }

 private:
  OneMore one_more_;
  PaddedText total_;
  // The users who have incremented, and wait for the sum.
  std::unordered_set<std::size_t> reads_total_;
  IssuedIds ids_;
};

// Each client takes a block of ids, and hands them out until it is used up.
class BlockWorkload final : public Workload {
 public:
  explicit BlockWorkload(const Options& options)
      : create_(Arguments(options.shards, "maxShards", std::max(options.shards, kDefaultStride))),
        take_(Arguments(options.shards, "count", options.block)) {}

  Started Prepare(OperationContext& context) override {
    return Start(StartIdsCreate, create_, context);
  }

  Started Begin(const User& user) override {
    Block& block = blocks_[user.number];
    if (block.left == 0) return Start(StartIdsTake, take_, user.context);
    TakeOne(block);
    return std::unique_ptr<Operation>();
  }

  Started Continue(const User& user, int, const Operation& done) override {
    Block& block = blocks_[user.number];
    block = {ResultInteger(done, "first"), ResultInteger(done, "stride"),
             ResultInteger(done, "count")};
    TakeOne(block);
    return std::unique_ptr<Operation>();
  }

  std::optional<std::int64_t> ShardOf(const HttpRequest& request) const override {
    return NumberBehind(request, kIdsFolder);
  }

  std::optional<std::int64_t> TakeValue() override { return ids_.TakeValue(); }

  // There is nothing to read: unused ids are lost.
  Started Verify(OperationContext&) override { return std::unique_ptr<Operation>(); }
  void OnVerified(const Operation&) override {}

  void Report(JsonWriter& writer, const Outcomes&) const override { ids_.Report(writer); }

 private:
  struct Block {
    std::int64_t next = 0;
    std::int64_t stride = 0;
    std::int64_t left = 0;
  };

  static PaddedText Arguments(std::int64_t shards, std::string_view name, std::int64_t number) {
    JsonWriter writer;
    writer.BeginObject().Key("path").String("experiments/ids").Key("shards").Int(shards);
    return PaddedText(writer.Key(name).Int(number).EndObject().Take());
  }

  void TakeOne(Block& block) {
    ids_.Note(block.next);
    block.next += block.stride;
    --block.left;
  }

  PaddedText create_;
  PaddedText take_;
  std::unordered_map<std::size_t, Block> blocks_;
  IssuedIds ids_;
};

}  // namespace

std::unique_ptr<Workload> MakeIdWorkload(const Options& options) {
  switch (options.method) {
    case IdMethod::kTransaction:
      return MakeCounterWorkload(options, kDelivery, std::make_unique<TransactionUsers>());
    case IdMethod::kSum:
      return MakeCounterWorkload(options, kDelivery, std::make_unique<SumUsers>(options));
    case IdMethod::kBlocks:
      return std::make_unique<BlockWorkload>(options);
  }
  return nullptr;
}

}  // namespace shardline::experiment
