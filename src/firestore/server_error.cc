#include "firestore/server_error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_members.h"
#include "base/json_scanner.h"
#include "base/number.h"
#include "base/reason.h"
#include "base/utf8.h"

namespace shardline {
namespace {

struct ReportedError {
  std::string status;
  std::string message;
  std::string detail;  // The reason of its google.rpc.ErrorInfo.
};

// Members of `details`, of which some have a reason.
void ReadDetails(JsonScanner& scanner, ReportedError& reported) {
  scanner.BeginArray();
  while (scanner.NextElement()) {
    if (scanner.Peek() != JsonScanner::Kind::kObject) {
      scanner.SkipValue();
      continue;
    }
    JsonMembers parts(scanner);
    while (parts.Next()) {
      if (parts.Is("reason") && scanner.Peek() == JsonScanner::Kind::kString) {
        reported.detail = scanner.String();
      }
    }
  }
}

// Reads the object {"error": {...}}; both parts stay empty where there is no such thing.
ReportedError ReadErrorObject(JsonScanner& scanner) {
  ReportedError reported;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (!members.Is("error") || scanner.Peek() != JsonScanner::Kind::kObject) continue;
    JsonMembers parts(scanner);
    while (parts.Next()) {
      if (parts.Is("details") && scanner.Peek() == JsonScanner::Kind::kArray) {
        ReadDetails(scanner, reported);
        continue;
      }
      if (scanner.Peek() != JsonScanner::Kind::kString) continue;
      if (parts.Is("status")) {
        reported.status = scanner.String();
      } else if (parts.Is("message")) {
        reported.message = scanner.String();
      }
    }
  }
  return reported;
}

// The size of a server's text, which people read: a link for a missing index takes up to 500 bytes.
constexpr std::size_t kMaxText = 800;
constexpr std::size_t kMaxStatus = 40;

void Shorten(std::string& text, std::size_t size) {
  if (text.size() <= size) return;
  text.resize(Utf8Prefix(text, size).size());
  text += " …";
}

ReportedError ReadError(JsonScanner& scanner) {
  if (scanner.Peek() != JsonScanner::Kind::kArray) return ReadErrorObject(scanner);
  ReportedError reported;
  scanner.BeginArray();
  while (scanner.NextElement()) {
    ReportedError next = ReadErrorObject(scanner);
    if (reported.status.empty() && reported.message.empty()) reported = std::move(next);
  }
  return reported;
}

// google/rpc/code.proto lists which code each status stands for; where several share one, this is
// the one that can be meant without a body.
Code CodeFromHttp(int status) {
  switch (status) {
    case 401:
      return Code::kUnauthenticated;
    case 403:
      return Code::kPermissionDenied;
    case 404:
      // The address does not exist. Firestore reports a missing document or database in its own
      // words, and operations treat kNotFound as these.
      return Code::kUnimplemented;
    case 408:
    case 504:
      return Code::kDeadlineExceeded;
    case 409:
      return Code::kAborted;
    case 413:
    case 414:
      return Code::kOutOfRange;
    case 429:
      return Code::kResourceExhausted;
    case 499:
      return Code::kCancelled;
    case 501:
      return Code::kUnimplemented;
    case 502:
    case 503:
      return Code::kUnavailable;
    default:
      // A success that holds an error all the same broke off in the middle: the server's fault too.
      // Other 4xx statuses, such as 400, are refusals, too. Firestore never says them without a
      // body of its own, so a proxy has: it is not the caller's arguments that it knows something
      // about.
      return status < 200 || (status >= 300 && status < 400) ? Code::kUnknown : Code::kInternal;
  }
}

struct Advice {
  std::string_view detail;  // The beginning of the ErrorInfo's reason,
  std::string_view words;   // or words of the message, if there is no ErrorInfo.
  std::string_view advice;
};
// The reasons are those of
// https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto.
constexpr Advice kAdvices[] = {
    {"API_KEY_HTTP_REFERRER", "from referer",
     "The API key does not allow this site: add its address to the key's website restrictions in "
     "Google Cloud's console."},
    {"API_KEY", "API key",
     "The API key is refused: check `apiKey`, and the key's restrictions in Google Cloud's "
     "console."},
    {"SERVICE_DISABLED", "has not been used in project",
     "Cloud Firestore's API is not enabled in this project: enable it in Google Cloud's console, "
     "and wait a few minutes."},
    {"BILLING_DISABLED", "billing",
     "The project has no open billing account: link one in Google Cloud's console."},
};

// Empty if there is none.
std::string_view AdviceFor(const ReportedError& reported) {
  if (reported.status != "PERMISSION_DENIED" && reported.status != "INVALID_ARGUMENT") return {};
  for (const Advice& advice : kAdvices) {
    if (reported.detail.empty() ? reported.message.find(advice.words) != std::string::npos
                                : reported.detail.starts_with(advice.detail)) {
      return advice.advice;
    }
  }
  return {};
}

std::string AnsweredWith(int http_status) {
  std::string text = "The server answered with HTTP status ";
  AppendInt64(text, http_status);
  return text;
}

// '\0' if there is none.
char FirstCharacter(const PaddedText& body) {
  const std::string_view view = body.view();
  const std::size_t start = view.find_first_not_of(" \r\n\t");
  return start == std::string_view::npos ? '\0' : view[start];
}

bool IsWebPage(const PaddedText& body) { return FirstCharacter(body) == '<'; }

std::string Describe(int http_status, const PaddedText& body) {
  std::string text = AnsweredWith(http_status);
  if (FirstCharacter(body) == '\0') {
    text += " and an empty body";
  } else if (IsWebPage(body)) {
    text += " and a web page";
  } else {
    text += " and a body that is not Firestore's JSON";
  }
  return text;
}

constexpr std::string_view kAdvice =
    "; check `host`, and look for a proxy or login page in between.";

}  // namespace

