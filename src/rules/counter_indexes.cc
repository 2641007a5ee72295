#include "rules/counter_indexes.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "counter/places.h"
#include "rules/rules_options.h"

namespace shardline {
namespace {

using nlohmann::ordered_json;

struct IndexOptions {
  Layout layout;
  std::string path;
  bool reads_shards = false;
};

Status ReadMember(const std::string& key, const nlohmann::json& value, IndexOptions& options) {
  if (key == "layout") return ReadCheckedLayout(value, options.layout);
  if (key == "path") {
    if (!value.is_string()) return InvalidArgument("path must be a text.");
    options.path = value;
    return {};
  }
  if (key == "total") {
    if (value != "sum" && value != "shards") {
      return InvalidArgument("total must be sum or shards.");
    }
    options.reads_shards = value == "shards";
    return {};
  }
  return InvalidArgument("There is no option " + key.substr(0, 100) +
                         ": there are layout, path and total.");
}

// Indexes are named by the collection's id alone, wherever in the database it is.
Result<std::string> ShardsCollectionId(const IndexOptions& options) {
  if (options.layout.shard_collection) return *options.layout.shard_collection;
  const std::string id = options.path.substr(options.path.rfind('/') + 1);
  if (id.empty() || id.front() == '{') {
    return InvalidArgument(
        "path must end in the id of the shards' collection where total is shards: an index is "
        "exempted by that id.");
  }
  SHARDLINE_CHECK(CheckId(id, "path's last segment"));
  return id;
}

ordered_json Exemption(std::string_view collection, std::string_view field) {
  return {
      {"collectionGroup", collection}, {"fieldPath", field}, {"indexes", ordered_json::array()}};
}

}  // namespace

Result<std::string> MakeCounterIndexes(const PaddedText& text) {
  const nlohmann::json members = nlohmann::json::parse(text.view(), nullptr, false);
  if (!members.is_object()) return InvalidArgument("The options must be an object.");
  IndexOptions options;
  options.layout = *Layout::Preset("web");
  for (const auto& [key, value] : members.items()) {
    SHARDLINE_CHECK(ReadMember(key, value, options));
  }
  ordered_json overrides = ordered_json::array();
  overrides.push_back({{"collectionGroup", kLedgerCollection},
                       {"fieldPath", "expireAt"},
                       {"ttl", true},
                       {"indexes", ordered_json::array()}});
  for (const std::string_view collection : {kLedgerCollection, kVoteCollection}) {
    for (const std::string_view field : {"batches", "delta", "seq", "shard"}) {
      overrides.push_back(Exemption(collection, field));
    }
  }
  for (const std::string_view field : {"readTime", "shards", "value"}) {
    overrides.push_back(Exemption(kRollUpCollection, field));
  }
  if (options.reads_shards) {
    SHARDLINE_TRY(const std::string& id, ShardsCollectionId(options));
    overrides.push_back(Exemption(id, options.layout.count_field));
  }
  const ordered_json file = {{"indexes", ordered_json::array()}, {"fieldOverrides", overrides}};
  return file.dump(2) + '\n';
}

}  // namespace shardline
