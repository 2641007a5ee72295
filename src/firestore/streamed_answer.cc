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
  return scanner_.BeginObject();
}

bool StreamedAnswer::NextKey(std::string_view& raw_key) {
  if (!scanner_.NextKey(raw_key)) return false;
  if (raw_key == "error") has_error_ = true;
  return true;
}

Status StreamedAnswer::Finish(std::string_view what) {
  // The error is what the answer says even if it breaks off behind it.
  if (has_error_) return Fail(DecodeServerError(kHttpOk, body_));
  if (alone_) scanner_.Reject("an array was expected");
  if (!scanner_.Finish()) return Fail(scanner_.error(what));
  return {};
}

}  // namespace shardline
