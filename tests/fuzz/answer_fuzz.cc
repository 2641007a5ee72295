// A sharded query over any answers of a server: it always ends, in a page that is JSON or in an
// error.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "api/runtime.h"
#include "api/tables.h"
#include "fuzz/ascii.h"
#include "fuzz/fuzz.h"

namespace shardline {
namespace {

using nlohmann::json;

// The first byte says how to ask.
struct Asked {
  explicit Asked(unsigned options)
      : limit(options & 7),
        request(
            {{"collection",
              {{"path", "instruments"}, {"shards", options & 128 ? json(40) : json({"x", "y"})}}},
             {"query",
              {{"orders", json::array({{{"direction", (options & 32) != 0 ? "desc" : "asc"}}})},
               {"chunkReads", (options & 8) != 0 ? "whole-page" : "share"},
               {"consistentRead", (options & 16) != 0}}}}) {
    if (limit > 0) request["query"]["limit"] = limit;
    if ((options & 64) != 0) request["query"]["select"] = {"a.b", "c"};
  }
  std::size_t limit;  // 0 for none.
  json request;
};

// This text separates the answers. No JSON has it.
constexpr char kSeparator = '\x1e';

class Answers {
 public:
  explicit Answers(std::string_view text) : rest_(text) {}

  bool empty() const { return rest_.empty(); }
  std::string_view Next() {
    const std::size_t end = rest_.find(kSeparator);
    const std::string_view answer = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return answer;
  }

 private:
  std::string_view rest_;
};

void Drive(Runtime& runtime, int operation, const Asked& asked, Answers answers) {
  Instant now{};
  for (int step = 0; step < 10'000; ++step) {
    runtime.Poll(operation, now);
    const json header = json::parse(Ascii(runtime.frame().substr(0, runtime.header_size())));
    if (header.contains("done")) {
      Require(header.contains("error") != header.contains("result"), "a result or an error");
      if (header.contains("error")) return;
      const json& documents = header["result"]["docs"];
      Require(asked.limit == 0 || documents.size() <= asked.limit, "a limit holds");
      for (const json& document : documents) {
        Require(document[2].get<std::size_t>() < header["result"]["shapes"].size(), "shapes");
      }
      return;
    }
    if (header.contains("wake"))
      now = Instant(std::chrono::milliseconds(header["wake"].get<int>()));
    if (!header.contains("requests")) continue;
    for (const json& request : header["requests"]) {
      if (answers.empty()) {
        runtime.FailRequest(operation, request[0], now);
      } else {
        runtime.Respond(operation, request[0], {200, PaddedText(answers.Next())}, now);
      }
    }
  }
  Require(false, "the operation ends");
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  if (size == 0) return 0;
  Runtime runtime(kAllTables);
  const json config = {
      {"projectId", "demo"}, {"databaseId", "(default)"}, {"retry", {{"maxAttempts", 2}}}};
  const int connection = runtime.Connect(PaddedText(config.dump()));
  const Asked asked(data[0]);
  const int operation = runtime.Start(
      connection,
      PaddedText("{\"name\":\"collection.query\",\"arguments\":" + asked.request.dump() + "}"));
  Require(operation > 0, "the query is good");
  Drive(runtime, operation, asked, Answers(Input(data, size).substr(1)));
  return 0;
}
