#include "counter/places.h"

#include <string>

#include "base/reason.h"

namespace shardline {
namespace {

// Appends `text`, with each of `special` as a percent sign and two digits.
void AppendEscaped(std::string& out, std::string_view text, std::string_view special) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

bool IsReserved(std::string_view id) {
  return id.size() >= 4 && id.substr(0, 2) == "__" && id.substr(id.size() - 2) == "__";
}

}  // namespace

Result<DocumentPath> OwnDocumentPath(std::string_view path,
                                     std::optional<std::string_view> shard_collection,
                                     const FieldPath& count_field) {
  std::string id;
  if (shard_collection) {
    AppendEscaped(id, *shard_collection, "%/.");
    id += '.';
  }
  AppendEscaped(id, count_field.text(), shard_collection ? "%/" : "%/.");
  if (IsReserved(id)) id.replace(0, 1, "%5F");
  if (id.size() > kMaxIdBytes) {
    return RefuseArgument(
        kArgumentNotAllowed, "layout", "a layout with shorter names",
        "The names of the shards' collection and of the count field are too long: "
        "together, with `%`, `/` and `.` counted as three bytes, they must fit into 1,499 "
        "bytes of UTF-8.");
  }
  std::string text(path);
  text += shard_collection ? "/shardline/" : "/shardline/shardline/";
  text += id;
  return DocumentPath::Parse(text);
}

Result<std::string> KeyId(std::string_view key) {
  const bool is_dots = key == "." || key == "..";
  std::string id;
  AppendEscaped(id, key, is_dots ? "." : "%/");
  if (IsReserved(id)) id.replace(0, 1, "%5F");
  SHARDLINE_CHECK(CheckId(id, "key"));
  return id;
}

}  // namespace shardline
