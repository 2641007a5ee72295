// Pages and counts of a sharded collection behind a hostile network: the input changes the answers
// of an honest server, until the input ends. The operation ends with an error or keeps its promise;
// and the same connection then reads the true documents.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/runtime.h"
#include "api/tables.h"
#include "fuzz/ascii.h"
#include "fuzz/fuzz.h"
#include "simulator/simulator.h"

namespace shardline {
namespace {

using nlohmann::json;

constexpr int kShards = 60;  // Two chunks.
constexpr int kDocuments = 40;

class HonestServer {
 public:
  HonestServer() {
    const std::string prefix = "projects/demo/databases/(default)/documents/instruments/";
    json writes = json::array();
    for (int i = 0; i < kDocuments; ++i) {
      const json fields = {
          {"shard", {{"stringValue", std::to_string(i * 7 % kShards)}}},
          {"timestamp", {{"timestampValue", "2026-01-01T00:00:" + std::to_string(10 + i) + "Z"}}},
          {"bytes", {{"bytesValue", "AQI="}}},
          {"big", {{"integerValue", "9007199254740993"}}},
          {"place", {{"geoPointValue", {{"latitude", 1.5}, {"longitude", -2}}}}},
          {"list", {{"arrayValue", {{"values", {{{"doubleValue", "NaN"}}}}}}}},
          {"map", {{"mapValue", {{"fields", {{"a", {{"nullValue", nullptr}}}}}}}}}};
      writes.push_back({{"update", {{"name", prefix + std::to_string(i)}, {"fields", fields}}}});
    }
    Answer("/v1/projects/demo/databases/(default)/documents:commit",
           json({{"writes", writes}}).dump());
  }

  std::string Answer(std::string_view path, std::string_view body) {
    now_.micros += 1'000;
    return simulator_
        .Handle({"POST", path, shardline::simulator::Caller::kAdmin}, PaddedText(body), now_)
        .answer.body;
  }

 private:
  simulator::Simulator simulator_{{}};
  Timestamp now_{1'795'197'600'000'000};
};

// Bytes of the input, and zeros behind it.
class Choices {
 public:
  explicit Choices(std::string_view input) : input_(input) {}
  bool empty() const { return input_.empty(); }
  std::size_t Byte() {
    if (input_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(input_.front());
    input_.remove_prefix(1);
    return byte;
  }
  std::size_t Below(std::size_t end) {
    const std::size_t high = Byte();
    return end == 0 ? 0 : (high << 8 | Byte()) % end;
  }

 private:
  std::string_view input_;
};

// All values of a tree, the root first.
void Flatten(json& tree, std::vector<json*>& nodes) {
  nodes.push_back(&tree);
  if (!tree.is_structured()) return;
  for (json& child : tree) Flatten(child, nodes);
}

std::string ChangeTree(const std::string& answer, Choices& choices) {
  json tree = json::parse(answer, nullptr, false);
  if (tree.is_discarded()) return answer;
  std::vector<json*> nodes;
  Flatten(tree, nodes);
  json& node = *nodes[choices.Below(nodes.size())];
  const json values[] = {nullptr,
                         7,
                         "x",
                         "",
                         "projects",
                         json::object(),
                         json::array(),
                         true,
                         -0.5,
                         *nodes[choices.Below(nodes.size())],
                         json::array({node, node}),
                         {{"integerValue", "7"}}};
  node = json(values[choices.Byte() % std::size(values)]);
  return tree.dump();
}

std::string ChangeBytes(std::string answer, Choices& choices) {
  const std::size_t kind = choices.Byte() % 4;
  const std::size_t at = choices.Below(answer.size());
  const std::size_t size = choices.Byte();
  if (kind == 0 && !answer.empty()) answer[at] = static_cast<char>(size);
  if (kind == 1) answer.erase(at, size);
  if (kind == 2) answer.insert(at, answer.substr(choices.Below(answer.size()), size));
  if (kind == 3) answer.resize(at);
  return answer;
}

std::string Changed(std::string answer, Choices& choices) {
  for (std::size_t count = choices.Byte() % 4; count > 0; --count) {
    answer = choices.Byte() % 2 == 0 ? ChangeTree(answer, choices) : ChangeBytes(answer, choices);
  }
  return answer;
}

class Client {
 public:
  explicit Client(HonestServer& server) : server_(server) {
    const json config = {
        {"projectId", "demo"}, {"databaseId", "(default)"}, {"retry", {{"maxAttempts", 3}}}};
    connection_ = runtime_.Connect(PaddedText(config.dump()));
  }

