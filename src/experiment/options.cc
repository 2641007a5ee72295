#include "experiment/options.h"

#include <array>
#include <chrono>
#include <utility>

#include "api/config.h"
#include "base/arguments.h"
#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/reason.h"
#include "experiment/presets.h"
#include "experiment/statistics.h"

namespace shardline::experiment {
namespace {

const Preset* FindPreset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

constexpr std::array<std::string_view, 8> kKinds = {
    "counter", "inserts", "ids", "totals", "pages", "stock", "ratings", "ratingsByTransaction"};
constexpr std::array<std::string_view, 3> kMethods = {"transaction", "sum", "blocks"};
constexpr std::array<std::string_view, 3> kSources = {"sum", "shards", "shared"};
constexpr std::array<std::string_view, 3> kStockWays = {"stock", "transaction", "naive"};
constexpr std::array<std::string_view, 4> kFates = {"lost", "cut", "twice", "late"};

constexpr double kLeastArrivals = 0.001;
constexpr double kMostArrivals = 1e6;

// A parameter without a default here has the preset's, or that of Options. The last four are read
// by others.
constexpr Parameter kParameters[] = {
    {.name = "preset", .type = ParameterType::kText},  // Has been read before all others.
    {.name = "kind",
     .type = ParameterType::kWord,
     .allowed = "counter|inserts|ids|totals|pages|stock|ratings|ratingsByTransaction"},
    {.name = "users", .type = ParameterType::kInteger, .least = 1, .most = 100'000},
    {.name = "arrivalsPerSecond",
     .type = ParameterType::kNumber,
     .least = 0,
     .most = static_cast<std::int64_t>(kMostArrivals)},
    // Not 0: without latency, virtual time would not advance.
    {.name = "thinkMs", .type = ParameterType::kNumber, .least = 1, .most = 10'000'000},
    {.name = "seconds", .type = ParameterType::kInteger, .least = 1, .most = 3'600},
    {.name = "shards", .type = ParameterType::kInteger, .least = 1, .most = 10'000},
    {.name = "delivery", .type = ParameterType::kText},
    {.name = "method", .type = ParameterType::kWord, .allowed = "transaction|sum|blocks"},
    {.name = "block", .type = ParameterType::kInteger, .least = 1, .most = 1'000'000},
    {.name = "keepTimestampIndex", .type = ParameterType::kBoolean},
    {.name = "totals", .type = ParameterType::kObject},
    {.name = "pages", .type = ParameterType::kObject},
    {.name = "stock", .type = ParameterType::kObject},
    {.name = "fates", .type = ParameterType::kList},
    {.name = "record", .type = ParameterType::kObject},
    {.name = "seed",
     .type = ParameterType::kInteger,
     .least = 0,
     .most = (std::int64_t{1} << 53) - 1},
    {.name = "limits", .type = ParameterType::kValue},
    {.name = "latencyMs", .type = ParameterType::kValue},
    {.name = "faults", .type = ParameterType::kValue},
    {.name = "retry", .type = ParameterType::kValue},
};

constexpr Parameter kTotalsParameters[] = {
    {.name = "source", .type = ParameterType::kWord, .allowed = "sum|shards|shared"},
    {.name = "writers", .type = ParameterType::kInteger, .least = 0, .most = 100'000},
    {.name = "maxAgeMs", .type = ParameterType::kInteger, .least = 0, .most = 3'600'000},
};
constexpr Parameter kPagesParameters[] = {
    {.name = "query", .type = ParameterType::kObject},
    // As many as one commit takes.
    {.name = "documents", .type = ParameterType::kInteger, .least = 1, .most = 500},
    {.name = "pages", .type = ParameterType::kInteger, .least = 1, .most = 100},
};
constexpr Parameter kStockParameters[] = {
    {.name = "way", .type = ParameterType::kWord, .allowed = "stock|transaction|naive"},
    {.name = "units", .type = ParameterType::kInteger, .least = 1, .most = 1'000'000},
    {.name = "holdMs", .type = ParameterType::kInteger, .least = 1'000, .most = 3'600'000},
    {.name = "payingPercent", .type = ParameterType::kInteger, .least = 0, .most = 100},
};
constexpr std::int64_t kMostRecorded = 200'000;
constexpr Parameter kRecordParameters[] = {
    {.name = "requests", .type = ParameterType::kInteger, .least = 1, .most = kMostRecorded},
    {.name = "bodies", .type = ParameterType::kBoolean},
};
constexpr std::int64_t kMostFates = 100;
constexpr Parameter kFateParameters[] = {
    {.name = "request",
     .type = ParameterType::kInteger,
     .required = true,
     .least = 1,
     .most = kMostRecorded},
    {.name = "fate",
     .type = ParameterType::kWord,
     .required = true,
     .allowed = "lost|cut|twice|late"},
    {.name = "afterMs", .type = ParameterType::kInteger, .least = 1, .most = 600'000},
};

// Changes `options` where something is given.
class Changes {
 public:
  explicit Changes(Arguments& arguments) : arguments_(arguments) {}

  template <class Value>
  void Integer(const char* name, Value& value) {
    if (arguments_.Has(name)) value = static_cast<Value>(arguments_.Integer(name));
  }
  template <class Enum>
  void Word(const char* name, Enum& word) {
    if (arguments_.Has(name)) word = static_cast<Enum>(arguments_.Word(name));
  }
  void Text(const char* name, std::string& text) {
    if (arguments_.Has(name)) text = arguments_.Text(name);
  }
  void Raw(const char* name, std::string& text) {
    if (arguments_.Has(name)) text = arguments_.Raw(name);
  }

 private:
  Arguments& arguments_;
};

// The members of an object that is an option; nothing changes if it was not given.
template <const auto& kMembers, class Read>
Status ReadMembers(Arguments& arguments, const char* name, const char* inside, Read read) {
  if (!arguments.ok() || !arguments.Has(name)) return {};
  Arguments members(arguments.Raw(name), kChecks<kMembers>, inside);
  if (!members.ok()) return members.TakeFailure();
  Changes changes(members);
  read(changes, members);
  return {};
}

// When the fate comes about, unless something else is said.
Duration UsualTime(Fate::Kind kind) {
  switch (kind) {
    case Fate::Kind::kLost:
      return std::chrono::seconds(1);
    case Fate::Kind::kTwice:
      return std::chrono::seconds(2);
    case Fate::Kind::kLate:
      return std::chrono::seconds(5);
    case Fate::Kind::kCut:
      break;
  }
  return {};
}

Status ReadFates(Arguments& arguments, std::vector<Fate>& fates) {
  if (!arguments.ok() || !arguments.Has("fates")) return {};
  fates.clear();
  JsonScanner scanner = arguments.Scanner("fates");
  scanner.BeginArray();
  while (scanner.NextElement()) {
    Arguments members(scanner, kChecks<kFateParameters>, "fates.");
    if (!members.ok()) return members.TakeFailure();
    Fate fate{static_cast<Fate::Kind>(members.Word("fate")), members.Integer("request"), {}};
    fate.after = members.Has("afterMs") ? std::chrono::milliseconds(members.Integer("afterMs"))
                                        : UsualTime(fate.kind);
    fates.push_back(fate);
    if (fates.size() > kMostFates) {
      return RefuseArgument(kArgumentNotAllowed, "fates", "a list of at most 100",
                            "There may be at most 100 fates.");
    }
  }
  if (!scanner.ok()) return scanner.failure("the fates");
  return {};
}

Status ReadNested(Arguments& arguments, Options& options) {
  SHARDLINE_CHECK(ReadMembers<kTotalsParameters>(arguments, "totals", "totals.",
                                                 [&](Changes& changes, Arguments&) {
                                                   changes.Word("source", options.source);
                                                   changes.Integer("writers", options.writers);
                                                   changes.Integer("maxAgeMs", options.max_age_ms);
                                                 }));
  SHARDLINE_CHECK(ReadMembers<kPagesParameters>(arguments, "pages", "pages.",
                                                [&](Changes& changes, Arguments&) {
                                                  changes.Raw("query", options.query);
                                                  changes.Integer("documents", options.documents);
                                                  changes.Integer("pages", options.pages);
                                                }));
  SHARDLINE_CHECK(ReadMembers<kStockParameters>(
      arguments, "stock", "stock.", [&](Changes& changes, Arguments&) {
        changes.Word("way", options.stock_way);
        changes.Integer("units", options.units);
        changes.Integer("holdMs", options.hold_ms);
        changes.Integer("payingPercent", options.paying_percent);
      }));
  SHARDLINE_CHECK(ReadMembers<kRecordParameters>(
      arguments, "record", "record.", [&](Changes& changes, Arguments& members) {
        options.record = true;
        changes.Integer("requests", options.record_requests);
        options.record_bodies = members.Boolean("bodies");
      }));
  return ReadFates(arguments, options.fates);
}

Status ReadInto(const PaddedText& json, Options& options) {
  JsonScanner scanner(json);
  Arguments arguments(scanner, kChecks<kParameters>);
  if (arguments.ok() && !scanner.Finish()) arguments.Latch(scanner.failure("the arguments"));
  if (!arguments.ok()) return arguments.TakeFailure();
  Changes changes(arguments);
  changes.Word("kind", options.kind);
  changes.Integer("users", options.users);
  if (arguments.Has("arrivalsPerSecond")) {
    options.arrivals_per_second = arguments.Number("arrivalsPerSecond");
    if (options.arrivals_per_second < kLeastArrivals) {
      arguments.Refuse("arrivalsPerSecond", "a number from 0.001 to 1,000,000");
    }
  }
  if (arguments.Has("thinkMs")) {
    constexpr double kMicrosPerMilli = 1'000;
    const double micros = arguments.Number("thinkMs") * kMicrosPerMilli;
    options.think = Duration(static_cast<std::int64_t>(micros));
  }
  changes.Integer("seconds", options.seconds);
  changes.Integer("shards", options.shards);
  changes.Text("delivery", options.delivery);
  changes.Word("method", options.method);
  changes.Integer("block", options.block);
  if (arguments.Has("keepTimestampIndex")) {
    options.keep_timestamp_index = arguments.Boolean("keepTimestampIndex");
  }
  changes.Integer("seed", options.seed);
  SHARDLINE_CHECK(ReadNested(arguments, options));
  changes.Raw("limits", options.limits);
  changes.Raw("latencyMs", options.latency);
  changes.Raw("faults", options.faults);
  changes.Raw("retry", options.retry);
  if (!arguments.ok()) return arguments.TakeFailure();
  return {};
}

// The preset's name, empty if there is none. Later readers find malformed JSON.
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
  std::string names;
  for (const Preset& preset : kPresets) {
    names.append(&preset == kPresets ? "" : ", ").append(preset.name);
  }
  return Fail(kArgumentNotAllowed, "There is no experiment named '").With("argument", "preset")
         << name.substr(0, 100) << "', only " << Param{"allowed", names} << ".";
}

void WriteNested(JsonWriter& writer, const Options& options) {
  if (options.kind == Kind::kTotals) {
    writer.Key("totals").BeginObject().Key("source");
    writer.String(kSources[static_cast<std::size_t>(options.source)]);
    writer.Key("writers").Int(options.writers).Key("maxAgeMs").Int(options.max_age_ms).EndObject();
  }
  if (options.kind == Kind::kPages) {
    writer.Key("pages").BeginObject().Key("query").Raw(options.query);
    writer.Key("documents").Int(options.documents).Key("pages").Int(options.pages).EndObject();
  }
  if (options.kind == Kind::kStock) {
    writer.Key("stock").BeginObject().Key("way");
    writer.String(kStockWays[static_cast<std::size_t>(options.stock_way)]);
    writer.Key("units").Int(options.units);
    if (options.hold_ms > 0) writer.Key("holdMs").Int(options.hold_ms);
    writer.Key("payingPercent").Int(options.paying_percent).EndObject();
  }
  if (!options.fates.empty()) {
    writer.Key("fates").BeginArray();
    for (const Fate& fate : options.fates) {
      writer.BeginObject().Key("request").Int(fate.request).Key("fate");
      writer.String(kFates[static_cast<std::size_t>(fate.kind)]);
      if (fate.after > Duration{}) WriteMillis(writer.Key("afterMs"), fate.after);
      writer.EndObject();
    }
    writer.EndArray();
  }
  if (!options.record) return;
  writer.Key("record").BeginObject().Key("requests").Int(options.record_requests);
  writer.Key("bodies").Boolean(options.record_bodies).EndObject();
}

void WriteMembers(JsonWriter& writer, const Options& options) {
  writer.Key("kind").String(kKinds[static_cast<std::size_t>(options.kind)]);
  writer.Key("users").Int(options.users);
  WriteNumber(writer.Key("arrivalsPerSecond"), options.arrivals_per_second);
  WriteMillis(writer.Key("thinkMs"), options.think);
  writer.Key("seconds").Int(options.seconds).Key("shards").Int(options.shards);
  if (options.kind == Kind::kCounter || options.kind == Kind::kTotals) {
    writer.Key("delivery").String(options.delivery);
  }
  if (options.kind == Kind::kInserts) {
    writer.Key("keepTimestampIndex").Boolean(options.keep_timestamp_index);
  }
  if (options.kind == Kind::kIds) {
    writer.Key("method").String(kMethods[static_cast<std::size_t>(options.method)]);
    if (options.method == IdMethod::kBlocks) writer.Key("block").Int(options.block);
  }
  WriteNested(writer, options);
  writer.Key("seed").Int(static_cast<std::int64_t>(options.seed));
  if (!options.limits.empty()) writer.Key("limits").Raw(options.limits);
  if (!options.latency.empty()) writer.Key("latencyMs").Raw(options.latency);
  if (!options.faults.empty()) writer.Key("faults").Raw(options.faults);
  if (!options.retry.empty()) writer.Key("retry").Raw(options.retry);
}

// The indexes that a team with sharded timestamps declares: the shard in front of the timestamp,
// and neither alone.
constexpr std::string_view kShardedIndexes = R"({"indexes":[{"collectionGroup":"events","fields":[
{"fieldPath":"shard","order":"ASCENDING"},{"fieldPath":"timestamp","order":"DESCENDING"}]}],
"fieldOverrides":[{"collectionGroup":"events","fieldPath":"shard","indexes":[]})";
constexpr std::string_view kTimestampExempt =
    R"(,{"collectionGroup":"events","fieldPath":"timestamp","indexes":[]})";
// The indexes that every app with counters should declare: see rules/counter_indexes.h.
constexpr std::string_view kMarkerIndexes = R"({"indexes":[],"fieldOverrides":[
{"collectionGroup":"shardline_markers","fieldPath":"expireAt","indexes":[]}]})";

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
  } else if (delivery == "exactly-once") {
    json.append(",\"indexes\":").append(kMarkerIndexes);
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
