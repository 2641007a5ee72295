// Counters that share a document, shards and clients: each acknowledged increment is counted, no
// other increment is, and no operation touches a neighbour.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "api/exactly_once_api.h"
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
    work.counter = DrawCounter(client.number, dice);
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
        // Markers live for a month at least, which is longer than most seeds.
        if (!done.error() && !circumstances_.has_long_pauses &&
            ResultOf(done).value("deleted", -1) != 0) {
          complain("a marker was cleaned up that has not expired");
        }
        break;
      case Kind::kDelete:
        OnDeleted(counter, done);
        break;
      case Kind::kIncrement:
        OnIncremented(work, done);
        break;
      case Kind::kCommit:
        OnCommitted(work, client, ResultOf(done), complain);
        break;
    }
  }

  void OnDeath(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    CounterModel& counter = *work.counter;
    if (work.kind == Kind::kResize) --counter.resizes;
    if (work.kind == Kind::kCreate) --counter.creates;
    if (work.kind == Kind::kDelete) counter.tally.EndDelete();
    if (work.kind != Kind::kCommit) return;
    work.sending.reset();
    ComeBack(counter, client.number, dice);
  }

  // Sends the rows that are still in the outboxes; then nothing is in doubt.
  void Check(Observer& observer, const Complain& complain) override {
    for (const auto& counter : counters_) {
      observer.Run(StartWith(StartCounterCreate, counter->With(), observer.context()));
      for (OutboxPage& page : counter->pages) Drain(*counter, page, observer, complain);
      CheckNothingLost(*counter, complain);
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
    kCommit
  };
  // The state of a client.
  struct Work {
    Kind kind = Kind::kCreate;
    CounterModel* counter = nullptr;
    Tally::Mark begun;
    std::int64_t delta = 0;
    Tally::Epoch asked = 0;
    std::optional<OutboxPage::Sending> sending;
    // It has been counted already.
    bool is_counted = false;
    // An older total will do.
    bool may_be_old = false;
    // A resize to that many shards or more; 0: to exactly as many as it says.
    std::int64_t at_least = 0;
  };

  // Tabs often send at the same time.
  CounterModel* DrawCounter(std::size_t client, Random& dice) const {
    for (const auto& counter : counters_) {
      const bool is_busy = counter->IsTab(client) && !BusyRow(*counter, client).empty();
      if (is_busy && dice.Below(3) > 0) return counter.get();
    }
    return counters_[dice.Below(counters_.size())].get();
  }

  // Whether a page sends this row just now; of copies it is not known.
  bool IsSent(const CounterModel& counter, const std::string& id) const {
    if (circumstances_.has_copies) return false;
    for (const Work& other : works_) {
      const bool is_same = other.counter == &counter && other.sending;
      if (is_same && other.sending->row.id == id) return true;
    }
    return false;
  }

  // A row that another tab of the same browser sends just now; empty: none.
  std::string BusyRow(const CounterModel& counter, std::size_t client) const {
    for (std::size_t i = 0; i < works_.size(); ++i) {
      const Work& other = works_[i];
      if (i != client && other.counter == &counter && other.sending &&
          counter.pages[i].IsOnDeviceOf(counter.pages[client])) {
        return other.sending->row.id;
      }
    }
    return {};
  }

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
    return StartWith(StartCounterSharedTotal,
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

  static Started StartCleanUp(Work& work, const Client& client) {
    work.kind = Kind::kCleanUp;
    return StartWith(StartMarkersCleanUp, "{}", client.context);
  }

  static Started StartDelete(Work& work, const Client& client) {
    work.kind = Kind::kDelete;
    work.counter->tally.BeginDelete();
    return StartWith(StartCounterDelete, work.counter->With(), client.context);
  }

  Started StartIncrement(Work& work, const Client& client, Random& dice) {
    CounterModel& counter = *work.counter;
    work.delta = 1 + static_cast<std::int64_t>(dice.Below(9));
    // Amounts that may be repeated are positive, so that there is a lower bound.
    if (dice.Below(8) == 0 && !counter.tally.may_repeat()) work.delta = -work.delta;
    if (counter.resizes > 0) Reached(State::kIncrementDuringResize);
    if (counter.tally.is_being_deleted()) Reached(State::kIncrementDuringDelete);
    if (counter.has_rows()) return StartCommit(work, client, dice);
    work.kind = Kind::kIncrement;
    work.asked = counter.tally.Ask(work.delta);
    return StartWith(StartCounterIncrement,
                     counter.With({{"delta", {{"integerValue", std::to_string(work.delta)}}}}),
                     client.context);
  }

  // A page may die between any two steps.
  Started StartCommit(Work& work, const Client& client, Random& dice) {
    work.kind = Kind::kCommit;
    CounterModel& counter = *work.counter;
    OutboxPage& page = counter.pages[client.number];
    if (dice.Below(4) == 0) page.KeepCopy();
    if (circumstances_.has_copies && dice.Below(8) == 0) CopyBusyDevice(counter, page);
    // Mostly one at a time; and at times nothing new, so that what waits is sent.
    for (std::uint64_t left = dice.Below(4); left > 0; --left) Add(work, page, client);
    if (circumstances_.has_deaths && dice.Below(40) == 0) {
      Reached(State::kDiedBeforeSending);
      ComeBack(counter, client.number, dice);
      return std::unique_ptr<Operation>();
    }
    return Send(work, page, client, dice);
  }

  static void Add(const Work& work, OutboxPage& page, const Client& client) {
    CounterModel& counter = *work.counter;
    CounterModel::Batch& batch = counter.batches[page.Add(client, work.delta)];
    if (!batch.presses.empty()) Reached(State::kRowAddedTo);
    batch.presses.push_back({work.delta, counter.tally.Ask(work.delta)});
  }

  // A storage is copied while its page sends, and both go on.
  void CopyBusyDevice(const CounterModel& counter, OutboxPage& page) const {
    for (std::size_t i = 0; i < works_.size(); ++i) {
      const OutboxPage& other = counter.pages[i];
      if (works_[i].counter == &counter && works_[i].sending && !other.IsOnDeviceOf(page)) {
        return page.ComeBackWithCopyOf(other);
      }
    }
  }

  Started Send(Work& work, OutboxPage& page, const Client& client, Random& dice) {
    CounterModel& counter = *work.counter;
    work.kind = Kind::kCommit;
    work.sending = page.Take(dice, BusyRow(counter, client.number));
    if (!work.sending) return std::unique_ptr<Operation>();
    if (work.sending->is_taken_over) Reached(State::kRowTakenOver);
    NoteOthers(work, page);
    const std::string& id = work.sending->row.id;
    work.is_counted = counter.is_exactly_once() && MarkerOf(id) == "applied";
    const json arguments = page.Arguments(client, *work.sending);
    Trace(client, "sends", arguments);
    return StartWith(StartCounterCommit, counter.With(arguments), client.context);
  }

  // Who else sends the same row just now.
  void NoteOthers(const Work& work, const OutboxPage& page) const {
    int tabs = 0;
    for (std::size_t i = 0; i < works_.size(); ++i) {
      const Work& other = works_[i];
      if (&other == &work || !other.sending || other.sending->row.id != work.sending->row.id) {
        continue;
      }
      if (work.counter->pages[i].IsOnDeviceOf(page)) {
        ++tabs;
      } else {
        Reached(State::kSentByTwoCopies);
      }
    }
    if (tabs == 1) Reached(State::kSentByTwoTabs);
    if (tabs == 2) Reached(State::kSentByThreeTabs);
  }

  void Trace(const Client& client, const std::string& what, const json& text) const {
    if (!circumstances_.traces) return;
    std::printf("%s client %zu %s %s\n", client.now.ToString().c_str(), client.number, what.c_str(),
                text.dump().c_str());
  }

  // "missing", "applied" or "withdrawn": past the network, and now.
  std::string MarkerOf(const std::string& id) const {
    Server& server = circumstances_.server;
    const std::string name = server.NameOf("shardline_markers/" + id);
    const json answer = server.Ask(":batchGet", {{"documents", {name}}});
    if (!answer[0].contains("found")) return "missing";
    const bool applied = answer[0].at("found").at("fields").at("applied").at("booleanValue");
    return applied ? "applied" : "withdrawn";
  }

  void ComeBack(CounterModel& counter, std::size_t client, Random& dice) const {
    OutboxPage& page = counter.pages[client];
    const std::vector<OutboxRow> before = page.rows();
    const std::uint64_t kind =
        circumstances_.has_copies && !counter.IsTab(client) ? dice.Below(6) : 5;
    if (kind == 0) {
      Reached(State::kCameBackOlder);
      page.ComeBackOlder();
    } else if (kind == 1) {
      Reached(State::kCameBackEmpty);
      page.ComeBackEmpty();
    } else if (kind == 2) {
      page.ComeBackWithCopyOf(counter.pages[dice.Below(circumstances_.clients)]);
    } else {
      page.ComeBack();
    }
    for (const OutboxRow& row : before) {
      const auto is_same = [&](const OutboxRow& other) { return other.id == row.id; };
      const bool is_there = std::any_of(page.rows().begin(), page.rows().end(), is_same);
      if (!is_there) counter.batches[row.id].is_forgotten = true;
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
      Reached(source == "shared" ? State::kSharedTotalFresh : State::kSharedTotalStale);
      if (source == "shared") return;
    }
    const std::optional<std::string> wrong = work.counter->tally.Check(work.begun, ValueOf(total));
    if (wrong) complain(work.counter->name + ": " + *wrong + " (" + source + ")");
  }

  // Whether a page must learn the outcome of a row that it has sent. Without a marker it cannot
  // know what another page did with the row.
  bool MustKnow(const CounterModel& counter, const OutboxPage::Sending& sending) const {
    if (circumstances_.is_honest) return counter.is_exactly_once() || sending.sole_owner;
    return counter.is_exactly_once() && !circumstances_.changes_rules &&
           !circumstances_.has_long_pauses;
  }

  void OnCommitted(Work& work, const Client& client, const json& result, const Complain& complain) {
    CounterModel& counter = *work.counter;
    Trace(client, "hears of " + work.sending->row.id, result);
    if (circumstances_.has_deaths && death_dice_.Below(60) == 0) {
      // The page dies before it has stored the outcome.
      Reached(State::kDiedBeforeSettling);
      work.sending.reset();
      return ComeBack(counter, client.number, death_dice_);
    }
    const OutboxPage::Sending sending = *std::exchange(work.sending, std::nullopt);
    const bool is_settled = counter.pages[client.number].Settle(client, sending, result);
    NoteOutcome(work, sending, result, is_settled, complain);
  }

  void NoteOutcome(const Work& work, const OutboxPage::Sending& sending, const json& result,
                   bool is_settled, const Complain& complain) const {
    CounterModel& counter = *work.counter;
    CounterModel::Batch& batch = counter.batches[sending.row.id];
    const std::string outcome = result.value("outcome", std::string());
    batch.is_told = batch.is_told || is_settled;
    if (outcome == "counted") {
      if (work.is_counted) Reached(State::kRowFoundCounted);
      OnCounted(counter, batch, sending.row, complain);
    } else if (outcome == "refused") {
      if (!is_settled) return Reached(State::kRowOfAnother);
      OnRefused(counter, batch, sending.row.id, result, complain);
    } else if (outcome == "unknown") {
      Reached(State::kRowUnknown);
      if (MustKnow(counter, sending) && batch.fate == CounterModel::Fate::kAsked) {
        complain(counter.name +
                 ": the outcome is unknown: " + result.value("error", json()).dump());
      }
    } else {
      Reached(State::kRowWaits);
    }
  }

  void OnCounted(CounterModel& counter, CounterModel::Batch& batch, const OutboxRow& row,
                 const Complain& complain) const {
    using Fate = CounterModel::Fate;
    if (batch.fate == Fate::kRefused) {
      return complain(counter.name + ": a row was counted that was said not to be");
    }
    if (counter.is_exactly_once() && !circumstances_.has_long_pauses &&
        MarkerOf(row.id) != "applied") {
      return complain(counter.name + ": a row is said to be counted, and its marker says nothing");
    }
    if (batch.fate == Fate::kAcknowledged) return;
    batch.fate = Fate::kAcknowledged;
    // An older copy of the row may hold less than was asked for later.
    for (std::size_t i = 0; i < row.presses && i < batch.presses.size(); ++i) {
      counter.tally.Acknowledge(batch.presses[i].delta, batch.presses[i].asked);
    }
  }

  void OnRefused(CounterModel& counter, CounterModel::Batch& batch, const std::string& id,
                 const json& result, const Complain& complain) const {
    using Fate = CounterModel::Fate;
    Reached(State::kRowRefused);
    bool is_sure = !circumstances_.arrives_later && !counter.tally.may_repeat();
    if (counter.is_exactly_once()) {
      const std::string marker = MarkerOf(id);
      const json error = result.value("error", json::object());
      if (marker == "withdrawn") Reached(State::kRowWithdrawn);
      if (error.value("reason", "") == "batch-withdrawn") Reached(State::kRowFoundWithdrawn);
      if (marker == "missing") Reached(State::kRowRefusedUnmarked);
      if (marker == "missing" && IsSent(counter, id)) {
        return complain(counter.name + ": a row is said to be refused while another page sends it");
      }
      // The stated exception: commit and withdrawal were both denied, and then something gets
      // through of which the page cannot know.
      is_sure =
          marker == "withdrawn" || (!circumstances_.arrives_twice && !circumstances_.has_copies);
      // A page that finds no counter has sent nothing, and asks for no marker. A copy of its
      // storage may have sent the row before the counter was deleted.
      const bool counted_by_copy =
          circumstances_.has_copies && error.value("code", "") == "not-found";
      const bool may_be_counted = circumstances_.changes_rules || counted_by_copy;
      if (marker == "applied" && (is_sure || !may_be_counted)) {
        return complain(counter.name + ": a row is said to be refused, and is counted");
      }
      // Only rules can keep a page from withdrawing it.
      if (marker == "missing" && error.value("code", "") == "permission-denied" &&
          !circumstances_.changes_rules && !circumstances_.has_long_pauses) {
        return complain(counter.name + ": a row is refused, and may still be counted");
      }
    }
    if (batch.fate == Fate::kAcknowledged && is_sure && !circumstances_.has_long_pauses) {
      return complain(counter.name + ": a row that was acknowledged was not counted");
    }
    if (batch.fate != Fate::kAsked || !is_sure) return;
    batch.fate = Fate::kRefused;
    for (const auto& [delta, asked] : batch.presses) counter.tally.Refuse(delta);
  }

  void Drain(CounterModel& counter, OutboxPage& page, Observer& observer,
             const Complain& complain) {
    constexpr int kMostRounds = 100;
    for (int round = 0; !page.is_empty(); ++round) {
      if (round == kMostRounds) return complain(counter.name + ": an outbox does not empty");
      Work work;
      work.counter = &counter;
      const Client client{0, observer.context(), page.DeviceNow(observer.now()), observer.now()};
      const std::unique_ptr<Operation> done =
          observer.RunToEnd(Send(work, page, client, death_dice_));
      if (!done) return;
      const json result = ResultOf(*done);
      const bool is_settled = page.Settle(client, *work.sending, result);
      NoteOutcome(work, *work.sending, result, is_settled, complain);
    }
  }

  // All outboxes are empty: of each row whose storage lived on, a page was told what has become of
  // it.
  void CheckNothingLost(const CounterModel& counter, const Complain& complain) const {
    for (const auto& [id, batch] : counter.batches) {
      if (!batch.is_told && !batch.is_forgotten) complain(counter.name + ": a row is lost");
    }
  }

  Circumstances circumstances_;
  std::vector<std::unique_ptr<CounterModel>> counters_;
  std::vector<Work> works_;
  Random death_dice_{7};
};

}  // namespace

std::unique_ptr<Part> MakeCountersPart(const Circumstances& circumstances, Random& dice) {
  return std::make_unique<CountersPart>(circumstances, dice);
}

}  // namespace shardline::simulation
