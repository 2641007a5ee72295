#pragma once

#include <string>

#include "operation/operation.h"

namespace shardline {

// One atomic commit, and nothing to follow from its answer.
struct CommitRequest {
  std::string body;
  Effect effect = Effect::kRepeatable;
  // The commit creates documents under ids that were drawn for it. That one of them already exists
  // can only mean that an earlier attempt was applied, of ours or of the browser, which repeats a
  // request by itself when a connection is cut.
  bool creates_random_ids = false;
  Billed billed;
  std::string result;  // What the operation's result is, as JSON.
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
