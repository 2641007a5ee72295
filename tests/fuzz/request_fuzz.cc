// Any call of the core: an error refuses it, or requests go out that are JSON if the call's
// arguments are JSON.

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

// Header and bodies of the last frame; true if it says that the operation has ended.
bool CheckFrame(const Runtime& runtime, bool good_json) {
  const json header = json::parse(Ascii(runtime.frame().substr(0, runtime.header_size())));
  if (header.contains("requests")) {
    const std::string_view bodies = runtime.frame().substr(runtime.header_size());
    for (const json& request : header["requests"]) {
      const std::string_view body =
          bodies.substr(request[3].get<std::size_t>(), request[4].get<std::size_t>());
      Require(!good_json || json::accept(Ascii(body)), "requests are JSON");
    }
  }
  if (!header.contains("done")) return false;
  Require(header.contains("error") != header.contains("result"), "a result or an error");
  Require(!header.contains("error") || !header["error"]["message"].get<std::string>().empty(),
          "an error has a message");
  return true;
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  Runtime runtime(kAllTables);
  const json config = {{"projectId", "demo"}, {"databaseId", "(default)"}};
  const int connection = runtime.Connect(PaddedText(config.dump()));
  const std::string_view input = Input(data, size);
  const bool good_json = json::accept(input);
  const int operation = runtime.Start(connection, PaddedText(input));
  if (operation == Runtime::kNotInModule) return 0;
  if (operation == 0) {
    Require(CheckFrame(runtime, good_json), "a refusal is an error");
    return 0;
  }
  runtime.Poll(operation, Instant{});
  if (CheckFrame(runtime, good_json)) return 0;
  runtime.Cancel(operation);
  runtime.Poll(operation, Instant{});
  Require(CheckFrame(runtime, good_json), "a cancelled operation has ended");
  return 0;
}
