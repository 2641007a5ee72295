#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "firestore/field_path.h"
#include "indexes/index_file.h"

namespace shardline {

// The fields whose values only rise, or only fall, from one document to the next: all new index
// entries go to one end, a hot range.
class RisingFields {
 public:
  void Know(const std::string& collection_group, const FieldPath& field);
  void KnowNot(const std::string& collection_group, const FieldPath& field);
  // Only the fields that Know() names rise in this collection.
  void KnowNoOther(const std::string& collection_group) { complete_.insert(collection_group); }
  // The field has a TTL policy. Documents often expire in the order in which they were written.
  void Expires(const std::string& collection_group, const FieldPath& field);
  // Documents of the collection have random values in this field, which an index has in front.
  void Shard(const std::string& collection_group, const FieldPath& field);

  // Only kYes is knowledge. The others are hints.
  enum class Answer : std::uint8_t { kNo, kName, kTtl, kYes };
  Answer Rises(const std::string& collection_group, const FieldPath& field) const;
  // True for a field that Shard() has named. If Shard() has named no field, true for `shard`.
  bool IsShard(const std::string& collection_group, const FieldPath& field) const;

  using Fields = std::map<std::string, std::vector<FieldPath>>;
  // The fields that Know() has named.
  const Fields& known() const { return known_; }

 private:
  Fields known_;
  Fields known_not_;
  std::set<std::string> complete_;
  Fields expiring_;
  Fields shards_;
};

// How many of an index's writes go to one place.
enum class Heat : std::uint8_t {
  kNone,
  kPerhaps,  // To as many places as the fields in front have values, if these are equally frequent.
  kHot,      // All go to one end.
};

struct HotField {
  Heat heat = Heat::kNone;
  std::size_t position = 0;  // The place of the rising field in the index.
  RisingFields::Answer answer = RisingFields::Answer::kNo;

  bool is_hint() const { return answer != RisingFields::Answer::kYes; }
};

// The field that makes the index hot: the first field that is known to rise; if no field is known,
// the first with a hint. That heat is right if the hint is.
HotField FindHotField(const RisingFields& rising, const CompositeIndex& index);

}  // namespace shardline
