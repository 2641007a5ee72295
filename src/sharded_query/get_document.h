#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "operation/operation.h"
#include "sharded_query/document_reader.h"

namespace shardline {

// Reads one document by its name, which rules must allow as `get`.
class GetDocument final : public Operation {
 public:
  enum class Reads : bool { kAll, kNameOnly };

  GetDocument(OperationContext& context, const DocumentPath& document, Reads reads);

  // {"prefix", "docs": [one document as PageOperation has it, or none], "shapes", "readTime":
  // [seconds, nanos], "billed"}
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;

  std::string name_;
  const std::vector<FieldPath> no_keys_;
  const std::optional<std::vector<FieldPath>> everything_;
  HeadReader reader_;
  std::string document_;  // In the result's format; empty if there is no document.
  Timestamp read_time_;
};

}  // namespace shardline
