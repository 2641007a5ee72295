#include "rules/rules_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/reason.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "rules/expression.h"
#include "rules/words.h"

namespace shardline {
namespace {

Failure RefusePath(const std::string& why) {
  return RefuseArgument(kArgumentNotAllowed, "path", "a path such as posts/{post}", "path ") << why;
}

using nlohmann::json;

constexpr double kSmallestDelta = 1e-12;
constexpr double kLargestDelta = 9007199254740991;  // The largest safe integer of JavaScript.
constexpr std::size_t kMaxAdminBytes = 2'000;
constexpr std::int64_t kMaxChoices = 20;
constexpr std::int64_t kMaxRating = 100;
constexpr std::size_t kMaxPathBytes = 2'000;
// Bounds an id or a field's name. Each occurs many times in the text, which may have 256 KB.
constexpr std::size_t kMaxNameBytes = 500;

bool IsName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsWordCharacter) &&
         !(text.front() >= '0' && text.front() <= '9');
}

bool IsFieldName(std::string_view text) {
  return IsName(text) && text.size() <= kMaxNameBytes && CheckFieldName(text).has_value();
}

bool IsId(std::string_view text) {
  return text.size() <= kMaxNameBytes && std::all_of(text.begin(), text.end(), IsPathCharacter) &&
         CheckId(text, "id").has_value();
}

// Reads the segments of the path into `wildcards` and returns how many segments there are.
Result<std::size_t> ReadSegments(std::string_view path, std::vector<std::string_view>& wildcards) {
  for (std::size_t segments = 1;; ++segments) {
    const std::size_t end = path.find('/');
    const std::string_view segment = path.substr(0, end);
    if (segment.size() > 2 && segment.front() == '{' && segment.back() == '}' &&
        IsName(segment.substr(1, segment.size() - 2))) {
      wildcards.push_back(segment.substr(1, segment.size() - 2));
    } else if (!IsId(segment)) {
      return MustBe("path",
                    "like posts/{post}: with slashes between ids of letters, digits, _, - and ., "
                    "of 500 characters at the most and not like __…__, or names in braces");
    }
    if (end == std::string_view::npos) return segments;
    path.remove_prefix(end + 1);
  }
}

Status CheckWildcards(const std::vector<std::string_view>& wildcards) {
  for (auto each = wildcards.begin(); each != wildcards.end(); ++each) {
    const std::string name(*each);
    if (IsKeyword(*each) || IsPackage(*each) || IsNameInRules(*each)) {
      return RefusePath("must not call a wildcard {" + name +
                        "}: that is a word of the rules. Choose another name.");
    }
    if (std::find(wildcards.begin(), each, *each) != each) {
      return RefusePath("has the wildcard {" + name + "} twice: give each one a name of its own.");
    }
  }
  return {};
}

Status CheckPath(const RulesOptions& options) {
  if (options.path.size() > kMaxPathBytes) {
    return RefusePath("must not be longer than 2,000 characters.");
  }
  std::vector<std::string_view> wildcards;
  SHARDLINE_TRY(const std::size_t segments, ReadSegments(options.path, wildcards));
  SHARDLINE_CHECK(CheckWildcards(wildcards));
  if ((segments % 2 == 0) != options.layout.shard_collection.has_value()) {
    return RefusePath(
        options.layout.shard_collection
            ? "must be a document's, such as posts/{post}: shards lie in a collection below "
              "it."
            : "must be a collection's: in this layout it is the collection of the shards.");
  }
  return {};
}

Status ReadLayoutMember(const std::string& key, const json& value, Layout& layout) {
  if (key == "shardCollection" || key == "shardCountField") {
    if (!value.is_string() && !value.is_null()) {
      return MustBe("layout." + key, "a text or null");
    }
    std::optional<std::string>& member =
        key == "shardCollection" ? layout.shard_collection : layout.shard_count_field;
    member.reset();
    if (value.is_string()) member = value;
    return {};
  }
  if (key == "countField") {
    if (!value.is_string()) return MustBe("layout.countField", "a text");
    layout.count_field = value;
    return {};
  }
  return Fail(kArgumentUnknown, "")
         << Param{"argument", "layout." + key.substr(0, 100)} << " is unknown: there are "
         << Param{"known",
                  "shardCollection, countField, shardCountField and "
                  "parent"}
         << ".";
}

Result<Layout> ReadOwnLayout(const json& members) {
  Layout layout;
  if (!members.contains("shardCollection")) {
    return MustBe("layout.shardCollection",
                  "given; null means that the path is itself the collection of shards");
  }
  if (!members.contains("countField")) {
    return MustBe("layout.countField", "given");
  }
  for (const auto& [key, value] : members.items()) {
    if (key == "parent") continue;
    SHARDLINE_CHECK(ReadLayoutMember(key, value, layout));
  }
  const auto parent = members.find("parent");
  if (parent != members.end() &&
      (!parent->is_boolean() || *parent != layout.shard_count_field.has_value())) {
    return MustBe("layout.parent", "true with a shardCountField, and false without one");
  }
  return layout;
}

