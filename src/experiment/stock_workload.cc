// A rush on units, in the ways that teams try first, and in ours.

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "api/counter_api.h"
#include "api/stock_api.h"
#include "experiment/counter_workload.h"
#include "experiment/next_by_transaction.h"
#include "stock/stock.h"

namespace shardline::experiment {
namespace {

// Notes who has taken a unit, and who heard that there are none.
class Sales {
 public:
  explicit Sales(std::int64_t units) : units_(units) {}

  // `held_until`: the end of a hold; nullopt: the unit is the user's for good.
  void NoteTaken(Timestamp now, std::optional<Timestamp> held_until = std::nullopt) {
    ++taken_;
    value_ = 1;
    if (held_until) {
      holds_.insert(held_until->micros);
    } else {
      ++final_;
    }
    holds_.erase(holds_.begin(), holds_.upper_bound(now.micros));
    most_ = std::max(most_, final_ + static_cast<std::int64_t>(holds_.size()));
  }

  void NoteRefused() {
    ++refused_;
    value_ = 0;
  }

  // The user of a hold has paid; too late if the unit has gone to another user before.
  void NotePaid(Timestamp held_until, bool is_too_late) {
    value_ = is_too_late ? 0 : 1;
    if (is_too_late) {
      ++too_late_;
      return;
    }
    ++paid_;
    ++final_;
    if (const auto hold = holds_.find(held_until.micros); hold != holds_.end()) holds_.erase(hold);
    most_ = std::max(most_, final_ + static_cast<std::int64_t>(holds_.size()));
  }

  // See Workload: 1 for a unit, 0 for none.
  std::optional<std::int64_t> TakeValue() { return std::exchange(value_, std::nullopt); }

  // "stock": {"units", "taken", "refused", "oversold", "paid", "tooLate", "left"}: how many units
  // there are; how often one was taken, and how often there was none; how many more of them than
  // there are were in the hands of users at one time; how many users of holds have paid in time,
  // and how many not; and how many units the database has left, fewer than 0 if it has sold too
  // many.
  void Report(JsonWriter& writer, std::optional<std::int64_t> left) const {
    writer.Key("stock").BeginObject().Key("units").Int(units_).Key("taken").Int(taken_);
    writer.Key("refused").Int(refused_);
    writer.Key("oversold").Int(std::max<std::int64_t>(most_ - units_, 0));
    writer.Key("paid").Int(paid_).Key("tooLate").Int(too_late_);
    if (left) writer.Key("left").Int(*left);
    writer.EndObject();
  }

  std::int64_t units() const { return units_; }

 private:
  std::int64_t units_;
  std::int64_t taken_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t paid_ = 0;
  std::int64_t too_late_ = 0;
  std::int64_t final_ = 0;             // Units that are no longer on hold.
  std::multiset<std::int64_t> holds_;  // When each hold ends, in microseconds.
  std::int64_t most_ = 0;              // The most units in the hands of users at one time.
  std::optional<std::int64_t> value_;
};

// The delivery of the counter of sold units.
constexpr std::string_view kSoldDelivery = "at-least-once";

// Users who count the sold units in a counter.
class CountingUsers : public CounterUsers {
 public:
  explicit CountingUsers(std::int64_t units) : sales_(units) {}

  bool IsDone(std::size_t user) const override { return refused_.contains(user); }
  std::optional<std::int64_t> TakeValue() override { return sales_.TakeValue(); }

  void Report(JsonWriter& writer, std::optional<std::int64_t> found,
              const Outcomes&) const override {
    if (found) *found = sales_.units() - *found;
    sales_.Report(writer, found);
  }

 protected:
  // The user has asked, and has got a unit or not.
  Started End(const User& user, bool is_taken) {
    if (is_taken) {
      sales_.NoteTaken(user.now);
    } else {
      sales_.NoteRefused();
      refused_.insert(user.number);
    }
    return std::unique_ptr<Operation>();
  }

  std::int64_t units() const { return sales_.units(); }

 private:
  Sales sales_;
  std::unordered_set<std::size_t> refused_;
};

// Takes a unit in a transaction on the counter's one document.
class TransactionBuyers final : public CountingUsers {
 public:
  using CountingUsers::CountingUsers;

  Started Begin(const User& user) override {
    return std::make_unique<NextByTransaction>(user.context, units());
  }

  Started Continue(const User& user, int, const Operation& done) override {
    return End(user, ResultInteger(done, "value") > 0);
  }
};

// Reads how many units are sold, and increments one of several shards if there are some left. Users
// who read at the same time see the same.
class NaiveBuyers final : public CountingUsers {
 public:
  explicit NaiveBuyers(const Options& options)
      : CountingUsers(options.units),
        one_more_(options, kSoldDelivery),
        total_(CounterArguments(options, kSoldDelivery, R"(,"source":"sum")")) {}

  Started Begin(const User& user) override {
    has_read_.erase(user.number);
    return Start(StartCounterTotal, total_, user.context);
  }

  Started Continue(const User& user, int, const Operation& done) override {
    if (has_read_.insert(user.number).second) {
      if (ResultInteger(done, "value") >= units()) return End(user, false);
      return one_more_.Begin(user);
    }
    SHARDLINE_TRY(std::unique_ptr<Operation> again, one_more_.Continue(user, done));
    if (again) return again;
    return End(user, true);
  }

