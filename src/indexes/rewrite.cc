#include "indexes/rewrite.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "indexes/audit.h"
#include "indexes/index_text.h"
#include "indexes/rising_fields.h"
#include "indexes/wanted_index.h"

namespace shardline {
namespace {

using nlohmann::ordered_json;

bool IsKnown(const CompositeIndex& index) {
  return std::all_of(index.fields.begin(), index.fields.end(),
                     [](const IndexField& field) { return field.mode <= IndexMode::kContains; });
}

// The part of the plan that changes anything: a collection that one index can take stays.
RewritePlan Needed(const RewritePlan& plan) {
  constexpr double kWritesOfAnIndex = 500;
  RewritePlan needed = plan;
  std::erase_if(needed.collections, [](const ShardedIndexes& each) {
    return each.is_sharded &&
           each.writes_per_second.value_or(kWritesOfAnIndex + 1) <= kWritesOfAnIndex;
  });
  return needed;
}

// Collections of one id share their indexes, so one part of the plan must not remove an index that
// another part wants. Therefore the rewrite gathers all wanted indexes first, and removes only
// indexes that no part wants.
class Rewriter {
 public:
  Rewriter(IndexFile& file, const RewritePlan& plan) : file_(file), plan_(plan) {}

  void Run() {
    AddWhatIsAskedAsItIs();
    ReplaceHotOnes();
    for (const ShardedIndexes& wanted : plan_.collections) {
      if (wanted.is_sharded && !wanted.queries) ReplaceSingles(wanted);
    }
    for (const WantedIndex& index : sharded_) Add(index);
    for (const ShardedIndexes& wanted : plan_.collections) {
      if (wanted.is_sharded && wanted.queries) NoteLostQuery(wanted);
    }
    for (const ShardedIndexes& wanted : plan_.collections) {
      if (wanted.is_sharded && plan_.remove_old) ExemptFieldsOf(wanted);
      NoteVectors(wanted);
    }
    for (const WantedExemption& wanted : plan_.exemptions) Exempt(wanted);
    for (const WantedIndex& index : singles_) AddSingle(index);
  }

  std::vector<IndexChange> TakeChanges() { return std::move(changes_); }
  std::vector<std::string> TakeNotes() { return std::move(notes_); }

 private:
  // The indexes of ordinary collections, and those in the options. They stay, also if they are hot.
  void AddWhatIsAskedAsItIs() {
    for (const ShardedIndexes& wanted : plan_.collections) {
      if (!wanted.queries) continue;
      for (const QueryIndex& query : *wanted.queries) {
        WantedIndex index = ForQuery(wanted, query);
        if (index.index.is_single()) {
          singles_.push_back(std::move(index));
        } else if (wanted.is_sharded) {
          sharded_.push_back(std::move(index));
        } else {
          Add(index);
          asked_.push_back(std::move(index));
        }
      }
    }
    if (plan_.composites) Copy(*plan_.composites);
  }

  // Adds the indexes that the file lacks. A single-field index belongs to the overrides.
  void Copy(const IndexFile& wanted) {
    for (std::size_t i = 0; i < wanted.composites().size(); ++i) {
      const CompositeIndex& index = wanted.composites()[i];
      const bool is_known = IsKnown(index);
      WantedIndex copy{index, is_known ? WriteComposite(index) : wanted.Composite(i),
                       "A query needs an index of " + Describe(index) + ".", index.fields.size()};
      if (is_known && index.is_single()) {
        singles_.push_back(std::move(copy));
        continue;
      }
      if (!IsThere(index)) AddNew(copy);
      copies_.push_back(index);
    }
  }

  // Finds the indexes that are hot for want of a shard field in front. If the plan names no
  // queries, each gets a counterpart. If no query needs the old indexes any more, they go.
  void ReplaceHotOnes() {
    for (std::size_t i = 0; i < file_.composites().size();) {
      const ShardedIndexes* first = nullptr;
      bool is_wanted = false;
      for (const ShardedIndexes& wanted : plan_.collections) {
        if (!IsHotFor(wanted, file_.composites()[i])) continue;
        if (first == nullptr) first = &wanted;
        WantedIndex counterpart = InPlaceOf(wanted, i);
        is_wanted = is_wanted || !wanted.queries || IsAskedOfShards(counterpart.index);
        if (!wanted.queries) sharded_.push_back(std::move(counterpart));
      }
      if (first == nullptr || !plan_.remove_old || IsAskedAsItIs(file_.composites()[i])) {
        ++i;
        continue;
      }
      Note(IndexChange::Kind::kRemoved, file_.Composite(i),
           WhyItGoes(*first, file_.composites()[i], is_wanted));
      file_.RemoveComposite(i);
    }
  }