Error DecodeServerError(int http_status, const PaddedText& body) {
  JsonScanner scanner(body);
  const bool is_json =
      scanner.Peek() == JsonScanner::Kind::kObject || scanner.Peek() == JsonScanner::Kind::kArray;
  ReportedError reported = ReadError(scanner);
  Shorten(reported.status, kMaxStatus);
  Shorten(reported.message, kMaxText);
  const bool says_nothing = reported.message.empty() && reported.status.empty();
  const std::string_view advice = AdviceFor(reported);
  Error error(says_nothing ? kAnswerUnreadable : kServerRefused, std::move(reported.message),
              http_status);
  error.code = CodeFromServerStatus(reported.status);
  if (error.code == Code::kUnknown) {
    error.code = CodeFromHttp(http_status);
    // If JSON broke off, the lost part may have named the missing thing: worth another try.
    const bool broke_off = is_json && !scanner.Finish();
    if (broke_off && error.code == Code::kUnimplemented) error.code = Code::kInternal;
  }
  // Some servers give the status once more as the reason.
  const bool has_other_reason = !reported.detail.empty() && reported.detail != reported.status;
  error.by_rules =
      !says_nothing && error.code == Code::kPermissionDenied && advice.empty() && !has_other_reason;
  if (says_nothing) {
    if (error.code == Code::kPermissionDenied) error.code = Code::kUnavailable;
    error.message = Describe(http_status, body);
    error.message += kAdvice;
  } else {
    if (error.message.empty()) {
      error.message = AnsweredWith(http_status) + ", " + reported.status + ", and no explanation.";
    }
    if (!advice.empty()) NextSentence(error.message) += advice;
    error.Add("status", reported.status.empty() ? ServerStatus(error.code) : reported.status);
  }
  error.Add("http", http_status);
  return error;
}

Error UnreadableAnswer(int http_status, const PaddedText& body, const Error& detail) {
  std::string message = Describe(http_status, body);
  const bool is_web_page = IsWebPage(body);
  if (!is_web_page) message += " (" + detail.message + ')';
  message += kAdvice;
  Error error(kAnswerUnreadable, std::move(message), http_status);
  // A login page, with any status: the request did not reach the server.
  if (is_web_page) error.code = Code::kUnavailable;
  error.Add("http", http_status);
  return error;
}

}  // namespace shardline
