#include "firestore/streamed_answer.h"

#include "firestore/server_error.h"

namespace shardline {
namespace {

constexpr int kHttpOk = 200;

struct Defined {
  std::string_view member;
  unsigned methods;
};

constexpr unsigned kEach = StreamedAnswer::kDocuments | StreamedAnswer::kAggregation;

// The members of BatchGetDocumentsResponse, RunQueryResponse and RunAggregationQueryResponse
// (google/firestore/v1/firestore.proto), the usual ones first.
constexpr Defined kMembers[] = {
    {"document", StreamedAnswer::kQuery},
    {"readTime", kEach},
    {"found", StreamedAnswer::kBatchGet},
    {"missing", StreamedAnswer::kBatchGet},
    {"result", StreamedAnswer::kAggregation},
    {"transaction", kEach},
    {"done", kEach},
    {"error", kEach},
    {"explainMetrics", kEach},
    {"skippedResults", kEach},
};

// The methods that define the member; 0 for none of them.
unsigned MethodsOf(const JsonMembers& members) {
  for (const Defined& each : kMembers) {
    if (members.Is(each.member)) return each.methods;
  }
  return 0;
}

}  // namespace

StreamedAnswer::StreamedAnswer(const PaddedText& body, Asked asked)
    : body_(body), asked_(asked), scanner_(body) {
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
  const unsigned methods = MethodsOf(*members_);
  if (methods != 0 && (methods & asked_) == 0) scanner_.Reject("it answers another request");
  says_something_ = says_something_ || methods != 0;
  if (Is("error")) has_error_ = true;
  return true;
}

Status StreamedAnswer::Finish(const char* what) {
  // The answer's error counts even if the answer breaks off behind it.
  if (has_error_) return Fail(DecodeServerError(kHttpOk, body_));
  if (alone_) scanner_.Reject("an array was expected");
  if (!scanner_.Finish()) return scanner_.failure(what);
  return {};
}

}  // namespace shardline
