// Counters beside other counters, in the same documents, and beside fields of the user's own: an
// operation changes only its own documents and fields, also when its requests arrive late.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "counter/create.h"
#include "counter/total.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"
#include "upkeep/clean_up.h"
#include "upkeep/delete.h"
#include "upkeep/migrate.h"
#include "upkeep/resize.h"
#include "upkeep/shared_total.h"

namespace shardline::neighbours_test {
namespace {

using nlohmann::json;

// Two counters that share their shards' documents.
struct Pair {
  const char* name;
  const char* path;
  const char* shards;
  Layout ours;
  Layout theirs;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

Layout Own(const char* collection, const char* count, const char* shard_count) {
  Layout layout;
  if (collection != nullptr) layout.shard_collection = collection;
  layout.count_field = count;
  if (shard_count != nullptr) layout.shard_count_field = shard_count;
  return layout;
}

const Pair kPairs[] = {
    {"OneNumberOfShards", "posts/p1", "posts/p1/shards", Own("shards", "likes", "num_shards"),
     Own("shards", "views", "num_shards")},
    {"NumbersOfTheirOwn", "posts/p1", "posts/p1/shards", Own("shards", "likes", "num.likes"),
     Own("shards", "views", "num.views")},
    {"Nested", "posts/p1", "posts/p1/shards", Own("shards", "stats.likes", "num_shards"),
     Own("shards", "stats.views", "num_shards")},
    {"NestedInEachOther", "posts/p1", "posts/p1/shards", Own("shards", "a.likes.n", "num_shards"),
     Own("shards", "a.views", "num_shards")},
    {"NoParent", "posts/p1", "posts/p1/shards", Own("shards", "likes", nullptr),
     Own("shards", "views", nullptr)},
    {"PathIsTheCollection", "tallies", "tallies", Own(nullptr, "likes", nullptr),
     Own(nullptr, "stats.views", nullptr)},
    {"BesideTheExtension", "posts/p1", "posts/p1/_counter_shards_",
     Own("_counter_shards_", "likes", nullptr), ExtensionLayout("visits")},
    {"Extensions", "posts/p1", "posts/p1/_counter_shards_", ExtensionLayout("stats.likes"),
     ExtensionLayout("stats.visits")},
};

// Removes a field, and the maps around it that have nothing else in them.
void Remove(json& fields, const std::vector<std::string>& names, std::size_t depth = 0) {
  if (!fields.is_object() || !fields.contains(names[depth])) return;
  if (depth + 1 < names.size()) {
    json& inner = fields[names[depth]]["mapValue"]["fields"];
    Remove(inner, names, depth + 1);
    if (!inner.empty()) return;
  }
  fields.erase(names[depth]);
}

class NeighboursTest : public ::testing::TestWithParam<Pair> {
 protected:
  static constexpr int kShards = 6;

  std::unique_ptr<const Counter> Ours() { return MakeCounter(GetParam().path, GetParam().ours, 6); }
  std::unique_ptr<const Counter> Theirs() {
    return MakeCounter(GetParam().path, GetParam().theirs, 6);
  }

  OperationDriver Run(Result<std::unique_ptr<Operation>> operation) {
    OperationDriver driver(std::move(operation));
    driver.Serve([this](const SentRequest& request) { return Serve(request); }).Run();
    return driver;
  }
  json Create(std::unique_ptr<const Counter> counter) {
    return Run(std::unique_ptr<Operation>(
                   std::make_unique<CreateCounter>(context_, std::move(counter), IfExists::kKeep)))
        .result();
  }
  json Resize(std::int64_t shards, bool at_least = false) {
    return Run(ResizeCounter::Start(context_, Ours(), {shards, at_least})).result();
  }
  json Delete(std::unique_ptr<const Counter> counter) {
    return Run(DeleteCounter::Start(context_, std::move(counter))).result();
  }
  std::int64_t Total(std::unique_ptr<const Counter> counter) {
    OperationDriver driver(std::unique_ptr<Operation>(
        std::make_unique<ReadTotal>(context_, std::move(counter), TotalSource::kShards)));
    driver.Serve(std::ref(server_)).Run();
    return std::stoll(driver.result()["value"].get<std::string>());
  }
  void Increment(const Counter& counter, std::int64_t shard, std::int64_t delta) {
    const json transform = {{"fieldPath", counter.count_field().text()},
                            {"increment", IntegerValue(delta)}};
    server_.Commit({{{"update", {{"name", counter.ShardName(shard)}}},
                     {"updateMask", {{"fieldPaths", json::array()}}},
                     {"updateTransforms", {transform}}}});
  }
  void Set(const std::string& path, const std::string& field, const json& value) {
    server_.Commit({{{"update", {{"name", Name(path)}, {"fields", {{field, value}}}}},
                     {"updateMask", {{"fieldPaths", {field}}}}}});
  }

