// `explainOptions`: the query plan, with or without the answer. The metrics have the shape of
// google/firestore/v1/query_profile.proto. Google's emulator has no metrics over REST.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "simulator/query.h"

namespace shardline::simulator {

enum class Explain : std::uint8_t { kNo, kPlan, kAnalyze };

// Reads `explainOptions`.
Explain ReadExplain(JsonScanner& scanner);

struct Executed {
  std::int64_t results;
  std::int64_t reads;
};

// Writes the member `explainMetrics`; without `executed`, the plan alone.
void WriteExplainMetrics(JsonWriter& writer, const Query& query,
                         const std::optional<Executed>& executed);

// Ends the array of an answer with the plan alone, and returns the answer.
std::string WritePlan(JsonWriter& writer, const Query& query);

}  // namespace shardline::simulator
