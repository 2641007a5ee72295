#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "firestore/field_path.h"
#include "operation/operation.h"

namespace shardline {

// Request batching: reads many documents in as few requests as Firestore allows.
class ReadMany : public Operation {
 protected:
  // JSON by the full names of documents.
  using Found = std::map<std::string, std::string, std::less<>>;

  // Full names, possibly with repetitions. Reads this field alone, or whole documents if `field` is
  // null.
  ReadMany(OperationContext& context, std::vector<std::string> names, const FieldPath* field);

  // Decodes each document of an answer, there or missing, into the result.
  virtual Status Decode(const PaddedText& body, Found& found) const = 0;

  // An array, in the order of the names.
  void WriteValues(JsonWriter& writer) const;

 private:
  // Asks for the names from `first` on, up to `end`.
  struct Part {
    CallId call;
    std::size_t first;
    std::size_t end;
  };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void SendPart(std::size_t first, std::size_t end, const FieldPath* field);

  std::vector<std::string> names_;
  std::vector<Part> parts_;
  std::size_t parts_left_ = 0;
  std::vector<std::string> values_;
};

}  // namespace shardline
