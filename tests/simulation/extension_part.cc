// Two counters of the firestore-counter extension at one document, which clients and workers of the
// extension write, and ours: one of them is migrated, again and again. Nothing is lost or doubled.

#include <limits>
#include <map>
#include <vector>

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "simulation/coverage.h"
#include "simulation/part.h"
#include "unit/support/extension_actors.h"

namespace shardline::simulation {
namespace {

constexpr const char* kPath = "pages/p1";
// The one that is migrated, and the one that stays.
enum Field : std::uint8_t { kVisits, kLikes };
constexpr const char* kFields[] = {"stats.visits", "likes"};

std::string ExtensionCounter(Field field) {
  return std::string(R"("counter":{"path":")") + kPath +
         R"(","layout":"extension","delivery":"transaction","countField":")" + kFields[field] +
         "\"}";
}
std::string WebCounter(const char* name) {
  return '"' + std::string(name) + R"(":{"path":")" + kPath + "\"}";
}

class ExtensionPart final : public Part {
 public:
  explicit ExtensionPart(const Circumstances& circumstances)
      : circumstances_(circumstances), works_(circumstances.clients) {}

  Started Start(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    const Field field = dice.Below(2) == 0 ? kVisits : kLikes;
    work = {Kind::kOther, field, 1 + static_cast<std::int64_t>(dice.Below(9)),
            acknowledged_[field]};
    const std::uint64_t kind = dice.Below(20);
    if (kind < 9) {
      work.kind = Kind::kIncrement;
      asked_[field] += work.delta;
    }
    if (kind < 6) {
      // As a rule, each client of the extension has a shard of its own.
      return std::make_unique<ExtensionClient>(
          client.context, kPath, std::to_string(client.number / 2), kFields[field], work.delta);
    }
    if (kind < 9) {
      const std::string delta = R"(,"delta":{"integerValue":")" + std::to_string(work.delta);
      return StartWith(StartCounterIncrement, '{' + ExtensionCounter(field) + delta + "\"}}",
                       client.context);
    }
    if (kind < 13) {
      return std::make_unique<ExtensionWorker>(
          client.context, kPath,
          static_cast<ExtensionWorker::Task>(dice.Below(ExtensionWorker::kTasks)));
    }
    if (kind < 15) {
      work.kind = Kind::kMigrate;
      return Migrate(client.context, 1 + dice.Below(5));
    }
    if (kind == 15) {
      return StartWith(StartCounterCreate, '{' + WebCounter("counter") + '}', client.context);
    }
    if (kind == 16) {
      return StartWith(
          StartCounterResize,
          '{' + WebCounter("counter") + ",\"shards\":" + std::to_string(1 + dice.Below(10)) + '}',
          client.context);
    }
    if (kind == 17) {
      return StartWith(StartCounterCreate, '{' + ExtensionCounter(field) + '}', client.context);
    }
    work.kind = Kind::kTotal;
    const char* const source = dice.Below(2) == 0 ? "sum" : "shards";
    return StartWith(StartCounterTotal,
                     '{' + ExtensionCounter(field) + R"(,"source":")" + source + "\"}",
                     client.context);
  }

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    const Work& work = works_[client.number];
    if (work.kind == Kind::kIncrement) {
      if (!done.error()) {
        acknowledged_[work.field] += work.delta;
      } else if (!IsUnknown(done)) {
        // It may arrive again.
        if (!circumstances_.arrives_later) asked_[work.field] -= work.delta;
      }
    } else if (work.kind == Kind::kMigrate && !done.error()) {
      Reached(State::kMigrated);
    } else if (work.kind == Kind::kTotal && !done.error()) {
      const std::int64_t value = ValueOf(ResultOf(done));
      // Of the other one, all may have been moved.
      const std::int64_t least = work.field == kLikes ? work.acknowledged : 0;
      if (value < least || value > Most(work.field)) {
        complain("extension: a total of " + std::to_string(value) + ", when " +
                 std::to_string(least) + " had been acknowledged before it was asked for, and " +
                 std::to_string(Most(work.field)) + " may have been counted");
      }
    }
  }

  void OnDeath(const Client&, Random&) override {}

  void Check(Observer& observer, const Complain& complain) override {
    const std::int64_t before = Total(observer, ExtensionCounter(kVisits));
    const std::int64_t moved = Total(observer, WebCounter("counter"));
    Expect(kVisits, before + moved, complain);
    const json migrated = observer.Run(Migrate(observer.context(), 3));
    if (!migrated.is_object()) return;
    if (!migrated.value("complete", false)) complain("extension: something is left");
    if (Total(observer, ExtensionCounter(kVisits)) != 0 ||
        Total(observer, WebCounter("counter")) != before + moved) {
      complain("extension: migrating has lost or doubled something");
    }
    Expect(kLikes, Total(observer, ExtensionCounter(kLikes)), complain);
    observer.Run(
        StartWith(StartCounterDelete, '{' + ExtensionCounter(kLikes) + '}', observer.context()));
    if (Total(observer, ExtensionCounter(kLikes)) != 0) {
      complain("extension: a deleted counter counts");
    }
  }

 private:
  enum class Kind : std::uint8_t { kIncrement, kTotal, kMigrate, kOther };
  // The state of a client.
  struct Work {
    Kind kind;
    Field field;
    std::int64_t delta;
    std::int64_t acknowledged;  // Of that field, by all, before it began.
  };

  // Nothing tells that an increment of the extension has arrived twice.
  std::int64_t Most(Field field) {
    return circumstances_.arrives_later ? std::numeric_limits<std::int64_t>::max() : asked_[field];
  }

  static std::int64_t Total(Observer& observer, const std::string& counter) {
    return ValueOf(
        observer.Run(StartWith(StartCounterTotal, '{' + counter + '}', observer.context())));
  }

  static Started Migrate(OperationContext& context, std::uint64_t shards) {
    return StartWith(StartCounterMigrate,
                     '{' + ExtensionCounter(kVisits) + ',' + WebCounter("to") +
                         ",\"shards\":" + std::to_string(shards) + '}',
                     context);
  }

  void Expect(Field field, std::int64_t value, const Complain& complain) {
    if (value >= acknowledged_[field] && value <= Most(field)) return;
    complain("extension: " + std::to_string(value) + " were counted of " + kFields[field] + ", " +
             std::to_string(acknowledged_[field]) + " acknowledged, " +
             std::to_string(Most(field)) + " possible");
  }

  Circumstances circumstances_;
  std::vector<Work> works_;
  std::map<Field, std::int64_t> acknowledged_;
  // All that may have been counted, or may be yet.
  std::map<Field, std::int64_t> asked_;
};

}  // namespace

std::unique_ptr<Part> MakeExtensionPart(const Circumstances& circumstances) {
  return std::make_unique<ExtensionPart>(circumstances);
}

}  // namespace shardline::simulation
