#include "base/error.h"

#include <cstddef>
#include <iterator>
#include <utility>

#include "base/result.h"

namespace shardline {
namespace {

// Indexed by Code.
constexpr std::string_view kNames[] = {
    "ok",
    "cancelled",
    "unknown",
    "invalid-argument",
    "deadline-exceeded",
    "not-found",
    "already-exists",
    "permission-denied",
    "resource-exhausted",
    "failed-precondition",
    "aborted",
    "out-of-range",
    "unimplemented",
    "internal",
    "unavailable",
    "data-loss",
    "unauthenticated",
    "outcome-unknown",
};

// True if `status` is `name` in upper case with underscores.
bool IsUpperCaseOf(std::string_view status, std::string_view name) {
  if (status.size() != name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char expected = name[i] == '-' ? '_' : static_cast<char>(name[i] - 'a' + 'A');
    if (status[i] != expected) return false;
  }
  return true;
}

}  // namespace

std::string_view CodeName(Code code) { return kNames[static_cast<std::size_t>(code)]; }

Failure Fail(Error error) { return Failure(new Error(std::move(error))); }

Failure Fail(Code code, std::string message) { return Fail(Error{code, std::move(message)}); }

Failure Fail(Code code, const char* message) { return Fail(code, std::string(message)); }

Failure InvalidArgument(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

Failure InvalidArgument(const char* message) { return Fail(Code::kInvalidArgument, message); }

Failure operator<<(Failure failure, std::string_view text) {
  failure.error().message += text;
  return failure;
}

Failure operator<<(Failure failure, const char* text) {
  return std::move(failure) << std::string_view(text);
}

Failure operator<<(Failure failure, const std::string& text) {
  return std::move(failure) << static_cast<std::string_view>(text);
}

void Failure::Destroy(Error* error) { delete error; }

Code CodeFromName(std::string_view name) {
  for (std::size_t i = 1; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<Code>(i);
  }
  return Code::kUnknown;
}

Code CodeFromServerStatus(std::string_view status) {
  const auto last = static_cast<std::size_t>(Code::kUnauthenticated);
  for (std::size_t i = 1; i <= last; ++i) {
    if (IsUpperCaseOf(status, kNames[i])) return static_cast<Code>(i);
  }
  return Code::kUnknown;
}

}  // namespace shardline
