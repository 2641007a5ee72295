#include "experiment/options.h"

#include <array>
#include <utility>

#include "api/arguments.h"
#include "api/config.h"
#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "experiment/statistics.h"

namespace shardline::experiment {
namespace {

struct Preset {
  std::string_view name;
  std::string_view title;
  std::string_view options;
};

// The first three are the load test of a team that wrote down what happened to it: 1,000 users, ten
// more each second.
constexpr Preset kPresets[] = {
    {"singleDocument", "One counter in one document, read and written in transactions",
     R"({"kind":"counter","shards":1,"delivery":"transaction"})"},
    {"tenShards", "The same counter in 10 shards", R"({"kind":"counter","shards":10})"},
    {"fiftyShards", "The same counter in 50 shards", R"({"kind":"counter","shards":50})"},
    {"fiftyShardsExactlyOnce", "50 shards, and no increment counted twice whatever gets lost",
     R"({"kind":"counter","shards":50,"delivery":"exactly-once"})"},
    {"sequentialInserts", "New documents with the time of day, which is indexed",
     R"({"kind":"inserts","shards":1,"users":2000,"arrivalsPerSecond":50,"seconds":60})"},
    {"shardedInserts", "The same with three shard values in front of the time in the index",
     R"({"kind":"inserts","shards":3,"users":2000,"arrivalsPerSecond":50,"seconds":60})"},
    {"shardedInsertsOldIndex", "Three shard values, and the index of the time alone left in place",
     R"({"kind":"inserts","shards":3,"keepTimestampIndex":true,"users":2000,"arrivalsPerSecond":50,"seconds":60})"},
    {"idsByTransaction", "Unique ids from a transaction on one document",
     R"({"kind":"ids","method":"transaction","shards":1})"},
    {"idsBySum", "Ids from the sum of 50 shards: they are not unique",
     R"({"kind":"ids","method":"sum","shards":50})"},
    {"idsByBlocks", "Unique ids in blocks of 50, from a sequence of 50 shards",
     R"({"kind":"ids","method":"blocks","shards":50,"block":50})"},
};

const Preset* FindPreset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

constexpr std::array<std::string_view, 3> kKinds = {"counter", "inserts", "ids"};
constexpr std::array<std::string_view, 3> kMethods = {"transaction", "sum", "blocks"};

constexpr std::int64_t kMaxUsers = 100'000;
constexpr std::int64_t kMaxSeconds = 3'600;
constexpr std::int64_t kMaxShards = 10'000;
constexpr std::int64_t kMaxBlock = 1'000'000;
constexpr double kMaxArrivals = 1e6;
constexpr double kMaxThinkMillis = 1e7;

// The index of a name in a list.
template <std::size_t N>
std::size_t ReadName(Arguments& arguments, const std::array<std::string_view, N>& names) {
  const std::string name = arguments.Text();
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return i;
  }
  std::string what = "one of";
  for (const std::string_view known : names) {
    what += (known == names[0] ? " '" : ", '") + std::string(known) + "'";
  }
  arguments.Refuse(what.c_str());
  return 0;
}

std::int64_t ReadInteger(Arguments& arguments, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> value = ParseInt64(arguments.scanner().SkipValue());
  if (value && *value >= least && *value <= most) return *value;
  const std::string what =
      "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  arguments.Refuse(what.c_str());
  return least;
}

double ReadNumber(Arguments& arguments, double least, double most, const char* what) {
  const std::optional<double> value = ParseDouble(arguments.scanner().SkipValue());
  if (value && *value >= least && *value <= most) return *value;
  arguments.Refuse(what);
  return least;
}

std::string ReadRaw(Arguments& arguments) { return std::string(arguments.scanner().SkipValue()); }

void ReadMember(Arguments& arguments, Options& options) {
  if (arguments.Is("preset")) {
    arguments.Text();  // Has been read before all others.
  } else if (arguments.Is("kind")) {
    options.kind = static_cast<Kind>(ReadName(arguments, kKinds));
  } else if (arguments.Is("users")) {
    options.users = ReadInteger(arguments, 1, kMaxUsers);
  } else if (arguments.Is("arrivalsPerSecond")) {
    options.arrivals_per_second =
        ReadNumber(arguments, 0.001, kMaxArrivals, "a number from 0.001 to 1000000");
  } else if (arguments.Is("thinkMs")) {
    constexpr double kMicrosPerMilli = 1'000;
    // Not 0: without latency, time would stand still.
    const double millis = ReadNumber(arguments, 1, kMaxThinkMillis, "a number from 1 to 10000000");
    options.think = Duration(static_cast<std::int64_t>(millis * kMicrosPerMilli));
  } else if (arguments.Is("seconds")) {
    options.seconds = ReadInteger(arguments, 1, kMaxSeconds);
  } else if (arguments.Is("shards")) {
    options.shards = ReadInteger(arguments, 1, kMaxShards);
  } else if (arguments.Is("delivery")) {
    options.delivery = arguments.Text();
  } else if (arguments.Is("method")) {
    options.method = static_cast<IdMethod>(ReadName(arguments, kMethods));
  } else if (arguments.Is("block")) {
    options.block = ReadInteger(arguments, 1, kMaxBlock);
  } else if (arguments.Is("keepTimestampIndex")) {
    options.keep_timestamp_index = arguments.Boolean();
  } else if (arguments.Is("seed")) {
    constexpr std::int64_t kMaxSeed = (std::int64_t{1} << 53) - 1;
    options.seed = static_cast<std::uint64_t>(ReadInteger(arguments, 0, kMaxSeed));
  } else if (arguments.Is("limits")) {
    options.limits = ReadRaw(arguments);
  } else if (arguments.Is("latencyMs")) {
    options.latency = ReadRaw(arguments);
  } else if (arguments.Is("faults")) {
    options.faults = ReadRaw(arguments);
  } else if (arguments.Is("retry")) {
    options.retry = ReadRaw(arguments);
  } else {
    arguments.RefuseUnknown(
        "preset, kind, users, arrivalsPerSecond, thinkMs, seconds, shards, delivery, method, "
        "block, "
        "keepTimestampIndex, seed, limits, latencyMs, faults and retry");
  }
}

Status ReadInto(const PaddedText& json, Options& options) {
  JsonScanner scanner(json);
  Arguments arguments(scanner);
  arguments.Enter();
  while (arguments.Next()) ReadMember(arguments, options);
  if (arguments.ok()) scanner.Finish();
  if (!arguments.ok()) return arguments.TakeFailure();
  return {};
}

// The preset's name, empty if there is none; malformed JSON is for others to find.
std::string PresetName(const PaddedText& json) {
  JsonScanner scanner(json);
  if (scanner.Peek() == JsonScanner::Kind::kString) return scanner.String();
  if (scanner.Peek() != JsonScanner::Kind::kObject) return {};
  std::string_view key;
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (key == "preset" && scanner.Peek() == JsonScanner::Kind::kString) return scanner.String();
    scanner.SkipValue();
  }
  return {};
}

