#include "rules/counter_rules.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "counter/counter.h"
#include "counter/layout.h"
#include "counter/places.h"

namespace shardline {
namespace {

using nlohmann::json;

enum class Access : std::uint8_t { kPublic, kSignedIn, kOneVote };

struct Options {
  std::string path;
  Layout layout;
  std::int64_t shards = kDefaultShards;
  json max_delta = 1;
  Access access = Access::kPublic;
  std::string admin;
};

Failure Refuse(std::string message) { return InvalidArgument(std::move(message)); }

bool IsOf(std::string_view text, std::string_view punctuation) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           punctuation.find(c) != std::string_view::npos;
  });
}

bool IsName(std::string_view text) {
  return IsOf(text, "_") && !(text.front() >= '0' && text.front() <= '9');
}

// What could be written in rules without quotes; rules know no others.
bool IsSegment(std::string_view text) {
  if (text.size() > 2 && text.front() == '{' && text.back() == '}') {
    const std::string_view name = text.substr(1, text.size() - 2);
    constexpr std::string_view kTaken[] = {"database", "shard", "client", "request", "resource"};
    return IsName(name) &&
           std::find(std::begin(kTaken), std::end(kTaken), name) == std::end(kTaken);
  }
  return IsOf(text, "_-.") && text != "." && text != "..";
}

Status CheckPath(const Options& options) {
  std::string_view rest = options.path;
  int segments = 0;
  for (bool more = true; more; ++segments) {
    const std::size_t end = rest.find('/');
    if (!IsSegment(rest.substr(0, end))) {
      return Refuse(
          "path must be like posts/{post}: ids of letters, digits, _, - and ., or names in braces "
          "other than database, shard, client, request and resource, with slashes between them.");
    }
    more = end != std::string_view::npos;
    if (more) rest.remove_prefix(end + 1);
  }
  if ((segments % 2 == 0) != options.layout.shard_collection.has_value()) {
    return Refuse(options.layout.shard_collection
                      ? "path must be a document's, such as posts/{post}, as shards lie below it."
                      : "path must be a collection's, as it is that of the shards.");
  }
  return {};
}

Status ReadLayout(const json& value, Layout& layout) {
  if (value.is_string()) {
    auto preset = Layout::Preset(value.get_ref<const std::string&>());
    if (!preset) return Fail(preset.error());
    layout = std::move(*preset);
    if (layout.is_extension) {
      return Refuse(
          "There are no rules for the layout extension: keep those that the extension's shards "
          "have, "
          "and add what the README says under Moving from firestore-counter.");
    }
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      if (key == "shardCollection" && (member.is_string() || member.is_null())) {
        layout.shard_collection.reset();
        if (member.is_string()) layout.shard_collection = member;
      } else if (key == "countField" && member.is_string()) {
        layout.count_field = member;
      } else if (key != "shardCountField" && key != "parent") {
        return Refuse("layout." + key + " is unknown, or not of the kind that a counter takes.");
      }
    }
  } else {
    return Refuse("layout must be a name or an object, as for a counter.");
  }
  if (!IsName(layout.count_field)) {
    return Refuse("Rules can be made for a countField of letters, digits and _ only.");
  }
  if (layout.shard_collection && !IsOf(*layout.shard_collection, "_-.")) {
    return Refuse("Rules can be made for a shardCollection of letters, digits, _, - and . only.");
  }
  return {};
}

Status ReadMember(const std::string& key, const json& value, Options& options) {
  if (key == "path" || key == "admin") {
    if (!value.is_string()) return Refuse(key + " must be text.");
    (key == "path" ? options.path : options.admin) = value;
  } else if (key == "layout") {
    return ReadLayout(value, options.layout);
  } else if (key == "shards") {
    const bool good = value.is_number_integer() && value >= 1 && value <= kMaxShards;
    if (!good) return Refuse("shards must be 1 to 10,000.");
    options.shards = value;
  } else if (key == "maxDelta") {
    constexpr double kLargestSafe = 9007199254740991;
    if (!value.is_number() || value <= 0 || value > kLargestSafe) {
      return Refuse("maxDelta must be a number above 0.");
    }
    options.max_delta = value;
  } else if (key == "access") {
    constexpr std::string_view kNames[] = {"public", "signed-in", "one-vote"};
    const std::string given = value.is_string() ? value.get<std::string>() : std::string();
    const auto* const name = std::find(std::begin(kNames), std::end(kNames), given);
    if (name == std::end(kNames)) return Refuse("access is public, signed-in or one-vote.");
    options.access = static_cast<Access>(name - std::begin(kNames));
  } else {
    return Refuse("There is no option " + key +
                  ": there are path, layout, shards, maxDelta, access and admin.");
  }
  return {};
}

Result<Options> ReadOptions(const PaddedText& text) {
  const json members = json::parse(text.view(), nullptr, false);
  if (!members.is_object()) return Refuse("The options must be an object.");
  Options options;
  SHARDLINE_CHECK(ReadLayout("web", options.layout));
  for (const auto& [key, value] : members.items()) {
    SHARDLINE_CHECK(ReadMember(key, value, options));
  }
  SHARDLINE_CHECK(CheckPath(options));
  return options;
}

struct Part {
  std::string_view name;
  std::string_view value;
};

// The text with each @name@ replaced. Values are taken as they are: users write some of them.
std::string Fill(std::string_view text, const std::vector<Part>& parts) {
  std::string out;
  for (;;) {
    const std::size_t start = text.find('@');
    out += text.substr(0, start);
    if (start == std::string_view::npos) return out;
    text.remove_prefix(start + 1);
    const std::string_view name = text.substr(0, text.find('@'));
    text.remove_prefix(name.size() + 1);
    out += std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
             return part.name == name;
           })->value;
  }
}