Status CheckLayout(const Layout& layout) {
  if (layout.is_extension) {
    return RefuseArgument(
        kArgumentNotAllowed, "layout", "another layout",
        "layout must not be extension: keep the rules that the extension's shards have, "
        "and add the rules of the guide Moving from firestore-counter.");
  }
  if (!IsFieldName(layout.count_field)) {
    return MustBe("layout.countField",
                  "a name of letters, digits and _ for rules and indexes to be made");
  }
  if (layout.shard_collection && !IsId(*layout.shard_collection)) {
    return MustBe("layout.shardCollection",
                  "an id of letters, digits, _, - and . for rules and indexes to be made");
  }
  if (layout.shard_count_field && !layout.shard_collection) {
    return MustBe(
        "layout.shardCountField",
        "left out where shardCollection is null: there is no document for it to stand in");
  }
  if (layout.shard_count_field && !IsFieldName(*layout.shard_count_field)) {
    return MustBe("layout.shardCountField", "a name of letters, digits and _ for rules to be made");
  }
  return {};
}

// Rules know no exponents.
std::string FormatNumber(double value) {
  if (std::trunc(value) == value) return std::to_string(static_cast<std::int64_t>(value));
  std::array<char, 64> buffer{};
  for (int decimals = 1;; ++decimals) {
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    std::string text(buffer.data());
    if (ParseDouble(text) == value || decimals == 30) return text;
  }
}

Status ReadMaxDelta(const json& value, RulesOptions& options) {
  const double number = value.is_number() ? value.get<double>() : 0;
  if (!(number >= kSmallestDelta && number <= kLargestDelta)) {
    return MustBe("maxDelta", "a number from 0.000000000001 to 9,007,199,254,740,991");
  }
  options.max_delta = FormatNumber(number);
  options.fractions = options.fractions || std::trunc(number) != number;
  return {};
}

Status ReadAccess(const json& value, Access& access) {
  constexpr std::string_view kNames[] = {"public", "signed-in", "one-vote", "one-like"};
  const std::string given = value.is_string() ? value.get<std::string>() : std::string();
  const auto* const name = std::find(std::begin(kNames), std::end(kNames), given);
  if (name == std::end(kNames)) {
    return MustBe("access", "public, signed-in, one-vote or one-like");
  }
  access = static_cast<Access>(name - std::begin(kNames));
  return {};
}

// Reads {from, to} of ratings.
Status ReadRatings(const json& value, std::vector<std::string>& choices) {
  const auto bound = [&](const char* name) {
    return value.is_object() && value.contains(name) && value[name].is_number_integer()
               ? value[name].get<std::int64_t>()
               : -1;
  };
  const std::int64_t from = bound("from");
  const std::int64_t to = bound("to");
  if (from < 0 || from > kMaxRating || to <= from || to - from >= kMaxChoices ||
      value.size() != 2) {
    return MustBe("ratings",
                  "{from, to}: integers, from 0 to 100, with at most 20 values between them");
  }
  for (std::int64_t each = from; each <= to; ++each) choices.push_back('r' + std::to_string(each));
  return {};
}

// Reads the names of fields.
Status ReadNames(const json& value, const char* option, std::vector<std::string>& names) {
  const auto is_name = [](const json& each) {
    return each.is_string() && IsFieldName(each.get_ref<const std::string&>());
  };
  if (!value.is_array() || value.empty() || std::ssize(value) > kMaxChoices ||
      !std::all_of(value.begin(), value.end(), is_name)) {
    return MustBe(option, "a list of 1 to 20 names of letters, digits and _");
  }
  names = value.get<std::vector<std::string>>();
  return {};
}

// Ratings and reactions have a layout of their own.
Status SetChoices(const json& members, RulesOptions& options) {
  for (const auto& [key, value] : members.items()) {
    const bool is_shared = key == "path" || key == "shards" || key == "admin";
    if (!is_shared && key != "ratings" && key != "reactions") {
      return MustBe(key, "left out: ratings and reactions have rules of their own");
    }
  }
  if (members.contains("ratings") && members.contains("reactions")) {
    return MustBe("reactions", "left out where ratings are given: call once for each");
  }
  options.layout = {};
  options.layout.shard_collection =
      members.contains("ratings") ? "shardline_ratings" : "shardline_reactions";
  options.layout.count_field = "choice";
  return {};
}

