#include "firestore/resource_name.h"

#include <cassert>
#include <utility>

#include "base/ascii.h"
#include "base/reason.h"
#include "base/utf8.h"

namespace shardline {
namespace {

Failure BadId(std::string_view id, const char* what, const char* why) {
  // The message repeats only a text that is surely printable and short.
  const bool is_shown = !id.empty() && id.size() <= 200 && IsUtf8(id);
  return Fail(kPathNotAllowed, "The ")
         << what << (is_shown ? " \"" : "") << Param{"path", is_shown ? id : ""}
         << (is_shown ? "\" " : " ") << why;
}

// Checks every segment of a path and returns how many there are.
Result<std::size_t> CheckPath(std::string_view text) {
  std::size_t count = 0;
  for (std::string_view rest = text;; ++count) {
    const std::size_t slash = rest.find('/');
    const std::string_view id = rest.substr(0, slash);
    if (id.empty()) {
      return BadId(text, "path",
                   "has an empty segment: write it as collection/document, "
                   "without a slash at either end.");
    }
    SHARDLINE_CHECK(CheckId(id, "path segment"));
    if (slash == std::string_view::npos) return count + 1;
    rest.remove_prefix(slash + 1);
  }
}

std::string PercentEncode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~/()";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (IsLetterOrDigit(c) || kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

std::string_view LastSegment(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Status CheckId(std::string_view id, const char* what) {
  const auto bad = [&](const char* why) { return BadId(id, what, why); };
  if (id.empty()) return bad("is empty: give it at least one character.");
  if (id.size() > kMaxIdBytes) return bad("is longer than 1,500 bytes of UTF-8.");
  if (!IsUtf8(id)) return bad("is not valid UTF-8.");
  if (id.find('/') != std::string_view::npos) return bad("must not contain a slash.");
  if (id == "." || id == "..") return bad("is not allowed by Firestore.");
  if (id.size() >= 4 && id.substr(0, 2) == "__" && id.substr(id.size() - 2) == "__") {
    return bad("is reserved by Firestore: ids must not begin and end with two underscores.");
  }
  return {};
}

Result<DatabaseName> DatabaseName::Make(std::string_view project_id, std::string_view database_id) {
  SHARDLINE_CHECK(CheckId(project_id, "projectId"));
  SHARDLINE_CHECK(CheckId(database_id, "databaseId"));
  std::string documents = "projects/";
  documents += project_id;
  documents += "/databases/";
  documents += database_id;
  documents += "/documents";
  return DatabaseName(std::move(documents));
}

std::string DatabaseName::UrlPath(std::string_view suffix) const {
  std::string path = "/v1/" + PercentEncode(documents_);
  path += suffix;
  return path;
}

Result<DocumentPath> DocumentPath::Parse(std::string_view text) {
  SHARDLINE_TRY(const std::size_t segments, CheckPath(text));
  if (segments % 2 != 0) {
    return BadId(text, "path",
                 "names a collection: a document's path has an even number of "
                 "segments, as in counters/visits.");
  }
  return DocumentPath(std::string(text));
}

std::string_view DocumentPath::id() const { return LastSegment(text_); }

CollectionPath DocumentPath::Collection(std::string_view checked_id) const {
  assert(CheckId(checked_id, "id"));
  std::string text = text_ + '/';
  text += checked_id;
  return CollectionPath(std::move(text));
}

Result<CollectionPath> CollectionPath::Parse(std::string_view text) {
  SHARDLINE_TRY(const std::size_t segments, CheckPath(text));
  if (segments % 2 == 0) {
    return BadId(text, "path",
                 "names a document: a collection's path has an odd number of "
                 "segments, as in instruments.");
  }
  return CollectionPath(std::string(text));
}

std::string_view CollectionPath::id() const { return LastSegment(text_); }

std::string_view CollectionPath::parent() const {
  const std::string_view text = text_;
  const std::size_t slash = text.rfind('/');
  return text.substr(0, slash == std::string_view::npos ? 0 : slash);
}

DocumentPath CollectionPath::Document(std::string_view checked_id) const {
  assert(CheckId(checked_id, "id"));
  std::string text = text_ + '/';
  text += checked_id;
  return DocumentPath(std::move(text));
}

std::string CollectionPath::QueryUrlPath(const DatabaseName& database,
                                         std::string_view verb) const {
  std::string suffix;
  if (!parent().empty()) suffix = '/' + PercentEncode(parent());
  suffix += verb;
  return database.UrlPath(suffix);
}

}  // namespace shardline
