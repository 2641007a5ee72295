#include "indexes/rising_fields.h"

#include <algorithm>
#include <cstddef>

#include "indexes/name_words.h"

namespace shardline {
namespace {

bool IsIn(const std::vector<FieldPath>& fields, const FieldPath& field) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

bool IsIn(const RisingFields::Fields& fields, const std::string& collection_group,
          const FieldPath& field) {
  const auto found = fields.find(collection_group);
  return found != fields.end() && IsIn(found->second, field);
}

}  // namespace

void RisingFields::Know(const std::string& collection_group, const FieldPath& field) {
  std::vector<FieldPath>& fields = known_[collection_group];
  if (!IsIn(fields, field)) fields.push_back(field);
}

void RisingFields::KnowNot(const std::string& collection_group, const FieldPath& field) {
  known_not_[collection_group].push_back(field);
}

void RisingFields::Expires(const std::string& collection_group, const FieldPath& field) {
  expiring_[collection_group].push_back(field);
}

void RisingFields::Shard(const std::string& collection_group, const FieldPath& field) {
  shards_[collection_group].push_back(field);
}

RisingFields::Answer RisingFields::Rises(const std::string& collection_group,
                                         const FieldPath& field) const {
  if (IsIn(known_, collection_group, field)) return Answer::kYes;
  if (complete_.count(collection_group) != 0 || IsIn(known_not_, collection_group, field)) {
    return Answer::kNo;
  }
  if (IsIn(expiring_, collection_group, field)) return Answer::kTtl;
  return SoundsRising(field) ? Answer::kName : Answer::kNo;
}

bool RisingFields::IsShard(const std::string& collection_group, const FieldPath& field) const {
  if (shards_.count(collection_group) == 0) return field.text() == "shard";
  return IsIn(shards_, collection_group, field);
}

HotField FindHotField(const RisingFields& rising, const CompositeIndex& index) {
  HotField hint;
  for (std::size_t i = 0; i < index.fields.size(); ++i) {
    const IndexField& field = index.fields[i];
    if (rising.IsShard(index.collection_group, field.path)) break;
    // Elements of arrays and vectors are no order of documents.
    if (!IsDirected(field.mode)) continue;
    const RisingFields::Answer answer = rising.Rises(index.collection_group, field.path);
    if (answer == RisingFields::Answer::kNo) continue;
    const HotField found{i == 0 ? Heat::kHot : Heat::kPerhaps, i, answer};
    if (!found.is_hint()) return found;
    if (hint.heat == Heat::kNone) hint = found;
  }
  return hint;
}

}  // namespace shardline
