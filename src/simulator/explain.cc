#include "simulator/explain.h"

#include "base/number.h"
#include "simulator/required_index.h"
#include "simulator/wire.h"

namespace shardline::simulator {

Explain ReadExplain(JsonScanner& scanner) {
  bool analyze = false;
  const bool present = ReadObject(scanner, [&](const std::string& member) {
    if (member != "analyze") return false;
    analyze = ReadBool(scanner);
    return true;
  });
  if (!present) return Explain::kNo;
  return analyze ? Explain::kAnalyze : Explain::kPlan;
}

void WriteExplainMetrics(JsonWriter& writer, const Query& query,
                         const std::optional<Executed>& executed) {
  writer.Key("explainMetrics").BeginObject().Key("planSummary").BeginObject();
  writer.Key("indexesUsed").BeginArray();
  for (const std::string& properties : IndexesUsed(query)) {
    writer.BeginObject().Key("query_scope");
    writer.String(query.all_descendants ? "Collection group" : "Collection");
    writer.Key("properties").String(properties).EndObject();
  }
  writer.EndArray().EndObject();
  if (executed) {
    const auto number = [&](std::string_view key, std::int64_t value) {
      std::string text;
      AppendInt64(text, value);
      writer.Key(key).String(text);
    };
    writer.Key("executionStats").BeginObject();
    number("resultsReturned", executed->results);
    // No clock measures it.
    writer.Key("executionDuration").String("0s");
    number("readOperations", executed->reads);
    writer.Key("debugStats").BeginObject().EndObject().EndObject();
  }
  writer.EndObject();
}

std::string WritePlan(JsonWriter& writer, const Query& query) {
  writer.BeginObject();
  WriteExplainMetrics(writer, query, std::nullopt);
  writer.EndObject().EndArray();
  return writer.Take();
}

}  // namespace shardline::simulator