  // A query by the order field alone uses an index that Firestore keeps of that field. The file
  // does not list this index, and the exemption takes it away.
  void ReplaceSingles(const ShardedIndexes& wanted) {
    sharded_.push_back(ByOrderAlone(wanted, {IndexMode::kDescending, wanted.scope}));
    sharded_.push_back(ByOrderAlone(wanted, {IndexMode::kAscending, wanted.scope}));
    for (const SingleIndex& index : SinglesOf(wanted)) {
      const bool goes = IsDirected(index.mode) && !IsAskedAsItIs(wanted, index);
      if (goes) sharded_.push_back(ByOrderAlone(wanted, index));
    }
  }

  // The owner of given queries may not know that a query by the order field alone had an index.
  void NoteLostQuery(const ShardedIndexes& wanted) {
    const std::span<const SingleIndex> singles = SinglesOf(wanted);
    const bool is_indexed = std::any_of(singles.begin(), singles.end(),
                                        [](const auto& each) { return IsDirected(each.mode); });
    if (!is_indexed) return;
    for (const IndexMode mode : {IndexMode::kDescending, IndexMode::kAscending}) {
      const SingleIndex single{mode, wanted.scope};
      if (IsAskedAsItIs(wanted, single) || IsServed(ByOrderAlone(wanted, single))) return;
    }
    notes_.push_back("Without the old indexes, no index serves a query of " +
                     wanted.collection_group + " by " + wanted.order_field.text() +
                     " alone. If your app asks for the newest documents without a filter, add `[]` "
                     "to `queries`.");
  }

  // The indexes that Firestore keeps of the order field.
  std::span<const SingleIndex> SinglesOf(const ShardedIndexes& wanted) const {
    return file_.SingleIndexes(wanted.collection_group, wanted.order_field.segments());
  }

  bool IsAskedAsItIs(const ShardedIndexes& wanted, const SingleIndex& index) const {
    return std::any_of(singles_.begin(), singles_.end(), [&](const WantedIndex& each) {
      const auto& [collection_group, scope, fields, name_descending] = each.index;
      return collection_group == wanted.collection_group && scope == index.scope &&
             fields.front() == IndexField{wanted.order_field, index.mode};
    });
  }

  bool IsThere(const CompositeIndex& index) const {
    return std::find(file_.composites().begin(), file_.composites().end(), index) !=
           file_.composites().end();
  }

  bool IsAskedAsItIs(const CompositeIndex& index) const {
    return std::any_of(asked_.begin(), asked_.end(),
                       [&](const WantedIndex& each) { return Serves(index, each); }) ||
           std::find(copies_.begin(), copies_.end(), index) != copies_.end();
  }

  bool IsAskedOfShards(const CompositeIndex& index) const {
    return std::any_of(sharded_.begin(), sharded_.end(),
                       [&](const WantedIndex& each) { return Serves(index, each); });
  }

  void ExemptFieldsOf(const ShardedIndexes& wanted) {
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
    std::vector<SingleIndex> kept;
    for (const WantedIndex& each : singles_) {
      const IndexField& field = each.index.fields.front();
      if (each.index.collection_group != wanted.collection_group || !(field.path == wanted.field)) {
        continue;
      }
      kept.push_back({field.mode, each.index.scope});
    }
    for (const FieldOverride& each : file_.overrides()) {
      const bool is_its = each.collection_group == wanted.collection_group &&
                          each.field == wanted.field && each.indexes && !plan_.remove_old;
      if (is_its) kept.insert(kept.end(), each.indexes->begin(), each.indexes->end());
    }
    const ordered_json* const entry =
        file_.Exempt(wanted.collection_group, wanted.field, wanted.ttl, kept);
    if (entry != nullptr) Note(IndexChange::Kind::kExempted, *entry, wanted.why);
  }

  void AddSingle(const WantedIndex& wanted) {
    const ordered_json* const entry = file_.AddSingle(wanted.index);
    if (entry != nullptr) Note(IndexChange::Kind::kAdded, *entry, wanted.why);
  }

  void Note(IndexChange::Kind kind, ordered_json entry, std::string why) {
    changes_.push_back({kind, std::move(entry), std::move(why)});
  }

  void NoteVectors(const ShardedIndexes& wanted) {
    for (const CompositeIndex& index : file_.composites()) {
      if (!index.has_vector() || !IsUnsharded(wanted, index)) continue;
      const std::string& order = wanted.order_field.text();
      std::string note = "The index of " + wanted.collection_group + " with ";
      note += Describe(index.fields) + " stays. " + WhyHot(wanted, index);
      note += " Write it without " + order + ", or with " + wanted.shard_field.text();
      note += " in front of " + order + " and ask findNearest() for each shard value.";
      notes_.push_back(std::move(note));
    }
  }

  bool IsHotFor(const ShardedIndexes& wanted, const CompositeIndex& index) const {
    return IsKnown(index) && IsUnsharded(wanted, index);
  }

