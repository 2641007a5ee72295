// The few documents of a counter, behind as much of Firestore's REST face as counters use. Written
// apart from the library, from the recorded answers in tests/fixtures, so that it does not share
// its faults.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firestore/timestamp.h"
#include "unit/support/operation_driver.h"

namespace shardline {

class FakeServer {
 public:
  struct Document {
    nlohmann::json fields = nlohmann::json::object();
    std::string update_time;
  };

  Reply operator()(const SentRequest& request) { return Handle(request); }

  Reply Handle(const SentRequest& request) {
    ++requests_[request.verb()];
    if (request.verb() == "commit") return Commit(request.body);
    if (request.verb() == "batchGet") return BatchGet(request.body);
    if (request.verb() == "runQuery") return RunQuery(request);
    if (request.verb() == "runAggregationQuery") return RunAggregation(request);
    ADD_FAILURE() << "unexpected request: " << request.path;
    return Refusal("UNIMPLEMENTED");
  }

  // By path inside the database.
  Document* Find(const std::string& path) {
    const auto at = documents_.find(Name(path));
    return at == documents_.end() ? nullptr : &at->second;
  }
  void Put(const std::string& path, nlohmann::json fields) {
    documents_[Name(path)] = {std::move(fields), Tick()};
    Remember(Name(path));
  }
  void Delete(const std::string& path) {
    documents_.erase(Name(path));
    Tick();
    Remember(Name(path));
  }
  std::size_t size() const { return documents_.size(); }
  int requests(const std::string& verb) { return requests_[verb]; }

  // The sum of an integer field over a collection.
  std::int64_t Total(const std::string& collection, const std::string& field = "count") {
    std::int64_t total = 0;
    for (const auto& [name, document] : documents_) {
      if (ParentOf(name) != Name(collection) || !document.fields.contains(field)) continue;
      total += std::stoll(document.fields[field].at("integerValue").get<std::string>());
    }
    return total;
  }

 private:
  using json = nlohmann::json;

  static std::string ParentOf(const std::string& name) { return name.substr(0, name.rfind('/')); }

  std::string Tick() { return Timestamp{.micros = kStart + ++clock_}.ToString(); }

  // Enough for the paths in these tests: names without dots.
  static std::vector<std::string> Split(const std::string& path) {
    std::vector<std::string> names;
    std::size_t start = 0;
    for (std::size_t dot = 0; dot != std::string::npos; start = dot + 1) {
      dot = path.find('.', start);
      names.push_back(path.substr(start, dot - start));
    }
    return names;
  }

  static const json* Get(const json& fields, const std::string& path) {
    const json* at = &fields;
    bool first = true;
    for (const std::string& name : Split(path)) {
      if (!first) {
        if (!at->contains("mapValue")) return nullptr;
        at = &(*at)["mapValue"]["fields"];
      }
      first = false;
      if (!at->contains(name)) return nullptr;
      at = &(*at)[name];
    }
    return at;
  }

  static void Set(json& fields, const std::string& path, const json& value) {
    json* at = &fields;
    const std::vector<std::string> names = Split(path);
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      json& next = (*at)[names[i]];
      if (!next.contains("mapValue")) next = {{"mapValue", {{"fields", json::object()}}}};
      at = &next["mapValue"]["fields"];
    }
    (*at)[names.back()] = value;
  }

  static json Increase(const json* before, const json& operand) {
    const auto is_integer = [](const json& value) { return value.contains("integerValue"); };
    const auto is_number = [&](const json* value) {
      return value && (is_integer(*value) || value->contains("doubleValue"));
    };
    const auto number = [&](const json& value) {
      return is_integer(value) ? std::stod(value["integerValue"].get<std::string>())
                               : value["doubleValue"].get<double>();
    };
    if (!is_number(before)) return operand;
    if (!is_integer(*before) || !is_integer(operand)) {
      return {{"doubleValue", number(*before) + number(operand)}};
    }
    std::int64_t sum = 0;
    const std::int64_t a = std::stoll((*before)["integerValue"].get<std::string>());
    const std::int64_t b = std::stoll(operand["integerValue"].get<std::string>());
    if (__builtin_add_overflow(a, b, &sum)) {
      sum = b > 0 ? std::numeric_limits<std::int64_t>::max()
                  : std::numeric_limits<std::int64_t>::min();
    }
    return {{"integerValue", std::to_string(sum)}};
  }

  // The error that this write's precondition gives rise to, if any.
  std::optional<Reply> Check(const json& write) {
    if (!write.contains("currentDocument")) return std::nullopt;
    const auto at = documents_.find(write.at("update").at("name"));
    const bool there = at != documents_.end();
    const json& precondition = write["currentDocument"];
    if (precondition.contains("updateTime")) {
      const bool same = there && precondition["updateTime"] == at->second.update_time;
      return same ? std::nullopt : std::optional(Refusal("FAILED_PRECONDITION"));
    }
    if (precondition.at("exists") == there) return std::nullopt;
    return Refusal(there ? "ALREADY_EXISTS" : "NOT_FOUND");
  }

