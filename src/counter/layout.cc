#include "counter/layout.h"

#include <cstddef>
#include <utility>

#include "base/reason.h"

namespace shardline {
namespace {

// Empty for none.
struct PresetRow {
  std::string_view name;
  std::string_view shard_collection;
  std::string_view count_field;
  std::string_view shard_count_field;
};

constexpr PresetRow kPresets[] = {
    {"web-sample", "shards", "count", "num_shards"},
    {"mobile-sample", "shards", "count", "numShards"},
    {"node-sample", "shards", "count", ""},
    {"go-sample", "shards", "Count", ""},
    {"php-sample", "", "Cnt", ""},
    {"ruby-sample", "", "count", ""},
    {"collection", "", "count", ""},
    {"extension", "_counter_shards_", "", ""},
};

}  // namespace

Result<Layout> Layout::Preset(std::string_view name) {
  for (const PresetRow& row : kPresets) {
    if (row.name != name) continue;
    Layout layout;
    if (!row.shard_collection.empty()) layout.shard_collection = row.shard_collection;
    layout.count_field = row.count_field;
    if (!row.shard_count_field.empty()) layout.shard_count_field = row.shard_count_field;
    layout.is_extension = row.count_field.empty();
    return layout;
  }
  constexpr std::size_t kMaxShown = 100;
  return Fail(kArgumentNotAllowed, "There is no layout '").With("argument", "layout")
         << name.substr(0, kMaxShown) << "': it is "
         << Param{"allowed",
                  "one of web-sample, mobile-sample, node-sample, go-sample, php-sample, "
                  "ruby-sample, collection and extension, or an "
                  "object {shardCollection, countField, shardCountField, parent}"}
         << ".";
}

}  // namespace shardline