  // True for an index that has the order field of the sharded collection, but none of the shard
  // fields that collections of its id have in front of it.
  bool IsUnsharded(const ShardedIndexes& wanted, const CompositeIndex& index) const {
    if (!wanted.is_sharded || index.collection_group != wanted.collection_group) return false;
    for (const IndexField& field : index.fields) {
      if (IsShardField(index.collection_group, field.path)) return false;
      if (field.path == wanted.order_field && IsDirected(field.mode)) return true;
    }
    return false;
  }

  bool IsShardField(const std::string& collection_group, const FieldPath& field) const {
    return std::any_of(plan_.collections.begin(), plan_.collections.end(),
                       [&](const ShardedIndexes& each) {
                         return each.is_sharded && each.collection_group == collection_group &&
                                each.shard_field == field;
                       });
  }

  // Why an index without the shard field is hot, in the words of Audit().
  static std::string WhyHot(const ShardedIndexes& wanted, const CompositeIndex& index) {
    const std::size_t position = FixedSize(wanted, index.fields);
    return ExplainHeat(
        index, {position == 0 ? Heat::kHot : Heat::kPerhaps, position, RisingFields::Answer::kYes});
  }

  static std::string WhyItGoes(const ShardedIndexes& wanted, const CompositeIndex& index,
                               bool is_wanted) {
    std::string why = WhyHot(wanted, index);
    if (!is_wanted) {
      why += " No query that you gave needs it with " + wanted.shard_field.text() + " in front.";
    }
    return why;
  }

  // The position at which the order begins, in an index of the file.
  static std::size_t FixedSize(const ShardedIndexes& wanted,
                               const std::vector<IndexField>& fields) {
    const auto order = std::find_if(fields.begin(), fields.end(), [&](const IndexField& field) {
      return field.path == wanted.order_field;
    });
    return static_cast<std::size_t>(order - fields.begin());
  }

  // The same index with the shard field in front. Keeps the rest of its entry.
  WantedIndex InPlaceOf(const ShardedIndexes& wanted, std::size_t at) const {
    CompositeIndex index = file_.composites()[at];
    const bool has_usual_name = index.has_usual_name();
    PutShardFirst(wanted, index.fields);
    if (has_usual_name) index.name_descending = UsualNameDescending(index.fields);
    ordered_json entry = file_.Composite(at);
    ordered_json fields = ordered_json::array();
    fields.push_back(WriteField(index.fields.front()));
    for (const ordered_json& field : file_.Composite(at)["fields"]) {
      const Result<FieldPath> path = FieldPath::Parse(field["fieldPath"].get<std::string>());
      if (path && !(*path == wanted.shard_field)) fields.push_back(field);
    }
    if (fields.back()["fieldPath"] == "__name__") fields.erase(fields.size() - 1);
    if (!index.has_usual_name()) fields.push_back(WriteField(NameOf(index)));
    entry["fields"] = std::move(fields);
    const std::size_t fixed = FixedSize(wanted, index.fields);
    return {std::move(index), std::move(entry),
            "It takes the place of the index without " + wanted.shard_field.text() +
                " in front: writes spread over as many ranges as there are shards.",
            fixed};
  }

  bool IsServed(const WantedIndex& wanted) const {
    return std::any_of(file_.composites().begin(), file_.composites().end(),
                       [&](const CompositeIndex& each) { return Serves(each, wanted); });
  }

  void Add(const WantedIndex& wanted) {
    // An index that has a field twice serves nothing.
    if (!IsServed(wanted) && !IsThere(wanted.index)) AddNew(wanted);
  }

  void AddNew(const WantedIndex& wanted) {
    Note(IndexChange::Kind::kAdded, wanted.entry, wanted.why);
    file_.AddComposite(wanted.entry, wanted.index);
  }

  IndexFile& file_;
  const RewritePlan& plan_;
  std::vector<WantedIndex> sharded_;  // With the shard field in front.
  std::vector<WantedIndex> asked_;    // The indexes of ordinary collections.
  std::vector<CompositeIndex> copies_;
  std::vector<WantedIndex> singles_;
  std::vector<IndexChange> changes_;
  std::vector<std::string> notes_;
};

}  // namespace

Result<RewrittenIndexes> Rewrite(std::string_view text, const RewritePlan& plan) {
  SHARDLINE_TRY(IndexFile && file, IndexFile::Parse(text));
  const RewritePlan needed = Needed(plan);
  Rewriter rewriter(file, needed);
  rewriter.Run();
  RewrittenIndexes result;
  result.changes = rewriter.TakeChanges();
  result.notes = rewriter.TakeNotes();
  result.comments_lost = file.has_comments() && !result.changes.empty();
  if (!result.changes.empty()) file.EnsureIndexes();
  result.text = result.changes.empty() ? std::string(text) : WriteIndexText(file.root(), text);
  return result;
}

}  // namespace shardline
