#include "firestore/streamed_answer.h"

#include "firestore/server_error.h"

namespace shardline {
namespace {

constexpr int kHttpOk = 200;

// The members of BatchGetDocumentsResponse, RunQueryResponse and RunAggregationQueryResponse
// (google/firestore/v1/firestore.proto), the usual ones first.
constexpr std::string_view kMembers[] = {
    "document",    "readTime", "found", "missing",        "result",
    "transaction", "done",     "error", "explainMetrics", "skippedResults",
};

bool IsDefined(const JsonMembers& members) {
  for (const std::string_view member : kMembers) {
    if (members.Is(member)) return true;
  }
  return false;
}

}  // namespace

StreamedAnswer::StreamedAnswer(const PaddedText& body) : body_(body), scanner_(body) {
  scanner_.RequireUtf8();
}

bool StreamedAnswer::NextElement() {
  if (alone_) return false;
  const bool first = !begun_;
  if (first) {
    begun_ = true;
    alone_ = scanner_.Peek() == JsonScanner::Kind::kObject;
    if (!alone_ && !scanner_.BeginArray()) return false;
  }
  if (!alone_ && !scanner_.NextElement()) {
    if (first) scanner_.Reject("it is empty, which the answer of a server never is");
    return false;
  }
  says_something_ = false;
  members_.emplace(scanner_);
  return scanner_.ok();
}

bool StreamedAnswer::Next() {
  if (!members_->Next()) {
    if (!says_something_ && !alone_) {
      scanner_.Reject("an element says nothing that Firestore's API defines");
    }
    return false;
  }
  says_something_ = says_something_ || IsDefined(*members_);
  if (Is("error")) has_error_ = true;
  return true;
}

Status StreamedAnswer::Finish(const char* what) {
  // The error is what the answer says even if it breaks off behind it.
  if (has_error_) return Fail(DecodeServerError(kHttpOk, body_));
  if (alone_) scanner_.Reject("an array was expected");
  if (!scanner_.Finish()) return scanner_.failure(what);
  return {};
}

}  // namespace shardline
