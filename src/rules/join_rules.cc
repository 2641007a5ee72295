#include "rules/join_rules.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "base/utf8.h"
#include "rules/counter_rules.h"
#include "rules/rules_file.h"
#include "rules/rules_options.h"
#include "rules/rules_review.h"
#include "rules/rules_text.h"
#include "rules/stock_rules.h"

namespace shardline {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Kind = RulesSegment::Kind;

// Rules that go into a file.
struct NewRules {
  RulesOfPath of;
  // The blocks; `database` is the segment behind /databases in expressions.
  std::function<std::string(std::string_view database)> write;
};

std::size_t StartOfLine(std::string_view text, std::size_t at) {
  // npos + 1 is 0: the first line.
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
}

std::string IndentationAt(std::string_view text, std::size_t at) {
  const std::size_t start = StartOfLine(text, at);
  const std::size_t end = std::min(text.find_first_not_of(" \t", start), text.size());
  return std::string(text.substr(start, end - start));
}

// Takes out the rules that an earlier call has written.
Result<std::string> WithoutPart(std::string text, const std::string& part) {
  const std::string begin = BeginOfRules(part);
  for (std::size_t at = 0; (at = text.find(begin)) != std::string::npos;) {
    const std::size_t end = text.find(kEndOfRules, at);
    if (end == std::string::npos) {
      return UnreadableRules(text, at, "the end of Shardline's part is missing");
    }
    const std::size_t start = StartOfLine(text, at);
    text.erase(start, std::min(text.find('\n', end), text.size() - 1) + 1 - start);
  }
  return text;
}

// The place of the blocks.
struct Place {
  const RulesBlock* block;
  // The segment behind /databases, in expressions. Empty: the block is the service's own.
  std::string database;
};

// The block of which the whole path is /databases/{database}/documents.
std::optional<Place> FindDocuments(const RulesBlock& block, RulesPath path,
                                   const RulesPath& rules) {
  path.insert(path.end(), block.path.begin(), block.path.end());
  if (path.size() > 3) return std::nullopt;
  if (path.size() == 3) {
    const RulesSegment& database = path[1];
    const bool is_hidden = database.kind == Kind::kAnyId &&
                           std::any_of(rules.begin(), rules.end(), [&](const RulesSegment& each) {
                             return each.kind == Kind::kAnyId && each.text == database.text;
                           });
    const bool fits = path[0].text == "databases" && path[2].text == "documents" &&
                      path[0].kind == Kind::kId && path[2].kind == Kind::kId &&
                      database.kind != Kind::kRest && !is_hidden;
    if (!fits) return std::nullopt;
    const bool is_id = database.kind == Kind::kId;
    return Place{&block, is_id ? database.text : "$(" + database.text + ")"};
  }
  for (const RulesBlock& inner : block.blocks) {
    if (std::optional<Place> found = FindDocuments(inner, path, rules)) return found;
  }
  return std::nullopt;
}

// The rules with the indentation and the ends of lines of the text.
std::string InStyle(std::string_view rules, const std::string& by, const std::string& unit,
                    std::string_view end_of_line) {
  std::string out;
  while (!rules.empty()) {
    const std::size_t size = std::min(rules.find('\n'), rules.size());
    std::string_view line = rules.substr(0, size);
    rules.remove_prefix(std::min(size + 1, rules.size()));
    if (!line.empty()) out += by;
    for (; line.starts_with("  "); line.remove_prefix(2)) out += unit;
    (out += line) += end_of_line;
  }
  return out;
}

// The place of a block's first statement.
std::optional<std::size_t> FirstIn(const RulesBlock& block) {
  std::optional<std::size_t> first;
  const auto see = [&](std::size_t start) { first = std::min(first.value_or(start), start); };
  for (const RulesBlock& each : block.blocks) see(each.start);
  for (const RulesAllow& each : block.allows) see(each.start);
  return first;
}

// Writes the rules in front of the brace that closes a block.
std::string Insert(const std::string& text, const Place& place, const NewRules& added) {
  const RulesBlock& block = *place.block;
  const std::string own = IndentationAt(text, block.start);
  std::string unit = own.empty() ? "  " : own;
  const std::optional<std::size_t> first = FirstIn(block);
  if (first && StartOfLine(text, *first) > block.open) {
    const std::string inner = IndentationAt(text, *first);
    if (inner.size() > own.size() && inner.starts_with(own)) unit = inner.substr(own.size());
  }
  std::string rules =
      added.write(place.database.empty() ? std::string_view("$(database)") : place.database);
  if (place.database.empty()) {
    rules = "match /databases/{database}/documents {\n" + InStyle(rules, "  ", "  ", "\n") + "}\n";
  }
  const std::string end_of_line = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  const std::size_t end = text.find_last_not_of(" \t\r\n", block.close - 1) + 1;
  std::string out = text.substr(0, end) + end_of_line;
  if (end != block.open + 1) out += end_of_line;
  out += InStyle(rules, own + unit, unit, end_of_line);
  return out + own + text.substr(block.close);
}

// Makes it a file of version 2.
void SetVersion(std::string& text, const std::optional<RulesFile::Version>& version) {
  if (version) {
    text.replace(version->start, version->end - version->start, "'2'");
  } else {
    text.insert(0, std::string("rules_version = '2';") +
                       (text.find("\r\n") == std::string::npos ? "\n" : "\r\n"));
  }
}

RulesFinding VersionFinding(std::string_view text, const RulesFile& file, bool is_missing) {
  std::string why = is_missing ? "The file had no `rules_version = '2'`"
                               : "The file was of an earlier version than 2";
  why +=
      ", without which the new rules do not compile. In version 2, {name=**} also matches "
      "the document in front of it, and rules apply to queries of collection groups.";
  return {"version",      file.version ? LineOf(text, file.version->start) : 1, "", "",
          std::move(why), "Look at the rules that have =** in their path."};
}

Result<std::string> Join(std::string text, const NewRules& rules,
                         std::vector<RulesFinding>& findings) {
  SHARDLINE_TRY(text, WithoutPart(std::move(text), rules.of.part));
  SHARDLINE_TRY(const RulesFile file, ParseRulesFile(text));
  if (file.is_empty) {
    const bool ends_line = text.empty() || text.ends_with('\n');
    return text + (ends_line ? "" : "\n") + WholeRules(rules.write("$(database)"));
  }
  if (!file.firestore) {
    return UnreadableRules(text, 0,
                           "it has no `service cloud.firestore`, so it is not Firestore's");
  }
  const std::optional<Place> found =
      FindDocuments(*file.firestore, {}, ParseRulesPath(rules.of.path));
  std::string joined = Insert(text, found.value_or(Place{&*file.firestore, ""}), rules);
  if (file.version && file.version->text == "2") return joined;
  SetVersion(joined, file.version);
  SHARDLINE_TRY(const RulesFile renewed, ParseRulesFile(joined));
  findings.push_back(VersionFinding(joined, renewed, !file.version));
  return joined;
}

Result<NewRules> ReadCounterOptions(const json& members) {
  SHARDLINE_TRY(const RulesOptions& options, ReadRulesOptions(members));
  return NewRules{
      {options.part(), options.path, options.layout.shard_count_field},
      [options](std::string_view database) { return WriteCounterBlocks(options, database); }};
}

Result<NewRules> ReadStockOptions(const json& members) {
  SHARDLINE_TRY(const StockRulesOptions& options, ReadStockRulesOptions(members));
  return NewRules{
      {options.part(), options.of_path.path, std::nullopt, true},
      [options](std::string_view database) { return WriteStockBlocks(options, database); }};
}

// `read` takes the options.
Result<std::string> JoinRules(const PaddedText& arguments,
                              Result<NewRules> (*read)(const json& members)) {
  json given = json::parse(arguments.view(), nullptr, false);
  if (!given.is_array() || given.size() < 2 || !given[0].is_string()) {
    return MustBe("The first argument", "a text: the content of the rules file");
  }
  SHARDLINE_TRY(const NewRules& rules, read(given[1]));
  std::string text = given[0].get<std::string>();
  if (WasUtf16(text)) return UnreadableRules(text, 0, "it is UTF-16; save it as UTF-8");
  // The compiler refuses the byte order mark of Windows' editors.
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  std::vector<RulesFinding> findings;
  SHARDLINE_TRY(text, Join(std::move(text), rules, findings));
  SHARDLINE_TRY(const RulesFile file, ParseRulesFile(text));
  for (RulesFinding& each : ReviewRules(text, file, rules.of)) findings.push_back(std::move(each));
  ordered_json list = ordered_json::array();
  for (RulesFinding& each : findings) {
    list.push_back({{"kind", each.kind},
                    {"line", each.line},
                    {"path", std::move(each.path)},
                    {"who", each.who},
                    {"why", std::move(each.why)},
                    {"todo", std::move(each.todo)}});
  }
  return ordered_json({{"text", std::move(text)}, {"findings", std::move(list)}}).dump();
}

}  // namespace

Result<std::string> JoinCounterRules(const PaddedText& arguments) {
  return JoinRules(arguments, ReadCounterOptions);
}

Result<std::string> JoinStockRules(const PaddedText& arguments) {
  return JoinRules(arguments, ReadStockOptions);
}

}  // namespace shardline
