// Batches of a user's writes: at every moment each of them has been applied once, all of it, or not
// at all; and no client gets another answer.

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "api/batch_api.h"
#include "api/counter_admin_api.h"
#include "simulation/coverage.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

constexpr std::string_view kCounter = "posts/batched";
// Is there now and then: a change of it may be refused, and may be applied when it arrives late.
constexpr std::string_view kFlipped = "batched/flipped";

constexpr std::int64_t kMostMicros = std::int64_t{25} * 24 * 3600 * 1'000'000;

class BatchPart final : public Part {
 public:
  explicit BatchPart(const Circumstances& circumstances)
      : circumstances_(circumstances), under_way_(circumstances.clients + 1, nullptr) {}

  Started Start(const Client& client, Random& dice) override {
    const std::uint64_t kind = dice.Below(16);
    if (kind == 0) return AskCounter(client, StartCounterCreate, json::object());
    if (kind == 1) {
      return AskCounter(client, StartCounterResize, {{"shards", 1 + dice.Below(8)}});
    }
    if (kind == 2) {
      Flip();
      return std::unique_ptr<Operation>();
    }
    if (kind < 8) {
      for (Batch& batch : batches_) {
        if (!MayAskAgain(client, batch) || dice.Below(3) == 0) continue;
        if (IsApplied(circumstances_.server, batch)) Reached(State::kUserBatchFoundApplied);
        return dice.Below(3) == 0 ? Withdraw(client, batch) : Commit(client, batch);
      }
    }
    Batch& batch = Make(client, dice);
    return kind == 8 ? Withdraw(client, batch) : Commit(client, batch);
  }

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    Batch* batch = std::exchange(under_way_[client.number], nullptr);
    if (batch == nullptr) return;
    if (done.error()) return OnError(*batch, *done.error(), complain);
    const bool applied = ResultOf(done).value("applied", false);
    if (!applied) Reached(State::kUserBatchWithdrawn);
    if (applied) Reached(State::kUserBatchApplied);
    if (batch->fate == Fate::kInDoubt) Reached(State::kUserBatchAskedAgain);
    if (batch->fate == Fate::kNever && applied) complain("a batch that was withdrawn is applied");
    batch->fate = applied ? Fate::kApplied : Fate::kNever;
    CheckFate(circumstances_.server, *batch, complain);
  }

  // A page that asks again after weeks finds no marker, whether or not there was one.
  bool IsLost(const Client& client) const override {
    const Batch* batch = under_way_[client.number];
    if (batch == nullptr || batch->fate != Fate::kInDoubt) return false;
    const std::int64_t begun = batch->begun.micros - batch->clock_micros;
    const std::int64_t age = client.server_now.micros - begun;
    return std::max(age, client.now.micros - batch->begun.micros) > kMostMicros;
  }

  void OnDeath(const Client& client, Random&) override {
    // Nobody is left who would ask for it again.
    Batch* batch = std::exchange(under_way_[client.number], nullptr);
    if (batch && !IsSettled(*batch)) batch->fate = Fate::kForgotten;
  }

  void Inspect(Server& server, const Complain& complain) override {
    std::int64_t applied = 0;
    std::int64_t delta = 0;
    for (const auto& [id, n] : Numbers(server, "", "batched", "delta")) {
      if (id == "flipped") continue;
      ++applied;
      delta += n;
    }
    std::int64_t total = 0;
    for (const auto& [id, n] : Numbers(server, std::string(kCounter), "shards", "count"))
      total += n;
    std::int64_t sum = 0;
    for (const auto& [id, n] : Numbers(server, "", "batch_sums", "n")) sum += n;
    if (total != delta || sum != applied) {
      complain(std::to_string(applied) + " batches that add " + std::to_string(delta) +
               " are there, and have added " + std::to_string(total) + " and " +
               std::to_string(sum));
    }
  }

  void Check(Observer& observer, const Complain& complain) override {
    Inspect(observer, complain);
    for (const Batch& batch : batches_) CheckFate(observer, batch, complain);
    for (Batch& batch : batches_) {
      const Timestamp device_now{observer.now().micros + batch.clock_micros};
      const Client client{0, observer.context(), device_now, observer.now()};
      // The markers of older batches may have expired.
      const std::int64_t age = device_now.micros - batch.begun.micros;
      if (batch.fate != Fate::kInDoubt || age > kMostMicros) continue;
      const bool was_applied = IsApplied(observer, batch);
      const json result = observer.Run(Withdraw(client, batch));
      under_way_[0] = nullptr;
      if (result.is_object() && result.value("applied", false) != was_applied) {
        complain("who withdraws a batch is told otherwise than it is");
      }
    }
    Inspect(observer, complain);
  }

 private:
  enum class Fate : std::uint8_t {
    kNew,
    kInDoubt,
    kApplied,
    kRefused,    // Nobody will ask again, and nothing was applied then.
    kNever,      // The same, and nothing will be, however late a request arrives.
    kForgotten,  // By a page that has died.
  };
  struct Batch {
    std::size_t client;
    std::string id;
    std::int64_t delta;
    bool has_update;            // Of what is there now and then.
    bool is_dated;              // By the server's clock.
    Timestamp begun;            // By its device's clock,
    std::int64_t clock_micros;  // which is so far ahead of the server's.
    Fate fate = Fate::kNew;
  };

  static bool IsSettled(const Batch& batch) {
    return batch.fate == Fate::kApplied || batch.fate == Fate::kNever;
  }

  // A client that asks again for a settled batch must get the same answer, unless its marker has
  // expired.
  bool MayAskAgain(const Client& client, const Batch& batch) const {
    const bool may =
        IsSettled(batch) ? !circumstances_.has_long_pauses : batch.fate == Fate::kInDoubt;
    return may && batch.client == client.number;
  }

  static Started AskCounter(const Client& client, Started (*start)(JsonScanner&, OperationContext&),
                            json arguments) {
    arguments["counter"] = {{"path", kCounter}, {"shards", 4}};
    return StartWith(start, arguments.dump(), client.context);
  }

  void Flip() {
    const std::string name = circumstances_.server.NameOf(kFlipped);
    is_there_ = !is_there_;
    const json write = is_there_ ? json({{"update", {{"name", name}}}}) : json({{"delete", name}});
    circumstances_.server.Ask(":commit", {{"writes", {write}}});
  }

  Batch& Make(const Client& client, Random& dice) {
    // Of 20 letters and digits, as they are.
    std::string id = std::to_string(batches_.size());
    id.insert(0, 20 - id.size(), 'b');
    batches_.push_back({client.number, id, 1 + static_cast<std::int64_t>(dice.Below(5)),
                        dice.Below(4) == 0, dice.Below(2) == 0, client.now,
                        client.now.micros - client.server_now.micros});
    return batches_.back();
  }

  static json WriteOf(const char* kind, const std::string& path, json fields,
                      json transforms = json::array()) {
    return {{"kind", kind},
            {"path", path},
            {"document", {{"fields", std::move(fields)}, {"transforms", std::move(transforms)}}}};
  }

  json Arguments(const Client& client, Batch& batch) {
    under_way_[client.number] = &batch;
    return {{"id", batch.id},
            {"sentBefore", batch.fate != Fate::kNew},
            {"ageMs", std::max<std::int64_t>(client.now.micros - batch.begun.micros, 0) / 1000},
            // Who has heard nothing of the server yet goes by its own clock.
            {"serverNow", (batch.is_dated ? client.server_now : client.now).micros / 1000}};
  }

  Started Commit(const Client& client, Batch& batch) {
    json arguments = Arguments(client, batch);
    const json delta = {{"integerValue", std::to_string(batch.delta)}};
    const json one = {{"kind", "increment"}, {"path", {"n"}}, {"value", {{"integerValue", "1"}}}};
    json writes = {WriteOf("set", "batched/" + batch.id, {{"delta", delta}}),
                   WriteOf("merge", "batch_sums/s" + std::to_string(batch.delta % 2),
                           json::object(), json::array({one}))};
    if (batch.has_update) {
      writes.push_back(
          WriteOf("update", std::string(kFlipped), {{"by", {{"stringValue", batch.id}}}}));
    }
    arguments["writes"] = writes;
    json increment = {{"counter", {{"path", kCounter}, {"shards", 4}}}, {"delta", delta}};
    arguments["increments"] = json::array({increment});
    return StartWith(StartBatchCommit, arguments.dump(), client.context);
  }

  Started Withdraw(const Client& client, Batch& batch) {
    return StartWith(StartBatchWithdraw, Arguments(client, batch).dump(), client.context);
  }

  void OnError(Batch& batch, const Error& error, const Complain& complain) const {
    if (error.code == Code::kOutcomeUnknown) {
      if (circumstances_.is_honest) complain("a batch is in doubt, and nothing got lost");
      Reached(State::kUserBatchInDoubt);
      if (!IsSettled(batch)) batch.fate = Fate::kInDoubt;
    } else if (batch.fate != Fate::kNever) {
      Reached(State::kUserBatchRefused);
      batch.fate = Fate::kRefused;
    }
  }

  static bool IsApplied(Server& server, const Batch& batch) {
    const json answer =
        server.Ask(":batchGet", {{"documents", {server.NameOf("batched/" + batch.id)}}});
    return answer[0].contains("found");
  }

  void CheckFate(Server& server, const Batch& batch, const Complain& complain) const {
    const bool is_there = IsApplied(server, batch);
    if (batch.fate == Fate::kApplied && !is_there) {
      complain("a batch is said to have been applied, and was not");
    }
    // If a request may arrive twice, the server may refuse it once and then apply it.
    const bool is_sure = batch.fate == Fate::kNever ||
                         (batch.fate == Fate::kRefused && !circumstances_.arrives_later);
    if (is_sure && is_there) complain("a batch is said not to have been applied, and was");
  }

  // A field of all documents of a collection, past all caches.
  static std::vector<std::pair<std::string, std::int64_t>> Numbers(Server& server,
                                                                   const std::string& parent,
                                                                   std::string_view collection,
                                                                   const char* field) {
    std::vector<std::pair<std::string, std::int64_t>> numbers;
    const json query = {{"structuredQuery", {{"from", {{{"collectionId", collection}}}}}}};
    const std::string path = parent.empty() ? ":runQuery" : '/' + parent + ":runQuery";
    for (const json& element : server.Ask(path, query)) {
      if (!element.contains("document")) continue;
      const std::string name = element["document"]["name"];
      const json fields = element["document"].value("fields", json::object());
      const std::int64_t number =
          fields.contains(field) ? std::stoll(fields[field]["integerValue"].get<std::string>()) : 0;
      numbers.emplace_back(name.substr(name.rfind('/') + 1), number);
    }
    return numbers;
  }

  const Circumstances circumstances_;
  std::deque<Batch> batches_;
  std::vector<Batch*> under_way_;
  bool is_there_ = false;
};

}  // namespace

std::unique_ptr<Part> MakeBatchPart(const Circumstances& circumstances) {
  return std::make_unique<BatchPart>(circumstances);
}

}  // namespace shardline::simulation
