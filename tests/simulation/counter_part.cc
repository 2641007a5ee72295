// Counters: what is acknowledged is counted, and nothing is that was not asked for.

#include <map>
#include <optional>
#include <vector>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "api/delivery_api.h"
#include "counter/deliver_increment.h"
#include "counter/delivery_queue.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

std::int64_t ValueOf(const json& total) {
  return std::stoll(total.value("value", std::string("-1")));
}

std::string Integer(std::int64_t value) {
  return R"({"integerValue":")" + std::to_string(value) + R"("})";
}

// What the clients of one counter do to it; how they increment is for others to say.
class CounterPart : public Part {
 public:
  CounterPart(const Circumstances& circumstances, std::string_view delivery, Random& dice)
      : works_(circumstances.clients),
        may_count_twice_(delivery == "at-least-once" && circumstances.loses_answers),
        name_(delivery) {
    // One shard, for contention; or several.
    const std::uint64_t shards = dice.Below(3) == 0 ? 1 : 1 + dice.Below(20);
    const std::uint64_t layout = dice.Below(3);
    has_parent_ = layout != 0;
    counter_ = R"("counter":{"path":"counters/)" + name_ + R"(","delivery":")" + name_ +
               R"(","layout":")" +
               (layout == 0   ? "node"
                : layout == 1 ? "web"
                              : "mobile") +
               '"';
    // Who does not say how many shards there are has to ask the counter's document.
    counter_ += dice.Below(3) == 0 && layout != 0 ? "" : ",\"shards\":" + std::to_string(shards);
    counter_ += '}';
  }

  Started Start(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    work = {Kind::kCreate, 0, acknowledged_};
    const std::uint64_t kind = dice.Below(20);
    if (kind == 0) {
      return StartWith(
          StartCounterCreate,
          "{" + counter_ + R"(,"ifExists":")" + (dice.Below(2) ? "keep" : "error") + "\"}",
          client.context);
    }
    if (kind <= 3) {
      work.kind = Kind::kTotal;
      return StartWith(
          StartCounterTotal,
          "{" + counter_ + R"(,"source":")" + (dice.Below(2) ? "sum" : "shards") + "\"}",
          client.context);
    }
    if (kind == 4 && has_parent_) {
      return StartWith(StartCounterResize,
                       "{" + counter_ + ",\"shards\":" + std::to_string(1 + dice.Below(30)) + "}",
                       client.context);
    }
    if (kind == 5) {
      // As of now: no older one will do.
      work.kind = Kind::kTotal;
      return StartWith(StartCounterRollUp, "{" + counter_ + R"(,"maxAgeMs":0})", client.context);
    }
    work.kind = Kind::kIncrement;
    work.delta = 1 + static_cast<std::int64_t>(dice.Below(9));
    return Increment(client, work.delta);
  }

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    const Work& work = works_[client.number];
    if (work.kind == Kind::kIncrement) return OnIncremented(client, work.delta, done);
    if (work.kind != Kind::kTotal || done.error()) return;
    const std::int64_t value = ValueOf(ResultOf(done));
    if (value < work.acknowledged) {
      complain(name_ + ": a total of " + std::to_string(value) + ", when " +
               std::to_string(work.acknowledged) +
               " had been acknowledged before it was asked for");
    }
  }

  void Check(Observer& observer, const Complain& complain) override {
    for (const char* source : {"sum", "shards"}) {
      const std::string arguments = "{" + counter_ + R"(,"source":")" + source + "\"}";
      const std::int64_t value =
          ValueOf(observer.Run(StartWith(StartCounterTotal, arguments, observer.context())));
      const bool too_many = !may_count_twice_ && value > acknowledged_ + unknown_;
      if (value < acknowledged_ || too_many) {
        complain(name_ + ": " + std::to_string(value) + " were counted (" + source + "), " +
                 std::to_string(acknowledged_) + " acknowledged, " + std::to_string(unknown_) +
                 " unknown");
      }
    }
    observer.Run(StartWith(StartCounterDelete, "{" + counter_ + "}", observer.context()));
    const json after =
        observer.Run(StartWith(StartCounterTotal, "{" + counter_ + "}", observer.context()));
    if (ValueOf(after) != 0) complain(name_ + ": a deleted counter counts " + after.dump());
  }

 protected:
  virtual Started Increment(const Client& client, std::int64_t delta) {
    return StartWith(StartCounterIncrement, "{" + counter_ + ",\"delta\":" + Integer(delta) + "}",
                     client.context);
  }

  virtual void OnIncremented(const Client&, std::int64_t delta, const Operation& done) {
    if (!done.error()) {
      acknowledged_ += delta;
    } else if (IsUnknown(done)) {
      unknown_ += delta;
    }
  }

  const std::string& counter() const { return counter_; }

  std::int64_t acknowledged_ = 0;
  std::int64_t unknown_ = 0;

 private:
  enum class Kind : std::uint8_t { kCreate, kIncrement, kTotal };
  // What a client is at.
  struct Work {
    Kind kind;
    std::int64_t delta;
    std::int64_t acknowledged;  // By all, before it began.
  };

  std::vector<Work> works_;
  bool may_count_twice_;
  bool has_parent_;
  std::string name_;
  std::string counter_;
};

