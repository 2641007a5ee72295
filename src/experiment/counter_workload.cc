#include "experiment/counter_workload.h"

#include <map>
#include <string>
#include <utility>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "base/reason.h"
#include "delivery/deliver_increment.h"
#include "delivery/delivery_queue.h"

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
  explicit IncrementingUsers(const Options& options)
      : increment_(IncrementArguments(options, options.delivery)) {}

  Started Begin(const User& user) override {
    return Start(StartCounterIncrement, increment_, user.context);
  }

 private:
  PaddedText increment_;
};

// The first users increment the counter; all others read its total again and again.
class TotalsUsers final : public CounterUsers {
 public:
  explicit TotalsUsers(const Options& options)
      : writers_(static_cast<std::size_t>(options.writers)),
        start_(options.source == TotalWay::kShared ? StartCounterRollUp : StartCounterTotal),
        increment_(IncrementArguments(options, options.delivery)),
        read_(CounterArguments(options, options.delivery, More(options))) {}

  Started Begin(const User& user) override {
    if (user.number < writers_) return Start(StartCounterIncrement, increment_, user.context);
    return Start(start_, read_, user.context);
  }

  Started Continue(const User& user, int, const Operation& done) override {
    if (user.number >= writers_) value_ = ResultInteger(done, "value");
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
  PaddedText increment_;
  PaddedText read_;
  std::optional<std::int64_t> value_;
};

// Each user's client stores what it has to send, sends it, and settles it, as web/library/outbox
// does.
class DeliveringUsers final : public CounterUsers {
 public:
  explicit DeliveringUsers(const Options& options) : shards_(options.shards) {}

  Started Begin(const User& user) override {
    Client& client = clients_.try_emplace(user.number, user.context.random).first->second;
    SHARDLINE_TRY(const DeliveryQueue::Tickets tickets,
                  client.queue.Add(Amount::Integer(1), std::nullopt));
    client.ticket = tickets.last;
    return Send(client, user);
  }

  Started Continue(const User& user, int step, const Operation& done) override {
    // The operation tries for minutes before it settles for not knowing.
    constexpr int kMaxRounds = 5;
    Client& client = clients_.at(user.number);
    const auto& outcome = static_cast<const DeliverIncrement&>(done).outcome();
    client.queue.Settle(client.batch, outcome, user.context.random);
    for (const DeliveryQueue::Failure& failure : client.queue.failures()) {
      if (failure.ticket == client.ticket) return Fail(failure.error);
    }
    if (client.queue.settled() >= client.ticket) return std::unique_ptr<Operation>();
    if (step < kMaxRounds) return Send(client, user);
    return Fail(kIncrementInDoubt, "The increment is still under way.");
  }

 private:
  struct Client {
    explicit Client(Random& random) : queue("", random) {}

    DeliveryQueue queue;
    std::int64_t ticket = 0;
    std::string batch;  // The id of what is being sent.
  };

  Started Send(Client& client, const User& user) {
    std::optional<Batch> batch = client.queue.Stage({user.now}, user.context.random);
    if (!batch) return std::unique_ptr<Operation>();
    client.batch = batch->id;
    SHARDLINE_TRY(const Layout layout, Layout::Preset("web"));
    SHARDLINE_TRY(std::unique_ptr<const Counter> counter,
                  Counter::Make(user.context.database, {.path = std::string(kCounterPath),
                                                        .layout = layout,
                                                        .shards = shards_,
                                                        .delivery = Delivery::kExactlyOnce}));
    return DeliverIncrement::Start(user.context, std::move(counter), std::move(*batch));
  }

  std::int64_t shards_;
  std::map<std::size_t, Client> clients_;
};

}  // namespace

Started CounterUsers::Continue(const User&, int, const Operation&) {
  return std::unique_ptr<Operation>();
}

std::optional<std::int64_t> CounterUsers::TakeValue() { return std::nullopt; }

void CounterUsers::Report(JsonWriter& writer, std::optional<std::int64_t> found,
                          const Outcomes& outcomes) const {
  WriteCount(writer, found, outcomes);
}

std::unique_ptr<Workload> MakeCounterWorkload(const Options& options, std::string_view delivery,
                                              std::unique_ptr<CounterUsers> users) {
  return std::make_unique<CounterWorkload>(options, delivery, std::move(users));
}

PaddedText IncrementArguments(const Options& options, std::string_view delivery) {
  return CounterArguments(options, delivery, ",\"delta\":" + Amount::Integer(1).Encode().json());
}

PaddedText TotalArguments(const Options& options, std::string_view delivery) {
  return CounterArguments(options, delivery, R"(,"source":"shards")");
}

std::unique_ptr<Workload> MakeIncrementWorkload(const Options& options) {
  return MakeCounterWorkload(options, options.delivery,
                             std::make_unique<IncrementingUsers>(options));
}

std::unique_ptr<Workload> MakeDeliveryWorkload(const Options& options) {
  return MakeCounterWorkload(options, options.delivery, std::make_unique<DeliveringUsers>(options));
}

std::unique_ptr<Workload> MakeTotalsWorkload(const Options& options) {
  return MakeCounterWorkload(options, options.delivery, std::make_unique<TotalsUsers>(options));
}

}  // namespace shardline::experiment