Status ReadAdmin(const json& value, RulesOptions& options) {
  if (!value.is_string()) return MustBe("admin", "a text");
  options.admin = value;
  if (options.admin->size() > kMaxAdminBytes) {
    return RefuseArgument(kArgumentNotAllowed, "admin", "a text of at most 2,000 characters",
                          "admin must not be longer than 2,000 characters.");
  }
  // The expression is the body of a function of this name, and no function may call itself.
  if (options.admin->find("isCounterAdmin") != std::string::npos) {
    return RefuseArgument(
        kArgumentNotAllowed, "admin", "an expression without isCounterAdmin",
        "admin must not contain isCounterAdmin: that is its own name in the rules.");
  }
  return CheckExpression(*options.admin, "admin");
}

Status ReadMember(const std::string& key, const json& value, RulesOptions& options) {
  if (key == "path") {
    if (!value.is_string()) return MustBe("path", "a text");
    options.path = value;
  } else if (key == "layout") {
    return ReadCheckedLayout(value, options.layout);
  } else if (key == "shards") {
    const bool good = value.is_number_integer() && value >= 1 && value <= kMaxShards;
    if (!good) return MustBe("shards", "an integer from 1 to 10,000");
    options.shards = value;
  } else if (key == "maxDelta") {
    return ReadMaxDelta(value, options);
  } else if (key == "fractions") {
    if (!value.is_boolean()) return MustBe("fractions", "true or false");
    options.fractions = options.fractions || value.get<bool>();
  } else if (key == "access") {
    return ReadAccess(value, options.access);
  } else if (key == "missingShards") {
    if (value != "made" && value != "refused") {
      return MustBe("missingShards", "made or refused");
    }
    options.makes_shards = value == "made";
  } else if (key == "parent") {
    if (value != "readable" && value != "private") {
      return MustBe("parent", "readable or private");
    }
    options.is_parent_private = value == "private";
  } else if (key == "admin") {
    return ReadAdmin(value, options);
  } else if (key == "ratings" || key == "reactions") {
    return ReadChoices(key, value, options.choices);
  } else if (key == "fields") {
    return ReadFields(value, options.fields);
  } else {
    return UnknownOption(
        key.substr(0, 100),
        "path, layout, shards, maxDelta, fractions, access, missingShards, parent, admin, fields, "
        "ratings and reactions");
  }
  return {};
}

}  // namespace

Status ReadChoices(const std::string& key, const json& value, std::vector<std::string>& choices) {
  choices.clear();
  return key == "ratings" ? ReadRatings(value, choices) : ReadNames(value, "reactions", choices);
}

Status ReadFields(const json& value, std::vector<std::string>& fields) {
  return ReadNames(value, "fields", fields);
}

bool IsNameInRules(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "request",     "resource",     "database",    "shardId",  "countBefore",
      "countAfter",  "memberEntry",  "memberPath",  "memberId", "totalId",
      "shardPath",   "keptIn",       "keptId",      "choiceId", "choiceBefore",
      "choiceAfter", "countsBefore", "countsAfter", "fieldId",  "countMoved"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool MentionsWildcard(std::string_view expression, const std::string& path) {
  while (!expression.empty()) {
    std::size_t size = 0;
    while (size < expression.size() && IsWordCharacter(expression[size])) ++size;
    const std::string wildcard = '{' + std::string(expression.substr(0, size)) + '}';
    if (path.find(wildcard) != std::string::npos) return true;
    expression.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return false;
}

Status ReadCheckedLayout(const json& value, Layout& layout) {
  if (value.is_string()) {
    const auto& name = value.get_ref<const std::string&>();
    SHARDLINE_TRY(layout, Layout::Preset(name));
  } else if (value.is_object()) {
    SHARDLINE_TRY(layout, ReadOwnLayout(value));
  } else {
    return MustBe("layout", "a name or an object, like a counter's");
  }
  return CheckLayout(layout);
}

Result<RulesOptions> ReadRulesOptions(const json& members) {
  if (!members.is_object()) return MustBe("The options", "an object");
  RulesOptions options;
  options.layout = *Layout::Preset("web-sample");
  for (const auto& [key, value] : members.items()) {
    SHARDLINE_CHECK(ReadMember(key, value, options));
  }
  if (!options.choices.empty()) SHARDLINE_CHECK(SetChoices(members, options));
  SHARDLINE_CHECK(CheckPath(options));
  const std::string& count_field = options.layout.count_field;
  if (std::find(options.fields.begin(), options.fields.end(), count_field) !=
      options.fields.end()) {
    return MustBe("fields", "without " + count_field +
                                ": that field belongs to the counter without fields in the same "
                                "shards, and these rules would open it");
  }
  const bool once = options.access == Access::kOneLike || options.access == Access::kOneVote;
  if (once && (options.max_delta != "1" || options.fractions)) {
    return MustBe("maxDelta",
                  "1, without fractions, if access is one-like or one-vote: a user counts once");
  }
  if (once && !options.fields.empty()) {
    return MustBe("access", "public or signed-in with fields; reactions have one of each user");
  }
  return options;
}

}  // namespace shardline
