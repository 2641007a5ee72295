#include "rules/counter_indexes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "counter/places.h"
#include "rules/rules_options.h"

namespace shardline {
namespace {

struct IndexOptions {
  Layout layout;
  std::string path;
  bool reads_shards = false;
  std::vector<std::string> fields;
  std::vector<std::string> choices;
  bool are_ratings = false;
};

Status ReadMember(const std::string& key, const nlohmann::json& value, IndexOptions& options) {
  if (key == "layout") return ReadCheckedLayout(value, options.layout);
  if (key == "path") {
    if (!value.is_string()) return MustBe("path", "a text");
    options.path = value;
    return {};
  }
  if (key == "total") {
    if (value != "sum" && value != "shards") {
      return MustBe("total", "sum or shards");
    }
    options.reads_shards = value == "shards";
    return {};
  }
  if (key == "ratings" || key == "reactions") {
    options.are_ratings = key == "ratings";
    return ReadChoices(key, value, options.choices);
  }
  if (key == "fields") return ReadFields(value, options.fields);
  return UnknownOption(key.substr(0, 100), "layout, path, total, fields, ratings and reactions");
}

// Returns the indexes by which the server adds up fields of one collection, `in_one` of them in
// each request: see FieldReading. A single field has an index already.
std::vector<CompositeIndex> SumIndexes(const std::string& collection,
                                       const std::vector<std::string>& fields, std::size_t in_one) {
  std::vector<CompositeIndex> indexes;
  for (std::size_t first = 0; first + 1 < fields.size(); first += in_one) {
    CompositeIndex& index = indexes.emplace_back();
    index.collection_group = collection;
    const std::size_t end = std::min(first + in_one, fields.size());
    for (std::size_t i = first; i < end; ++i) {
      index.fields.push_back({*FieldPath::Parse(fields[i]), IndexMode::kAscending});
    }
  }
  return indexes;
}

// One request has five aggregations. One of them counts the documents, unless all have all fields.
std::vector<CompositeIndex> ChoiceIndexes(const IndexOptions& options) {
  if (options.are_ratings) return SumIndexes("shardline_ratings", options.choices, 5);
  return SumIndexes("shardline_reactions", options.choices, 4);
}

// Indexes are named by the collection's id alone, wherever in the database it is.
Result<std::string> ShardsCollectionId(const IndexOptions& options) {
  if (options.layout.shard_collection) return *options.layout.shard_collection;
  const std::string id = options.path.substr(options.path.rfind('/') + 1);
  if (id.empty() || id.front() == '{') {
    return Fail(kArgumentsConflict, "")
           << Param{"argument", "path"} << " must end in the id of the shards' collection if "
           << Param{"other", "total"} << " is shards, or with fields: an index names that id.";
  }
  SHARDLINE_CHECK(CheckId(id, "path's last segment"));
  return id;
}

constexpr const char* kUnasked = "No query asks for it, and each increment would write its index.";

}  // namespace

Result<CounterIndexes> ReadCounterIndexes(const nlohmann::json& members) {
  if (!members.is_object()) return MustBe("The options", "an object");
  IndexOptions options;
  options.layout = *Layout::Preset("web-sample");
  for (const auto& [key, value] : members.items()) {
    SHARDLINE_CHECK(ReadMember(key, value, options));
  }
  if (!options.choices.empty() && members.size() > 1) {
    return MustBe("The options",
                  "nothing but `ratings` or `reactions` where one of these is given");
  }
  std::vector<WantedExemption> exemptions;
  const auto exempt = [&](std::string_view collection, std::string_view field, std::string why) {
    exemptions.push_back(
        {std::string(collection), *FieldPath::Parse(field), false, std::move(why)});
  };
  const auto expire = [&](std::string_view collection, const std::string& what) {
    exempt(collection, "expireAt",
           "A TTL policy deletes " + what +
               ". The times rise, so an index of them would be a hot range.");
    exemptions.back().ttl = true;
  };
  expire(kMarkerCollection, "markers that have served");
  exempt(kMarkerCollection, "applied", kUnasked);
  expire(kKeyCollection, "keys of increments that have served");
  for (const char* field : {"applied", "change"}) exempt(kKeyCollection, field, kUnasked);
  expire(kMemberCollection, "members that were taken back");
  for (const char* field : {"before", "change", "shard"}) {
    exempt(kMemberCollection, field, kUnasked);
  }
  for (const char* field : {"readTime", "shards", "value"}) {
    exempt(kTotalsCollection, field, kUnasked);
  }
  std::vector<CompositeIndex> composites = ChoiceIndexes(options);
  if (options.reads_shards) {
    SHARDLINE_TRY(const std::string& id, ShardsCollectionId(options));
    if (options.fields.empty()) options.fields.push_back(options.layout.count_field);
    for (const std::string& field : options.fields) {
      exempt(id, field,
             "Shards' counts rise side by side, so their index takes about 500 writes a second.");
    }
  } else if (!options.fields.empty()) {
    SHARDLINE_TRY(const std::string& id, ShardsCollectionId(options));
    composites = SumIndexes(id, options.fields, 4);
  }
  return CounterIndexes{std::move(exemptions), std::move(composites)};
}

void AddComposite(RewritePlan& plan, const CompositeIndex& index) {
  if (!plan.composites) plan.composites = *IndexFile::Parse(R"({"indexes": []})");
  plan.composites->AddComposite(WriteComposite(index), index);
}

Result<std::string> MakeCounterIndexes(const PaddedText& text) {
  RewritePlan plan;
  SHARDLINE_TRY(CounterIndexes && indexes,
                ReadCounterIndexes(nlohmann::json::parse(text.view(), nullptr, false)));
  plan.exemptions = std::move(indexes.exemptions);
  for (const CompositeIndex& index : indexes.composites) AddComposite(plan, index);
  SHARDLINE_TRY(RewrittenIndexes && file,
                Rewrite(R"({"indexes": [], "fieldOverrides": []})", plan));
  return std::move(file.text);
}

}  // namespace shardline
