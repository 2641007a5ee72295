#include "rules/counter_rules.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "counter/places.h"
#include "rules/rules_options.h"

namespace shardline {
namespace {

struct Part {
  std::string_view name;
  std::string value;
};

// The text with each @name@ replaced. A value is taken as it is: users write some of them. A line
// that is nothing but a value that is empty is left out.
std::string Fill(std::string_view text, const std::vector<Part>& parts) {
  std::string out;
  for (;;) {
    const std::size_t start = text.find('@');
    out += text.substr(0, start);
    if (start == std::string_view::npos) return out;
    text.remove_prefix(start + 1);
    const std::string_view name = text.substr(0, text.find('@'));
    text.remove_prefix(name.size() + 1);
    const std::string& value = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
                                 return part.name == name;
                               })->value;
    out += value;
    const bool is_own_line = out.empty() || out.back() == '\n';
    if (is_own_line && text.substr(0, 1) == "\n") text.remove_prefix(1);
  }
}

// In expressions, {post} is $(post).
std::string InExpression(std::string_view path) {
  std::string out = "/databases/$(database)/documents/";
  for (const char c : path) {
    if (c == '{') {
      out += "$(";
    } else {
      out += c == '}' ? ')' : c;
    }
  }
  return out;
}

// Rules decode %XX in paths.
std::string EscapePercent(std::string_view path) {
  std::string out;
  for (const char c : path) {
    out += c;
    if (c == '%') out += "25";
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

constexpr std::string_view kFile = R"(rules_version = '2';

service cloud.firestore {
  match /databases/{database}/documents {
    // Distributed counters. What stands between these braces can be moved into rules that you have.
    match /@path@ {
@body@
    }
@batches@
  }
}
)";

constexpr std::string_view kIsCounterAdmin = R"(function isCounterAdmin() {
  return (@admin@);
}

)";

constexpr std::string_view kParent = R"(// The counter's document says how many shards there are.
allow get: if true;
@adminWrites@

)";

constexpr std::string_view kParentOfAdmin = R"(// The counter's document is not needed for counting.
allow read, write: if isCounterAdmin();

)";

// What follows a shard's own conditions depends on the access.
constexpr std::string_view kShards = R"(match /@shards@/{shardId} {
  // Totals are asked for with list.
  allow read: if true;
@create@
  allow update: if @allowed@;
@adminWrites@
  function countBefore() {
    return resource == null ? 0 : resource.data.get('@field@', 0);
  }

  function countAfter() {
    return request.resource.data['@field@'];
  }

  // One of the shards that there may be, in which nothing but the count changes. A write that
  // changes nothing passes: it may be one that its precondition refuses, because others were faster.
  function isIncrement() {
    return shardId.matches('^(0|[1-9][0-9]{0,3})$') && int(shardId) < @count@
      && request.resource.data.diff(resource == null ? {} : resource.data)
           .affectedKeys().hasOnly(['@field@'])
      && isOfSameKind()
      && (resource != null || countAfter() != 0)
      && countAfter() <= countBefore() + @limit@
      && countAfter() >= countBefore() - @limit@;
  }

@kind@@entered@}

)";

constexpr std::string_view kWholeNumbers =
    R"(  // An integer stays one; what is added has no fraction.
  function isOfSameKind() {
    return (countBefore() is int && countAfter() is int)
      || (countBefore() is float && countAfter() is float
          && math.floor(countAfter() - countBefore()) == countAfter() - countBefore());
  }
)";

constexpr std::string_view kFractions = R"(  function isOfSameKind() {
    return countBefore() is number && countAfter() is number
      && (countAfter() != countBefore() || (countAfter() is int) == (countBefore() is int));
  }
)";

constexpr std::string_view kCounterExists = R"(
  function counterExists() {
    return get(@parentPath@).data['@shardCount@'] >= 1;
  }
)";

// The sum is compared, not the difference: it is what the server calculates, fractions included.
constexpr std::string_view kEntered = R"(
  // The user's @entry@ says the same, in the same commit, and names no other shard.
  function isEntered() {
    let ledgerPath = @ledgerPath@/$(request.auth.uid);
    let ledgerEntry = getAfter(ledgerPath).data;
    return ledgerEntry.shard == shardId
      && countAfter() == countBefore() + ledgerEntry.delta
      && @isNew@;
  }
)";

