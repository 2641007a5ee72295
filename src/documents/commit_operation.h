#pragma once

#include <string>

#include "operation/operation.h"

namespace shardline {

// One atomic commit that creates documents under ids that were drawn for it, each on the condition
// that the document is not there. The drawn ids are idempotency keys: if one of the documents
// already exists, an earlier attempt was applied, either ours or the browser's, which repeats a
// request by itself when a connection is cut.
struct CommitRequest {
  std::string body;
  Billed billed;
  std::string result;  // The operation's result, as JSON.
};

class CommitOperation final : public Operation {
 public:
  CommitOperation(OperationContext& context, CommitRequest request);

  void WriteResult(JsonWriter& writer) const override { writer.Raw(request_.result); }

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  CommitRequest request_;
};

}  // namespace shardline
