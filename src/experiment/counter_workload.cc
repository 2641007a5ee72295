#include <map>
#include <optional>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "base/reason.h"
#include "delivery/deliver_increment.h"
#include "delivery/delivery_queue.h"
#include "experiment/workload.h"

namespace shardline::experiment {
namespace {

class CounterWorkload : public Workload {
 public:
  explicit CounterWorkload(const Options& options)
      : create_(CounterArguments(options, options.delivery, R"(,"ifExists":"keep")")),
        increment_(CounterArguments(options, options.delivery,
                                    ",\"delta\":" + Amount::Integer(1).Encode().json())),
        total_(CounterArguments(options, options.delivery, R"(,"source":"shards")")) {}

  Started Prepare(OperationContext& context) override {
    return Start(StartCounterCreate, create_, context);
  }

  Started Begin(const User& user) override {
    return Start(StartCounterIncrement, increment_, user.context);
  }

  Started Verify(OperationContext& context) override {
    return Start(StartCounterTotal, total_, context);
  }

  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "value"); }

  std::optional<std::int64_t> ShardOf(const HttpRequest& request) const override {
    return NumberBehind(request, kShardsFolder);
  }
  std::string CountDocument(std::int64_t shard) const override { return CounterShard(shard); }

  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    WriteCount(writer, found_, outcomes);
  }

 private:
  PaddedText create_;
  PaddedText increment_;
  PaddedText total_;
  std::optional<std::int64_t> found_;
};

// The first users increment the counter; all others read its total again and again.
class TotalsWorkload final : public CounterWorkload {
 public:
  explicit TotalsWorkload(const Options& options)
      : CounterWorkload(options),
        writers_(static_cast<std::size_t>(options.writers)),
        start_(options.source == TotalWay::kShared ? StartCounterRollUp : StartCounterTotal),
        read_(CounterArguments(options, options.delivery, More(options))) {}

  Started Begin(const User& user) override {
    if (user.number < writers_) return CounterWorkload::Begin(user);
    return Start(start_, read_, user.context);
  }

  Started Continue(const User& user, int, const Operation& done) override {
    if (user.number >= writers_) value_ = ResultInteger(done, "value");
    return std::unique_ptr<Operation>();
  }

  // Totals are acknowledged, too, so nothing can be said of the count.
  void Report(JsonWriter&, const Outcomes&) const override {}

 private:
  static std::string More(const Options& options) {
    if (options.source == TotalWay::kSum) return R"(,"source":"sum")";
    if (options.source == TotalWay::kShards) return R"(,"source":"shards")";
    return ",\"maxAgeMs\":" + std::to_string(options.max_age_ms);
  }

  std::size_t writers_;
  Started (*start_)(JsonScanner&, OperationContext&);
  PaddedText read_;
};

// Each user's client stores what it has to send, sends it, and settles it, as web/library/queue.js
// does.
class DeliveryWorkload final : public CounterWorkload {
 public:
  explicit DeliveryWorkload(const Options& options)
      : CounterWorkload(options), shards_(options.shards) {}

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

std::unique_ptr<Workload> MakeDeliveryWorkload(const Options& options) {
  return std::make_unique<DeliveryWorkload>(options);
}

std::unique_ptr<Workload> MakeTotalsWorkload(const Options& options) {
  return std::make_unique<TotalsWorkload>(options);
}

std::unique_ptr<Workload> MakeCounterWorkload(const Options& options) {
  return std::make_unique<CounterWorkload>(options);
}

}  // namespace shardline::experiment
