// Load tests of a restaurant's ratings. Firestore's documentation keeps the average in one
// document, and db.ratings() keeps it in shards.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/choices_api.h"
#include "api/counter_api.h"
#include "api/exactly_once_api.h"
#include "base/number.h"
#include "experiment/workload.h"
#include "firestore/answers.h"
#include "firestore/fields_writer.h"
#include "firestore/query.h"
#include "firestore/write.h"

namespace shardline::experiment {
namespace {

constexpr std::int64_t kMostStars = 5;
constexpr std::string_view kRestaurant = "experiments/restaurant";
// A shard's number follows it in the shard's path.
constexpr std::string_view kRatingShards = "experiments/restaurant/shardline_ratings/";
constexpr std::string_view kNumber = "numRatings";
constexpr std::string_view kAverage = "avgRating";

std::int64_t Draw(const User& user, std::int64_t below) {
  return static_cast<std::int64_t>(user.context.random.Below(static_cast<std::uint64_t>(below)));
}

// Each user has one rating, and changes it again and again.
class Raters final : public Workload {
 public:
  explicit Raters(const Options& options)
      : ratings_(RatingsArguments(options.shards)),
        summary_(ratings_ + R"(,"isComplete":true,"source":"shards"})") {}

  Started Prepare(OperationContext&) override { return std::unique_ptr<Operation>(); }

  Started Begin(const User& user) override {
    std::int64_t& stars = stars_[user.number];
    stars = 1 + (stars == 0 ? Draw(user, kMostStars)
                            : (stars + Draw(user, kMostStars - 1)) % kMostStars);
    std::string arguments = ratings_;
    arguments.append(R"(,"key":"user)").append(std::to_string(user.number));
    arguments.append(R"(","choice":"r)").append(std::to_string(stars)).append("\"}");
    return Start(StartKeyAdd, PaddedText(arguments), user.context);
  }

  Started Continue(const User& user, int, const Operation&) override {
    rated_.insert(user.number);
    return std::unique_ptr<Operation>();
  }

  std::optional<std::int64_t> ShardOf(const HttpRequest& request) const override {
    return NumberBehind(request, kRatingShards);
  }

  Started Verify(OperationContext& context) override {
    return Start(StartChoicesSummary, summary_, context);
  }

  void OnVerified(const Operation& done) override {
    const PaddedText totals(ResultMember(done, "totals"));
    JsonScanner scanner(totals);
    std::int64_t found = 0;
    scanner.BeginArray();
    while (scanner.NextElement()) found += ParseInt64(scanner.String()).value_or(0);
    found_ = found;
  }

  // The users who have a rating are counted, not the ratings that they have changed.
  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    WriteCount(writer, found_, {static_cast<std::int64_t>(rated_.size()), outcomes.unknown});
  }

 private:
  // The members that all calls share, without the end of the object.
  static std::string RatingsArguments(std::int64_t shards) {
    JsonWriter writer;
    writer.BeginObject().Key("counter").BeginObject().Key("path").String(kRestaurant);
    writer.Key("layout").BeginObject().Key("shardCollection").String("shardline_ratings");
    writer.Key("countField").String("choice").EndObject().Key("shards").Int(shards).EndObject();
    writer.Key("choices").BeginArray();
    for (std::int64_t stars = 1; stars <= kMostStars; ++stars) {
      writer.String('r' + std::to_string(stars));
    }
    std::string text = writer.EndArray().EndObject().Take();
    text.pop_back();
    return text;
  }

  std::string ratings_;
  PaddedText summary_;
  std::unordered_map<std::size_t, std::int64_t> stars_;  // The last rating of each user.
  std::unordered_set<std::size_t> rated_;
  std::optional<std::int64_t> found_;
};

// Reads the number of ratings and their average, and writes both with the new rating, on the
// condition that no other client has written them.
class RateByTransaction final : public Operation {
 public:
  RateByTransaction(const User& user, std::int64_t stars)
      : Operation(user.context),
        name_(database().documents() + '/' + std::string(kRestaurant)),
        rating_name_(name_ + "/ratings/" + MakeAutoId(user.context.random)),
        stars_(stars) {
    Read();
  }