  json Apply(const json& write, const std::string& time) {
    const json& update = write.at("update");
    Document& document = documents_[update.at("name")];
    const json before = document.fields;
    const json fields = update.value("fields", json::object());
    if (!write.contains("updateMask")) {
      document.fields = fields;
    } else {
      for (const json& path : write["updateMask"].value("fieldPaths", json::array())) {
        const json* value = Get(fields, path);
        EXPECT_NE(value, nullptr) << "the mask would remove " << path;
        if (value) Set(document.fields, path, *value);
      }
    }
    json result = json::object();
    for (const json& transform : write.value("updateTransforms", json::array())) {
      const std::string path = transform.at("fieldPath");
      const json after = Increase(Get(document.fields, path), transform.at("increment"));
      Set(document.fields, path, after);
      result["transformResults"].push_back(after);
    }
    // A write that changes nothing keeps the time.
    if (document.update_time.empty() || before != document.fields) document.update_time = time;
    result["updateTime"] = document.update_time;
    return result;
  }

  Reply Commit(const json& body) {
    for (const json& write : body.at("writes")) {
      if (const std::optional<Reply> refusal = Check(write)) return *refusal;
    }
    const std::string time = Tick();
    json answer = {{"commitTime", time}};
    for (const json& write : body["writes"]) {
      answer["writeResults"].push_back(Apply(write, time));
      Remember(write.contains("delete") ? write["delete"] : write["update"]["name"]);
    }
    return Ok(answer);
  }

  json Found(const std::string& name, const Document& document) const {
    json found = {{"name", name},
                  {"createTime", "2026-01-01T00:00:00Z"},
                  {"updateTime", document.update_time}};
    if (!document.fields.empty()) found["fields"] = document.fields;
    return found;
  }

  // Firestore remembers what documents were.
  void Remember(const std::string& name) {
    const auto at = documents_.find(name);
    std::optional<Document> now;
    if (at != documents_.end()) now = at->second;
    versions_[name].emplace_back(Timestamp{.micros = kStart + clock_}, std::move(now));
  }
  std::optional<Document> AsOf(const std::string& name, const std::string& time) {
    std::optional<Document> found;
    for (const auto& [written, document] : versions_[name]) {
      if (written <= Timestamp::Parse(time)) found = document;
    }
    return found;
  }

  Reply BatchGet(const json& body) {
    json answer = json::array();
    const std::string time = body.value("readTime", Tick());
    for (const json& name : body.at("documents")) {
      json element = {{"readTime", time}};
      if (const std::optional<Document> document = AsOf(name, time)) {
        element["found"] = Found(name, *document);
      } else {
        element["missing"] = name;
      }
      answer.push_back(element);
    }
    return Ok(answer);
  }

  // The collection that a query is about.
  static std::string Collection(const SentRequest& request, const json& query) {
    const std::string url = request.path.substr(4, request.path.rfind(':') - 4);
    return url + '/' + query.at("from").at(0).at("collectionId").get<std::string>();
  }

  Reply RunQuery(const SentRequest& request) {
    const json& query = request.body.at("structuredQuery");
    EXPECT_EQ(query.at("orderBy")[0]["field"]["fieldPath"], "__name__");
    const std::string collection = Collection(request, query);
    std::string after;
    if (query.contains("startAt")) {
      EXPECT_EQ(query["startAt"].value("before", false), false);
      after = query["startAt"]["values"][0]["referenceValue"];
    }
    const std::string time = request.body.value("readTime", Tick());
    json answer = json::array();
    for (const auto& [name, document] : documents_) {
      if (ParentOf(name) != collection || name <= after) continue;
      if (answer.size() == query.at("limit").get<std::size_t>()) break;
      answer.push_back({{"document", Found(name, document)}, {"readTime", time}});
    }
    if (answer.empty()) answer.push_back({{"readTime", time}, {"done", true}});
    return Ok(answer);
  }

  Reply RunAggregation(const SentRequest& request) {
    const json& query = request.body.at("structuredAggregationQuery");
    const std::string collection = Collection(request, query.at("structuredQuery"));
    const std::string field = query.at("aggregations")[0].at("sum").at("field").at("fieldPath");
    __extension__ __int128 integers = 0;
    double doubles = 0;
    bool has_double = false;
    int count = 0;
    for (const auto& [name, document] : documents_) {
      const json* value = Get(document.fields, field);
      if (ParentOf(name) != collection || !value) continue;
      ++count;
      if (value->contains("integerValue")) {
        integers += std::stoll((*value)["integerValue"].get<std::string>());
      } else if (value->contains("doubleValue")) {
        has_double = true;
        doubles += (*value)["doubleValue"].get<double>();
      }
    }
    using Limits = std::numeric_limits<std::int64_t>;
    const bool overflow = integers < Limits::min() || integers > Limits::max();
    json sum;
    if (has_double || overflow) {
      sum["doubleValue"] = static_cast<double>(integers) + doubles;
    } else {
      sum["integerValue"] = std::to_string(static_cast<std::int64_t>(integers));
    }
    const json fields = {{query["aggregations"][0].at("alias").get<std::string>(), sum},
                         {query["aggregations"][1].at("alias").get<std::string>(),
                          {{"integerValue", std::to_string(count)}}}};
    const json element = {{"result", {{"aggregateFields", fields}}}, {"readTime", Tick()}};
    return Ok(json::array({element}));
  }

  static constexpr std::int64_t kStart = 1'800'000'000'000'000;

  std::map<std::string, Document> documents_;
  std::map<std::string, std::vector<std::pair<Timestamp, std::optional<Document>>>> versions_;
  std::map<std::string, int> requests_;
  std::int64_t clock_ = 0;
};

}  // namespace shardline
