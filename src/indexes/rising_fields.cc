#include "indexes/rising_fields.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace shardline {
namespace {

bool IsIn(const std::vector<FieldPath>& fields, const FieldPath& field) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

// The last word of a name: "at" of createdAt and of created_at.
std::string LastWord(const std::string& name) {
  std::string word;
  for (auto c = name.rbegin(); c != name.rend(); ++c) {
    if (*c == '_' || *c == '-' || *c == ' ') {
      if (word.empty()) continue;
      break;
    }
    word.insert(word.begin(), static_cast<char>(std::tolower(static_cast<unsigned char>(*c))));
    const bool begins_word = std::isupper(static_cast<unsigned char>(*c)) != 0;
    const auto before = std::next(c);
    if (begins_word && before != name.rend() &&
        std::islower(static_cast<unsigned char>(*before)) != 0) {
      break;
    }
  }
  return word;
}

bool SoundsRising(const FieldPath& field) {
  constexpr std::string_view kWords[] = {"time",    "timestamp", "date",     "datetime", "at",
                                         "created", "updated",   "modified", "ts",       "seq",
                                         "seqno",   "sequence",  "millis",   "epoch"};
  const std::string& name = field.segments().back();
  const std::string word = LastWord(name);
  if (word == "at" && name.size() == 2) return false;  // A place, more likely.
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

void RisingFields::Know(const std::string& collection_group, const FieldPath& field) {
  std::vector<FieldPath>& fields = known_[collection_group];
  if (!IsIn(fields, field)) fields.push_back(field);
}

void RisingFields::Expires(const std::string& collection_group, const FieldPath& field) {
  expiring_[collection_group].push_back(field);
}

void RisingFields::Shard(const std::string& collection_group, const FieldPath& field) {
  shards_[collection_group].push_back(field);
}

RisingFields::Answer RisingFields::Rises(const std::string& collection_group,
                                         const FieldPath& field) const {
  const auto known = known_.find(collection_group);
  if (known != known_.end()) return IsIn(known->second, field) ? Answer::kYes : Answer::kNo;
  const auto expiring = expiring_.find(collection_group);
  if (expiring != expiring_.end() && IsIn(expiring->second, field)) return Answer::kYes;
  return SoundsRising(field) ? Answer::kGuess : Answer::kNo;
}

bool RisingFields::IsShard(const std::string& collection_group, const FieldPath& field) const {
  const auto shards = shards_.find(collection_group);
  return shards != shards_.end() ? IsIn(shards->second, field) : field.text() == "shard";
}

HotField FindHotField(const RisingFields& rising, const CompositeIndex& index) {
  for (std::size_t i = 0; i < index.fields.size(); ++i) {
    const IndexField& field = index.fields[i];
    if (rising.IsShard(index.collection_group, field.path)) return {};
    // Elements of arrays and vectors are no order of documents.
    const bool ordered =
        field.mode == IndexMode::kAscending || field.mode == IndexMode::kDescending;
    const RisingFields::Answer answer = rising.Rises(index.collection_group, field.path);
    if (!ordered || answer == RisingFields::Answer::kNo) continue;
    return {i == 0 ? Heat::kHot : Heat::kPerhaps, i, answer == RisingFields::Answer::kGuess};
  }
  return {};
}

}  // namespace shardline
