#include "rules/rules_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "counter/places.h"

namespace shardline {
namespace {

constexpr std::string_view kFileHead = R"(rules_version = '2';

service cloud.firestore {
  match /databases/{database}/documents {
)";
constexpr std::string_view kFileEnd = R"(  }
}
)";

// Rules decode %XX in paths.
std::string EscapePercent(std::string_view path) {
  std::string out;
  for (const char c : path) {
    out += c;
    if (c == '%') out += "25";
  }
  return out;
}

}  // namespace

std::string Fill(std::string_view text, const std::vector<RulesPart>& parts) {
  std::string out;
  for (;;) {
    const std::size_t start = text.find('@');
    out += text.substr(0, start);
    if (start == std::string_view::npos) return out;
    text.remove_prefix(start + 1);
    const std::string_view name = text.substr(0, text.find('@'));
    text.remove_prefix(name.size() + 1);
    const std::string& value = std::find_if(parts.begin(), parts.end(), [&](const RulesPart& part) {
                                 return part.name == name;
                               })->value;
    out += value;
    const bool is_own_line = out.empty() || out.back() == '\n';
    if (is_own_line && text.substr(0, 1) == "\n") text.remove_prefix(1);
  }
}

std::string InExpression(std::string_view path, std::string_view database) {
  std::string out = "/databases/" + std::string(database) + "/documents/";
  for (const char c : path) {
    if (c == '{') {
      out += "$(";
    } else {
      out += c == '}' ? ')' : c;
    }
  }
  return out;
}

std::string Indented(std::string_view text, std::string_view by) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (text.substr(0, end) != "\n") out += by;
    out += text.substr(0, end);
    text.remove_prefix(end);
  }
  return out;
}

std::string WholeRules(std::string_view blocks) {
  std::string text(kFileHead);
  text += Indented(blocks, "    ");
  return text += kFileEnd;
}

RulesPlaces PlacesOf(const RulesOptions& options, std::string_view database) {
  const std::optional<std::string>& below = options.layout.shard_collection;
  // The id of the own document does not depend on the path, and a path with wildcards is not a
  // path.
  const DocumentPath own = *OwnDocumentPath(below ? "posts/p1" : "posts", below,
                                            *FieldPath::Parse(options.layout.count_field));
  RulesPlaces places;
  places.own = below ? "shardline/" : "shardline/shardline/";
  places.own += EscapePercent(own.id());
  places.shards = below.value_or("");
  places.parent_path = InExpression(options.path, database);
  places.shard_path = places.parent_path + (below ? '/' + *below : std::string());
  return places;
}

}  // namespace shardline
