#include "base/error.h"

#include <cstddef>
#include <iterator>
#include <utility>

#include "base/json_writer.h"
#include "base/reason.h"
#include "base/result.h"
#include "base/utf8.h"

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

// Names in a parameter, or in a message, may have any length.
constexpr std::size_t kMostOfParam = 500;
constexpr std::size_t kMostOfMessage = 1000;

void AddMember(std::string& members, const JsonWriter& member) {
  if (!members.empty()) members += ',';
  members += member.text();
}

}  // namespace

Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

void Error::Become(const Reason& why) {
  code = why.code;
  reason = why.name;
  params.clear();
}

void Error::Add(const char* param, std::string_view value) {
  JsonWriter member;
  member.Key(param).String(Utf8Prefix(value, kMostOfParam));
  AddMember(params, member);
}

void Error::Add(const char* param, std::int64_t value) {
  JsonWriter member;
  member.Key(param).Int(value);
  AddMember(params, member);
}

void WriteError(JsonWriter& writer, const Error& error) {
  writer.BeginObject().Key("code").String(CodeName(error.code));
  writer.Key("reason").String(error.reason);
  writer.Key("params").Raw('{' + error.params + '}');
  writer.Key("message").String(Utf8Prefix(error.message, kMostOfMessage));
  writer.Key("status").Int(error.http_status).EndObject();
}

std::string_view CodeName(Code code) { return kNames[static_cast<std::size_t>(code)]; }

Failure Fail(Error error) { return Failure(new Error(std::move(error))); }

Failure Fail(const Reason& reason, std::string message) {
  return Fail(Error(reason, std::move(message)));
}

Failure Fail(const Reason& reason, const char* message) {
  return Fail(reason, std::string(message));
}

Failure MustBe(std::string_view argument, std::string_view allowed) {
  return Fail(kArgumentNotAllowed, "")
         << Param{"argument", argument} << " must be " << Param{"allowed", allowed} << ".";
}

Failure UnknownOption(std::string_view option, std::string_view known) {
  return Fail(kArgumentUnknown, "There is no option ")
         << Param{"argument", option} << ": there are " << Param{"known", known} << ".";
}

Failure RefuseArgument(const Reason& reason, const char* argument, const char* allowed,
                       const char* message) {
  return Fail(reason, message).With("argument", argument).With("allowed", allowed);
}

Failure Conflict(const char* argument, const char* other, const char* message) {
  return Fail(kArgumentsConflict, message).With("argument", argument).With("other", other);
}

Failure OptionMustBe(const char* option, const char* allowed) {
  return RefuseArgument(kArgumentNotAllowed, option, allowed, "`")
         << option << "` must be " << allowed;
}

std::string& NextSentence(std::string& message) {
  constexpr std::string_view kEnds = ".!?";
  if (!message.empty() && kEnds.find(message.back()) == std::string_view::npos) message += '.';
  return message += ' ';
}

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

Failure operator<<(Failure failure, Param param) {
  return std::move(failure).With(param.name, param.value) << param.value;
}

Failure Failure::With(const char* param, std::string_view value) && {
  error().Add(param, value);
  return std::move(*this);
}

Failure Failure::With(const char* param, const char* value) && {
  return std::move(*this).With(param, std::string_view(value));
}

Failure Failure::With(const char* param, const std::string& value) && {
  const std::string_view text = value;
  return std::move(*this).With(param, text);
}

void Failure::Destroy(Error* error) { delete error; }

Code CodeFromName(std::string_view name) {
  for (std::size_t i = 1; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<Code>(i);
  }
  return Code::kUnknown;
}

std::string ServerStatus(Code code) {
  std::string status(CodeName(code));
  for (char& c : status) c = c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  return status;
}

Code CodeFromServerStatus(std::string_view status) {
  const auto last = static_cast<std::size_t>(Code::kUnauthenticated);
  for (std::size_t i = 1; i <= last; ++i) {
    if (status == ServerStatus(static_cast<Code>(i))) return static_cast<Code>(i);
  }
  return Code::kUnknown;
}

}  // namespace shardline
