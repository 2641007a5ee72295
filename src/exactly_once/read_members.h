#pragma once

#include <string>
#include <utility>
#include <vector>

#include "operation/read_many.h"

namespace shardline {

// Reads whether keys are members of counted sets, and the choice of each in a set of choices.
class ReadMembers final : public ReadMany {
 public:
  // Full names (MemberName()), possibly with repetitions.
  ReadMembers(OperationContext& context, std::vector<std::string> names)
      : ReadMany(context, std::move(names), nullptr) {}

  // {"members": [true, false, "love", …]}, in the order of the names.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Status Decode(const PaddedText& body, Found& found) const override;
};

}  // namespace shardline
