// Reads documents for counters: one number of each, and whether other fields are in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/amount.h"
#include "firestore/answers.h"
#include "firestore/field_path.h"

namespace shardline {

struct CountedDocument {
  std::string name;
  // As the server wrote it, so that it can be sent back; empty if there is no such document.
  std::string update_time;
  bool has_field = false;
  // The field's value, if it is a number. For a partial, the sum of its numbers.
  std::optional<Amount> amount;

  // The following is true of the fields that were read of the document: ask for all fields before
  // relying on it.
  //
  // The number of names of the field's path that lead to the outermost value that holds nothing
  // else; 0 if that is the document itself. For a.b.c in {a: {b: {c: 1}}, d: 2} it is 1: a can be
  // removed.
  std::size_t own_names = 0;
  // Another field holds a number, or a list of numbers: it may be another counter's.
  bool counts_for_others = false;
  bool has_others() const { return own_names > 0; }
};

// True for the partials that workers of the firestore-counter extension make beside the shards:
// their ids begin with a tab. Instead of the field they hold a list of the amounts that were added
// to it, also negative ones: {_updates_: [{_id_: "…", _data_: {visits: 7}}, …]}. It is read if the
// answer has all of the document.
bool IsPartial(std::string_view name);

struct CountedDocuments {
  std::vector<CountedDocument> documents;
  std::string read_time;
};

// Reads the answer to a :batchGet or a :runQuery; `field` holds the number.
Status DecodeCounts(const PaddedText& body, const FieldPath& field, CountedDocuments& counts,
                    StreamedAnswer::Asked asked);

// The same for a :batchGet of one document, which must be the one of that full name.
Status DecodeCount(const PaddedText& body, std::string_view name, const FieldPath& field,
                   CountedDocument& document);

}  // namespace shardline
