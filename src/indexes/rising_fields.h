#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "firestore/field_path.h"
#include "indexes/index_file.h"

namespace shardline {

// Which fields have values that only rise or only fall from one document to the next, so that all
// new index entries go to one end: a hot range.
class RisingFields {
 public:
  // In this collection no field rises but those that Know() names.
  void KnowCollection(const std::string& collection_group) { known_[collection_group]; }
  void Know(const std::string& collection_group, const FieldPath& field);
  // The field says when a document may be deleted, which rises unless Know() or KnowCollection()
  // has been told of this collection.
  void Expires(const std::string& collection_group, const FieldPath& field);
  // Documents of the collection have this field with values at random, to be put in front.
  void Shard(const std::string& collection_group, const FieldPath& field);

  enum class Answer : std::uint8_t { kNo, kGuess, kYes };
  // For an unknown field, the last part of its name decides: time, createdAt, updated_at,
  // timestamp, date, seq, …
  Answer Rises(const std::string& collection_group, const FieldPath& field) const;
  // True of a field that Shard() has named; where it has named none, of `shard`.
  bool IsShard(const std::string& collection_group, const FieldPath& field) const;

  // Those that Know() has named.
  const std::map<std::string, std::vector<FieldPath>>& known() const { return known_; }

 private:
  std::map<std::string, std::vector<FieldPath>> known_;
  std::map<std::string, std::vector<FieldPath>> expiring_;
  std::map<std::string, std::vector<FieldPath>> shards_;
};

// How much of an index's writes go to one place.
enum class Heat : std::uint8_t {
  kNone,
  kPerhaps,  // To as many as there are values of the fields in front, if they are evenly used.
  kHot,      // All to one end.
};

struct HotField {
  Heat heat = Heat::kNone;
  std::size_t position = 0;  // The place of the rising field in the index.
  bool is_guess = false;
};

// The hottest rising field of an index with these fields.
HotField FindHotField(const RisingFields& rising, const CompositeIndex& index);

}  // namespace shardline
