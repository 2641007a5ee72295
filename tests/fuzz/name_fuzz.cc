// Document names and field paths from any text.

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "firestore/value.h"
#include "fuzz/fuzz.h"

namespace shardline {
namespace {

void TryFieldPath(std::string_view text) {
  const Result<FieldPath> path = FieldPath::Parse(text);
  RequireReason(path);
  if (!path || path->IsDocumentName()) return;
  // Backticks can make the canonical form longer than a readable path may be.
  const Result<FieldPath> again = FieldPath::Parse(path->text());
  if (!again) {
    Require(path->text().size() > 1'500, "a canonical path reads back");
    return;
  }
  Require(*again == *path && again->segments() == path->segments(), "and is the same");
  for (const std::string& name : path->segments())
    Require(CheckFieldName(name).has_value(), "names");
}

void TryPaths(std::string_view text) {
  const DatabaseName database = DatabaseName::Make("p", "d").value();
  const Result<DocumentPath> document = DocumentPath::Parse(text);
  const Result<CollectionPath> collection = CollectionPath::Parse(text);
  RequireReason(document);
  RequireReason(collection);
  Require(!(document && collection), "a path is of one kind");
  if (document) Require(document->Name(database).ends_with(text), "a name ends in its path");
  if (!collection) return;
  Require(CheckId(collection->id(), "id").has_value(), "every part is a valid id");
  const std::string url = collection->QueryUrlPath(database, ":runQuery");
  Require(std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7F; }),
          "a URL is printable");
  Require(url.find_first_of("?#\"\\") == std::string::npos, "a URL has a path only");
}

void TryOrder(std::string_view text) {
  const std::size_t half = std::min(text.find('\n'), text.size());
  const std::string_view a = text.substr(0, half);
  const std::string_view b = text.substr(half);
  Require(CompareNames(a, b) == (0 <=> CompareNames(b, a)), "the order is antisymmetric");
  Require(CompareNames(a, a) == 0, "and reflexive");
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = shardline::Input(data, size);
  shardline::TryFieldPath(text);
  shardline::TryPaths(text);
  shardline::TryOrder(text);
  shardline::RequireReason(shardline::CheckId(text, "id"));
  return 0;
}
