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
// (https://firebase.google.com/docs/firestore/solutions/shard-timestamp).
struct Finding {
  enum class Where : std::uint8_t { kSingleField, kComposite };

  Where where = Where::kComposite;
  Heat heat = Heat::kHot;
  std::string collection_group;
  IndexScope scope = IndexScope::kCollection;
  FieldPath field;               // The one that rises.
  nlohmann::ordered_json index;  // Its `fields` as in the file; null for a single field.
  bool is_guess = false;
  // Sentences: what happens, and what to do about it.
  std::string why;
  std::string todo;
};

// The sentence about an index with such a field: see `why`.
std::string ExplainHeat(const CompositeIndex& index, const HotField& hot);

// The indexes of a file that are hot, or may be: those that it lists, and those that Firestore
// keeps of each rising field that the file or `told` names, by itself or for an override. A field
// with a TTL policy rises unless `told` has it otherwise.
std::vector<Finding> Audit(const IndexFile& file, const RisingFields& told);

// JavaScript calls this. Takes JSON, [text, options], where options are
//
//   rising  {collection: [field, …]}: the fields of a collection that rise; its others do not. In
//           collections that are not named, fields with a TTL policy do, and others are guessed by
//           their names.
//   shards  {collection: [field, …]}: fields with values at random. Default: `shard` everywhere.
//
// Returns [{where, risk, collection, scope, field, index, guessed, why, todo}], the hottest first.
Result<std::string> AuditIndexes(const PaddedText& arguments);

}  // namespace shardline
