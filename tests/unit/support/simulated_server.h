// The embedded Firestore as the server of a test's operations, in their virtual time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/simulator.h"
#include "unit/support/operation_driver.h"

namespace shardline {

class SimulatedServer {
 public:
  struct Document {
    nlohmann::json fields;
    std::string update_time;
  };

  SimulatedServer() : SimulatedServer(1) {}
  // `options` as for createEmbeddedFirestore(), besides the seed.
  explicit SimulatedServer(std::uint64_t seed, nlohmann::json options = nlohmann::json::object()) {
    options["seed"] = seed;
    options["limits"] = "none";
    auto read = simulator::ReadSimulatorOptions(PaddedText(options.dump()));
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    simulator_ = std::make_unique<simulator::Simulator>(std::move(*read));
  }

  // What its clock shows then.
  static Timestamp ClockAt(Instant at) {
    return {kStart +
            std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch()).count()};
  }

  Reply operator()(const SentRequest& request) {
    ++requests_[request.verb()];
    // Drivers have clocks of their own, and some are ahead.
    now_ = std::max(now_ + 1, ClockAt(request.at).micros);
    const std::string body = request.body.dump();
    const simulator::Delivery delivery =
        simulator_->Handle({"POST", request.path}, PaddedText(body), Timestamp{now_});
    Reply reply = Answer(delivery.answer.status, delivery.answer.body);
    if (delivery.lost) reply = Cut();
    reply.latency += Duration(delivery.delay);
    return reply;
  }

  // The same by the clocks of drivers.
  Instant now() const { return Instant(std::chrono::microseconds(now_ - kStart)); }

  // Goes by without requests; the clocks of drivers stand still meanwhile, as a device's may.
  void Pass(Duration time) {
    now_ += std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  }

  // Other latency or faults from now on.
  void Configure(const nlohmann::json& options) {
    EXPECT_TRUE(simulator_->Configure(PaddedText(options.dump())));
  }

  // The document at a path inside the database. Requires a server without faults.
  std::optional<Document> Find(const std::string& path) {
    const nlohmann::json answer = Ask(":batchGet", {{"documents", {Name(path)}}}).at(0);
    if (!answer.contains("found")) return std::nullopt;
    const nlohmann::json& found = answer["found"];
    return Document{found.value("fields", nlohmann::json::object()), found.at("updateTime")};
  }
  // Its fields; null if there is none.
  nlohmann::json Get(const std::string& path) {
    const std::optional<Document> document = Find(path);
    return document ? document->fields : nlohmann::json();
  }
  void Commit(const nlohmann::json& writes) { Ask(":commit", {{"writes", writes}}); }
  void Put(const std::string& path, const nlohmann::json& fields) {
    Commit({{{"update", {{"name", Name(path)}, {"fields", fields}}}}});
  }
  void Delete(const std::string& path) { Commit({{{"delete", Name(path)}}}); }

  // All documents of a collection: ids and fields. Requires a server without faults.
  nlohmann::json List(const std::string& collection) {
    const std::size_t slash = collection.rfind('/');
    const std::string parent = slash == std::string::npos ? "" : "/" + collection.substr(0, slash);
    const nlohmann::json answer =
        Ask(parent + ":runQuery",
            {{"structuredQuery", {{"from", {{{"collectionId", collection.substr(slash + 1)}}}}}}});
    nlohmann::json documents = nlohmann::json::object();
    for (const nlohmann::json& element : answer) {
      if (!element.contains("document")) continue;
      const std::string name = element["document"]["name"];
      documents[name.substr(name.rfind('/') + 1)] =
          element["document"].value("fields", nlohmann::json::object());
    }
    return documents;
  }
  // The sum of an integer field over a collection.
  std::int64_t Total(const std::string& collection, const std::string& field = "count") {
    std::int64_t total = 0;
    for (const nlohmann::json& fields : List(collection)) {
      if (fields.contains(field))
        total += std::stoll(fields[field]["integerValue"].get<std::string>());
    }
    return total;
  }
  // How many documents there are.
  std::size_t size() const { return simulator_->backend().size(); }
  // What queries have lacked, as entries of firestore.indexes.json with their members sorted; with
  // {requireIndexes: 'note'}.
  std::set<std::string> MissingIndexes() const {
    std::set<std::string> indexes;
    for (const std::string& entry : simulator_->backend().missing_indexes()) {
      indexes.insert(nlohmann::json::parse(entry).dump());
    }
    return indexes;
  }
  // Reads, by its meter.
  std::int64_t billed_reads() const { return simulator_->billed().reads; }
  // How many requests operations have sent: "commit", "batchGet", …
  int requests(const std::string& verb) { return requests_[verb]; }

 private:
  static constexpr std::int64_t kStart = 1'800'000'000'000'000;  // 2027-01-15T08:00:00Z

  nlohmann::json Ask(const std::string& target, const nlohmann::json& body) {
    const std::string path = "/v1/projects/demo/databases/(default)/documents" + target;
    const simulator::Delivery delivery = simulator_->Handle(
        {"POST", path, simulator::Caller::kAdmin}, PaddedText(body.dump()), Timestamp{++now_});
    EXPECT_EQ(delivery.answer.status, 200) << delivery.answer.body;
    return nlohmann::json::parse(delivery.answer.body);
  }

  std::unique_ptr<simulator::Simulator> simulator_;
  std::map<std::string, int> requests_;
  std::int64_t now_ = kStart;
};

}  // namespace shardline
