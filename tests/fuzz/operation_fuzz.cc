// Whole operations against the embedded Firestore, whose answers the input spoils. An operation
// always ends after a bounded number of requests. When the server is honest again, everything works
// on the same connection, and the total has each exactly-once increment once.

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

// The arguments of counter.commit.
json Commit(const json& counter, int amount) {
  return {{"counter", counter},
          {"delta", {{"integerValue", std::to_string(amount)}}},
          {"id", "abcdefghij0123456789"},
          {"sentBefore", false},
          {"serverNow", kStart / 1000}};
}

// An increment, exactly once, though the server spoils its answers.
void CheckExactlyOnce(Driver& driver, Server& server, const json& counter) {
  const std::int64_t before = Total(driver, counter);
  json commit = Commit(counter, 5);
  server.Lie();
  json outcome = driver.Run("counter.commit", commit);
  server.BeHonest();
  Require(outcome.contains("result"), "an increment has an outcome");
  // Until it is settled, like an outbox.
  commit["sentBefore"] = true;
  if (outcome["result"]["outcome"] == "waiting") outcome = driver.Run("counter.commit", commit);
  const std::string end = outcome["result"]["outcome"];
  Require(end != "waiting", "with an honest server, everything is settled");
  if (server.has_lied()) return;
  const std::int64_t counted = Total(driver, counter) - before;
  Require(counted == 5 || counted == 0, "it is counted once at the most");
  Require(end != "counted" || counted == 5, "what is acknowledged is counted");
  Require(end != "refused" || counted == 0, "what is refused is not counted");
}

// An increment that may count twice.
std::pair<const char*, json> Repeated(json counter, bool in_transaction, int amount) {
  counter["delivery"] = in_transaction ? "transaction" : "at-least-once";
  if (!in_transaction) return {"counter.commit", Commit(counter, amount)};
  return {"counter.increment",
          {{"counter", counter}, {"delta", {{"integerValue", std::to_string(amount)}}}}};
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  Dice dice(Input(data, size));
  Server server(dice);
  Driver driver(server);
  const std::vector<std::string> layouts = {"web-sample", "node-sample", "php-sample", "extension"};
  const std::string layout = layouts[dice.Below(layouts.size())];
  json counter = {{"path", layout == "php-sample" ? "c/p/shards" : "posts/p1"},
                  {"layout", layout},
                  {"shards", 2}};
  if (layout == "extension") counter["countField"] = "visits";
  const bool in_transaction = dice.Below(2) == 1;
  const auto increment = [&](int amount) {
    const auto [name, arguments] = Repeated(counter, in_transaction, amount);
    driver.MustRun(name, arguments);
  };
  driver.MustRun("counter.create", {{"counter", counter}});
  increment(12);
  driver.MustRun("ids.create", {{"path", "sequences/s"}, {"shards", 2}, {"maxShards", 10}});

  const std::size_t what = dice.Below(9);
  if (what >= 6) {
    CheckExactlyOnce(driver, server, counter);
  } else {
    const std::pair<const char*, json> operations[] = {
        Repeated(counter, in_transaction, 5),
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
  increment(7);
  Require(Total(driver, counter) == before + 7 || server.has_lied(),
          "later increments are counted");
  const json ids =
      driver.MustRun("ids.take", {{"path", "sequences/s"}, {"shards", 2}, {"count", 3}});
  Require(ids["first"] != "0", "ids are given");
  return 0;
}
