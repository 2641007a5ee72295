// Rows of increments that several pages send at the same time, with every kind of fault: each
// schedule comes from a seed. In the end the answer about each row is true, and the total equals
// the applied amounts exactly.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exactly_once/commit_increment.h"
#include "unit/counter/builders.h"
#include "unit/counter/faulty_server.h"

namespace shardline::exactly_once_faults_test {
namespace {

using nlohmann::json;
using Kind = BatchOutcome::Kind;

// A bad network that also sends requests twice, at once or much later.
class World {
 public:
  World(std::uint64_t seed, int faults, int refusals)
      : random_(seed), network_(seed + 7, faults, true), faults_(faults), refusals_(refusals) {}

  Reply operator()(const SentRequest& request) {
    while (!late_.empty() && random_.Below(4) == 0) DeliverLate();
    if (calm_) return server()(request);
    if (Happens(faults_ / 4)) late_.push_back(request);
    if (Happens(faults_ / 4)) server()(request);
    if (request.verb() == "commit" && Happens(refusals_)) return Refusal("PERMISSION_DENIED");
    return network_(request);
  }
  void CalmDown() {
    calm_ = true;
    while (!late_.empty()) DeliverLate();
  }
  bool calm() const { return calm_; }
  bool Happens(int percent) { return random_.Below(100) < static_cast<std::uint64_t>(percent); }
  Random& random() { return random_; }
  SimulatedServer& server() { return network_.server(); }

 private:
  void DeliverLate() {
    const SentRequest request = std::move(late_.front());
    late_.pop_front();
    server()(request);
  }

  Random random_;
  FaultyServer network_;
  int faults_;
  int refusals_;
  bool calm_ = false;
  std::deque<SentRequest> late_;
};

// What is stored of an increment, and what has become of it. Rows stay where they are: a page whose
// storage was copied or cleared sends what is settled once more.
struct Row {
  std::string id;
  std::int64_t delta;
  std::map<Kind, int> outcomes = {};

  bool settled() const { return outcomes.size() > outcomes.count(Kind::kWaiting); }
};

class Schedule {
 public:
  Schedule(std::uint64_t seed, int faults, int refusals)
      : world_(seed, faults, refusals), context_(TestContext(seed)), pages_(4) {}

  void Go() {
    for (int step = 0; step < 600; ++step) {
      if (world_.Happens(10)) {
        rows_.push_back({MakeAutoId(context_.random),
                         static_cast<std::int64_t>(world_.random().Below(40)) + 1});
      }
      Step(pages_[world_.random().Below(pages_.size())]);
    }
    world_.CalmDown();
    for (Page& page : pages_) page = {};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (int times = 0; !rows_[i].settled(); ++times) {
        ASSERT_LT(times, 3) << "an honest network settles a row";
        Send(pages_[0], i);
        pages_[0].driver->Run();
        Settle(pages_[0]);
      }
    }
  }

  // What was said of each row is true, and all of it comes to the total.
  void Check(std::uint64_t seed) {
    std::int64_t applied = 0;
    std::int64_t owed = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      const json marker = world_.server().Get("shardline_markers/" + row.id);
      const bool was = !marker.is_null() && marker["applied"]["booleanValue"] == true;
      if (was) applied += row.delta;
      if (was && HasFields(i)) owed += row.delta;
      if (row.outcomes.contains(Kind::kCounted)) EXPECT_TRUE(was) << "seed " << seed;
      if (row.outcomes.contains(Kind::kRefused)) EXPECT_FALSE(was) << "seed " << seed;
    }
    EXPECT_EQ(world_.server().Total("posts/p1/shards"), applied) << "seed " << seed;
    EXPECT_EQ(world_.server().Total("posts/p1/shards", "debt"), -owed) << "seed " << seed;
  }

  int Count(Kind kind) const {
    return static_cast<int>(std::count_if(
        rows_.begin(), rows_.end(), [&](const Row& row) { return row.outcomes.contains(kind); }));
  }
  int size() const { return static_cast<int>(rows_.size()); }

 private:
  // Every other increment takes from a second field as much as it adds to the first.
  static bool HasFields(std::size_t row) { return row % 2 == 1; }

  struct Page {
    std::size_t row = 0;
    std::unique_ptr<OperationDriver> driver = {};
  };

  void Step(Page& page) {
    if (world_.Happens(4)) {
      page = {};  // Killed.
    } else if (!page.driver) {
      if (!rows_.empty()) Send(page, world_.random().Below(rows_.size()));
    } else if (!page.driver->operation().done()) {
      Wind(page);
      page.driver->Step();
    } else {
      Settle(page);
    }
  }

  void Send(Page& page, std::size_t row) {
    const Timestamp now = SimulatedServer::ClockAt(world_.server().now());
    BatchRequest request{
        .marker = Name("shardline_markers/" + rows_[row].id), .now = now, .sent_before = true};
    request.increments.push_back(
        {MakeCounter("posts/p1", Preset("web-sample"), 3), Amount::Integer(rows_[row].delta)});
    if (HasFields(row)) {
      request.increments[0].fields = {
          {FieldPath::Parse("count").value(), Amount::Integer(rows_[row].delta)},
          {FieldPath::Parse("debt").value(), Amount::Integer(-rows_[row].delta)}};
    }
    page.row = row;
    page.driver =
        std::make_unique<OperationDriver>(CommitIncrement::Start(context_, std::move(request)));
    page.driver->Serve(std::ref(world_));
    Wind(page);
    page.driver->Send();
  }

  // All pages live by one clock.
  void Wind(Page& page) {
    page.driver->set_now(std::max(page.driver->now(), world_.server().now()));
  }

  void Settle(Page& page) {
    EXPECT_FALSE(page.driver->operation().error());
    const auto& done = dynamic_cast<CommitIncrement&>(page.driver->operation());
    ++rows_[page.row].outcomes[done.outcome().kind];
    page = {};
  }

  World world_;
  OperationContext context_;
  std::vector<Page> pages_;
  std::vector<Row> rows_;
};

constexpr std::uint64_t kSeeds = 30;

TEST(ExactlyOnceFaults, KillsLostAnswersDuplicatesManySenders) {
  int rows = 0;
  int waited = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Schedule schedule(seed, 40, 0);
    schedule.Go();
    schedule.Check(seed);
    EXPECT_EQ(schedule.Count(Kind::kCounted), schedule.size()) << "seed " << seed;
    rows += schedule.size();
    waited += schedule.Count(Kind::kWaiting);
  }
  EXPECT_GT(rows, 1'000);
  EXPECT_GT(waited, 0) << "the faults must have bitten";
}

TEST(ExactlyOnceFaults, RulesThatChangeAtAnyMoment) {
  int refused = 0;
  int unknown = 0;
  int rows = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Schedule schedule(seed, 30, 30);
    schedule.Go();
    schedule.Check(seed);
    rows += schedule.size();
    refused += schedule.Count(Kind::kRefused);
    unknown += schedule.Count(Kind::kUnknown);
  }
  EXPECT_GT(refused, 100) << "the faults must have bitten";
  EXPECT_GT(unknown, 0) << "the faults must have bitten";
  EXPECT_LT(unknown * 3, rows);
}

}  // namespace
}  // namespace shardline::exactly_once_faults_test
