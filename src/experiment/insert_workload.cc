#include <optional>

#include "api/collection_api.h"
#include "experiment/workload.h"
#include "firestore/fields_writer.h"

namespace shardline::experiment {
namespace {

class InsertWorkload final : public Workload {
 public:
  explicit InsertWorkload(const Options& options)
      : collection_(R"({"collection":{"path":"events","shards":)" + std::to_string(options.shards) +
                    "}") {}

  Started Prepare(OperationContext&) override { return std::unique_ptr<Operation>(); }

  Started Begin(const User& user) override {
    const EncodedFields fields =
        FieldsWriter().Time("timestamp", user.now.ToString()).Text("type", "click").Take();
    const PaddedText arguments(collection_ + R"(,"documents":[{"fields":)" + fields.json() + "}]}");
    return Start(StartCollectionAdd, arguments, user.context);
  }

  std::optional<std::int64_t> ShardOf(const HttpRequest& request) const override {
    return NumberBehind(request, R"("shard":{"stringValue":")");
  }

  Started Verify(OperationContext& context) override {
    return Start(StartCollectionCount, PaddedText(collection_ + R"(,"query":{}})"), context);
  }

  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "count"); }

  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    WriteCount(writer, found_, outcomes);
  }

 private:
  std::string collection_;  // The arguments of a call, from their beginning.
  std::optional<std::int64_t> found_;
};

}  // namespace

std::unique_ptr<Workload> MakeInsertWorkload(const Options& options) {
  return std::make_unique<InsertWorkload>(options);
}

}  // namespace shardline::experiment
