// Makes JavaScript's calls of the core, through Runtime alone, in virtual time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/runtime.h"
#include "api/tables.h"
#include "unit/support/operation_driver.h"

namespace shardline {

using nlohmann::json;
// The `orders` of a query that is sorted by the order field.
inline json InDirection(const std::string& direction) {
  return json::array({{{"direction", direction}}});
}

using Server = std::function<Reply(const SentRequest&)>;

// How an operation ended.
struct Outcome {
  json result;       // Null unless it succeeded.
  std::string code;  // Empty if it succeeded.
  std::string message;
  int status = 0;
  std::vector<SentRequest> sent;
  Billed billed;  // The sum over all frames.
  std::size_t most_under_way = 0;

  bool ok() const { return code.empty(); }
};

inline void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << (outcome.ok() ? outcome.result.dump() : outcome.code + ": " + outcome.message);
}

// Drives one operation to its end.
class ApiCaller {
 public:
  explicit ApiCaller(Server server) : server_(std::move(server)) {
    const json config = {
        {"projectId", "demo"}, {"databaseId", "(default)"}, {"seed", {1, 2, 3, 4, 5, 6, 7, 8}}};
    connection_ = runtime_.Connect(PaddedText(config.dump()));
  }

  // `arguments` is JSON text.
  Outcome Ask(const std::string& name, const std::string& arguments) {
    // nlohmann/json sorts its members, but the name must come first.
    const std::string request = R"({"name":")" + name + R"(","arguments":)" + arguments + "}";
    const int operation = runtime_.Start(connection_, PaddedText(request));
    outcome_ = {};
    arrivals_.clear();
    if (operation == 0) {
      Take(Header());
      return outcome_;
    }
    for (int steps = 0; steps < 20'000; ++steps) {
      runtime_.Poll(operation, now_);
      const json header = Header();
      if (Take(header)) return outcome_;
      SendAll(header);
      if (!Step(operation, header)) break;
    }
    ADD_FAILURE() << name << " does not end: " << arguments;
    return outcome_;
  }

 private:
  struct Arrival {
    Instant at;
    RequestId id;
    Reply reply;
  };

  json Header() {
    const std::string_view text = runtime_.frame().substr(0, runtime_.header_size());
    json header = json::parse(text, nullptr, false);
    EXPECT_FALSE(header.is_discarded()) << text;
    return header;
  }

  // True at the end of the operation.
  bool Take(const json& header) {
    if (header.contains("billed")) {
      const json& billed = header["billed"];
      outcome_.billed += {billed[0], billed[1], billed[2]};
    }
    if (!header.contains("done")) return false;
    if (header.contains("error")) {
      outcome_.code = header["error"]["code"];
      outcome_.message = header["error"]["message"];
      outcome_.status = header["error"]["status"];
      EXPECT_FALSE(outcome_.message.empty());
    } else {
      outcome_.result = header.at("result");
    }
    return true;
  }

  void SendAll(const json& header) {
    if (!header.contains("requests")) return;
    const std::string bodies(runtime_.frame().substr(runtime_.header_size()));
    for (const json& request : header["requests"]) {
      EXPECT_EQ(request[1], "POST");
      const std::string body =
          bodies.substr(request[3].get<std::size_t>(), request[4].get<std::size_t>());
      outcome_.sent.push_back(
          {request[0], now_, request[2], json::parse(body, nullptr, false), request[5]});
      EXPECT_FALSE(outcome_.sent.back().body.is_discarded()) << body;
      Reply reply = server_(outcome_.sent.back());
      if (reply.kind == Reply::Kind::kSilence) continue;
      arrivals_.push_back({now_ + reply.latency, outcome_.sent.back().id, std::move(reply)});
    }
    outcome_.most_under_way = std::max(outcome_.most_under_way, arrivals_.size());
  }

  // The next thing that happens; false if nothing will.
  bool Step(int operation, const json& header) {
    const auto next =
        std::min_element(arrivals_.begin(), arrivals_.end(),
                         [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
    const bool has_wake = header.contains("wake");
    const Instant wake =
        has_wake ? Instant(std::chrono::milliseconds(header["wake"].get<std::int64_t>())) : now_;
    if (next == arrivals_.end() || (has_wake && wake < next->at)) {
      now_ = std::max(now_, wake);
      return has_wake;
    }
    const Arrival arrival = std::move(*next);
    arrivals_.erase(next);
    now_ = std::max(now_, arrival.at);
    if (arrival.reply.kind == Reply::Kind::kCut) {
      runtime_.FailRequest(operation, arrival.id, now_);
    } else {
      runtime_.Respond(operation, arrival.id,
                       {arrival.reply.status, PaddedText(arrival.reply.body)}, now_);
    }
    return true;
  }

  Server server_;
  Runtime runtime_{kAllTables};
  int connection_ = 0;
  Instant now_ = Instant(std::chrono::seconds(1000));
  Outcome outcome_;
  std::vector<Arrival> arrivals_;
};

// A list of one, which braces around one JSON value do not make with every compiler.
inline json ListOfOne(const json& value) { return json::array({value}); }

// Values, and filters by them, as the core takes them.
inline json Number(int value) { return {{"integerValue", std::to_string(value)}}; }
inline json Numbers(int count) {
  json values = json::array();
  for (int i = 0; i < count; ++i) values.push_back(Number(i));
  return {{"arrayValue", {{"values", values}}}};
}
inline json Filter(const std::string& field, const std::string& op, const json& value = Number(1)) {
  return {{"field", field}, {"op", op}, {"value", value}};
}

// Lists of one in a query, which braces in a test may have made the one.
inline json QueryArgument(json query) {
  if (!query.is_object()) return query;
  if (query.contains("filters") && query["filters"].is_object()) {
    query["filters"] = ListOfOne(query["filters"]);
  }
  for (const char* end : {"start", "end"}) {
    if (!query.contains(end)) continue;
    json& values = query[end]["values"];
    if (!values.is_array()) values = ListOfOne(values);
  }
  return query;
}
inline json Arguments(json named) {
  if (named.contains("query")) named["query"] = QueryArgument(named["query"]);
  return named;
}

inline Outcome Ask(const std::string& name, const json& named, const Server& server) {
  return ApiCaller(server).Ask(name, Arguments(named).dump());
}

// For what is to be refused, or answered, without asking the server.
inline Outcome AskNobody(const std::string& name, const json& named) {
  return Ask(name, named, [](const SentRequest& request) {
    ADD_FAILURE() << "asks the server: " << request.path << request.body;
    return Refusal("PERMISSION_DENIED");
  });
}

// Replies one after the other; the last one to all that follows.
inline Server InTurn(std::vector<Reply> replies) {
  return [replies = std::move(replies), next = std::size_t{0}](const SentRequest&) mutable {
    const Reply& reply = replies[std::min(next, replies.size() - 1)];
    ++next;
    return reply;
  };
}

// The options of the collection that most tests use.
inline json Instruments(const json& shards = {"x", "y", "z"}) {
  return {{"path", "instruments"}, {"shards", shards}};
}

MATCHER_P2(FailsWith, code, message, "is a failure of that code") {
  return arg.code == code && testing::ExplainMatchResult(message, arg.message, result_listener);
}

// Refused before anything is sent.
template <class Matcher>
auto IsInvalid(Matcher message) {
  return FailsWith("invalid-argument", std::move(message));
}

}  // namespace shardline
