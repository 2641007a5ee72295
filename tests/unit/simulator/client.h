// Speaks to a Backend as a client over HTTP would, with nlohmann/json as the second opinion on
// JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/backend.h"

namespace shardline::simulator {

using Json = nlohmann::json;

inline const std::string kRoot = "projects/p/databases/(default)/documents";

inline std::string Name(std::string_view path) { return kRoot + "/" + std::string(path); }
inline Json Integer(std::int64_t value) { return {{"integerValue", std::to_string(value)}}; }
inline Json Double(double value) { return {{"doubleValue", value}}; }
inline Json String(std::string_view value) { return {{"stringValue", std::string(value)}}; }
// A list in braces of one element would be that element.
inline Json List(Json::initializer_list_t elements) { return Json::array(elements); }
inline Json Update(std::string_view path, const Json& fields) {
  return {{"update", {{"name", Name(path)}, {"fields", fields}}}};
}
inline Json Delete(std::string_view path) { return {{"delete", Name(path)}}; }

struct Reply {
  int status;
  Json json;
  Answer answer;

  // Firestore's name of the error, or "OK".
  std::string Error() const {
    if (status == 200) return "OK";
    return json.is_object() ? json["error"]["status"].get<std::string>() : "?";
  }
};

class Client {
 public:
  explicit Client(BackendOptions options = {}) : backend_(std::move(options)) {}

  // `path` follows "/v1/<root>".
  Reply Send(std::string_view method, std::string_view path, std::string_view body = "") {
    return SendTo(method, "/v1/" + kRoot + std::string(path), body);
  }
  Reply SendTo(std::string_view method, std::string_view target, std::string_view body) {
    Answer answer = backend_.Handle({method, target, caller}, PaddedText(body), Timestamp{now});
    Json json = Json::parse(answer.body, nullptr, false);
    return {answer.status, std::move(json), std::move(answer)};
  }
  Reply Post(std::string_view verb, const Json& body, std::string_view parent = "") {
    return Send("POST", std::string(parent) + ":" + std::string(verb), body.dump());
  }
  Reply Commit(const std::vector<Json>& writes) {
    return Post("commit", {{"writes", Json(writes)}});
  }
  Reply Get(std::string_view path) { return Send("GET", "/" + std::string(path)); }

  // The ids, or for sub-collections the paths, that a query finds.
  std::vector<std::string> Find(const Json& query, const Json& more = Json::object()) {
    Json body = {{"structuredQuery", query}};
    body.update(more);
    const Reply reply = Post("runQuery", body);
    if (reply.status != 200) return {reply.Error()};
    std::vector<std::string> found;
    for (const Json& element : reply.json) {
      if (!element.contains("document")) continue;
      const std::string name = element["document"]["name"];
      found.push_back(name.substr(name.rfind('/') + 1));
    }
    return found;
  }

  Backend& backend() { return backend_; }

  // 2026-11-20T18:00:00Z
  std::int64_t now = 1'795'197'600'000'000;
  Caller caller = Caller::kUser;

 private:
  Backend backend_;
};

inline Json FieldFilter(std::string_view field, std::string_view op, const Json& value) {
  return {{"fieldFilter",
           {{"field", {{"fieldPath", std::string(field)}}},
            {"op", std::string(op)},
            {"value", value}}}};
}
inline Json Order(std::string_view field, std::string_view direction = "ASCENDING") {
  return {{"field", {{"fieldPath", std::string(field)}}}, {"direction", std::string(direction)}};
}
inline Json From(std::string_view collection) {
  return Json::array({{{"collectionId", std::string(collection)}}});
}

}  // namespace shardline::simulator
