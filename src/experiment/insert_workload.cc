#include <optional>

#include "api/collection_api.h"
#include "experiment/workload.h"

namespace shardline::experiment {
namespace {

class InsertWorkload final : public Workload {
 public:
  explicit InsertWorkload(const Options& options)
      : collection_("[" + std::to_string(options.shards) + R"(,"events","shard","timestamp"])") {}

  Started Prepare(OperationContext&) override { return std::unique_ptr<Operation>(); }

  Started Begin(const User& user) override {
    JsonWriter fields;
    fields.BeginObject().Key("timestamp").BeginObject();
    fields.Key("timestampValue").String(user.now.ToString()).EndObject();
    fields.Key("type").Raw(R"({"stringValue":"click"})").EndObject();
    const PaddedText arguments("[" + collection_ + ",null,[[" + fields.text() + ",[]]]]");
    return Start(StartCollectionAdd, arguments, user.context);
  }

  Started Verify(OperationContext& context) override {
    constexpr std::string_view kAll = ",[[],false,null,null,null,null,null,true,false]]";
    return Start(StartCollectionCount, PaddedText("[" + collection_ + std::string(kAll)), context);
  }

  void OnVerified(const Operation& done) override { found_ = ResultInteger(done, "count"); }

  void Report(JsonWriter& writer, const Outcomes& outcomes) const override {
    WriteCount(writer, found_, outcomes);
  }

 private:
  std::string collection_;
  std::optional<std::int64_t> found_;
};

}  // namespace

std::unique_ptr<Workload> MakeInsertWorkload(const Options& options) {
  return std::make_unique<InsertWorkload>(options);
}

}  // namespace shardline::experiment
