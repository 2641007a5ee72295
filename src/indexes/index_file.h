#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "firestore/query_shape.h"

namespace shardline {

// Collections of one id: those below one parent each by itself, or all of them together.
enum class IndexScope : std::uint8_t { kCollection, kCollectionGroup };

// An entry of `indexes`.
struct CompositeIndex {
  std::string collection_group;
  IndexScope scope = IndexScope::kCollection;
  // Without `__name__`, which ends every index.
  std::vector<IndexField> fields;
};

// An entry of `fieldOverrides`: what Firestore keeps of a single field, in place of the indexes
// that it keeps of every field (ascending, descending and by element, for a collection).
struct FieldOverride {
  std::string collection_group;
  // nullopt for "*": all fields of the collection that no other entry names.
  std::optional<FieldPath> field;
  bool ttl = false;
  // How many indexes the entry lists; nullopt if it says nothing of them, as one that is only a TTL
  // policy does.
  std::optional<std::size_t> index_count;
};

// The content of firestore.indexes.json
// (https://firebase.google.com/docs/reference/firestore/indexes). What the library does not know
// of it stays as it is, where it is.
class IndexFile {
 public:
  // kInvalidArgument says where in the file what is wrong.
  static Result<IndexFile> Parse(std::string_view text);

  // As listed in the file, entry by entry.
  const std::vector<CompositeIndex>& composites() const { return composites_; }
  const std::vector<FieldOverride>& overrides() const { return overrides_; }
  // The same entries in full.
  const nlohmann::ordered_json& Composite(std::size_t index) const {
    return root_["indexes"][index];
  }
  const nlohmann::ordered_json& Override(std::size_t index) const {
    return root_["fieldOverrides"][index];
  }

  void AddComposite(nlohmann::ordered_json entry, CompositeIndex index);
  void RemoveComposite(std::size_t index);
  // Gives the field an index of its own, which an entry of `fieldOverrides` denies it. Returns the
  // entry if that changes anything, otherwise null. Requires a mode that the library knows, but for
  // vectors.
  const nlohmann::ordered_json* AddSingle(const CompositeIndex& index);
  // Exempts the field from indexing, and with `ttl` deletes documents when it says so. Returns the
  // entry if that changes anything, otherwise null.
  const nlohmann::ordered_json* Exempt(const std::string& collection_group, const FieldPath& field,
                                       bool ttl);

  // True if the file says that the field has no index of its own. The entry of the field counts,
  // otherwise that of the nearest map around it, otherwise that of "*"
  // (https://firebase.google.com/docs/firestore/query-data/index-overview#automatic_indexing).
  // `names` are the field's and those of the maps around it: FieldPath::segments().
  bool IsExempt(std::string_view collection_group, const std::vector<std::string>& names) const;

  const nlohmann::ordered_json& root() const { return root_; }
  bool has_comments() const { return has_comments_; }

 private:
  IndexFile() = default;

  Status Read();
  nlohmann::ordered_json& List(const char* name);

  nlohmann::ordered_json root_;
  std::vector<CompositeIndex> composites_;
  std::vector<FieldOverride> overrides_;
  bool has_comments_ = false;
};

// {collectionGroup, queryScope, fields: [{fieldPath, order | arrayConfig}]}
nlohmann::ordered_json WriteComposite(const CompositeIndex& index);

// {fieldPath, order | arrayConfig}; requires a mode that the library knows, but for vectors.
nlohmann::ordered_json WriteField(const IndexField& field);

// "timestamp descending, tags by element"
std::string Describe(const std::vector<IndexField>& fields);

}  // namespace shardline