constexpr std::string_view kLedgers = R"(// @comment@ Found by name only.
match /@ledgers@/{clientId} {
  allow get: if isOwner();
  allow create: if isOwner() && isEntry(request.resource.data) && request.resource.data.seq == 1@createMore@;
@update@
  function isOwner() {
    return @owner@;
  }

  // Sizes and types come first.
  function isEntry(ledgerEntry) {
    return ledgerEntry.keys().hasOnly([@fields@])
      && ledgerEntry.keys().size() == @size@
      && ledgerEntry.shard is string && ledgerEntry.shard.matches('^(0|[1-9][0-9]{0,3})$')
      && ledgerEntry.seq is int
      && ledgerEntry.delta is @number@ && ledgerEntry.delta != 0
      && ledgerEntry.delta >= -@limit@ && ledgerEntry.delta <= @limit@
      && ledgerEntry.batches is list
      && ledgerEntry.batches.size() >= 1 && ledgerEntry.batches.size() <= 20
      && areBatches(ledgerEntry.batches)@expires@
      && isCounted(ledgerEntry);
  }

  // Ids of 20 letters and digits. No id has a comma in it, as there are so many letters in all.
  function areBatches(newBatches) {
    return newBatches.join(',').size() == 21 * newBatches.size() - 1
      && newBatches.join(',').matches('^[A-Za-z0-9]{20}(,[A-Za-z0-9]{20})*$');
  }

  // The shard changes by just this, in the same commit.
  function isCounted(ledgerEntry) {
    let shardPath = @shardPath@/$(ledgerEntry.shard);
    return getAfter(shardPath).data['@field@']
      == (exists(shardPath) ? get(shardPath).data.get('@field@', 0) : 0) + ledgerEntry.delta;
  }
@functions@}

)";

constexpr std::string_view kMembers =
    R"(// Who counts, once each, and who has taken it back. Found by name only.
match /@members@/{clientId} {
  allow get: if isOwner();
  allow create: if isOwner() && isMember(request.resource.data) && request.resource.data.delta == 1;
  allow update: if isOwner() && isMember(request.resource.data)
    && request.resource.data.delta != resource.data.delta;

  function isOwner() {
    return request.auth != null && clientId == request.auth.uid;
  }

  // Sizes and types come first. Only what was taken back expires.
  function isMember(memberEntry) {
    return memberEntry.keys().hasOnly(['delta', 'shard', 'change', 'before', 'expireAt'])
      && memberEntry.delta is int && (memberEntry.delta == 1 || memberEntry.delta == -1)
      && memberEntry.keys().size() == (memberEntry.delta == 1 ? 4 : 5)
      && memberEntry.shard is string && memberEntry.shard.matches('^(0|[1-9][0-9]{0,3})$')
      && memberEntry.change is string && memberEntry.change.matches('^[A-Za-z0-9]{20}$')
      && memberEntry.before is string && memberEntry.before.matches('^([A-Za-z0-9]{20})?$')
      && (memberEntry.delta == 1 || expiresInTime(memberEntry))
      && isCounted(memberEntry);
  }

  // For a TTL policy.
  function expiresInTime(memberEntry) {
    return memberEntry.expireAt is timestamp
      && memberEntry.expireAt >= request.time + duration.value(28, 'd')
      && memberEntry.expireAt <= request.time + duration.value(62, 'd');
  }

  // The shard changes by just this, in the same commit.
  function isCounted(memberEntry) {
    let shardPath = @shardPath@/$(memberEntry.shard);
    return getAfter(shardPath).data['@field@']
      == (exists(shardPath) ? get(shardPath).data.get('@field@', 0) : 0) + memberEntry.delta;
  }
}

)";

constexpr std::string_view kUpdate =
    R"(  allow update: if isOwner() && isEntry(request.resource.data)
    && request.resource.data.seq == resource.data.seq + 1
    && request.resource.data.expireAt >= resource.data.expireAt
    && !(newestBatch() in resource.data.batches);
)";

