#include "simulator/backend.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "simulator/names.h"
#include "simulator/refusal.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMostMissingIndexes = 1'000;

int HttpStatus(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kFailedPrecondition:
    case Code::kOutOfRange:
      return 400;
    case Code::kUnauthenticated:
      return 401;
    case Code::kPermissionDenied:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kAlreadyExists:
    case Code::kAborted:
      return 409;
    case Code::kResourceExhausted:
      return 429;
    case Code::kUnimplemented:
      return 501;
    case Code::kUnavailable:
      return 503;
    case Code::kDeadlineExceeded:
      return 504;
    default:
      return 500;
  }
}

// "NOT_FOUND"
std::string StatusName(Code code) {
  std::string name(CodeName(code));
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  return name;
}

Answer NoSuchAddress() { return {404, "Not Found\n", "text/plain", {}, {}, false}; }

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// A broken escape stands for itself.
std::string PercentDecode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexValue(text[i + 1]) >= 0 &&
        HexValue(text[i + 2]) >= 0) {
      out += static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> ReadParameters(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t equals = part.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    parameters.emplace_back(PercentDecode(part.substr(0, equals), true),
                            PercentDecode(value, true));
  }
  return parameters;
}

// A request's target, taken apart.
struct Target {
  std::string database;  // "projects/p/databases/d"
  std::string path;      // Inside it.
  std::string verb;      // "commit"
};

// Removes `prefix` from the front; false if it is not there.
bool Consume(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<Target> ParseTarget(std::string_view path, bool may_have_verb) {
  Target target;
  if (may_have_verb) {
    const std::size_t colon = path.rfind(':');
    if (colon != std::string_view::npos && path.find('/', colon) == std::string_view::npos) {
      target.verb = PercentDecode(path.substr(colon + 1), false);
      path = path.substr(0, colon);
    }
  }
  const std::string decoded = PercentDecode(path, false);
  std::string_view rest = decoded;
  if (!Consume(rest, "projects/")) return std::nullopt;
  const std::size_t project_end = rest.find('/');
  if (project_end == std::string_view::npos || project_end == 0) return std::nullopt;
  rest.remove_prefix(project_end);
  if (!Consume(rest, "/databases/")) return std::nullopt;
  const std::size_t database_end = rest.find('/');
  if (database_end == std::string_view::npos || database_end == 0) return std::nullopt;
  rest.remove_prefix(database_end);
  const std::size_t name_size = decoded.size() - rest.size();
  if (!Consume(rest, "/documents")) return std::nullopt;
  if (!rest.empty() && !Consume(rest, "/")) return std::nullopt;
  target.database = decoded.substr(0, name_size);
  target.path = std::string(rest);
  return target;
}

// True for an id of a project that Google's emulator accepts: `name` or `domain:name`.
bool IsProjectId(std::string_view id) {
  const std::size_t colon = id.find(':');
  const std::size_t name = colon == std::string_view::npos ? 0 : colon + 1;
  for (std::size_t i = 0; i < id.size(); ++i) {
    const char c = id[i];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    if (!plain && i != colon && !(c == '.' && i < name)) return false;
  }
  return id[0] != '-';
}

std::string_view ProjectOf(std::string_view database) {
  Consume(database, "projects/");
  return database.substr(0, database.find('/'));
}

using Method = Result<std::string> (*)(Call&);

struct Verb {
  std::string_view name;
  Method method;
  bool any_parent = false;  // False: of the whole database alone.
};

constexpr Verb kVerbs[] = {
    {"batchGet", BatchGet},
    {"commit", CommitWrites},
    {"batchWrite", BatchWrite},
    {"beginTransaction", BeginTransaction},
    {"rollback", Rollback},
    {"runQuery", RunQueryMethod, true},
    {"runAggregationQuery", RunAggregationQuery, true},
    {"listCollectionIds", ListCollectionIds, true},
    {"partitionQuery", PartitionQuery, true},
    {"executePipeline", ExecutePipeline},
};

// Null for an address that does not exist. A verb that does not exist there belongs to the path.
Method FindMethod(std::string_view http_method, Target& target) {
  if (!target.verb.empty()) {
    for (const Verb& verb : kVerbs) {
      const bool fits = verb.any_parent || target.path.empty();
      if (verb.name == target.verb && fits) return verb.method;
    }
    if (!target.path.empty()) target.path += ':' + target.verb;
  }
  if (target.path.empty()) return nullptr;
  std::size_t slashes = 0;
  for (const char c : target.path) slashes += c == '/' ? 1 : 0;
  const bool is_document = slashes % 2 == 1;
  if (http_method == "GET") return is_document ? GetDocument : ListDocuments;
  if (http_method == "POST") return CreateDocument;
  if (http_method == "PATCH") return PatchDocument;
  if (http_method == "DELETE") return DeleteDocument;
  return nullptr;
}

}  // namespace

