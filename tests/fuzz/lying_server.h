// A server that the fuzzer's input makes lie, and a driver of operations against it, in virtual
// time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "api/runtime.h"
#include "api/tables.h"
#include "fuzz/ascii.h"
#include "fuzz/fuzz.h"
#include "simulator/simulator.h"

namespace shardline {

using nlohmann::json;

inline constexpr int kMaxRequests = 300;
inline constexpr std::size_t kMaxMessage = 1'000;
inline constexpr std::int64_t kStart = 1'795'197'600'000'000;  // 2026-11-20T18:00:00Z

// The input, taken from the front. When it is used up, the server is honest.
class Dice {
 public:
  explicit Dice(std::string_view input) : rest_(input) {}

  bool empty() const { return rest_.empty(); }
  std::size_t Below(std::size_t limit) {
    return limit == 0 ? 0 : static_cast<unsigned char>(Take(1).append(1, '\0')[0]) % limit;
  }
  std::string Take(std::size_t size) {
    std::string bytes(rest_.substr(0, size));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

 private:
  std::string_view rest_;
};

struct Reply {
  bool lost = false;
  int status = 200;
  std::string body;
};

// The server. The dice say when it lies.
class Server {
 public:
  explicit Server(Dice& dice) : dice_(dice), simulator_(simulator::SimulatorOptions{}) {}

  Reply Answer(const std::string& path, std::string_view body) {
    ++requests_;
    const simulator::Delivery delivery =
        simulator_.Handle({"POST", path}, PaddedText(body), Timestamp{++now_});
    Reply reply{false, delivery.answer.status, delivery.answer.body};
    if (!honest_ && !dice_.empty()) Spoil(reply);
    last_ = delivery.answer.body;
    return reply;
  }

  // The answer of the honest server, beside all operations.
  json Ask(const std::string& path, const json& body) {
    const std::string text = body.dump();
    return json::parse(
        simulator_
            .Handle({"POST", path, simulator::Caller::kAdmin}, PaddedText(text), Timestamp{++now_})
            .answer.body);
  }

  void BeHonest() { honest_ = true; }
  void Lie() {
    honest_ = false;
    requests_ = 0;
  }
  int requests() const { return requests_; }
  // True if it has ever said something well-formed that was not so.
  bool has_lied() const { return has_lied_; }

 private:
  void Spoil(Reply& reply) {
    const std::string good = reply.body;
    const std::size_t at = good.empty() ? 0 : dice_.Below(256) * good.size() / 256;
    switch (dice_.Below(9)) {
      case 0:
        break;
      case 1:
        reply.lost = true;
        break;
      case 2: {
        constexpr int kStatuses[] = {0, 100, 302, 400, 401, 403, 404, 409, 412, 429, 500, 503, -1};
        reply.status = kStatuses[dice_.Below(std::size(kStatuses))];
        has_lied_ = true;
        break;
      }
      case 3:
        reply.body.resize(at);
        break;
      case 4:
        if (!reply.body.empty()) reply.body[at] ^= static_cast<char>(1 << dice_.Below(8));
        break;
      case 5:
        reply.body.insert(at, dice_.Take(dice_.Below(64)));
        break;
      case 6:
        reply.body.replace(at, dice_.Below(64), dice_.Take(dice_.Below(64)));
        break;
      case 7:
        reply.body = last_;
        break;
      default:
        reply.body = dice_.Take(dice_.Below(256));
    }
    if (reply.body != good && json::accept(reply.body)) has_lied_ = true;
  }

  Dice& dice_;
  simulator::Simulator simulator_;
  std::string last_;
  std::int64_t now_ = kStart;
  int requests_ = 0;
  bool honest_ = true;
  bool has_lied_ = false;
};

// Like connection.js, in virtual time.
class Driver {
 public:
  explicit Driver(Server& server) : server_(server), runtime_(kAllTables) {
    const json config = {{"projectId", "demo"},
                         {"databaseId", "(default)"},
                         {"retry", {{"maxAttempts", 3}}},
                         {"seed", {1, 2, 3, 4, 5, 6, 7, 8}}};
    connection_ = runtime_.Connect(PaddedText(config.dump()));
    Require(connection_ != 0, "the configuration is good");
  }

  // Runs an operation to its end: {"result": …} or {"error": …}.
  json Run(const char* name, const json& arguments) {
    const json request = {{"name", name}, {"arguments", arguments}};
    // In this order: the name is read first.
    const std::string text = R"({"name":")" + std::string(name) + R"(","arguments":)" +
                             request["arguments"].dump() + "}";
    const int operation = runtime_.Start(connection_, PaddedText(text));
    if (operation == 0) return Frame();
    for (;;) {
      runtime_.Poll(operation, now_);
      const json frame = Frame();
      const std::string bodies(runtime_.frame().substr(runtime_.header_size()));
      if (frame.contains("done")) return frame;
      if (frame.contains("requests")) {
        for (const json& each : frame["requests"]) {
          Send(operation, each,
               bodies.substr(each[3].get<std::size_t>(), each[4].get<std::size_t>()));
        }
      } else {
        Require(frame.contains("wake"), "an operation that waits says until when");
        const auto wake = Instant(std::chrono::milliseconds(frame["wake"].get<std::int64_t>()));
        now_ = std::max(wake, now_ + std::chrono::milliseconds(1));
      }
      Require(server_.requests() <= kMaxRequests,
              "an operation makes a bounded number of requests");
    }
  }

  // The same of one that must not fail.
  json MustRun(const char* name, const json& arguments) {
    const json frame = Run(name, arguments);
    if (frame.contains("error")) std::fprintf(stderr, "%s: %s\n", name, frame.dump().c_str());
    Require(frame.contains("result"), "an honest server's answers lead to a result");
    return frame["result"];
  }

 private:
  json Frame() {
    const json frame = json::parse(Ascii(runtime_.frame().substr(0, runtime_.header_size())));
    if (frame.contains("error")) {
      Require(!frame["error"]["message"].get<std::string>().empty(), "an error has a message");
      Require(frame["error"]["message"].get<std::string>().size() <= kMaxMessage,
              "a message can be read by people");
    }
    return frame;
  }

  void Send(int operation, const json& request, const std::string& body) {
    const RequestId id = request[0].get<RequestId>();
    Reply reply = server_.Answer(request[2].get<std::string>(), body);
    now_ += std::chrono::milliseconds(1);
    if (reply.lost) {
      runtime_.FailRequest(operation, id, now_);
    } else {
      runtime_.Respond(operation, id, {reply.status, PaddedText(reply.body)}, now_);
    }
  }

  Server& server_;
  Runtime runtime_;
  int connection_;
  Instant now_{};
};

}  // namespace shardline