// In expressions, {post} is $(post).
std::string InExpression(std::string_view path) {
  std::string out;
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

constexpr std::string_view kFileStart = R"(rules_version = '2';

service cloud.firestore {
  match /databases/{database}/documents {
    // Distributed counters. What stands between these braces can be moved into rules that you have.
)";
constexpr std::string_view kFileEnd = "  }\n}\n";

constexpr std::string_view kOwn =
    R"(// The counter's own document. Whoever may change it says how many shards there are.
allow get: if true;
allow create, update, delete: if @admin@;

// Totals for clients that do with old ones.
match @own@/shardline_rollup/{document} {
  allow get: if true;
  allow write: if @admin@;
}

)";

constexpr std::string_view kShards = R"(match /@shards@/{shard} {
  // Totals are asked for with list.
  allow read: if true;
  allow create, update: if @allowed@;
  allow delete: if @admin@;

  // What this commit adds.
  function change() {
    return request.resource.data.@field@ - (resource == null ? 0 : resource.data.@field@);
  }

  // One of the shards that there may be, and nothing is changed but its count, by as much as may be.
  function isIncrement() {
    return shard.matches('^(0|[1-9][0-9]{0,3})$') && int(shard) < @count@
      && request.resource.data.@field@ is number
      && request.resource.data.diff(resource == null ? {} : resource.data)
           .affectedKeys().hasOnly(['@field@'])
      && change() >= -@limit@ && change() <= @limit@;
  }
@entered@}

// Who has counted what, for exactly-once delivery. Found by name only.
match /@ledgers@/{client} {
  allow get: if isOwner();
  allow create: if isOwner() && isEntry() && request.resource.data.seq == 1;
@update@  allow list, delete: if @admin@;

  function isOwner() {
    return @owner@;
  }

  function isEntry() {
    let entry = request.resource.data;
    let path = @shardPath@/$(entry.shard);
    return entry.keys().hasOnly(['seq', 'batch', 'delta', 'shard', 'expireAt'])
      && entry.seq is int && entry.batch is string && entry.batch.size() == 20
      && entry.shard is string && entry.expireAt is timestamp && entry.delta is number
      && entry.delta >= -@limit@ && entry.delta <= @limit@
      // The shard changes by just this, in the same commit.
      && getAfter(path).data.@field@ - (exists(path) ? get(path).data.@field@ : 0) == entry.delta;
  }
}
)";

constexpr std::string_view kEntered = R"(
  // The user's ledger says the same, in the same commit: nobody counts twice, or for somebody else.
  function isEntered() {
    let path = @ledgerPath@/$(request.auth.uid);
    let entry = getAfter(path).data;
    return entry.shard == shard && entry.delta == change()
      && (!exists(path) || get(path).data.batch != entry.batch);
  }
)";

constexpr std::string_view kUpdate = R"(  allow update: if isOwner() && isEntry()
    && request.resource.data.seq == resource.data.seq + 1
    && request.resource.data.batch != resource.data.batch;
)";

constexpr std::string_view kNoUpdate =
    "  // A vote cannot be changed. Without a TTL policy for it, it is not forgotten either.\n";

std::string Write(const Options& options) {
  const std::optional<std::string>& below = options.layout.shard_collection;
  const bool is_public = options.access == Access::kPublic;
  const std::string root = "/databases/$(database)/documents/";
  // Where the counter's path is the collection of shards, its own document is one in there.
  const std::string shards = below ? options.path + '/' + *below : options.path;
  // Its names hold nothing that places.h escapes.
  const std::string own = "/shardline/" + below.value_or("shardline") + (below ? "." : "/") +
                          options.layout.count_field;
  const std::string ledgers = options.path + own + '/' + std::string(kLedgerCollection);
  const std::string admin = options.admin.empty() ? "false" : '(' + options.admin + ')';
  const std::string allowed =
      is_public ? "isIncrement()" : "request.auth != null && isIncrement() && isEntered()";
  const std::string shard_path = root + InExpression(shards);
  const std::string ledger_path = root + InExpression(ledgers);
  const std::string count = std::to_string(options.shards);
  const std::string limit = options.max_delta.dump();
  const std::string entered =
      is_public ? std::string() : Fill(kEntered, {{"ledgerPath", ledger_path}});
  const std::string body = Fill(
      kShards, {{"shards", below ? *below : shards},
                {"allowed", options.admin.empty() ? allowed : allowed + " || " + admin},
                {"admin", admin},
                {"field", options.layout.count_field},
                {"count", count},
                {"limit", limit},
                {"entered", entered},
                {"ledgers", below ? own.substr(1) + '/' + std::string(kLedgerCollection) : ledgers},
                {"update", options.access == Access::kOneVote ? kNoUpdate : kUpdate},
                {"owner", is_public ? "client.matches('^[A-Za-z0-9]{20}$')"
                                    : "request.auth != null && client == request.auth.uid"},
                {"shardPath", shard_path}});
  std::string block = body;
  if (below) {
    block = "match /" + options.path + " {\n" +
            Indented(Fill(kOwn, {{"admin", admin}, {"own", own}}) + body, "  ") + "}\n";
  }
  return std::string(kFileStart) + Indented(block, "    ") + std::string(kFileEnd);
}

}  // namespace

Result<std::string> MakeCounterRules(const PaddedText& options) {
  const Result<Options> read = ReadOptions(options);
  if (!read) return Fail(read.error());
  return Write(*read);
}

}  // namespace shardline