constexpr std::string_view kNewestBatch = R"(
  function newestBatch() {
    return request.resource.data.batches[request.resource.data.batches.size() - 1];
  }
)";

constexpr std::string_view kExpires = R"(
      // For a TTL policy: not before the ledger has served, and not never.
      && ledgerEntry.expireAt is timestamp
      && ledgerEntry.expireAt >= request.time + duration.value(28, 'd')
      && ledgerEntry.expireAt <= request.time + duration.value(62, 'd'))";

// Document accesses are what rules can count: Firestore allows 20 in a commit.
constexpr std::string_view kIsOneOfFew = R"(
  // Nothing is there. But a commit may look at 20 documents, so it makes fewer than 20 ledgers.
  function isOneOfFew() {
    return !exists(@ledgerPath@/$(clientId)/one/ofFew);
  }
)";

constexpr std::string_view kTotals = R"(// Totals for clients that do with old ones.
match /@own@/shardline_rollup/{totalId} {
  allow get: if true;
}
)";

// All of the above, and what an earlier kind of access has left.
constexpr std::string_view kKept = R"(
// Whatever is kept for the counter.
match /@own@/{keptIn}/{keptId} {
  allow read, write: if isCounterAdmin();
}
)";

constexpr std::string_view kBatches = R"(
// Markers of batches: made once, in one commit with all that the batch writes, and never changed.
// Found by name only.
match /@markers@/{batchId} {
  allow get: if @who@;
  allow create: if @who@ && batchId.matches('^[A-Za-z0-9]{20}$') && isMarker(request.resource.data);

  // It expires, by a TTL policy: not before it has served, and not never.
  function isMarker(marker) {
    return marker.keys().hasOnly(['applied', 'expireAt'])
      && marker.keys().size() == 2
      && marker.applied is bool
      && marker.expireAt is timestamp
      && marker.expireAt >= request.time + duration.value(28, 'd')
      && marker.expireAt <= request.time + duration.value(62, 'd');
  }
}
)";

// Where things are, as a `match` inside the counter's own has them, and in expressions.
struct Places {
  std::string shards;
  std::string own;
  std::string shard_path;
  std::string own_path;
  std::string parent_path;
};

Places PlacesOf(const RulesOptions& options) {
  const std::optional<std::string>& below = options.layout.shard_collection;
  // The id of the own document does not depend on the path; a path with wildcards is none.
  const DocumentPath own = *OwnDocumentPath(below ? "posts/p1" : "posts", below,
                                            *FieldPath::Parse(options.layout.count_field));
  Places places;
  places.own = below ? "shardline/" : "shardline/shardline/";
  places.own += EscapePercent(own.id());
  places.shards = below.value_or("");
  places.parent_path = InExpression(options.path);
  places.own_path = places.parent_path + '/' + places.own;
  places.shard_path = places.parent_path + (below ? '/' + *below : std::string());
  return places;
}

// Writes the rules of one counter, part by part.
class RulesWriter {
 public:
  explicit RulesWriter(const RulesOptions& options)
      : options_(options), places_(PlacesOf(options)) {}

  std::string Write() const {
    std::string body;
    if (options_.admin) body += Fill(kIsCounterAdmin, {{"admin", *options_.admin}});
    if (options_.layout.shard_collection) body += Parent();
    body += Shards();
    body += is_like() ? Members() : Ledgers();
    body += Fill(kTotals, {{"own", places_.own}});
    if (options_.admin) body += Fill(kKept, {{"own", places_.own}});
    std::string batches;
    if (options_.batches) {
      batches = Fill(kBatches, {{"markers", std::string(kBatchCollection)},
                                {"who", is_public() ? "true" : "request.auth != null"}});
    }
    return Fill(kFile, {{"path", options_.path},
                        {"body", Indented(body, "      ")},
                        {"batches", Indented(batches, "    ")}});
  }

