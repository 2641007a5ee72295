// Unique ids: no client ever gets an id that another client has.

#include <unordered_set>

#include "api/ids_api.h"
#include "simulation/coverage.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

class IdPart final : public Part {
 public:
  explicit IdPart(Random& dice) : shards_(1 + dice.Below(6)) {}

  Started Start(const Client& client, Random& dice) override {
    const std::uint64_t kind = dice.Below(12);
    if (kind == 0) return Ask(client, StartIdsCreate, shards_, "maxShards", 20);
    if (kind == 1) return Ask(client, StartIdsResize, 0, "shards", 1 + dice.Below(20));
    const std::uint64_t shards = dice.Below(2) == 0 ? 0 : shards_;
    return Ask(client, StartIdsTake, shards, "count", 1 + dice.Below(8));
  }

  void OnDone(const Client&, const Operation& done, const Complain& complain) override {
    if (done.error()) return;
    const json result = ResultOf(done);
    Reached(result.contains("first") ? State::kIdsTaken : State::kIdsResized);
    if (!result.contains("first")) return;
    const std::int64_t first = std::stoll(result["first"].get<std::string>());
    const std::int64_t stride = std::stoll(result["stride"].get<std::string>());
    for (std::int64_t i = 0; i < result["count"].get<std::int64_t>(); ++i) {
      if (!taken_.insert(first + i * stride).second) {
        complain("the id " + std::to_string(first + i * stride) + " was given twice");
      }
    }
  }

  void OnDeath(const Client&, Random&) override {}

  void Check(Observer& observer, const Complain& complain) override {
    const Client client{0, observer.context(), observer.now(), observer.now()};
    observer.Run(Ask(client, StartIdsCreate, shards_, "maxShards", 20));
    for (int i = 0; i < 20; ++i) {
      const std::unique_ptr<Operation> done =
          observer.RunToEnd(Ask(client, StartIdsTake, shards_, "count", 5));
      if (done) OnDone(client, *done, complain);
    }
  }

 private:
  // `shards`: 0 if the client does not know how many there are.
  static Started Ask(const Client& client, Started (*start)(JsonScanner&, OperationContext&),
                     std::uint64_t shards, const char* name, std::uint64_t number) {
    json arguments = {{"path", "sequences/orders"}, {name, number}};
    if (shards > 0) arguments["shards"] = shards;
    return StartWith(start, arguments.dump(), client.context);
  }

  std::uint64_t shards_;
  std::unordered_set<std::int64_t> taken_;
};

}  // namespace

std::unique_ptr<Part> MakeIdPart(const Circumstances&, Random& dice) {
  return std::make_unique<IdPart>(dice);
}

}  // namespace shardline::simulation
