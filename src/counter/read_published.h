#pragma once

#include <string>
#include <utility>
#include <vector>

#include "firestore/field_path.h"
#include "operation/read_many.h"

namespace shardline {

// Reads the totals that counters have published in their documents (upkeep/publish_total.h).
class ReadPublished final : public ReadMany {
 public:
  // Full names of documents, possibly with repetitions.
  ReadPublished(OperationContext& context, std::vector<std::string> names, FieldPath field)
      : ReadMany(context, std::move(names), &field), field_(std::move(field)) {}

  // {"totals": [{"value": "7", "readTime": "…"}, null, …]}, in the order of the names. Null means
  // that nothing was published, or that the field is not a number.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Status Decode(const PaddedText& body, Found& found) const override;

  FieldPath field_;
};

}  // namespace shardline