  void WriteResult(JsonWriter& writer) const override { writer.BeginObject().EndObject(); }

 private:
  static constexpr std::int64_t kWrites = 2;

  void Read() {
    committing_ = false;
    shardline::Call call{.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})};
    call.attempts_before = conflicts_;
    Send(std::move(call));
  }

  Result<Billed> OnAnswer(CallId, PaddedText& body) override {
    if (committing_) {
      SHARDLINE_CHECK(DecodeCommit(body, kWrites));
      Finish();
      return Billed{.writes = kWrites};
    }
    DocumentsAnswer answer(body);
    const DocumentAnswer document = answer.ReadOnly(name_);
    const std::optional<Amount> number = document.fields[kNumber].Read(Amount::Read);
    const std::optional<Amount> average = document.fields[kAverage].Read(Amount::Read);
    SHARDLINE_CHECK(answer.Finish());
    Add(number ? number->number() : 0, average ? average->number() : 0, document.update_time);
    return Billed{.reads = 1};
  }

  void Add(double number, double average, const std::string& update_time) {
    committing_ = true;
    const double sum = number * average + static_cast<double>(stars_);
    FieldsWriter fields;
    fields.Number(kNumber, Amount::Integer(static_cast<std::int64_t>(number) + 1));
    fields.Number(kAverage, Amount::Double(sum / (number + 1)));
    std::vector<shardline::Write> writes(2);
    writes[0].name = name_;
    writes[0].fields = fields.Take();
    writes[0].precondition = shardline::Precondition::AsRead(update_time);
    writes[1].name = rating_name_;
    writes[1].fields = FieldsWriter().Number("rating", Amount::Integer(stars_)).Take();
    Send({.path = database().UrlPath(":commit"),
          .body = EncodeCommit(writes),
          .effect = Effect::kRepeatable,
          .retry_aborted = false});
  }

  void OnFailure(CallId, const CallFailure& failure) override {
    const Code code = failure.error.code;
    const bool conflict = committing_ && !failure.maybe_applied &&
                          (code == Code::kAborted || code == Code::kFailedPrecondition ||
                           code == Code::kAlreadyExists);
    if (!conflict || ++conflicts_ >= context().retry.max_attempts) {
      return FinishWithFailure(failure);
    }
    Read();
  }

  std::string name_;
  std::string rating_name_;
  std::int64_t stars_;
  bool committing_ = false;
  int conflicts_ = 0;
};

// Users who add a rating each time.
class TransactionRaters final : public Workload {
 public:
  TransactionRaters() : total_(TotalArguments()) {}

  Started Prepare(OperationContext&) override { return std::unique_ptr<Operation>(); }

  Started Begin(const User& user) override {
    return std::make_unique<RateByTransaction>(user, 1 + Draw(user, kMostStars));
  }

  // The restaurant is the only document of its collection.
  Started Verify(OperationContext& context) override {
    return Start(StartCounterTotal, total_, context);
  }
  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "value"); }

  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    WriteCount(writer, found_, outcomes);
  }

 private:
  static PaddedText TotalArguments() {
    JsonWriter writer;
    writer.BeginObject().Key("counter").BeginObject().Key("path").String("experiments");
    writer.Key("layout").BeginObject().Key("shardCollection").Raw("null");
    writer.Key("countField").String(kNumber).EndObject().Key("shards").Int(1).EndObject();
    return PaddedText(writer.Key("source").String("sum").EndObject().Take());
  }

  PaddedText total_;
  std::optional<std::int64_t> found_;
};

}  // namespace

std::unique_ptr<Workload> MakeRatingsWorkload(const Options& options) {
  if (options.kind == Kind::kRatings) return std::make_unique<Raters>(options);
  return std::make_unique<TransactionRaters>();
}

}  // namespace shardline::experiment
