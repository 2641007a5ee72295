// Unique ids, in the ways that teams try first.

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "api/counter_api.h"
#include "counter/answers.h"
#include "counter/requests.h"
#include "experiment/workload.h"

namespace shardline::experiment {
namespace {

// Reads the one document that counts, and writes the next number on the condition that nobody else
// has.
class TransactionId final : public Operation {
 public:
  explicit TransactionId(OperationContext& context)
      : Operation(context),
        name_(database().documents() + "/experiments/counter/shards/0"),
        field_(*FieldPath::Parse("count")) {
    Read();
  }

  void WriteResult(JsonWriter& writer) const override {
    writer.BeginObject().Key("value").Int(id_).EndObject();
  }

 private:
  void Read() {
    committing_ = false;
    shardline::Call call{.path = database().UrlPath(":batchGet"),
                         .body = EncodeReadField(name_, field_)};
    call.attempts_before = conflicts_;
    Send(std::move(call));
  }

  Result<Billed> OnAnswer(CallId, PaddedText& body) override {
    if (committing_) {
      std::optional<Amount> none;
      SHARDLINE_CHECK(DecodeCommitOf(1, body, none));
      Finish();
      return Billed{.writes = 1};
    }
    CountedDocument document;
    SHARDLINE_CHECK(DecodeCount(body, field_, document));
    id_ = (document.amount ? document.amount->integer() : 0) + 1;
    committing_ = true;
    const std::string write =
        EncodeSetField(name_, field_, Amount::Integer(id_), document.update_time);
    Send({.path = database().UrlPath(":commit"),
          .body = EncodeCommitOf(write),
          .effect = Effect::kRepeatable,
          .retry_aborted = false});
    return Billed{.reads = 1};
  }

  void OnFailure(CallId, const CallFailure& failure) override {
    const Code code = failure.error.code;
    const bool conflict = committing_ && !failure.maybe_applied &&
                          (code == Code::kAborted || code == Code::kFailedPrecondition);
    if (!conflict || ++conflicts_ >= context().retry.max_attempts) {
      return FinishWithFailure(failure);
    }
    Read();
  }

  std::string name_;
  FieldPath field_;
  std::int64_t id_ = 0;
  bool committing_ = false;
  int conflicts_ = 0;
};

class IdWorkload : public Workload {
 public:
  explicit IdWorkload(const Options& options)
      : create_(CounterArguments(options, "at-least-once", R"(,"ifExists":"keep")")),
        total_(CounterArguments(options, "at-least-once", R"(,"source":"shards")")) {}

  Started Prepare(OperationContext& context) override {
    return Start(StartCounterCreate, create_, context);
  }

  Started Verify(OperationContext& context) override { return Total(context); }

  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "value"); }

  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    WriteCount(writer, found_, outcomes);
    const auto distinct = static_cast<std::int64_t>(ids_.size());
    writer.Key("ids").BeginObject().Key("issued").Int(issued_);
    writer.Key("distinct").Int(distinct);
    writer.Key("duplicates").Int(issued_ - distinct).EndObject();
  }

 protected:
  Started Total(OperationContext& context) { return Start(StartCounterTotal, total_, context); }

  void Note(const Operation& done) {
    ++issued_;
    ids_.insert(ResultInteger(done, "value"));
  }

 private:
  PaddedText create_;
  PaddedText total_;
  std::unordered_set<std::int64_t> ids_;
  std::int64_t issued_ = 0;
  std::optional<std::int64_t> found_;
};

class TransactionWorkload final : public IdWorkload {
 public:
  using IdWorkload::IdWorkload;

  Started Begin(OperationContext& user, Timestamp) override {
    return std::make_unique<TransactionId>(user);
  }

  Started Continue(const Operation& done, int step, OperationContext& user) override {
    Note(done);
    return IdWorkload::Continue(done, step, user);
  }
};

// Increments one of several shards, and then takes the sum of all for an id: whoever else has
// incremented in between gets the same.
class SumWorkload final : public IdWorkload {
 public:
  explicit SumWorkload(const Options& options)
      : IdWorkload(options),
        increment_(CounterArguments(options, "at-least-once", R"(,"delta":{"integerValue":"1"})")) {
  }

  Started Begin(OperationContext& user, Timestamp) override {
    return Start(StartCounterIncrement, increment_, user);
  }

  Started Continue(const Operation& done, int step, OperationContext& user) override {
    if (step == 0) return Total(user);
    Note(done);
    return IdWorkload::Continue(done, step, user);
  }

 private:
  PaddedText increment_;
};

}  // namespace

std::unique_ptr<Workload> MakeIdWorkload(const Options& options) {
  if (options.method == IdMethod::kSum) return std::make_unique<SumWorkload>(options);
  return std::make_unique<TransactionWorkload>(options);
}

}  // namespace shardline::experiment
