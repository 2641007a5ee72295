#include <optional>

#include "api/counter_api.h"
#include "experiment/workload.h"

namespace shardline::experiment {
namespace {

class CounterWorkload final : public Workload {
 public:
  explicit CounterWorkload(const Options& options)
      : create_(CounterArguments(options, options.delivery, R"(,"ifExists":"keep")")),
        increment_(CounterArguments(options, options.delivery, R"(,"delta":{"integerValue":"1"})")),
        total_(CounterArguments(options, options.delivery, R"(,"source":"shards")")) {}

  Started Prepare(OperationContext& context) override {
    return Start(StartCounterCreate, create_, context);
  }

  Started Begin(OperationContext& user, Timestamp) override {
    return Start(StartCounterIncrement, increment_, user);
  }

  Started Verify(OperationContext& context) override {
    return Start(StartCounterTotal, total_, context);
  }

  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "value"); }

  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    WriteCount(writer, found_, outcomes);
  }

 private:
  PaddedText create_;
  PaddedText increment_;
  PaddedText total_;
  std::optional<std::int64_t> found_;
};

}  // namespace

std::unique_ptr<Workload> MakeCounterWorkload(const Options& options) {
  return std::make_unique<CounterWorkload>(options);
}

}  // namespace shardline::experiment