 private:
  OneMore one_more_;
  PaddedText total_;
  // The users who know how many units are sold, and increment.
  std::unordered_set<std::size_t> has_read_;
};

// The time that a string of JSON says.
std::optional<Timestamp> TimeIn(std::string_view json) {
  if (json.size() < 2) return std::nullopt;
  return Timestamp::Parse(json.substr(1, json.size() - 2));
}

constexpr std::string_view kStockPath = "experiments/stock";
// A shard's number follows it in the shard's path.
constexpr std::string_view kStockFolder = "experiments/stock/stock_shards/";

// Takes units of a stock. With holds, a user takes one unit, and then pays or leaves.
class StockBuyers final : public Workload {
 public:
  explicit StockBuyers(const Options& options)
      : shards_(options.shards),
        has_holds_(options.hold_ms > 0),
        paying_(static_cast<double>(options.paying_percent) / kPercent),
        create_(Arguments("units", std::to_string(options.units))),
        take_(has_holds_ ? Arguments("holdFor", std::to_string(options.hold_ms), R"("units":1,)")
                         : Arguments("units", "1")),
        left_(LeftArguments(options.shards)),
        sales_(options.units) {}

  Started Prepare(OperationContext& context) override {
    return Start(StartStockCreate, create_, context);
  }

  Started Begin(const User& user) override {
    const auto hold = holds_.find(user.number);
    if (hold == holds_.end()) return Start(StartStockTake, take_, user.context);
    return Start(StartStockConfirm, Arguments("key", hold->second.key), user.context);
  }

  Started Continue(const User& user, int, const Operation& done) override {
    if (auto paid = holds_.extract(user.number)) {
      sales_.NotePaid(paid.mapped().until, ResultMember(done, "changed") != "true");
      done_.insert(user.number);
    } else if (ResultMember(done, "taken") != "true") {
      sales_.NoteRefused();
      done_.insert(user.number);
    } else if (has_holds_) {
      BeginHold(user, done);
    } else {
      sales_.NoteTaken(user.now);
    }
    return std::unique_ptr<Operation>();
  }

  bool IsDone(std::size_t user) const override { return done_.contains(user); }
  std::optional<std::int64_t> TakeValue() override { return sales_.TakeValue(); }

  std::optional<std::int64_t> ShardOf(const HttpRequest& request) const override {
    return NumberBehind(request, kStockFolder);
  }

  Started Verify(OperationContext& context) override {
    return Start(StartCounterTotal, left_, context);
  }
  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "value"); }

  void Report(JsonWriter& writer, const Outcomes&) const override { sales_.Report(writer, found_); }

 private:
  static constexpr double kPercent = 100;

  struct Hold {
    std::string key;  // As JSON.
    Timestamp until;
  };

  // The arguments of a call about the stock: the members `more`, and then the member `name`.
  PaddedText Arguments(std::string_view name, std::string_view json,
                       std::string_view more = {}) const {
    std::string text = R"({"path":")";
    text.append(kStockPath).append(R"(","shards":)").append(std::to_string(shards_)).append(",");
    text.append(more).append("\"").append(name).append("\":").append(json).append("}");
    return PaddedText(text);
  }

  // The units that are left are counted like a counter.
  static PaddedText LeftArguments(std::int64_t shards) {
    JsonWriter writer;
    writer.BeginObject().Key("counter").BeginObject().Key("path").String(kStockPath);
    writer.Key("layout").BeginObject().Key("shardCollection").String(kStockShards);
    writer.Key("countField").String("left").EndObject().Key("shards").Int(shards).EndObject();
    return PaddedText(writer.Key("source").String("sum").EndObject().Take());
  }

  void BeginHold(const User& user, const Operation& done) {
    const std::optional<Timestamp> until = TimeIn(ResultMember(done, "heldUntil"));
    sales_.NoteTaken(user.now, until);
    if (until && user.context.random.Fraction() < paying_) {
      holds_.emplace(user.number, Hold{ResultMember(done, "key"), *until});
    } else {
      done_.insert(user.number);
    }
  }

  std::int64_t shards_;
  bool has_holds_;
  double paying_;  // The share of users who pay.
  PaddedText create_;
  PaddedText take_;
  PaddedText left_;
  Sales sales_;
  std::unordered_map<std::size_t, Hold> holds_;  // The holds of the users who are going to pay.
  std::unordered_set<std::size_t> done_;
  std::optional<std::int64_t> found_;
};

}  // namespace

std::unique_ptr<Workload> MakeStockWorkload(const Options& options) {
  switch (options.stock_way) {
    case StockWay::kStock:
      return std::make_unique<StockBuyers>(options);
    case StockWay::kTransaction:
      return MakeCounterWorkload(options, kSoldDelivery,
                                 std::make_unique<TransactionBuyers>(options.units));
    case StockWay::kNaive:
      return MakeCounterWorkload(options, kSoldDelivery, std::make_unique<NaiveBuyers>(options));
  }
  return nullptr;
}

}  // namespace shardline::experiment
