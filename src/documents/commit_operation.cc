#include "documents/commit_operation.h"

#include <utility>

#include "firestore/answers.h"

namespace shardline {

CommitOperation::CommitOperation(OperationContext& context, CommitRequest request)
    : Operation(context), request_(std::move(request)) {
  SendCommit(std::move(request_.body), Effect::kRepeatable);
}

Result<Billed> CommitOperation::OnAnswer(CallId, PaddedText& body) {
  const auto writes = static_cast<std::size_t>(request_.billed.writes);
  SHARDLINE_CHECK(DecodeCommit(body, writes));
  Finish();
  return request_.billed;
}

void CommitOperation::OnFailure(CallId, const CallFailure& failure) {
  if (failure.error.code == Code::kAlreadyExists) return Finish();
  FinishWithFailure(failure);
}

}  // namespace shardline
