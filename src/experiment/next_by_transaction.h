// A number from a transaction on one document, as teams write it first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "firestore/field_path.h"
#include "operation/operation.h"

namespace shardline::experiment {

// Reads the one document that counts, and writes the next number on the condition that no other
// client has.
class NextByTransaction final : public Operation {
 public:
  // Leaves the count as it is if it has reached `most`.
  explicit NextByTransaction(OperationContext& context,
                             std::optional<std::int64_t> most = std::nullopt);

  // {"value": 7}: the next number; 0 if the count had reached `most`.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void Read();

  std::string name_;
  FieldPath field_;
  std::optional<std::int64_t> most_;
  std::int64_t value_ = 0;
  bool committing_ = false;
  int conflicts_ = 0;
};

}  // namespace shardline::experiment
