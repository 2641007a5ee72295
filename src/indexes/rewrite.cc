#include "indexes/rewrite.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "indexes/index_text.h"

namespace shardline {
namespace {

using nlohmann::ordered_json;

// An index that is to be there, and the entry to be written if it is not.
struct WantedIndex {
  CompositeIndex index;
  ordered_json entry;
  std::string why;
  std::size_t fixed;  // See QueryIndex.
};

// What a query asks that needs this index.
QueryShape ShapeOf(const WantedIndex& wanted) {
  QueryShape shape;
  const std::vector<IndexField>& fields = wanted.index.fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i >= wanted.fixed && IsDirected(fields[i].mode)) {
      shape.AddOrder(fields[i].path, fields[i].mode == IndexMode::kDescending);
    } else {
      shape.AddFixed(fields[i].path, fields[i].mode);
    }
  }
  return shape;
}

class Rewriter {
 public:
  explicit Rewriter(IndexFile& file) : file_(file) {}

  void Shard(const ShardedIndexes& wanted) {
    std::vector<WantedIndex> indexes;
    if (wanted.queries) {
      for (const QueryIndex& query : *wanted.queries) indexes.push_back(ForQuery(wanted, query));
    }
    if (!wanted.is_sharded) {
      for (WantedIndex& index : indexes) Add(std::move(index));
      return;
    }
    for (std::size_t i = 0; i < file_.composites().size();) {
      if (!Goes(wanted, file_.composites()[i])) {
        ++i;
        continue;
      }
      WantedIndex counterpart = InPlaceOf(wanted, i);
      const bool is_wanted =
          !wanted.queries || std::any_of(indexes.begin(), indexes.end(), [&](const auto& each) {
            return ShapeOf(each).IsServedBy(counterpart.index.fields);
          });
      Note(IndexChange::Kind::kRemoved, file_.Composite(i), WhyItGoes(wanted, is_wanted));
      file_.RemoveComposite(i);
      if (!wanted.queries) indexes.push_back(std::move(counterpart));
    }
    for (WantedIndex& index : indexes) Add(std::move(index));
    const std::string queries =
        ": its queries use the indexes that begin with " + wanted.shard_field.text() + ".";
    Exempt({wanted.collection_group, wanted.order_field, false,
            wanted.order_field.text() +
                " rises, so an index of it alone takes about 500 writes a second" + queries});
    Exempt({wanted.collection_group, wanted.shard_field, false,
            wanted.shard_field.text() +
                " has few values, so an index of it alone is a hot range for each" + queries});
  }

  void Exempt(const WantedExemption& wanted) {
    const ordered_json* const entry =
        file_.Exempt(wanted.collection_group, wanted.field, wanted.ttl);
    if (entry != nullptr) Note(IndexChange::Kind::kExempted, *entry, wanted.why);
  }

  // Adds what the file does not have yet. An index of a single field belongs to the overrides.
  void Copy(const IndexFile& wanted) {
    for (std::size_t i = 0; i < wanted.composites().size(); ++i) {
      const CompositeIndex& index = wanted.composites()[i];
      const std::string why = "A query needs an index of " + Describe(index.fields) + ".";
      const bool is_known =
          std::all_of(index.fields.begin(), index.fields.end(),
                      [](const IndexField& field) { return field.mode <= IndexMode::kContains; });
      if (is_known && index.fields.size() == 1) {
        const ordered_json* const entry = file_.AddSingle(index);
        if (entry != nullptr) Note(IndexChange::Kind::kAdded, *entry, why);
        continue;
      }
      const auto is_same = [&](const CompositeIndex& other) {
        return other.collection_group == index.collection_group && other.scope == index.scope &&
               other.fields == index.fields;
      };
      if (std::any_of(file_.composites().begin(), file_.composites().end(), is_same)) continue;
      ordered_json entry = is_known ? WriteComposite(index) : wanted.Composite(i);
      Note(IndexChange::Kind::kAdded, entry, why);
      file_.AddComposite(std::move(entry), index);
    }
  }

  std::vector<IndexChange> TakeChanges() { return std::move(changes_); }

 private:
  void Note(IndexChange::Kind kind, ordered_json entry, std::string why) {
    changes_.push_back({kind, std::move(entry), std::move(why)});
  }

  // True for an index that has the order field, but not the shard field in front of it.
  static bool Goes(const ShardedIndexes& wanted, const CompositeIndex& index) {
    if (index.collection_group != wanted.collection_group) return false;
    const auto is_strange = [](const IndexField& field) {
      return field.mode > IndexMode::kContains;
    };
    if (std::any_of(index.fields.begin(), index.fields.end(), is_strange)) return false;
    for (const IndexField& field : index.fields) {
      if (field.path == wanted.shard_field) return false;
      if (field.path == wanted.order_field && IsDirected(field.mode)) return true;
    }
    return false;
  }