Failure NoSuchPreset(std::string_view name) {
  std::string message = "There is no experiment named '";
  message.append(name.substr(0, 100)).append("', only");
  for (const Preset& preset : kPresets) {
    message.append(&preset == kPresets ? " " : ", ").append(preset.name);
  }
  return InvalidArgument(message + ".");
}

void WriteMembers(JsonWriter& writer, const Options& options) {
  writer.Key("kind").String(kKinds[static_cast<std::size_t>(options.kind)]);
  writer.Key("users").Int(options.users);
  WriteNumber(writer.Key("arrivalsPerSecond"), options.arrivals_per_second);
  WriteMillis(writer.Key("thinkMs"), options.think);
  writer.Key("seconds").Int(options.seconds).Key("shards").Int(options.shards);
  if (options.kind == Kind::kCounter) writer.Key("delivery").String(options.delivery);
  if (options.kind == Kind::kInserts) {
    writer.Key("keepTimestampIndex").Boolean(options.keep_timestamp_index);
  }
  if (options.kind == Kind::kIds) {
    writer.Key("method").String(kMethods[static_cast<std::size_t>(options.method)]);
    if (options.method == IdMethod::kBlocks) writer.Key("block").Int(options.block);
  }
  writer.Key("seed").Int(static_cast<std::int64_t>(options.seed));
  if (!options.limits.empty()) writer.Key("limits").Raw(options.limits);
  if (!options.latency.empty()) writer.Key("latencyMs").Raw(options.latency);
  if (!options.faults.empty()) writer.Key("faults").Raw(options.faults);
  if (!options.retry.empty()) writer.Key("retry").Raw(options.retry);
}

