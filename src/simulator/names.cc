#include "simulator/names.h"

#include <cstddef>
#include <utility>

#include "base/number.h"
#include "base/utf8.h"
#include "simulator/refusal.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxIdBytes = 1'500;
constexpr std::string_view kDocuments = "/documents";

Failure Bad(std::string_view what, std::string_view name, std::string_view why) {
  std::string message(what);
  if (IsUtf8(name)) {
    message += " \"";
    message += name;
    message += '"';
  }
  message += ' ';
  message += why;
  return InvalidArgument(std::move(message));
}

// `__id7__`: no leading zero.
bool IsNumericId(std::string_view id) {
  if (id.size() < 7 || id.substr(0, 4) != "__id") return false;
  const std::string_view digits = id.substr(4, id.size() - 6);
  const auto number = ParseInt64(digits);
  if (!number) return false;
  std::string canonical;
  AppendInt64(canonical, *number);
  return canonical == digits;
}

Status CheckId(std::string_view id, std::string_view what) {
  if (id.empty()) return Bad(what, id, "is empty.");
  if (id.size() > kMaxIdBytes) return Bad(what, {}, "is longer than 1500 bytes.");
  if (!IsUtf8(id)) return Bad(what, {}, "is not valid UTF-8.");
  if (id.find('/') != std::string_view::npos) {
    return Bad(what, id, "is invalid because it contains \"/\".");
  }
  if (id == "." || id == "..") return Bad(what, id, "is not allowed.");
  return {};
}

// Takes the text up to the next slash off the front.
std::string_view TakeSegment(std::string_view& rest) {
  const std::size_t slash = rest.find('/');
  const std::string_view segment = rest.substr(0, slash);
  rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  return segment;
}

Status CheckPath(std::string_view name, std::string_view path) {
  if (!path.empty() && path.back() == '/') return Bad("Name", name, "ends in a slash.");
  bool collection = true;
  for (std::string_view rest = path; !rest.empty(); collection = !collection) {
    const std::string_view id = TakeSegment(rest);
    SHARDLINE_CHECK(collection ? CheckCollectionId(id) : CheckDocumentId(id));
  }
  if (!collection) return Bad("Name", name, "names a collection, not a document.");
  return {};
}

}  // namespace

bool IsReserved(std::string_view id) {
  return id.size() > 4 && id.substr(0, 2) == "__" && id.substr(id.size() - 2) == "__";
}

Status CheckDocumentId(std::string_view id) {
  SHARDLINE_CHECK(CheckId(id, "Resource id"));
  if (IsReserved(id) && !IsNumericId(id)) {
    return Bad("Resource id", id, "is invalid because it is reserved.");
  }
  return {};
}

Status CheckCollectionId(std::string_view id) {
  SHARDLINE_CHECK(CheckId(id, "Collection id"));
  if (IsReserved(id)) {
    return Bad("Collection id", id, "is invalid because it is reserved.");
  }
  return {};
}

Result<ResourcePath> ParseParentName(std::string_view name) {
  std::string_view rest = name;
  const bool projects = TakeSegment(rest) == "projects";
  const std::string_view project = TakeSegment(rest);
  const bool databases = TakeSegment(rest) == "databases";
  const std::string_view database = TakeSegment(rest);
  if (!projects || !databases || project.empty() || database.empty()) {
    return Bad("Name", name, "lacks \"projects/…/databases/…\" at its start.");
  }
  const auto prefix = static_cast<std::size_t>(database.data() + database.size() - name.data());
  const std::string_view behind = name.substr(prefix);
  if (behind.substr(0, kDocuments.size()) != kDocuments) {
    return Bad("Name", name, "lacks \"/documents\".");
  }
  ResourcePath resource{std::string(name.substr(0, prefix)), {}};
  std::string_view path = behind.substr(kDocuments.size());
  if (!path.empty()) {
    if (path[0] != '/') return Bad("Name", name, "lacks \"/documents\".");
    path.remove_prefix(1);
    SHARDLINE_CHECK(CheckPath(name, path));
    resource.path = std::string(path);
  }
  return resource;
}

Result<ResourcePath> ParseDocumentName(std::string_view name) {
  SHARDLINE_TRY(ResourcePath resource, ParseParentName(name));
  if (resource.path.empty()) return Bad("Name", name, "names no document.");
  return resource;
}

std::string DocumentName(std::string_view database, std::string_view path) {
  std::string name(database);
  name += kDocuments;
  if (!path.empty()) {
    name += '/';
    name += path;
  }
  return name;
}

std::string_view LastId(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view ParentPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool MakeRelative(Value& value, std::string_view database) {
  const Reference* reference = value.As<Reference>();
  Result<ResourcePath> name = ParseDocumentName(reference ? reference->name : "");
  const bool ours = name && name->database == database;
  value = {Reference{ours ? std::move(name->path) : std::string()}};
  return ours;
}

}  // namespace shardline::simulator
