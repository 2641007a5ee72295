// Errors are values: the library throws nothing, and no input makes it abort.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace shardline {

class JsonWriter;

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

// The reason of an error, a word that no release renames: apps act on it, and tell their users in
// their own language. src/base/reason.h has all of them.
struct Reason {
  const char* name;  // "counter-not-found"
  Code code;         // The code of its errors.
};

struct Error {
  // Every error has a reason.
  Error(const Reason& why, std::string what, int status = 0)
      : code(why.code), reason(why.name), message(std::move(what)), http_status(status) {}
  // Out of line: wherever one is copied, these would take 200 bytes.
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();

  // Keeps the message and the HTTP status, and nothing else.
  void Become(const Reason& why);
  // Adds a parameter of the reason. The value must be UTF-8. A long value is cut at its end.
  void Add(const char* param, std::string_view value);
  void Add(const char* param, std::int64_t value);

  Code code;
  std::string reason;
  // The members of a JSON object: "path":"posts/p1".
  std::string params;
  // One or two sentences in plain words: the call, the problem, the remedy.
  std::string message;
  // The HTTP status of the answer with this error; 0 if no answer had it.
  int http_status;
  // True if the answer looks like a refusal by security rules.
  bool by_rules = false;
};

// Prepares a message for another sentence. It adds the full stop that some servers leave out.
std::string& NextSentence(std::string& message);

// Writes {"code", "reason", "params", "message", "status"}. A long message is cut.
void WriteError(JsonWriter& writer, const Error& error);

// True if the error has exactly the parameters of its reason. For assertions only: modules that are
// shipped hold no table of reasons.
bool HasItsParameters(const Error& error);

// The code as Firebase spells it: "not-found", "outcome-unknown".
std::string_view CodeName(Code code);

// The other way round; kUnknown for any other text.
Code CodeFromName(std::string_view name);

// The server's name of the code: "NOT_FOUND".
std::string ServerStatus(Code code);

// The code that the server calls `status` ("NOT_FOUND"); kUnknown for any other text.
Code CodeFromServerStatus(std::string_view status);

}  // namespace shardline
