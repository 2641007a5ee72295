// Builders of texts that counter tests need again and again.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "counter/counter.h"
#include "unit/support/operation_driver.h"

namespace shardline {

inline Layout Preset(const char* name) { return Layout::Preset(name).value(); }

inline Layout ExtensionLayout(const std::string& field) {
  Layout layout = Preset("extension");
  layout.count_field = field;
  return layout;
}

inline std::unique_ptr<const Counter> MakeCounter(const std::string& path = "posts/p1",
                                                  const Layout& layout = Preset("web-sample"),
                                                  std::optional<std::int64_t> shards = std::nullopt,
                                                  Delivery delivery = kDefaultDelivery) {
  return Counter::Make(TestContext().database, {path, layout, shards, delivery}).value();
}

inline nlohmann::json IntegerValue(std::int64_t value) {
  return {{"integerValue", std::to_string(value)}};
}

// What a partial of the extension's layout holds.
inline nlohmann::json Updates(const std::vector<nlohmann::json>& updates) {
  nlohmann::json values = nlohmann::json::array();
  for (const nlohmann::json& fields : updates) {
    values.push_back({{"mapValue",
                       {{"fields",
                         {{"_id_", {{"stringValue", std::to_string(values.size())}}},
                          {"_data_", {{"mapValue", {{"fields", fields}}}}}}}}}});
  }
  return {{"arrayValue", {{"values", values}}}};
}

// An answer to :batchGet of one document.
inline Reply FoundDocument(const std::string& path, const nlohmann::json& fields,
                           const std::string& update_time = "2026-01-01T00:00:00.000001Z") {
  const nlohmann::json document = {{"name", Name(path)},
                                   {"fields", fields},
                                   {"createTime", "2026-01-01T00:00:00.000001Z"},
                                   {"updateTime", update_time}};
  const nlohmann::json element = {{"found", document}, {"readTime", "2026-01-01T00:00:01Z"}};
  return Ok(nlohmann::json::array({element}));
}
inline Reply MissingDocument(const std::string& path) {
  const nlohmann::json element = {{"missing", Name(path)}, {"readTime", "2026-01-01T00:00:01Z"}};
  return Ok(nlohmann::json::array({element}));
}

// The answer to a :commit of plain writes.
inline Reply Committed(std::size_t writes = 1) {
  const nlohmann::json result = {{"updateTime", "2026-01-01T00:00:02Z"}};
  return Ok({{"writeResults", std::vector<nlohmann::json>(writes, result)},
             {"commitTime", "2026-01-01T00:00:02Z"}});
}
// The answer to a :commit of one increment; `value` is what the field holds now.
inline Reply Incremented(const nlohmann::json& value) {
  const nlohmann::json result = {{"updateTime", "2026-01-01T00:00:02Z"},
                                 {"transformResults", nlohmann::json::array({value})}};
  return Ok(
      {{"writeResults", nlohmann::json::array({result})}, {"commitTime", "2026-01-01T00:00:02Z"}});
}

// The answer to a :runQuery over a collection; `counts` are the count fields of the shards by id,
// null for none.
inline Reply Listed(const std::string& collection,
                    const std::vector<std::pair<std::string, nlohmann::json>>& counts,
                    const std::string& read_time = "2026-01-01T00:00:03Z") {
  nlohmann::json answer = nlohmann::json::array();
  for (const auto& [id, count] : counts) {
    nlohmann::json document = {{"name", Name(collection + '/' + id)},
                               {"createTime", "2026-01-01T00:00:00Z"},
                               {"updateTime", "2026-01-01T00:00:00Z"}};
    if (!count.is_null()) document["fields"] = {{"count", count}};
    answer.push_back({{"document", document}, {"readTime", read_time}});
  }
  if (counts.empty()) answer.push_back({{"readTime", read_time}, {"done", true}});
  return Ok(answer);
}

// What an operation writes, when it has been told to do so.
inline const nlohmann::json& Writes(const SentRequest& commit) { return commit.body.at("writes"); }

// The path of the document that a write is about.
inline std::string PathOf(const nlohmann::json& write) {
  return write.at("update").at("name").get<std::string>().substr(Name("").size());
}

}  // namespace shardline