  // Both counters, with all that the library keeps for them, and the user's own.
  void Populate() {
    Create(Theirs());
    Create(Ours());
    for (int i = 0; i < kShards; ++i) {
      Increment(*Theirs(), i, 5);
      if (i != 4) Increment(*Ours(), i, 1 << i);
    }
    Set(GetParam().shards + std::string("/") + Ours()->ShardId(3), "note",
        {{"stringValue", "mine"}});
    server_.Put(GetParam().shards + std::string("/readme"), {{"text", {{"stringValue", "hello"}}}});
    if (GetParam().path != std::string(GetParam().shards)) {
      Set(GetParam().path, "title", {{"stringValue", "Hello"}});
    }
    for (const auto& counter : {Ours(), Theirs()}) {
      const json key = {{"applied", {{"booleanValue", true}}}};
      server_.Put(counter->OwnCollection(kKeyCollection).text() + "/e1", key);
      server_.Put(counter->OwnCollection(kMemberCollection).text() + "/anna",
                  {{"delta", IntegerValue(1)}});
      server_.Put(counter->OwnCollection(kTotalsCollection).text() + "/shared",
                  {{"value", IntegerValue(1)}});
    }
  }

  // Everything but our own fields and documents, by path.
  json Others(bool with_number_of_shards) {
    const auto ours = Ours();
    json all = json::object();
    const auto take = [&](const std::string& path, json fields) {
      if (!fields.is_object()) return;
      Remove(fields, ours->count_field().segments());
      if (ours->has_parent() && !with_number_of_shards && path == GetParam().path) {
        Remove(fields, ours->parent_field().segments());
      }
      if (!fields.empty()) all[path] = std::move(fields);
    };
    if (GetParam().path != std::string(GetParam().shards)) {
      take(GetParam().path, server_.Get(GetParam().path));
    }
    std::vector<std::string> collections = {GetParam().shards};
    for (const auto id : {kKeyCollection, kMemberCollection, kTotalsCollection}) {
      collections.push_back(Theirs()->OwnCollection(id).text());
    }
    for (const std::string& collection : collections) {
      const json documents = server_.List(collection);
      for (const auto& [id, fields] : documents.items()) {
        take(collection + '/' + id, fields);
      }
    }
    return all;
  }
  // How many documents are kept for our counter.
  std::size_t Kept() {
    std::size_t kept = 0;
    for (const auto id : {kKeyCollection, kMemberCollection, kTotalsCollection}) {
      kept += server_.List(Ours()->OwnCollection(id).text()).size();
    }
    return kept;
  }
  std::size_t ShardsWithOurField() {
    std::size_t count = 0;
    const json shards = server_.List(GetParam().shards);
    for (const auto& [id, fields] : shards.items()) {
      json rest = fields;
      Remove(rest, Ours()->count_field().segments());
      if (rest != fields) ++count;
    }
    return count;
  }
  bool SharesTheNumber() const {
    return GetParam().ours.shard_count_field &&
           GetParam().ours.shard_count_field == GetParam().theirs.shard_count_field;
  }