  // The last header: with a result or with an error.
  json Run(const std::string& name, const json& query, Choices choices) {
    const json arguments = {{"collection", {{"path", "instruments"}, {"shards", kShards}}},
                            {"query", query}};
    const int operation = runtime_.Start(
        connection_,
        PaddedText("{\"name\":\"" + name + "\",\"arguments\":" + arguments.dump() + "}"));
    Require(operation > 0, "the query is good");
    for (int step = 0; step < 10'000; ++step) {
      runtime_.Poll(operation, now_);
      const std::string frame(runtime_.frame());
      const std::size_t header_size = runtime_.header_size();
      const json header = json::parse(Ascii(frame.substr(0, header_size)));
      if (header.contains("done")) return header;
      if (header.contains("wake")) {
        now_ = Instant(std::chrono::milliseconds(header["wake"].get<std::int64_t>()));
      }
      if (!header.contains("requests")) continue;
      for (const json& request : header["requests"]) {
        const std::string body = frame.substr(header_size + request[3].get<std::size_t>(),
                                              request[4].get<std::size_t>());
        std::string answer = server_.Answer(request[2].get<std::string>(), body);
        if (!choices.empty()) answer = Changed(std::move(answer), choices);
        runtime_.Respond(operation, request[0], {200, PaddedText(answer)}, now_);
      }
    }
    Require(false, "the operation ends");
    return {};
  }

 private:
  HonestServer& server_;
  Runtime runtime_{kAllTables};
  int connection_ = 0;
  Instant now_{};
};

json QueryOf(std::size_t options) {
  const std::size_t limit = options & 15;
  json query = {{"orders", json::array({{{"direction", (options & 16) != 0 ? "desc" : "asc"}}})},
                {"chunkReads", (options & 32) != 0 ? "whole-page" : "share"},
                {"consistentRead", (options & 64) != 0}};
  if (limit > 0) query["limit"] = limit;
  return query;
}

void CheckPage(const json& header, const json& query) {
  Require(header.contains("error") != header.contains("result"), "a result or an error");
  if (header.contains("error")) {
    Require(header["error"]["code"] != "invalid-argument", "the caller is not to blame");
    Require(header["error"]["message"].get<std::string>().size() < 2'000, "messages are short");
    return;
  }
  const json& page = header["result"];
  Require(page["docs"].size() <= query.value("limit", std::size_t{kDocuments}), "a limit holds");
  std::set<std::string> ids;
  for (const json& document : page["docs"]) {
    Require(document[2].get<std::size_t>() < page["shapes"].size(), "shapes");
    Require(ids.insert(document[0].get<std::string>()).second, "no document is there twice");
  }
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  static HonestServer server;
  if (size == 0) return 0;
  const json query = QueryOf(data[0] & 127U);
  const bool counts = (data[0] & 128U) != 0;
  Client client(server);
  const Choices choices(Input(data, size).substr(1));
  const char* name = counts ? "collection.count" : "collection.query";
  const json header = client.Run(name, query, choices);
  if (!counts) CheckPage(header, query);
  const json honest = client.Run(name, query, Choices({}));
  Require(honest.contains("result"), "an honest server is understood");
  const std::size_t most = query.value("limit", std::size_t{kDocuments});
  const std::size_t expected = std::min<std::size_t>(most, kDocuments);
  if (counts) {
    Require(honest["result"]["count"] == expected, "and counts right");
  } else {
    CheckPage(honest, query);
    Require(honest["result"]["docs"].size() == expected, "and its documents are there");
  }
  return 0;
}