// What a team that has sharded its timestamps declares: the shard in front of the timestamp, and
// neither alone.
constexpr std::string_view kShardedIndexes = R"({"indexes":[{"collectionGroup":"events","fields":[
{"fieldPath":"shard","order":"ASCENDING"},{"fieldPath":"timestamp","order":"DESCENDING"}]}],
"fieldOverrides":[{"collectionGroup":"events","fieldPath":"shard","indexes":[]})";
constexpr std::string_view kTimestampExempt =
    R"(,{"collectionGroup":"events","fieldPath":"timestamp","indexes":[]})";

}  // namespace

Result<Options> Options::Read(const PaddedText& json) {
  Options options;
  const std::string name = PresetName(json);
  if (!name.empty()) {
    const Preset* preset = FindPreset(name);
    if (!preset) return NoSuchPreset(name);
    SHARDLINE_CHECK(ReadInto(PaddedText(preset->options), options));
  }
  JsonScanner scanner(json);
  if (name.empty() || scanner.Peek() != JsonScanner::Kind::kString) {
    SHARDLINE_CHECK(ReadInto(json, options));
  }
  return options;
}

std::string Options::ToJson() const {
  JsonWriter writer;
  writer.BeginObject();
  WriteMembers(writer, *this);
  return writer.EndObject().Take();
}

Result<simulator::SimulatorOptions> Options::ForSimulator() const {
  // Firestore's limits, in a collection that has seen traffic before. Answers come from another
  // part of the same continent.
  simulator::SimulatorOptions options;
  options.limits.enabled = true;
  options.limits.ramp = false;
  options.min_latency_micros = 10'000;
  options.max_latency_micros = 50'000;
  std::string json = "{\"seed\":" + std::to_string(seed);
  if (!limits.empty()) json += ",\"limits\":" + limits;
  if (!latency.empty()) json += ",\"latencyMs\":" + latency;
  if (!faults.empty()) json += ",\"faults\":" + faults;
  if (kind == Kind::kInserts && shards > 1) {
    json.append(",\"indexes\":").append(kShardedIndexes);
    if (!keep_timestamp_index) json += kTimestampExempt;
    json += "]}";
  }
  return simulator::ReadSimulatorOptions(PaddedText(json + "}"), options);
}

Result<OperationContext> Options::ForClients() const {
  std::string config = R"-({"projectId":"experiment","databaseId":"(default)")-";
  if (!retry.empty()) config += ",\"retry\":" + retry;
  return ParseConfig(PaddedText(config + "}"));
}

std::string DescribePresets() {
  JsonWriter writer;
  writer.BeginArray();
  for (const Preset& preset : kPresets) {
    Options options;
    if (!ReadInto(PaddedText(preset.options), options)) continue;
    writer.BeginObject().Key("preset").String(preset.name).Key("title").String(preset.title);
    WriteMembers(writer, options);
    writer.EndObject();
  }
  return writer.EndArray().Take();
}

}  // namespace shardline::experiment