// Exactly once: each client keeps a queue, as a page does in its storage, and nothing may be lost
// or counted twice, whatever happens.
class QueuePart final : public CounterPart {
 public:
  QueuePart(const Circumstances& circumstances, Random& dice)
      : CounterPart(circumstances, "exactly-once", dice), senders_(circumstances.clients) {}

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    CounterPart::OnDone(client, done, complain);
    if (senders_[client.number].unknown) complain("exactly-once: the outcome is unknown");
  }

  // Sends what is still in the queues; then nothing is in doubt.
  void Check(Observer& observer, const Complain& complain) override {
    observer.Run(StartWith(StartCounterCreate, "{" + counter() + "}", observer.context()));
    for (Sender& sender : senders_) {
      constexpr int kMostRounds = 100;
      for (int round = 0; sender.queue && !sender.queue->empty(); ++round) {
        if (round == kMostRounds) return complain("exactly-once: a queue does not empty");
        Started next = Send(sender, {0, observer.context(), observer.now()});
        if (next && !*next) break;
        const std::unique_ptr<Operation> done = observer.RunToEnd(std::move(next));
        if (!done) return;
        Settle(sender, *done, observer.context().random);
      }
      if (sender.unknown) complain("exactly-once: the outcome is unknown");
    }
    CounterPart::Check(observer, complain);
  }

 private:
  struct Sender {
    std::optional<DeliveryQueue> queue;
    std::string batch;
    std::map<std::int64_t, std::int64_t> amounts;  // By ticket, those that are not settled.
    bool unknown = false;
  };

  Started Increment(const Client& client, std::int64_t delta) override {
    Sender& sender = senders_[client.number];
    if (!sender.queue) sender.queue.emplace("", client.context.random);
    // Now and then, a page is closed, and another one reads what is stored.
    Result<DeliveryQueue> reopened = DeliveryQueue::Parse(sender.queue->Write());
    if (!reopened) return Fail(reopened.error());
    sender.queue = std::move(*reopened);
    Result<DeliveryQueue::Tickets> tickets =
        sender.queue->Add(Amount::Integer(delta), std::nullopt);
    if (!tickets) return Fail(tickets.error());
    sender.amounts[tickets->last] += delta;
    return Send(sender, client);
  }

  void OnIncremented(const Client& client, std::int64_t, const Operation& done) override {
    if (!done.error()) Settle(senders_[client.number], done, client.context.random);
  }

  void Settle(Sender& sender, const Operation& done, Random& random) {
    const auto& outcome = static_cast<const DeliverIncrement&>(done).outcome();
    sender.queue->Settle(sender.batch, outcome, random);
    const auto settled = sender.amounts.upper_bound(sender.queue->settled());
    for (auto entry = sender.amounts.begin(); entry != settled; ++entry) {
      bool failed = false;
      for (const DeliveryQueue::Failure& failure : sender.queue->failures()) {
        if (failure.ticket != entry->first) continue;
        failed = true;
        sender.unknown = sender.unknown || failure.error.code == Code::kOutcomeUnknown;
      }
      if (!failed) acknowledged_ += entry->second;
    }
    sender.amounts.erase(sender.amounts.begin(), settled);
  }

  Started Send(Sender& sender, const Client& client) {
    std::optional<Batch> batch = sender.queue->Stage({client.now}, client.context.random);
    if (!batch) return std::unique_ptr<Operation>();
    sender.batch = batch->id;
    JsonWriter writer;
    batch->Write(writer);
    return StartWith(StartCounterDeliver, "{" + counter() + ",\"batch\":" + writer.text() + "}",
                     client.context);
  }

  std::vector<Sender> senders_;
};

}  // namespace

std::unique_ptr<Part> MakeCounterPart(const Circumstances& circumstances, std::string_view delivery,
                                      Random& dice) {
  return std::make_unique<CounterPart>(circumstances, delivery, dice);
}

std::unique_ptr<Part> MakeQueuePart(const Circumstances& circumstances, Random& dice) {
  return std::make_unique<QueuePart>(circumstances, dice);
}

}  // namespace shardline::simulation
