#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "firestore/query_shape.h"

namespace shardline {

// The scope of an index over collections of one id: each collection by itself, or all of them
// together.
enum class IndexScope : std::uint8_t { kCollection, kCollectionGroup };

// An entry of `indexes`.
struct CompositeIndex {
  std::string collection_group;
  IndexScope scope = IndexScope::kCollection;
  // The fields without the `__name__` that ends every index. An earlier `__name__` is a field.
  std::vector<IndexField> fields;
  // The direction of the last `__name__`.
  bool name_descending = false;

  // Whether `__name__` has the direction that it has if the file does not name it.
  bool has_usual_name() const { return name_descending == UsualNameDescending(fields); }
  // Whether it is a single-field index, which belongs to `fieldOverrides`.
  bool is_single() const { return fields.size() == 1 && has_usual_name(); }
  bool has_vector() const;

  bool operator==(const CompositeIndex&) const = default;
};

// An index of one field by itself.
struct SingleIndex {
  IndexMode mode = IndexMode::kAscending;
  IndexScope scope = IndexScope::kCollection;

  bool operator==(const SingleIndex&) const = default;
};

// The automatic indexes that Firestore keeps of every field without an override. They serve no
// query on all collections of an id
// (https://firebase.google.com/docs/firestore/query-data/index-overview#automatic_indexing).
inline constexpr SingleIndex kAutomaticIndexes[] = {
    {IndexMode::kAscending}, {IndexMode::kDescending}, {IndexMode::kContains}};

// An entry of `fieldOverrides`: the indexes of a single field, in place of the automatic ones.
struct FieldOverride {
  std::string collection_group;
  // nullopt for "*": all fields of the collection that no other entry names.
  std::optional<FieldPath> field;
  bool ttl = false;
  // nullopt if the entry has no indexes, for example if it is only a TTL policy.
  std::optional<std::vector<SingleIndex>> indexes;
};

// The model of firestore.indexes.json
// (https://firebase.google.com/docs/reference/firestore/indexes) for all static analysis. Unknown
// parts of the file stay unchanged, in their places.
class IndexFile {
 public:
  // kInvalidArgument names the fault and its place in the file.
  static Result<IndexFile> Parse(std::string_view text);

  // The entries of `indexes`, in the file's order.
  const std::vector<CompositeIndex>& composites() const { return composites_; }
  const std::vector<FieldOverride>& overrides() const { return overrides_; }
  // The same entries in full.
  const nlohmann::ordered_json& Composite(std::size_t index) const {
    return root_["indexes"][index];
  }
  const nlohmann::ordered_json& Override(std::size_t index) const {
    return root_["fieldOverrides"][index];
  }

  // Adds the list `indexes` if there is none: the Firebase CLI deploys no file without it.
  void EnsureIndexes() { List("indexes"); }
  void AddComposite(nlohmann::ordered_json entry, CompositeIndex index);
  void RemoveComposite(std::size_t index);
  // Gives the field an index of its own, next to the ones that it has. Returns the entry if the
  // file changes, otherwise null. Requires a mode that the library knows, except vectors.
  const nlohmann::ordered_json* AddSingle(const CompositeIndex& index);
  // Exempts the field from indexing except `kept`, and with `ttl` makes it the field of a TTL
  // policy. Returns the entry if the file changes, otherwise null.
  const nlohmann::ordered_json* Exempt(const std::string& collection_group, const FieldPath& field,
                                       bool ttl, const std::vector<SingleIndex>& kept);

  // The single-field indexes of the field. The first of these decides: the field's own entry, the
  // entry of the nearest map around it, the entry of "*", the automatic indexes
  // (https://firebase.google.com/docs/firestore/query-data/index-overview#automatic_indexing).
  // `names` are the names of the maps around the field and its own: FieldPath::segments().
  std::span<const SingleIndex> SingleIndexes(std::string_view collection_group,
                                             const std::vector<std::string>& names) const;
  // True if the field has no single-field index.
  bool IsExempt(std::string_view collection_group, const std::vector<std::string>& names) const {
    return SingleIndexes(collection_group, names).empty();
  }

  const nlohmann::ordered_json& root() const { return root_; }
  bool has_comments() const { return has_comments_; }

 private:
  IndexFile() = default;

  Status Read();
  nlohmann::ordered_json& List(const char* name);
  // The number of the override that SingleIndexes() follows; the number of overrides if it follows
  // no override.
  std::size_t Nearest(std::string_view collection_group,
                      const std::vector<std::string>& names) const;
  // The number of the field's own entry. Adds one at the end if there is none.
  std::size_t Own(const std::string& collection_group, const FieldPath& field);

  nlohmann::ordered_json root_;
  std::vector<CompositeIndex> composites_;
  std::vector<FieldOverride> overrides_;
  bool has_comments_ = false;
};

// {collectionGroup, queryScope, fields: [{fieldPath, order | arrayConfig}]}, with `__name__` if its
// direction is not the usual one.
nlohmann::ordered_json WriteComposite(const CompositeIndex& index);

// The `__name__` that ends the index.
IndexField NameOf(const CompositeIndex& index);

// {fieldPath, order | arrayConfig}; requires a mode that the library knows, except vectors.
nlohmann::ordered_json WriteField(const IndexField& field);

// {order | arrayConfig, queryScope}; requires the same.
nlohmann::ordered_json WriteSingle(const SingleIndex& index);

// "timestamp descending, tags by element"
std::string Describe(const std::vector<IndexField>& fields);
// The same, with `__name__` if its direction is not the usual one.
std::string Describe(const CompositeIndex& index);

}  // namespace shardline
