// Counters that share a document, shards and clients: what is acknowledged is counted, nothing is
// that was not asked for, and nothing of a neighbour is touched.

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "api/delivery_api.h"
#include "simulation/counter_model.h"
#include "simulation/counters_end.h"
#include "simulation/coverage.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

class CountersPart final : public Part {
 public:
  CountersPart(const Circumstances& circumstances, Random& dice)
      : circumstances_(circumstances),
        counters_(DrawCounters(circumstances, dice)),
        works_(circumstances.clients + 1) {}

  Started Start(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    work = {};
    work.counter = counters_[dice.Below(counters_.size())].get();
    CounterModel& counter = *work.counter;
    work.begun = counter.tally.Begin();
    const std::uint64_t kind = dice.Below(40);
    if (kind < 2) return StartCreate(work, client, dice);
    if (kind < 8) return StartTotal(work, client, dice);
    if (kind < 10 && !counter.is_extension) return StartSharedTotal(work, client, dice);
    if (kind < 12 && counter.has_parent) return StartResize(work, client, dice);
    if (kind == 12 && counter.is_deleted_at_times) return StartDelete(work, client);
    if (kind == 13) return StartCleanUp(work, client);
    return StartIncrement(work, client, dice);
  }

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    Work& work = works_[client.number];
    CounterModel& counter = *work.counter;
    switch (work.kind) {
      case Kind::kCreate:
        --counter.creates;
        if (!done.error() && counter.was_deleted && ResultOf(done).value("created", false)) {
          Reached(State::kCreatedAgain);
          counter.was_deleted = false;
        }
        break;
      case Kind::kTotal:
        if (!done.error()) CheckTotal(work, ResultOf(done), complain);
        break;
      case Kind::kResize:
        OnResized(work, done, complain);
        break;
      case Kind::kCleanUp:
        // Ledgers live for a month at least, which is longer than most seeds.
        if (!done.error() && !circumstances_.has_long_pauses &&
            ResultOf(done).value("deleted", -1) != 0) {
          complain(counter.name + ": a ledger was cleaned up that has not expired");
        }
        break;
      case Kind::kDelete:
        OnDeleted(counter, done);
        break;
      case Kind::kIncrement:
        OnIncremented(work, done);
        break;
      case Kind::kDeliver:
        OnDelivered(work, client, ResultOf(done), complain);
        break;
    }
  }

  void Inspect(Server&, const Complain& complain) override {
    if (!complaint_.empty()) complain(complaint_);
  }

  void OnDeath(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    CounterModel& counter = *work.counter;
    if (work.kind == Kind::kResize) --counter.resizes;
    if (work.kind == Kind::kCreate) --counter.creates;
    if (work.kind == Kind::kDelete) counter.tally.EndDelete();
    if (work.kind == Kind::kDeliver) {
      if (work.is_closing) Reached(State::kDiedWhenClosing);
      work.batch.reset();
      ComeBack(counter.pages[client.number], dice);
    }
  }

  // Sends what is still in the outboxes; then nothing is in doubt.
  void Check(Observer& observer, const Complain& complain) override {
    for (const auto& counter : counters_) {
      observer.Run(StartWith(StartCounterCreate, counter->With(), observer.context()));
      for (OutboxPage& page : counter->pages) Drain(*counter, page, observer, complain);
    }
    CheckCounters(counters_, observer, complain);
  }

 private:
  enum class Kind : std::uint8_t {
    kCreate,
    kTotal,
    kResize,
    kCleanUp,
    kDelete,
    kIncrement,
    kDeliver
  };
  // What a client is at.
  struct Work {
    Kind kind = Kind::kCreate;
    CounterModel* counter = nullptr;
    Tally::Mark begun;
    std::int64_t delta = 0;
    Tally::Epoch asked = 0;
    std::optional<OutboxPage::Batch> batch;
    // It was sent without being staged.
    bool is_closing = false;
    // The batch may have been sent before.
    bool was_sent = false;
    // Another tab sends what stands in the same storage.
    bool is_tab = false;
    // An older total will do.
    bool may_be_old = false;
    // A resize to that many shards or more; 0: to exactly as many as it says.
    std::int64_t at_least = 0;
  };

  Started StartCreate(Work& work, const Client& client, Random& dice) {
    CounterModel& counter = *work.counter;
    if (++counter.creates > 1) Reached(State::kCreatedByTwo);
    return StartWith(StartCounterCreate,
                     counter.With({{"ifExists", dice.Below(2) == 0 ? "keep" : "error"}}),
                     client.context);
  }

  static Started StartTotal(Work& work, const Client& client, Random& dice) {
    work.kind = Kind::kTotal;
    const char* source = dice.Below(3) > 0 ? "sum" : "shards";
    return StartWith(StartCounterTotal, work.counter->With({{"source", source}}), client.context);
  }

  static Started StartSharedTotal(Work& work, const Client& client, Random& dice) {
    work.kind = Kind::kTotal;
    // As of now: no older one will do.
    work.may_be_old = dice.Below(2) == 0;
    return StartWith(StartCounterRollUp,
                     work.counter->With({{"maxAgeMs", work.may_be_old ? 30'000 : 0}}),
                     client.context);
  }

  static Started StartResize(Work& work, const Client& client, Random& dice) {
    work.kind = Kind::kResize;
    ++work.counter->resizes;
    const std::uint64_t shards = 1 + dice.Below(16);
    const bool is_at_least = dice.Below(3) == 0;
    if (is_at_least) work.at_least = static_cast<std::int64_t>(shards);
    return StartWith(StartCounterResize,
                     work.counter->With({{"shards", shards}, {"atLeast", is_at_least}}),
                     client.context);
  }

  // By a clock that is wrong, or as of a time that has not come yet.
  static Started StartCleanUp(Work& work, const Client& client) {
    work.kind = Kind::kCleanUp;
    return StartWith(StartCounterCleanUp, work.counter->With(), client.context);
  }

  static Started StartDelete(Work& work, const Client& client) {
    work.kind = Kind::kDelete;
    work.counter->tally.BeginDelete();
    return StartWith(StartCounterDelete, work.counter->With(), client.context);
  }

  Started StartIncrement(Work& work, const Client& client, Random& dice) {
    CounterModel& counter = *work.counter;
    work.delta = 1 + static_cast<std::int64_t>(dice.Below(9));
    // What may be repeated only ever counts up, so that there is a lower bound.
    if (dice.Below(8) == 0 && !counter.tally.may_repeat()) work.delta = -work.delta;
    if (counter.resizes > 0) Reached(State::kIncrementDuringResize);
    if (counter.tally.is_being_deleted()) Reached(State::kIncrementDuringDelete);
    if (counter.is_exactly_once()) return StartDelivery(work, client, dice);
    work.kind = Kind::kIncrement;
    work.asked = counter.tally.Ask(work.delta);
    return StartWith(StartCounterIncrement,
                     counter.With({{"delta", {{"integerValue", std::to_string(work.delta)}}}}),
                     client.context);
  }

  // A page may die between any two steps.
  Started StartDelivery(Work& work, const Client& client, Random& dice) {
    work.kind = Kind::kDeliver;
    CounterModel& counter = *work.counter;
    OutboxPage& page = counter.pages[client.number];
    if (dice.Below(4) == 0) page.KeepCopy();
    if (dice.Below(10) == 0) page.Tidy();
    page.Add(client, work.delta, complain_);
    if (circumstances_.has_deaths && dice.Below(40) == 0) {
      Reached(State::kDiedBeforeStaging);
      ComeBack(page, dice);
      return std::unique_ptr<Operation>();
    }
    if (dice.Below(12) == 0) {
      work.batch = page.TakeReady();
      if (work.batch) Reached(State::kSentWhenClosing);
    }
    Started started = Send(work, page, client);
    if (circumstances_.has_deaths && dice.Below(40) == 0) {
      Reached(State::kDiedBeforeSending);
      ComeBack(page, dice);
      return std::unique_ptr<Operation>();
    }
    return started;
  }

  Started Send(Work& work, OutboxPage& page, const Client& client) {
    CounterModel& counter = *work.counter;
    work.kind = Kind::kDeliver;
    work.is_closing = work.batch.has_value();
    if (!work.batch) work.batch = page.Stage(client, complain_);
    if (!work.batch) return std::unique_ptr<Operation>();
    Trace(client, "sends", work.batch->text);
    work.was_sent = work.batch->text.value("sent", false);
    work.is_tab = counter.IsTab(client.number);
    for (const Work& other : works_) {
      const bool is_same = &other != &work && other.batch && other.batch->id == work.batch->id;
      if (is_same && work.is_tab) Reached(State::kSentByTwoTabs);
    }
    if (!counter.batches.contains(work.batch->id)) {
      counter.batches[work.batch->id] = {work.batch->delta, counter.tally.Ask(work.batch->delta),
                                         CounterModel::Fate::kAsked};
    }
    return StartWith(StartCounterDeliver, counter.With({{"batch", work.batch->text}}),
                     client.context);
  }

  void Trace(const Client& client, const std::string& what, const json& text) const {
    if (!circumstances_.traces) return;
    std::printf("%s client %zu %s %s\n", client.now.ToString().c_str(), client.number, what.c_str(),
                text.dump().c_str());
  }

  void ComeBack(OutboxPage& page, Random& dice) {
    page.ComeBack();
    if (circumstances_.mutant == Mutant::kBatchIdReused) page.ReuseBatchId();
    if (!circumstances_.has_copies || dice.Below(4) > 0) return;
    if (dice.Below(2) == 0) {
      Reached(State::kCameBackOlder);
      page.ComeBackOlder();
    } else {
      Reached(State::kCameBackEmpty);
      page.ComeBackEmpty();
    }
  }

  static void OnIncremented(const Work& work, const Operation& done) {
    if (!done.error()) {
      work.counter->tally.Acknowledge(work.delta, work.asked);
    } else if (!IsUnknown(done)) {
      work.counter->tally.Refuse(work.delta);
    }
  }

  static void OnResized(const Work& work, const Operation& done, const Complain& complain) {
    CounterModel& counter = *work.counter;
    --counter.resizes;
    if (!done.error() && work.at_least > 0) {
      const json result = ResultOf(done);
      if (result.value("shards", std::int64_t{0}) < work.at_least) {
        complain(counter.name + ": was to grow to at least " + std::to_string(work.at_least) +
                 " shards: " + result.dump());
      }
      if (result.value("folded", 0) == 0) Reached(State::kGrownAtLeast);
    }
    if (done.error() && done.error()->code == Code::kAborted) Reached(State::kResizeAborted);
    if (!done.error() && counter.shares_shards) Reached(State::kShrunkBesideNeighbour);
  }

  static void OnDeleted(CounterModel& counter, const Operation& done) {
    counter.tally.EndDelete();
    if (done.error()) return;
    Reached(State::kDeleted);
    counter.was_deleted = true;
  }

  void CheckTotal(const Work& work, const json& total, const Complain& complain) const {
    const std::string source = total.value("source", std::string());
    if (source == "shards") Reached(State::kTotalListed);
    if (work.may_be_old) {
      Reached(source == "rollup" ? State::kSharedTotalFresh : State::kSharedTotalStale);
      if (source == "rollup") return;
    }
    const std::optional<std::string> wrong = work.counter->tally.Check(work.begun, ValueOf(total));
    if (wrong) complain(work.counter->name + ": " + *wrong + " (" + source + ")");
  }

  // Whether nobody may have been left in doubt.
  bool MustKnow(const CounterModel& counter) const {
    if (circumstances_.is_honest) return !counter.is_deleted_at_times;
    return !counter.is_deleted_at_times && !counter.shares_client && !circumstances_.has_copies &&
           !circumstances_.changes_rules && !circumstances_.has_long_pauses;
  }

  void OnDelivered(Work& work, const Client& client, const json& result, const Complain& complain) {
    OutboxPage& page = work.counter->pages[client.number];
    Trace(client, "hears of " + work.batch->id, result);
    if (circumstances_.has_deaths && death_dice_.Below(60) == 0) {
      // The page dies before it has stored what it has learnt.
      Reached(State::kDiedBeforeSettling);
      work.batch.reset();
      return ComeBack(page, death_dice_);
    }
    NoteOutcome(work, result, complain);
    const OutboxPage::Batch batch = *std::exchange(work.batch, std::nullopt);
    json stored = result;
    if (circumstances_.mutant == Mutant::kLedgerNotStored) stored.erase("ledger");
    page.Settle(client, batch, stored, complain);
  }

  void NoteOutcome(const Work& work, const json& result, const Complain& complain) const {
    using Fate = CounterModel::Fate;
    CounterModel& counter = *work.counter;
    CounterModel::Batch& batch = counter.batches[work.batch->id];
    const std::string outcome = result.value("outcome", std::string());
    if (outcome == "applied") {
      if (batch.fate == Fate::kRefused) {
        return complain(counter.name + ": a batch was counted that was said not to be");
      }
      if (batch.fate == Fate::kAsked) counter.tally.Acknowledge(batch.delta, batch.asked);
      batch.fate = Fate::kAcknowledged;
      if (work.was_sent && result.value("attempts", 1) == 0) Reached(State::kBatchFoundInLedger);
    } else if (outcome == "refused" || outcome == "restart") {
      if (outcome == "refused") Reached(State::kBatchRefused);
      if (outcome == "restart") Reached(State::kBatchMadeAnew);
      if (outcome == "restart" && counter.shares_client) Reached(State::kSharedLedgerMoved);
      // A late request of the page's own may move the ledger once; then the page knows where it is.
      if (outcome == "restart" && work.batch->text.value("restarts", 0) >= 2 && MustKnow(counter) &&
          !counter.has_tabs) {
        return complain(counter.name + ": a batch is made anew again and again");
      }
      // A delete takes the ledger away that would tell. What another tab has settled before is of
      // no interest any more.
      if (batch.fate == Fate::kAcknowledged && !counter.is_deleted_at_times && !work.is_tab) {
        return complain(counter.name + ": a batch that was acknowledged was not counted");
      }
      // What is refused now may arrive once more when the rules, or the counter, have changed.
      // Of a batch that is made anew, another copy of the storage may have had the first counted;
      // and another tab may have sent it, too.
      const bool is_sure = outcome == "restart"
                               ? !counter.is_deleted_at_times && !circumstances_.has_copies
                               : !circumstances_.arrives_later;
      if (batch.fate != Fate::kAsked || !is_sure || work.is_tab) return;
      counter.tally.Refuse(batch.delta);
      batch.fate = Fate::kRefused;
    } else if (outcome == "unknown") {
      Reached(State::kBatchUnknown);
      if (MustKnow(counter) && batch.fate == Fate::kAsked) {
        complain(counter.name + ": the outcome is unknown: " + result["error"].dump());
      }
    } else {
      Reached(State::kBatchUnsettled);
    }
  }

  void Drain(CounterModel& counter, OutboxPage& page, Observer& observer,
             const Complain& complain) {
    constexpr int kMostRounds = 100;
    for (int round = 0; !page.is_empty(); ++round) {
      if (round == kMostRounds) return complain(counter.name + ": an outbox does not empty");
      Work work;
      work.counter = &counter;
      const Client client{0, observer.context(), observer.now(), observer.now()};
      Started next = Send(work, page, client);
      if (next && !*next) break;
      const std::unique_ptr<Operation> done = observer.RunToEnd(std::move(next));
      if (!done) return;
      const json result = ResultOf(*done);
      NoteOutcome(work, result, complain);
      page.Settle(client, *work.batch, result, complain);
    }
  }

  Circumstances circumstances_;
  std::vector<std::unique_ptr<CounterModel>> counters_;
  std::vector<Work> works_;
  Random death_dice_{7};
  std::string complaint_;  // Of a step that has nobody to complain to.
  Complain complain_ = [this](const std::string& what) {
    if (complaint_.empty()) complaint_ = what;
  };
};

}  // namespace

std::unique_ptr<Part> MakeCountersPart(const Circumstances& circumstances, Random& dice) {
  return std::make_unique<CountersPart>(circumstances, dice);
}

}  // namespace shardline::simulation
