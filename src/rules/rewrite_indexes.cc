#include "rules/rewrite_indexes.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "ids/sequence.h"
#include "indexes/arguments.h"
#include "indexes/rewrite.h"
#include "indexes/sharded_indexes.h"
#include "rules/counter_indexes.h"
#include "rules/stock_indexes.h"

namespace shardline {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

Status ReadCollections(const json& list, RewritePlan& plan) {
  if (!list.is_array()) return MustBe("collections", "a list of objects");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string name = "collections[" + std::to_string(i) + "]";
    if (!list[i].is_object()) return MustBe(name, "an object");
    SHARDLINE_TRY(ShardedIndexes && wanted, ReadShardedIndexes(list[i], name + "."));
    plan.collections.push_back(std::move(wanted));
  }
  return {};
}

Status AddCounters(const json& options, RewritePlan& plan) {
  SHARDLINE_TRY(CounterIndexes && indexes, ReadCounterIndexes(options));
  for (WantedExemption& each : indexes.exemptions) plan.exemptions.push_back(std::move(each));
  for (const CompositeIndex& index : indexes.composites) AddComposite(plan, index);
  return {};
}

Status ReadCounters(const json& value, RewritePlan& plan) {
  if (value.is_object()) return AddCounters(value, plan);
  if (value.is_boolean()) return value.get<bool>() ? AddCounters(json::object(), plan) : Status();
  if (!value.is_array()) {
    return MustBe("counters", "true, the options of counterIndexes(), or a list");
  }
  for (const json& each : value) SHARDLINE_CHECK(AddCounters(each, plan));
  return {};
}

Status ReadIds(const json& value, RewritePlan& plan) {
  if (!value.is_boolean()) return MustBe("ids", "true or false");
  if (!value.get<bool>()) return {};
  const std::string_view collection = kIdsFolder.substr(1, kIdsFolder.size() - 2);
  for (const char* field : {"next", "stride"}) {
    SHARDLINE_TRY(FieldPath && path, FieldPath::Parse(field));
    plan.exemptions.push_back({std::string(collection), std::move(path), false,
                               "No query asks for it, and each block of ids would write it."});
  }
  return {};
}

Status ReadStocks(const json& value, RewritePlan& plan) {
  if (!value.is_boolean()) return MustBe("stocks", "true or false");
  if (!value.get<bool>()) return {};
  for (WantedExemption& each : StockExemptions()) plan.exemptions.push_back(std::move(each));
  return {};
}

Status ReadComposites(const json& list, RewritePlan& plan) {
  if (!list.is_array()) return MustBe("indexes", "a list of entries of the file");
  SHARDLINE_TRY(IndexFile && file, IndexFile::Parse(json{{"indexes", list}}.dump()));
  // The indexes of ratings and reactions.
  if (plan.composites) {
    for (const CompositeIndex& index : plan.composites->composites()) {
      file.AddComposite(WriteComposite(index), index);
    }
  }
  plan.composites = std::move(file);
  return {};
}

Status ReadOptions(json& options, RewritePlan& plan) {
  json single = json::object();
  for (const auto& item : options.items()) {
    const std::string& key = item.key();
    json& value = item.value();
    if (key == "collections") {
      SHARDLINE_CHECK(ReadCollections(value, plan));
    } else if (key == "indexes") {
      SHARDLINE_CHECK(ReadComposites(value, plan));
    } else if (key == "counters") {
      SHARDLINE_CHECK(ReadCounters(value, plan));
    } else if (key == "ids") {
      SHARDLINE_CHECK(ReadIds(value, plan));
    } else if (key == "stocks") {
      SHARDLINE_CHECK(ReadStocks(value, plan));
    } else if (key == "collection" || key == "shardField" || key == "orderField" ||
               key == "scope" || key == "queries" || key == "writesPerSecond") {
      single[key] = std::move(value);
    } else if (key == "removeOld") {
      if (!value.is_boolean()) return MustBe("removeOld", "true or false");
      plan.remove_old = value.get<bool>();
    } else {
      return UnknownOption(
          key.substr(0, 100),
          "collections, indexes, counters, ids, stocks and removeOld, and for a single "
          "collection collection, shardField, orderField, scope, queries and "
          "writesPerSecond");
    }
  }
  if (single.empty()) return {};
  SHARDLINE_TRY(ShardedIndexes && wanted, ReadShardedIndexes(single, ""));
  plan.collections.push_back(std::move(wanted));
  return {};
}

ordered_json Write(const std::vector<IndexChange>& changes) {
  constexpr const char* kKinds[] = {"removed", "added", "exempted"};
  ordered_json list = ordered_json::array();
  for (const IndexChange& change : changes) {
    list.push_back({{"kind", kKinds[static_cast<std::size_t>(change.kind)]},
                    {"index", change.entry},
                    {"why", change.why}});
  }
  return list;
}

}  // namespace

Result<std::string> RewriteIndexes(const PaddedText& arguments) {
  SHARDLINE_TRY(TextAndOptions && call, ReadTextAndOptions(arguments));
  RewritePlan plan;
  SHARDLINE_CHECK(ReadOptions(call.options, plan));
  SHARDLINE_TRY(const RewrittenIndexes& result, Rewrite(call.text, plan));
  // The file to deploy when no query needs the old indexes any more.
  plan.remove_old = true;
  SHARDLINE_TRY(const RewrittenIndexes& next, Rewrite(result.text, plan));
  ordered_json written = {{"text", result.text},
                          {"changes", Write(result.changes)},
                          {"next", nullptr},
                          {"notes", result.notes},
                          {"commentsLost", result.comments_lost || next.comments_lost}};
  if (!next.changes.empty()) {
    written["next"] = {{"text", next.text}, {"changes", Write(next.changes)}};
  }
  return written.dump();
}

}  // namespace shardline
