#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "indexes/index_file.h"
#include "indexes/rising_fields.h"

namespace shardline {

// An index that takes about 500 writes a second, because its new entries go to one end of it
// (https://firebase.google.com/docs/firestore/solutions/shard-timestamp). A candidate is an index
// that takes no more if the hint about its field is right.
struct Finding {
  enum class Where : std::uint8_t { kSingleField, kComposite };

  Where where = Where::kComposite;
  Heat heat = Heat::kHot;
  std::string collection_group;
  IndexScope scope = IndexScope::kCollection;
  FieldPath field;               // The rising field.
  nlohmann::ordered_json index;  // Its `fields` in the file's form; null for a single field.
  RisingFields::Answer answer = RisingFields::Answer::kYes;
  // Sentences: the reason why the index is hot, and the advice.
  std::string why;
  std::string todo;

  bool is_candidate() const { return answer != RisingFields::Answer::kYes; }
};

// The sentence about an index with such a field, for `why`.
std::string ExplainHeat(const CompositeIndex& index, const HotField& hot);

// Static analysis of an index file: its indexes that are hot, or may be. It includes the
// single-field indexes that Firestore keeps of each rising field that the file or `told` names.
std::vector<Finding> Audit(const IndexFile& file, const RisingFields& told);

// JavaScript calls this. Takes JSON, [text, options], with the options
//
//   rising     {collection: [field, …]}: fields that rise
//   notRising  {collection: [field, …]}: fields that do not, whatever their names suggest; "*"
//              means every field of the collection that `rising` does not name
//   shards     {collection: [field, …]}: fields with values at random. Default: `shard` everywhere.
//
// Returns {findings: […], candidates: […]}, the hottest first. A finding is {where, risk,
// collection, scope, field, index, why, todo}. A candidate's risk is "perhaps", and it has a
// `hint`: "name", or "ttl" for a field with a TTL policy.
Result<std::string> AuditIndexes(const PaddedText& arguments);

}  // namespace shardline