 private:
  bool is_public() const { return options_.access == Access::kPublic; }
  bool is_vote() const { return options_.access == Access::kOneVote; }
  bool is_like() const { return options_.access == Access::kOneLike; }
  std::string AdminWrites() const {
    return options_.admin ? "allow write: if isCounterAdmin();\n" : std::string();
  }
  std::string_view Collection() const {
    if (is_like()) return kMemberCollection;
    return is_vote() ? kVoteCollection : kLedgerCollection;
  }
  // That what the user's document says is said for the first time.
  std::string IsNew() const {
    if (is_like()) {
      return "ledgerEntry.delta != (exists(ledgerPath) ? get(ledgerPath).data.delta : -1)";
    }
    if (is_vote()) return "!exists(ledgerPath)";
    return "ledgerEntry.seq == (exists(ledgerPath) ? get(ledgerPath).data.seq : 0) + 1";
  }
  std::string LedgerPath() const { return places_.own_path + '/' + std::string(Collection()); }

  std::string Parent() const {
    if (options_.layout.shard_count_field) {
      return Fill(kParent, {{"adminWrites", AdminWrites()}});
    }
    return options_.admin ? std::string(kParentOfAdmin) : std::string();
  }

  std::string Shards() const {
    const std::string allowed =
        is_public() ? "isIncrement()" : "request.auth != null && isIncrement() && isEntered()";
    const auto& shard_count = options_.layout.shard_count_field;
    std::string create;
    std::string entered;
    if (options_.makes_shards) {
      create = "  allow create: if " + allowed + (shard_count ? " && counterExists()" : "") + ";\n";
    }
    if (options_.makes_shards && shard_count) {
      entered +=
          Fill(kCounterExists, {{"parentPath", places_.parent_path}, {"shardCount", *shard_count}});
    }
    if (!is_public()) {
      entered += Fill(kEntered, {{"entry", is_like() ? "membership" : "ledger"},
                                 {"ledgerPath", LedgerPath()},
                                 {"isNew", IsNew()}});
    }
    const std::string begin = options_.layout.shard_collection ? places_.shards + '/' : "";
    std::string text =
        Fill(kShards,
             {{"shards", places_.shards},
              {"create", create},
              {"allowed", allowed},
              {"adminWrites", options_.admin ? "  allow write: if isCounterAdmin();\n\n" : "\n"},
              {"field", options_.layout.count_field},
              {"count", std::to_string(options_.shards)},
              {"limit", options_.max_delta},
              {"kind", std::string(options_.fractions ? kFractions : kWholeNumbers)},
              {"entered", entered}});
    if (begin.empty()) text.replace(text.find("//{"), 3, "/{");
    return text;
  }

  std::string Members() const {
    return Fill(kMembers, {{"members", places_.own + '/' + std::string(Collection())},
                           {"shardPath", places_.shard_path},
                           {"field", options_.layout.count_field}});
  }

  std::string Ledgers() const {
    std::string functions;
    if (!is_vote()) functions += kNewestBatch;
    if (is_public()) functions += Fill(kIsOneOfFew, {{"ledgerPath", LedgerPath()}});
    const std::string fields = "'seq', 'batches', 'delta', 'shard'";
    return Fill(kLedgers,
                {{"comment", is_vote() ? "Who has voted: made once, and never changed."
                                       : "Who has counted what, for exactly-once delivery."},
                 {"ledgers", places_.own + '/' + std::string(Collection())},
                 {"createMore", is_public() ? " && isOneOfFew()" : ""},
                 {"update", is_vote() ? std::string() : std::string(kUpdate)},
                 {"owner", is_public() ? "clientId.matches('^[A-Za-z0-9]{20}$')"
                                       : "request.auth != null && clientId == request.auth.uid"},
                 {"fields", is_vote() ? fields : fields + ", 'expireAt'"},
                 {"size", is_vote() ? "4" : "5"},
                 {"number", options_.fractions ? "number" : "int"},
                 {"limit", options_.max_delta},
                 {"expires", is_vote() ? std::string() : std::string(kExpires)},
                 {"shardPath", places_.shard_path},
                 {"field", options_.layout.count_field},
                 {"functions", functions}});
  }

  const RulesOptions& options_;
  Places places_;
};

}  // namespace

Result<std::string> MakeCounterRules(const PaddedText& text) {
  const Result<RulesOptions> options = ReadRulesOptions(text);
  if (!options) return Fail(options.error());
  return RulesWriter(*options).Write();
}

}  // namespace shardline
