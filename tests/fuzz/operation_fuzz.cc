// Whole operations against the embedded Firestore, of which the input spoils answers. Whatever it
// says, an operation ends after a bounded number of requests; and when the server is honest again,
// everything works on the same connection, and what was counted exactly once is in the total once.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/lying_server.h"

namespace shardline {
namespace {

std::int64_t Total(Driver& driver, const json& counter) {
  const json total = driver.MustRun("counter.total", {{"counter", counter}});
  return total["value"].is_string() ? std::stoll(total["value"].get<std::string>()) : 0;
}

// An increment, delivered exactly once, though the server spoils its answers.
void CheckDelivery(Driver& driver, Server& server, const json& counter) {
  const json five = {{"integerValue", "5"}};
  const json added =
      driver.MustRun("queue.add", {{"state", nullptr}, {"deltas", json::array({five})}});
  json staged = driver.MustRun("queue.stage", {{"state", added["state"]}, {"now", kStart / 1000}});
  const std::int64_t before = Total(driver, counter);
  server.Lie();
  json outcome = driver.Run("counter.deliver", {{"counter", counter}, {"batch", staged["batch"]}});
  server.BeHonest();
  // Until it is settled, as an outbox does.
  for (int i = 0; i < 5 && outcome.contains("result"); ++i) {
    staged = driver.MustRun("queue.settle", {{"state", staged["state"]},
                                             {"batch", staged["batch"]["id"]},
                                             {"outcome", outcome["result"]}});
    if (staged["entries"].empty()) break;
    staged = driver.MustRun("queue.stage", {{"state", staged["state"]}, {"now", kStart / 1000}});
    outcome = driver.Run("counter.deliver", {{"counter", counter}, {"batch", staged["batch"]}});
  }
  Require(outcome.contains("result"), "a delivery has an outcome");
  Require(staged["entries"].empty(), "with an honest server, everything is settled");
  if (server.has_lied()) return;
  const std::int64_t counted = Total(driver, counter) - before;
  const bool failed = !staged["failures"].empty();
  const bool unknown = failed && staged["failures"][0]["error"]["code"] == "outcome-unknown";
  Require(counted == 5 || (failed && counted == 0), "what is acknowledged is counted once");
  Require(counted == 0 || !failed || unknown, "what is refused is not counted");
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  Dice dice(Input(data, size));
  Server server(dice);
  Driver driver(server);
  const std::vector<std::string> layouts = {"web", "node", "php", "extension"};
  const std::string layout = layouts[dice.Below(layouts.size())];
  json counter = {
      {"path", layout == "php" ? "c/p/shards" : "posts/p1"}, {"layout", layout}, {"shards", 2}};
  if (layout == "extension") counter["countField"] = "visits";
  json repeated = counter;
  repeated["delivery"] = dice.Below(2) == 0 ? "at-least-once" : "transaction";
  driver.MustRun("counter.create", {{"counter", counter}});
  driver.MustRun("counter.increment", {{"counter", repeated}, {"delta", {{"integerValue", "12"}}}});
  driver.MustRun("ids.create", {{"path", "sequences/s"}, {"shards", 2}, {"maxShards", 10}});

  const std::size_t what = dice.Below(9);
  if (what >= 6) {
    CheckDelivery(driver, server, counter);
  } else {
    const std::pair<const char*, json> operations[] = {
        {"counter.increment", {{"counter", repeated}, {"delta", {{"integerValue", "5"}}}}},
        {"counter.resize", {{"counter", counter}, {"shards", dice.Below(2) == 0 ? 1 : 4}}},
        {"counter.total", {{"counter", counter}, {"source", "shards"}}},
        {"counter.delete", {{"counter", counter}}},
        {"ids.take", {{"path", "sequences/s"}, {"count", 3}}},
        {"ids.resize", {{"path", "sequences/s"}, {"shards", 4}}},
    };
    const auto& [name, arguments] = operations[what];
    server.Lie();
    driver.Run(name, arguments);
    server.BeHonest();
  }

  // The same connection goes on as if nothing had been.
  driver.Run("counter.create", {{"counter", counter}});
  const std::int64_t before = Total(driver, counter);
  driver.MustRun("counter.increment", {{"counter", repeated}, {"delta", {{"integerValue", "7"}}}});
  Require(Total(driver, counter) == before + 7 || server.has_lied(),
          "later increments are counted");
  const json ids =
      driver.MustRun("ids.take", {{"path", "sequences/s"}, {"shards", 2}, {"count", 3}});
  Require(ids["first"] != "0", "ids are given");
  return 0;
}
