// backfill() and reshard() over a collection; the input spoils the server's answers. A run always
// ends after a bounded number of requests, no document appears or disappears, and nothing in a
// document changes except its shard, which becomes one of the collection's values. With an honest
// server, another run does the rest.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "fuzz/lying_server.h"

namespace shardline {
namespace {

constexpr int kDocuments = 12;
const std::string kRoot = "projects/demo/databases/(default)/documents";

json Text(const std::string& text) { return {{"stringValue", text}}; }

// What the shard field holds before: nothing, a value that is written, one that is only read, or
// something else.
json ShardBefore(int number) {
  const json values[] = {json(), Text("new0"), Text("old1"), {{"nullValue", nullptr}}};
  return values[number % 4];
}

std::string Id(int number) { return "d" + std::to_string(number); }

void Fill(Server& server, bool nested) {
  json writes = json::array();
  for (int i = 0; i < kDocuments; ++i) {
    json fields = {{"n", {{"integerValue", std::to_string(i)}}}};
    const json shard = ShardBefore(i);
    if (nested) fields["meta"] = {{"mapValue", {{"fields", {{"by", Text("me")}}}}}};
    json& place = nested ? fields["meta"]["mapValue"]["fields"] : fields;
    if (!shard.is_null()) place["shard"] = shard;
    writes.push_back({{"update", {{"name", kRoot + "/events/" + Id(i)}, {"fields", fields}}}});
  }
  // Names next to the collection's.
  for (const char* path : {"/event/a", "/events/d1/below/b", "/events2/c"}) {
    writes.push_back({{"update", {{"name", kRoot + path}, {"fields", {{"n", Text("other")}}}}}});
  }
  server.Ask("/v1/" + kRoot + ":commit", {{"writes", writes}});
}

// All documents of the database: their fields without the shard, and the shard.
std::map<std::string, std::pair<json, json>> Read(Server& server, bool nested) {
  std::map<std::string, std::pair<json, json>> found;
  for (const char* collection : {"event", "events", "events2", "below"}) {
    const json from = {{"collectionId", collection}, {"allDescendants", true}};
    const json answer = server.Ask("/v1/" + kRoot + ":runQuery",
                                   {{"structuredQuery", {{"from", json::array({from})}}}});
    for (const json& element : answer) {
      if (!element.contains("document")) continue;
      json fields = element["document"]["fields"];
      json& place =
          nested && fields.contains("meta") ? fields["meta"]["mapValue"]["fields"] : fields;
      const json shard = place.value("shard", json());
      place.erase("shard");
      found[element["document"]["name"]] = {fields, shard};
    }
  }
  return found;
}

bool IsNew(const json& shard) { return shard == Text("new0") || shard == Text("new1"); }

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  Dice dice(Input(data, size));
  Server server(dice);
  Driver driver(server);
  const std::size_t how = dice.Below(8);
  const bool backfills = (how & 1) != 0;
  const bool nested = (how & 2) != 0;
  const bool is_dry = (how & 4) != 0;
  Fill(server, nested);
  const auto before = Read(server, nested);
  const json shards = {"new0", "new1"};
  json arguments = {{"collection",
                     {{"path", "events"},
                      {"shards", shards},
                      {"alsoRead", {"old0", "old1"}},
                      {"shardField", nested ? "meta.shard" : "shard"}}},
                    {"dryRun", is_dry}};
  if (!backfills) arguments["shards"] = shards;
  const char* const name = backfills ? "collection.backfill" : "collection.reshard";
  server.Lie();
  driver.Run(name, arguments);
  server.BeHonest();

  const auto after = Read(server, nested);
  Require(after.size() == before.size(), "no document appears or disappears");
  for (const auto& [document, was] : before) {
    Require(after.contains(document), "no document disappears");
    const auto& [fields, shard] = after.at(document);
    Require(fields == was.first, "nothing but the shard changes");
    Require(shard == was.second || (!is_dry && IsNew(shard)), "a shard becomes a new one");
    const bool is_of_it =
        document.starts_with(kRoot + "/events/d") && document.find("/below/") == std::string::npos;
    Require(shard == was.second || is_of_it, "other collections stay as they are");
  }

  arguments["dryRun"] = false;
  const json result = driver.MustRun(name, arguments);
  Require(result["read"] == kDocuments, "an honest server tells of all documents");
  Require(result["written"].get<int>() + result["skipped"].get<int>() +
                  result["unreachable"].get<int>() ==
              kDocuments,
          "each document has one fate");
  for (const auto& [document, state] : Read(server, nested)) {
    const json& was = before.at(document).second;
    const bool must = backfills ? was.is_null() : was == Text("old1");
    const bool is_of_it =
        document.starts_with(kRoot + "/events/d") && document.find("/below/") == std::string::npos;
    if (must && is_of_it) Require(IsNew(state.second), "in the end it has a new shard");
  }
  return 0;
}
