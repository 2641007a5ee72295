#include "experiment/counter_workload.h"

#include <chrono>
#include <string>
#include <utility>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "base/reason.h"
#include "counter/increment.h"
#include "exactly_once/commit_increment.h"

namespace shardline::experiment {
namespace {

class CounterWorkload final : public Workload {
 public:
  CounterWorkload(const Options& options, std::string_view delivery,
                  std::unique_ptr<CounterUsers> users)
      : create_(CounterArguments(options, delivery, R"(,"ifExists":"keep")")),
        total_(TotalArguments(options, delivery)),
        users_(std::move(users)) {}

  Started Prepare(OperationContext& context) override {
    return Start(StartCounterCreate, create_, context);
  }

  Started Begin(const User& user) override { return users_->Begin(user); }
  Started Continue(const User& user, int step, const Operation& done) override {
    return users_->Continue(user, step, done);
  }
  bool IsDone(std::size_t user) const override { return users_->IsDone(user); }
  std::optional<std::int64_t> TakeValue() override { return users_->TakeValue(); }

  Started Verify(OperationContext& context) override {
    return Start(StartCounterTotal, total_, context);
  }

  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "value"); }

  std::optional<std::int64_t> ShardOf(const HttpRequest& request) const override {
    return NumberBehind(request, kShardsFolder);
  }
  std::string CountDocument(std::int64_t shard) const override { return CounterShard(shard); }

  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    users_->Report(writer, found_, outcomes);
  }

 private:
  PaddedText create_;
  PaddedText total_;
  std::unique_ptr<CounterUsers> users_;
  std::optional<std::int64_t> found_;
};

// All users increment the counter.
class IncrementingUsers final : public CounterUsers {
 public:
  explicit IncrementingUsers(const Options& options) : one_more_(options, options.delivery) {}

  Started Begin(const User& user) override { return one_more_.Begin(user); }
  Started Continue(const User& user, int, const Operation& done) override {
    return one_more_.Continue(user, done);
  }

 private:
  OneMore one_more_;
};

// The first users increment the counter; all others read its total again and again.
class TotalsUsers final : public CounterUsers {
 public:
  explicit TotalsUsers(const Options& options)
      : writers_(static_cast<std::size_t>(options.writers)),
        start_(options.source == TotalWay::kShared ? StartCounterSharedTotal : StartCounterTotal),
        one_more_(options, options.delivery),
        read_(CounterArguments(options, options.delivery, More(options))) {}

  Started Begin(const User& user) override {
    if (user.number < writers_) return one_more_.Begin(user);
    return Start(start_, read_, user.context);
  }

  Started Continue(const User& user, int, const Operation& done) override {
    if (user.number < writers_) return one_more_.Continue(user, done);
    value_ = ResultInteger(done, "value");
    return std::unique_ptr<Operation>();
  }

  std::optional<std::int64_t> TakeValue() override { return std::exchange(value_, std::nullopt); }

  // Totals are acknowledged, too, so nothing can be said of the count.
  void Report(JsonWriter&, std::optional<std::int64_t>, const Outcomes&) const override {}

 private:
  static std::string More(const Options& options) {
    if (options.source == TotalWay::kSum) return R"(,"source":"sum")";
    if (options.source == TotalWay::kShards) return R"(,"source":"shards")";
    return ",\"maxAgeMs\":" + std::to_string(options.max_age_ms);
  }

  std::size_t writers_;
  Started (*start_)(JsonScanner&, OperationContext&);
  OneMore one_more_;
  PaddedText read_;
  std::optional<std::int64_t> value_;
};

}  // namespace

Started CounterUsers::Continue(const User&, int, const Operation&) {
  return std::unique_ptr<Operation>();
}

bool CounterUsers::IsDone(std::size_t) const { return false; }

std::optional<std::int64_t> CounterUsers::TakeValue() { return std::nullopt; }

void CounterUsers::Report(JsonWriter& writer, std::optional<std::int64_t> found,
                          const Outcomes& outcomes) const {
  WriteCount(writer, found, outcomes);
}

std::unique_ptr<Workload> MakeCounterWorkload(const Options& options, std::string_view delivery,
                                              std::unique_ptr<CounterUsers> users) {
  return std::make_unique<CounterWorkload>(options, delivery, std::move(users));
}

Delivery OneMore::DeliveryNamed(std::string_view name) {
  if (name == "exactly-once") return Delivery::kExactlyOnce;
  return name == "transaction" ? Delivery::kTransaction : Delivery::kAtLeastOnce;
}

Started OneMore::Begin(const User& user) {
  batches_[user.number] = {MakeAutoId(user.context.random), user.now};
  return Send(user);
}

Started OneMore::Continue(const User& user, const Operation& done) {
  // An operation tries for half a minute before it leaves the rest for later.
  constexpr int kMaxRounds = 5;
  if (delivery_ == Delivery::kTransaction) return std::unique_ptr<Operation>();
  Batch& batch = batches_.at(user.number);
  const auto& increment = static_cast<const CommitIncrement&>(done);
  const BatchOutcome& outcome = increment.outcome();
  if (outcome.kind == BatchOutcome::Kind::kCounted) {
    if (outcome.error) return Fail(*outcome.error);
    return std::unique_ptr<Operation>();
  }
  batch.sent = increment.WasSent();
  const bool waits = outcome.kind == BatchOutcome::Kind::kWaiting;
  if (waits && ++batch.rounds < kMaxRounds) return Send(user);
  if (waits && batch.sent) return Fail(kIncrementInDoubt, "The increment is still under way.");
  return Fail(*outcome.error);
}

Started OneMore::Send(const User& user) {
  SHARDLINE_TRY(const Layout layout, Layout::Preset("web-sample"));
  SHARDLINE_TRY(std::unique_ptr<const Counter> counter,
                Counter::Make(user.context.database, {.path = std::string(kCounterPath),
                                                      .layout = layout,
                                                      .shards = shards_,
                                                      .delivery = delivery_}));
  const Amount one = Amount::Integer(1);
  if (delivery_ == Delivery::kTransaction) {
    return TransactionIncrement::Start(user.context, std::move(counter), one);
  }
  const Batch& batch = batches_.at(user.number);
  BatchRequest request{.now = user.now,
                       .age = std::chrono::microseconds(user.now.micros - batch.made.micros),
                       .sent_before = batch.sent};
  if (delivery_ == Delivery::kExactlyOnce) {
    request.marker = MarkerName(user.context.database, batch.id);
  }
  request.increments.push_back({std::move(counter), one});
  return CommitIncrement::Start(user.context, std::move(request));
}

PaddedText TotalArguments(const Options& options, std::string_view delivery) {
  return CounterArguments(options, delivery, R"(,"source":"shards")");
}

std::unique_ptr<Workload> MakeIncrementWorkload(const Options& options) {
  return MakeCounterWorkload(options, options.delivery,
                             std::make_unique<IncrementingUsers>(options));
}

std::unique_ptr<Workload> MakeTotalsWorkload(const Options& options) {
  return MakeCounterWorkload(options, options.delivery, std::make_unique<TotalsUsers>(options));
}

}  // namespace shardline::experiment
