// Reading the options of createEmbeddedFirestore().

#include <cmath>

#include "base/number.h"
#include "simulator/simulator.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr double kMillisToMicros = 1'000;

double ReadDouble(JsonScanner& scanner, double least, double most) {
  const double value = ParseDouble(scanner.RawNumber()).value_or(NAN);
  if (!(value >= least && value <= most)) scanner.Reject("a number is out of range");
  return value;
}

double ReadProbability(JsonScanner& scanner) { return ReadDouble(scanner, 0, 1); }

std::int64_t ReadMillis(JsonScanner& scanner, double least) {
  constexpr double kMost = 1e14;
  const double millis = ReadDouble(scanner, least, kMost);
  return scanner.ok() ? static_cast<std::int64_t>(millis * kMillisToMicros) : 0;
}

// 'documented', 'none', or an object of the parameters that differ from the documented ones.
void ReadLimits(JsonScanner& scanner, Limits& limits) {
  if (scanner.Peek() == JsonScanner::Kind::kString) {
    const std::string name = scanner.String();
    if (name != "documented" && name != "none") scanner.Reject("there are no such limits");
    limits = Limits{};
    limits.enabled = name == "documented";
    return;
  }
  limits.enabled = true;
  const std::pair<std::string_view, double*> parameters[] = {
      {"documentWritesPerSecond", &limits.document_writes_per_second},
      {"documentBurst", &limits.document_burst},
      {"tabletWritesPerSecond", &limits.tablet_writes_per_second},
      {"tabletBurst", &limits.tablet_burst},
      {"splitLoad", &limits.split_load},
      {"splitAfterSeconds", &limits.split_after_seconds},
      {"lockDeadlineSeconds", &limits.lock_deadline_seconds},
      {"rampWritesPerSecond", &limits.ramp_writes_per_second},
      {"rampGrowth", &limits.ramp_growth},
      {"rampPeriodSeconds", &limits.ramp_period_seconds},
  };
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "ramp") {
      limits.ramp = ReadBool(scanner);
      return true;
    }
    for (const auto& [name, parameter] : parameters) {
      if (name != member) continue;
      constexpr double kLeast = 0.001;
      constexpr double kMost = 1e6;
      *parameter = ReadDouble(scanner, kLeast, kMost);
      return true;
    }
    return false;
  });
}

void ReadFaults(JsonScanner& scanner, Faults& faults) {
  const std::pair<std::string_view, double*> probabilities[] = {
      {"dropRequest", &faults.drop_request},
      {"dropResponse", &faults.drop_response},
      {"delay", &faults.delay},
      {"internal", &faults.internal},
      {"unavailable", &faults.unavailable},
      {"resourceExhausted", &faults.exhausted},
      {"unauthenticated", &faults.unauthenticated},
  };
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "delayMs") return faults.delay_micros = ReadMillis(scanner, 0), true;
    if (member == "clockSkewMs") return faults.clock_skew_micros = ReadMillis(scanner, -1e14), true;
    if (member == "downUntilMs") return faults.down_until_micros = ReadMillis(scanner, 0), true;
    for (const auto& [name, probability] : probabilities) {
      if (name == member) return *probability = ReadProbability(scanner), true;
    }
    return false;
  });
}

// true, false or 'note'.
IndexCheck ReadIndexCheck(JsonScanner& scanner) {
  if (scanner.Peek() != JsonScanner::Kind::kString) {
    return ReadBool(scanner) ? IndexCheck::kRefuse : IndexCheck::kNone;
  }
  if (scanner.String() != "note") scanner.Reject("requireIndexes must be true, false or 'note'");
  return IndexCheck::kNote;
}

// The content of firestore.indexes.json, as an object or as text.
Status ReadIndexes(JsonScanner& scanner, SimulatorOptions& options) {
  const bool is_text = scanner.Peek() == JsonScanner::Kind::kString;
  const std::string text = is_text ? scanner.String() : std::string(scanner.SkipValue());
  SHARDLINE_TRY(IndexFile && file, IndexFile::Parse(text));
  options.backend.indexes = std::make_shared<const IndexFile>(std::move(file));
  return {};
}

void ReadLatency(JsonScanner& scanner, SimulatorOptions& options) {
  std::vector<std::int64_t> bounds;
  ReadArray(scanner, [&] { bounds.push_back(ReadMillis(scanner, 0)); });
  if (bounds.size() != 2 || bounds[0] > bounds[1]) {
    scanner.Reject("latencyMs must be two numbers, the smaller one first");
    return;
  }
  options.min_latency_micros = bounds[0];
  options.max_latency_micros = bounds[1];
}

}  // namespace

Result<SimulatorOptions> ReadSimulatorOptions(const PaddedText& json, SimulatorOptions options) {
  if (json.view().empty()) return options;
  JsonScanner scanner(json);
  Status indexes;
  std::string last;  // The option that is being read: it is the one that a failure is about.
  ReadObject(scanner, [&](const std::string& member) {
    if (scanner.Peek() == JsonScanner::Kind::kNull) return scanner.Null(), true;  // Left out.
    last = member;
    if (member == "seed") {
      options.seed = static_cast<std::uint64_t>(ReadInt64(scanner, 1));
    } else if (member == "maxRequestBytes") {
      const std::int64_t bytes = ReadInt64(scanner, 0);
      if (bytes > 0) options.backend.max_request_bytes = static_cast<std::size_t>(bytes);
    } else if (member == "requireIndexes") {
      options.backend.index_check = ReadIndexCheck(scanner);
    } else if (member == "indexes") {
      indexes = ReadIndexes(scanner, options);
    } else if (member == "limits") {
      ReadLimits(scanner, options.limits);
    } else if (member == "faults") {
      ReadFaults(scanner, options.faults);
    } else if (member == "dialect") {
      const auto dialect = DialectNamed(ReadString(scanner));
      if (!dialect) scanner.Reject("dialect must be 'emulator', 'production' or 'proxy'");
      options.dialect = dialect.value_or(options.dialect);
    } else if (member == "latencyMs") {
      ReadLatency(scanner, options);
    } else {
      // An unknown option may have any name, and may even be invalid as text.
      last.clear();
      return false;
    }
    return true;
  });
  if (!scanner.Finish()) {
    if (last.empty()) return scanner.failure("the embedded Firestore's options");
    return scanner.failure(("the embedded Firestore's option `" + last + "`").c_str());
  }
  SHARDLINE_CHECK(std::move(indexes));
  return options;
}

}  // namespace shardline::simulator