  static std::string WhyItGoes(const ShardedIndexes& wanted, bool is_wanted) {
    std::string why = wanted.order_field.text() + " rises, and " + wanted.shard_field.text() +
                      " is not in front of it: every document adds an entry to the same hot range.";
    if (!is_wanted) why += " None of the queries given needs it with the shard in front.";
    return why;
  }

  // Puts the shard field in front, in the direction of the order, as the documentation has it; any
  // direction will do.
  static void PutShardFirst(const ShardedIndexes& wanted, std::vector<IndexField>& fields) {
    const auto is_shard = [&](const IndexField& field) { return field.path == wanted.shard_field; };
    fields.erase(std::remove_if(fields.begin(), fields.end(), is_shard), fields.end());
    const auto order = std::find_if(fields.begin(), fields.end(), [&](const IndexField& field) {
      return field.path == wanted.order_field && IsDirected(field.mode);
    });
    const IndexMode mode = order == fields.end() ? IndexMode::kAscending : order->mode;
    fields.insert(fields.begin(), {wanted.shard_field, mode});
  }

  static WantedIndex ForQuery(const ShardedIndexes& wanted, const QueryIndex& query) {
    std::vector<IndexField> fields = query.fields;
    // The shard is one more, unless it is there.
    std::size_t fixed = query.fixed;
    if (wanted.is_sharded) {
      PutShardFirst(wanted, fields);
      fixed += fields.size() - query.fields.size();
    }
    std::string why = "A query needs an index of " + Describe(fields) + ".";
    if (wanted.is_sharded) {
      why += " With " + wanted.shard_field.text() +
             " in front, writes spread over as many ranges as there are shards.";
    }
    CompositeIndex index{wanted.collection_group, wanted.scope, std::move(fields)};
    ordered_json entry = WriteComposite(index);
    return {std::move(index), std::move(entry), std::move(why), fixed};
  }

  // Where the order begins, in an index of the file.
  static std::size_t FixedSize(const ShardedIndexes& wanted,
                               const std::vector<IndexField>& fields) {
    const auto order = std::find_if(fields.begin(), fields.end(), [&](const IndexField& field) {
      return field.path == wanted.order_field;
    });
    return static_cast<std::size_t>(order - fields.begin());
  }

  // The same index with the shard field in front. What else its entry says is kept.
  WantedIndex InPlaceOf(const ShardedIndexes& wanted, std::size_t at) const {
    CompositeIndex index = file_.composites()[at];
    PutShardFirst(wanted, index.fields);
    ordered_json entry = file_.Composite(at);
    ordered_json fields = ordered_json::array();
    fields.push_back(WriteField(index.fields.front()));
    for (ordered_json& field : entry["fields"]) {
      const Result<FieldPath> path = FieldPath::Parse(field["fieldPath"].get<std::string>());
      if (path && !(*path == wanted.shard_field)) fields.push_back(std::move(field));
    }
    entry["fields"] = std::move(fields);
    const std::size_t fixed = FixedSize(wanted, index.fields);
    return {std::move(index), std::move(entry),
            "It takes the place of the index without " + wanted.shard_field.text() +
                " in front: writes spread over as many ranges as there are shards.",
            fixed};
  }

  void Add(WantedIndex wanted) {
    const QueryShape shape = ShapeOf(wanted);
    const auto serves = [&](const CompositeIndex& index) {
      return index.collection_group == wanted.index.collection_group &&
             index.scope == wanted.index.scope && shape.IsServedBy(index.fields);
    };
    if (std::any_of(file_.composites().begin(), file_.composites().end(), serves)) return;
    Note(IndexChange::Kind::kAdded, wanted.entry, std::move(wanted.why));
    file_.AddComposite(std::move(wanted.entry), std::move(wanted.index));
  }

  IndexFile& file_;
  std::vector<IndexChange> changes_;
};

}  // namespace

Result<RewrittenIndexes> Rewrite(std::string_view text, const RewritePlan& plan) {
  SHARDLINE_TRY(IndexFile && file, IndexFile::Parse(text));
  Rewriter rewriter(file);
  for (const ShardedIndexes& wanted : plan.collections) rewriter.Shard(wanted);
  if (plan.composites) rewriter.Copy(*plan.composites);
  for (const WantedExemption& wanted : plan.exemptions) rewriter.Exempt(wanted);
  RewrittenIndexes result;
  result.changes = rewriter.TakeChanges();
  result.comments_lost = file.has_comments() && !result.changes.empty();
  result.text = result.changes.empty() ? std::string(text) : WriteIndexText(file.root(), text);
  return result;
}

}  // namespace shardline
