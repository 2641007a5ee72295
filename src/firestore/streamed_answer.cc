#include "firestore/streamed_answer.h"

#include "firestore/server_error.h"

namespace shardline {
namespace {

constexpr int kHttpOk = 200;

}  // namespace

bool StreamedAnswer::NextElement() {
  if (alone_) return false;
  if (!begun_) {
    begun_ = true;
    alone_ = scanner_.Peek() == JsonScanner::Kind::kObject;
    if (!alone_ && !scanner_.BeginArray()) return false;
  }
  if (!alone_ && !scanner_.NextElement()) return false;
  members_.emplace(scanner_);
  return scanner_.ok();
}

bool StreamedAnswer::Next() {
  if (!members_->Next()) return false;
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