Answer ErrorAnswer(const Error& error) {
  JsonWriter writer;
  const int status = HttpStatus(error.code);
  writer.BeginObject().Key("error").BeginObject().Key("code").Int(status);
  writer.Key("message").String(IsUtf8(error.message) ? error.message : "");
  writer.Key("status").String(StatusName(error.code)).EndObject().EndObject();
  return {status, writer.Take(), "application/json", {}, {}, false};
}

Backend::Backend(BackendOptions options) : options_(std::move(options)), random_(options_.seed) {}

Database& Backend::DatabaseNamed(const std::string& name) {
  std::unique_ptr<Database>& database = databases_[name];
  if (!database) {
    database = std::make_unique<Database>();
    database->name = name;
    if (keeps_journal_) database->store.KeepJournal();
  }
  return *database;
}

Answer Backend::Handle(const Request& request, const PaddedText& body, Timestamp now) {
  // Leaves room for an hour back, and for commit times a little ahead.
  now.micros = std::clamp(now.micros, std::int64_t{0}, Timestamp::kMaxMicros - kHourMicros);
  std::string_view path = request.target.substr(0, request.target.find('?'));
  std::string_view query = request.target.substr(path.size());
  if (!query.empty()) query.remove_prefix(1);
  if (request.method == "GET" && path == "/") return {200, "Ok\n", "text/plain", {}, {}, false};
  // The emulator's own way to empty a database.
  const bool clear = request.method == "DELETE" && Consume(path, "/emulator/v1/");
  if (!clear && !Consume(path, "/v1/")) return NoSuchAddress();
  std::optional<Target> target = ParseTarget(path, request.method == "POST");
  if (!target) return NoSuchAddress();
  if (!IsUtf8(target->database) || !IsUtf8(target->path) || !IsUtf8(body.view())) {
    return ErrorAnswer(InvalidArgument("The request is not valid UTF-8.").error());
  }
  if (body.view().size() > options_.max_request_bytes) {
    return ErrorAnswer(Refusal(Code::kResourceExhausted, "The request is too large."));
  }
  const Method method = clear ? nullptr : FindMethod(request.method, *target);
  if (!clear && !method) return NoSuchAddress();
  if (request.caller == Caller::kUnknown) {
    return ErrorAnswer(InvalidArgument("invalid jwt").error());
  }
  const std::string_view project = ProjectOf(target->database);
  if (!IsProjectId(project)) {
    return ErrorAnswer(
        Refusal(Code::kNotFound, "No project has the id \"" + std::string(project) + "\"."));
  }
  if (clear) {
    DatabaseNamed(target->database).Clear();
    if (keeps_journal_) cleared_.insert(target->database);
    return {200, "{}", "application/json", {}, {}, false};
  }
  Database& database = DatabaseNamed(target->database);
  database.store.Trim(Timestamp{now.micros - kHourMicros});
  Call call{database,
            options_,
            random_,
            target->path,
            ReadParameters(query),
            body,
            now,
            request.caller == Caller::kAdmin,
            {},
            {},
            false,
            {}};
  for (const auto& [name, value] : call.parameters) {
    if (!IsUtf8(name) || !IsUtf8(value)) {
      return ErrorAnswer(InvalidArgument("A parameter is not valid UTF-8.").error());
    }
  }
  Result<std::string> result = method(call);
  for (std::string& index : call.missing_indexes) {
    if (missing_indexes_.size() < kMostMissingIndexes) missing_indexes_.insert(std::move(index));
  }
  Answer answer;
  if (result) {
    answer.body = std::move(*result);
  } else {
    answer = ErrorAnswer(result.error());
  }
  answer.billed = call.billed;
  answer.read = call.read;
  answer.blocked = call.blocked;
  return answer;
}

std::size_t Backend::size() const {
  std::size_t size = 0;
  for (const auto& [name, database] : databases_) size += database->store.size();
  return size;
}

}  // namespace shardline::simulator
