#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "operation/operation.h"

namespace shardline {

// Whether keys are members of counted sets: in as few requests as Firestore allows.
class ReadMembers final : public Operation {
 public:
  // Full names (MemberName()), of which one may come several times.
  ReadMembers(OperationContext& context, std::vector<std::string> names);

  // {"members": [true, false, …]}, in the order of the names.
  void WriteResult(JsonWriter& writer) const override;

 private:
  // Asks for the names from `first` on, up to `end`.
  struct Part {
    CallId call;
    std::size_t first;
    std::size_t end;
  };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void SendPart(std::size_t first, std::size_t end);

  std::vector<std::string> names_;
  std::vector<Part> parts_;
  std::size_t parts_left_ = 0;
  std::vector<bool> members_;
};

}  // namespace shardline