  // Every commit is kept, as a network might keep it, to arrive again.
  Reply Serve(const SentRequest& request) {
    if (request.verb() == "commit") held_.push_back(request);
    return server_(request);
  }
  void LetHeldArrive() {
    const std::vector<SentRequest> held = std::exchange(held_, {});
    for (int i = 0; i < 2; ++i) {
      for (const SentRequest& request : held) server_(request);
    }
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
  std::vector<SentRequest> held_;
};

INSTANTIATE_TEST_SUITE_P(Pairs, NeighboursTest, ::testing::ValuesIn(kPairs),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(NeighboursTest, CreateGivesEachItsField) {
  Create(Theirs());
  for (int i = 0; i < kShards; ++i) Increment(*Theirs(), i, 5);
  const json before = Others(false);
  const json created = Create(Ours());
  EXPECT_EQ(created["shards"], 6);
  EXPECT_EQ(created["created"], !SharesTheNumber()) << "the number of shards is there already";
  EXPECT_EQ(Others(false), before);
  EXPECT_EQ(Total(Ours()), 0);
  EXPECT_EQ(Total(Theirs()), 30);
  EXPECT_EQ(Create(Ours())["created"], false);
}

TEST_P(NeighboursTest, Resize) {
  Populate();
  const json before = Others(false);
  for (const std::int64_t shards : {2, 9, 1}) {
    EXPECT_EQ(Resize(shards)["shards"], shards);
    EXPECT_EQ(Others(false), before) << shards;
    EXPECT_EQ(Total(Ours()), 47) << shards;
    EXPECT_EQ(Total(Theirs()), 30) << shards;
    if (!GetParam().ours.is_extension) {
      EXPECT_EQ(ShardsWithOurField(), static_cast<std::size_t>(shards));
    }
  }
  EXPECT_EQ(Kept(), 3U);
}

TEST_P(NeighboursTest, ResizeToAtLeastMovesNothing) {
  Populate();
  const json before = server_.List(GetParam().shards);
  EXPECT_EQ(Resize(3, true), json({{"shards", 6}, {"folded", 0}}));
  EXPECT_EQ(server_.List(GetParam().shards), before);
  EXPECT_EQ(Resize(8, true), json({{"shards", 8}, {"folded", 0}}));
  EXPECT_EQ(Total(Ours()), 47);
  EXPECT_EQ(Total(Theirs()), 30);
}

TEST_P(NeighboursTest, Delete) {
  Populate();
  // The number of shards is the neighbour's, too.
  const json before = Others(true);
  Delete(Ours());
  EXPECT_EQ(Others(true), before);
  EXPECT_EQ(Total(Ours()), 0);
  EXPECT_EQ(ShardsWithOurField(), 0U);
  EXPECT_EQ(Total(Theirs()), 30);
  EXPECT_EQ(Kept(), 0U);
  // The last one takes everything along that is not the user's.
  Delete(Theirs());
  const auto ours = Ours();
  if (ours->has_parent() && SharesTheNumber()) {
    EXPECT_EQ(server_.Get(GetParam().path), json({{"title", {{"stringValue", "Hello"}}}}));
  }
  EXPECT_EQ(server_.List(GetParam().shards).size(), 2U) << "the note and the readme";
}

// What was sent arrives again, when the counter has been deleted, made anew, and used.
TEST_P(NeighboursTest, CommitsThatArriveLateDoNothing) {
  Populate();
  Resize(9);
  Resize(2);
  Resize(4, true);
  Run(std::unique_ptr<Operation>(
      std::make_unique<ReadSharedTotal>(context_, Ours(), std::chrono::seconds(0))));
  Run(std::unique_ptr<Operation>(
      CleanUpCounter::Start(context_, Ours(), Timestamp{Timestamp::kMaxMicros})));
  Delete(Ours());
  Create(Ours());
  for (int i = 0; i < kShards; ++i) Increment(*Ours(), i, 100);
  const json before = Others(true);
  LetHeldArrive();
  EXPECT_EQ(Total(Ours()), 600);
  EXPECT_EQ(Total(Theirs()), 30);
  EXPECT_EQ(Others(true), before);
}

// The same on a network that loses every other request: what it lost arrives in the end, too.
TEST_P(NeighboursTest, CommitsThatWereLostAndArriveLateDoNothing) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed);
    Populate();
    held_.clear();
    Random random(seed);
    const auto run = [&](Result<std::unique_ptr<Operation>> operation) {
      OperationDriver driver(std::move(operation));
      driver
          .Serve([&](const SentRequest& request) {
            if (request.verb() == "commit") held_.push_back(request);
            const std::uint64_t fate = random.Below(4);
            if (fate == 0) return Cut();
            const Reply reply = server_(request);
            return fate == 1 ? Cut() : reply;
          })
          .Run();
    };
    run(ResizeCounter::Start(context_, Ours(), {1}));
    run(ResizeCounter::Start(context_, Ours(), {7}));
    EXPECT_EQ(Total(Ours()), 47);
    run(DeleteCounter::Start(context_, Ours()));
    const std::vector<SentRequest> held = std::exchange(held_, {});
    Delete(Ours());
    Create(Ours());
    for (int i = 0; i < kShards; ++i) Increment(*Ours(), i, 100);
    for (const SentRequest& request : held) server_(request);
    EXPECT_EQ(Total(Ours()), 600);
    EXPECT_EQ(Total(Theirs()), 30);
  }
}

// While the neighbour is counted all the time, in the same documents.
TEST_P(NeighboursTest, ABusyNeighbour) {
  Populate();
  std::int64_t counted = 30;
  Random random(1);
  const auto serve = [&](const SentRequest& request) {
    if (random.Below(2) == 0) {
      Increment(*Theirs(), static_cast<std::int64_t>(random.Below(kShards)), 1);
      ++counted;
    }
    return server_(request);
  };
  OperationDriver resize(ResizeCounter::Start(context_, Ours(), {2}));
  resize.Serve(serve).Run();
  EXPECT_EQ(resize.result()["shards"], 2);
  EXPECT_EQ(Total(Ours()), 47);
  EXPECT_EQ(Total(Theirs()), counted);
  OperationDriver remove(DeleteCounter::Start(context_, Ours()));
  remove.Serve(serve).Run();
  remove.result();
  EXPECT_EQ(Total(Ours()), 0);
  EXPECT_EQ(Total(Theirs()), counted);
}

// The extension's counters: one of them moves into shards that another counter has, too.
TEST(Migrating, ChangesNoNeighbour) {
  OperationContext context = TestContext();
  SimulatedServer server(1);
  const auto put = [&](const std::string& path, const char* field, std::int64_t value) {
    server.Commit({{{"update", {{"name", Name(path)}, {"fields", {{field, IntegerValue(value)}}}}},
                    {"updateMask", {{"fieldPaths", {field}}}}}});
  };
  put("posts/p1", "visits", 3);
  put("posts/p1", "likes", 4);
  put("posts/p1/_counter_shards_/a", "visits", 10);
  put("posts/p1/_counter_shards_/a", "likes", 20);
  put("posts/p1/_counter_shards_/b", "visits", 30);
  put("posts/p1/shards/0", "other", 7);
  std::vector<SentRequest> held;
  const auto migrate = [&] {
    OperationDriver driver(
        MigrateCounter::Start(context, MakeCounter("posts/p1", ExtensionLayout("visits")),
                              MakeCounter("posts/p1", Own("shards", "visits_moved", nullptr)), 2));
    driver
        .Serve([&](const SentRequest& request) {
          if (request.verb() == "commit") held.push_back(request);
          return server(request);
        })
        .Run();
    return driver.result();
  };
  EXPECT_EQ(migrate(), json({{"folded", 3}, {"complete", true}}));
  EXPECT_EQ(server.Get("posts/p1"), json({{"likes", IntegerValue(4)}}));
  EXPECT_EQ(server.List("posts/p1/_counter_shards_"), json({{"a", {{"likes", IntegerValue(20)}}}}));
  EXPECT_EQ(server.Total("posts/p1/shards", "visits_moved"), 43);
  EXPECT_EQ(server.Total("posts/p1/shards", "other"), 7);
  // An old client counts again, and what had been sent arrives once more.
  put("posts/p1/_counter_shards_/b", "visits", 100);
  for (const SentRequest& request : held) server(request);
  for (const SentRequest& request : held) server(request);
  EXPECT_EQ(server.Total("posts/p1/shards", "visits_moved"), 43);
  EXPECT_EQ(migrate()["folded"], 1);
  EXPECT_EQ(server.Total("posts/p1/shards", "visits_moved"), 143);
}

}  // namespace
}  // namespace shardline::neighbours_test
