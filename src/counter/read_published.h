#pragma once

#include <string>
#include <utility>
#include <vector>

#include "firestore/field_path.h"
#include "operation/read_many.h"

namespace shardline {

// The totals that counters have published in their documents (upkeep/publish_total.h).
class ReadPublished final : public ReadMany {
 public:
  // Full names of documents, of which one may come several times.
  ReadPublished(OperationContext& context, std::vector<std::string> names, FieldPath field)
      : ReadMany(context, std::move(names), &field), field_(std::move(field)) {}

  // {"totals": [{"value": "7", "readTime": "…"}, null, …]}, in the order of the names: null where
  // nothing was published, or what is there is no number.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Status Decode(const PaddedText& body, Found& found) const override;

  FieldPath field_;
};

}  // namespace shardline
