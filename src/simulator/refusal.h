// The embedded server's own errors. They reach the library like any server's errors: in answers
// with a status and a message.
#pragma once

#include <string>
#include <utility>

#include "base/reason.h"
#include "base/result.h"

namespace shardline::simulator {

inline Error Refusal(Code code, std::string message, int http_status = 0) {
  Error error(kServerRefused, std::move(message), http_status);
  error.code = code;
  error.Add("status", ServerStatus(code));
  error.Add("http", http_status);
  return error;
}

inline Failure Fail(Code code, std::string message) {
  return shardline::Fail(Refusal(code, std::move(message)));
}

inline Failure InvalidArgument(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

}  // namespace shardline::simulator
