// What went wrong, as a value: the library throws nothing and aborts on nothing that comes from
// outside.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shardline {

// The canonical gRPC codes (google/rpc/code.proto, same numbers), and one of our own.
enum class Code : std::uint8_t {
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
  // A write was sent and its answer was lost: it may or may not have been applied, and sending it
  // again could apply it twice.
  kOutcomeUnknown = 17,
};

struct Error {
  Code code = Code::kUnknown;
  // One or two sentences in plain words: what was being done, what is wrong, what to do about it.
  std::string message;
  // The HTTP status of the answer that said so; 0 when no answer did.
  int http_status = 0;
};

// The code as Firebase spells it: "not-found", "outcome-unknown".
std::string_view CodeName(Code code);

// The other way round; kUnknown for any other text.
Code CodeFromName(std::string_view name);

// The code that the server calls `status` ("NOT_FOUND"); kUnknown for any other text.
Code CodeFromServerStatus(std::string_view status);

}  // namespace shardline
