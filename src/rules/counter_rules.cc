#include "rules/counter_rules.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counter/places.h"
#include "rules/choice_rules.h"
#include "rules/rules_options.h"
#include "rules/rules_text.h"

namespace shardline {
namespace {

constexpr std::string_view kBlocks =
    R"(@begin@ `shardline rules --into` replaces this part, up to its end.
match /@path@ {
@body@
}

// A commit creates its marker, and so counts once. The marker stays while a request may be late,
// and then a TTL policy deletes it. Markers are found by name only.
match /shardline_markers/{markerId} {
  allow get: if true;
  allow create: if @who@markerId.matches('^[A-Za-z0-9]{20}$')
    && request.resource.data.keys().hasOnly(['applied', 'expireAt'])
    && request.resource.data.applied is bool
    && request.resource.data.expireAt is timestamp
    && request.resource.data.expireAt >= request.time + duration.value(28, 'd')
    && request.resource.data.expireAt < request.time + duration.value(400, 'd');
@cleaning@
}
@end@
)";

constexpr std::string_view kIsCounterAdmin = R"(function isCounterAdmin() {
  return (@admin@);
}

)";

constexpr std::string_view kParent =
    R"(// The counter's document says how many shards there are. If another rule lets users update this
// document, add to that rule:
//   && !request.resource.data.diff(resource.data).affectedKeys().hasAny(['@shardCount@'])
@get@
@adminWrites@

)";

constexpr std::string_view kParentOfAdmin = R"(// The counter's document is not needed for counting.
allow read, write: if isCounterAdmin();

)";

constexpr std::string_view kShards = R"(match /@shards@/{shardId} {
  // A total is a query, and so needs list.
  allow read: if true;
@create@
  allow update: if @user@isIncrement();
@adminWrites@
@isIncrement@@functions@}

)";

constexpr std::string_view kIncrement =
    R"(  // Only the count of one of the possible shards changes. A write that changes nothing passes: it
  // may be one that its precondition refuses, because other clients were faster.
  function isIncrement() {
    let countBefore = resource == null ? 0 : resource.data.get('@field@', 0);
    let countAfter = request.resource.data['@field@'];
    return shardId.matches('^(0|[1-9][0-9]{0,3})$') && int(shardId) < @count@
      && request.resource.data.diff(resource == null ? {} : resource.data)
           .affectedKeys().hasOnly(['@field@'])
      && (resource != null || countAfter != 0)
      && countAfter <= countBefore + @limit@
      && countAfter >= countBefore - @limit@
@kind@@entered@;
  }
)";

constexpr std::string_view kFieldIncrement =
    R"(  // Only these fields of one of the possible shards change. A write that changes nothing passes: it
  // may be one that its precondition refuses, because other clients were faster.
  function isIncrement() {
    let countsBefore = resource == null ? {} : resource.data;
    let countsAfter = request.resource.data;
    return shardId.matches('^(0|[1-9][0-9]{0,3})$') && int(shardId) < @count@
      && countsAfter.diff(countsBefore).affectedKeys().hasOnly([@fields@])
      && countsAfter.keys().hasAll(countsBefore.keys())
      && (resource != null || !countsAfter.values().hasOnly([0]))
@moves@;
  }

  // Firestore evaluates 1,000 expressions at the most, so there are few for each of 20 fields.
  function isWithinBounds(fieldId, countsBefore, countsAfter) {
    let countBefore = countsBefore.get(fieldId, 0);
    let countAfter = countsAfter.get(fieldId, 0);
    let countMoved = countAfter - countBefore;
    return math.abs(countMoved) <= @limit@
@kind@;
  }
)";

// An integer stays an integer, because the added amount has no fraction.
constexpr std::string_view kWholeNumbers =
    R"(      && ((countBefore is int && countAfter is int)
        || (countBefore is float && countAfter is float
            && math.floor(countAfter - countBefore) == countAfter - countBefore)))";

constexpr std::string_view kFractions =
    R"(      && countBefore is number && countAfter is number
      && (countAfter != countBefore || (countAfter is int) == (countBefore is int)))";

// The same for one field of several, in fewer expressions.
constexpr std::string_view kWholeMoves =
    R"(      && math.floor(countMoved) == countMoved && (countAfter is int) == (countBefore is int))";

constexpr std::string_view kFractionMoves =
    R"(      && (countMoved != 0 || (countAfter is int) == (countBefore is int)))";

constexpr std::string_view kCounterExists = R"(
  function counterExists() {
    return get(@parentPath@).data['@shardCount@'] >= 1;
  }
)";

constexpr std::string_view kMembership = R"(
  // The user's own member document changes by the same, in the same commit, and names this shard.
  function isMembership(countBefore, countAfter) {
    let memberPath = @memberPath@/$(request.auth.uid);
    let memberEntry = getAfter(memberPath).data;
    return memberEntry.shard == shardId
      && countAfter == countBefore + memberEntry.delta
      && @isNew@;
  }
)";

constexpr std::string_view kMembers = R"(// @comment@ Found by name only.
match /@members@/{memberId} {
  allow get: if isOwner();
  allow create: if isOwner() && isMember(request.resource.data) && request.resource.data.delta == 1;
@update@

  function isOwner() {
    return request.auth != null && memberId == request.auth.uid;
  }

  // Sizes and types come first.@whatExpires@
  function isMember(memberEntry) {
    return memberEntry.keys().hasOnly(['delta', 'shard', 'change', 'before'@expireAt@])
      && memberEntry.delta is int && @delta@
      && memberEntry.keys().size() == @size@
      && memberEntry.shard is string && memberEntry.shard.matches('^(0|[1-9][0-9]{0,3})$')
      && memberEntry.change is string && memberEntry.change.matches('^[A-Za-z0-9]{20}$')
      && memberEntry.before is string && memberEntry.before.matches('^([A-Za-z0-9]{20})?$')
@expires@
      && isCounted(memberEntry);
  }

@expiresInTime@
  // The shard changes by just this, in the same commit.
  function isCounted(memberEntry) {
    let shardPath = @shardPath@/$(memberEntry.shard);
    return getAfter(shardPath).data['@field@']
      == (exists(shardPath) ? get(shardPath).data.get('@field@', 0) : 0) + memberEntry.delta;
  }
}

)";

constexpr std::string_view kTakenBack =
    R"(  allow update: if isOwner() && isMember(request.resource.data)
    && request.resource.data.delta != resource.data.delta;
)";

constexpr std::string_view kExpiresInTime = R"(  // For a TTL policy.
  function expiresInTime(memberEntry) {
    return memberEntry.expireAt is timestamp
      && memberEntry.expireAt >= request.time + duration.value(28, 'd')
      && memberEntry.expireAt < request.time + duration.value(400, 'd');
  }

)";

constexpr std::string_view kTotals = R"(// Totals for clients that do with old ones.
match /@own@/shardline_totals/{totalId} {
  allow get: if true;
}
)";

// All of the above, and the documents of an earlier kind of access.
constexpr std::string_view kKept = R"(
// All own documents of the counter.
match /@own@/{keptIn}/{keptId} {
  allow read, write: if isCounterAdmin();
}
)";

// Writes the rules of one counter, part by part.
class RulesWriter {
 public:
  RulesWriter(const RulesOptions& options, std::string_view database)
      : options_(options), places_(PlacesOf(options, database)) {}

  std::string Write() const {
    std::string body;
    if (options_.admin) body += Fill(kIsCounterAdmin, {{"admin", *options_.admin}});
    if (options_.layout.shard_collection) body += Parent();
    body += Shards();
    if (is_set()) body += Members();
    if (options_.fields.empty()) {
      body += Fill(kTotals, {{"own", places_.own}});
      if (options_.admin) body += Fill(kKept, {{"own", places_.own}});
    } else if (options_.admin) {
      body += KeptForFields();
    }
    return Fill(kBlocks, {{"begin", BeginOfRules(options_.part())},
                          {"path", options_.path},
                          {"body", Indented(body, "  ")},
                          {"who", User()},
                          {"cleaning", Cleaning()},
                          {"end", std::string(kEndOfRules)}});
  }

 private:
  // delete() of a counter with fields deletes the own documents of each field, and the note that
  // publish() writes.
  std::string KeptForFields() const {
    std::vector<std::string> sorted = options_.fields;
    std::sort(sorted.begin(), sorted.end());
    std::string note(kFieldsPlace);
    for (const std::string& field : sorted) note += '.' + field;
    std::vector<std::string> count_fields = options_.fields;
    // Names that are too long for a path have no such note.
    const std::optional<std::string>& below = options_.layout.shard_collection;
    const Result<FieldPath> path = FieldPath::Parse(note);
    if (path && OwnDocumentPath(below ? "posts/p1" : "posts", below, *path)) {
      count_fields.push_back(note);
    }
    std::string kept;
    RulesOptions options = options_;
    for (const std::string& field : count_fields) {
      options.layout.count_field = field;
      kept += Fill(kKept, {{"own", PlacesOf(options, "").own}});
    }
    return kept;
  }
  bool is_like() const { return options_.access == Access::kOneLike; }
  bool is_set() const { return is_like() || options_.access == Access::kOneVote; }
  std::string User() const {
    return options_.access == Access::kPublic ? "" : "request.auth != null && ";
  }
  std::string AdminWrites() const {
    if (!options_.admin) return {};
    // create() and resize() read the document first.
    const char* const methods = options_.is_parent_private ? "get, write" : "write";
    return "allow " + std::string(methods) + ": if isCounterAdmin();\n";
  }
  // isCounterAdmin() is the counter's own. Who is an administrator of one counter only cleans up
  // no markers.
  std::string Cleaning() const {
    if (!options_.admin || MentionsWildcard(*options_.admin, options_.path)) return {};
    return "  allow list, delete: if (" + *options_.admin + ");\n";
  }
  std::string MemberCollection() const {
    return places_.own + '/' + std::string(kMemberCollection);
  }

  std::string Parent() const {
    if (const auto& shard_count = options_.layout.shard_count_field) {
      const char* const get = options_.is_parent_private
                                  ? "// Clients cannot read it. Pass `shards` in each of them.\n"
                                  : "allow get: if true;\n";
      return Fill(kParent,
                  {{"get", get}, {"adminWrites", AdminWrites()}, {"shardCount", *shard_count}});
    }
    return options_.admin ? std::string(kParentOfAdmin) : std::string();
  }

  std::string Shards() const {
    const auto& shard_count = options_.layout.shard_count_field;
    std::string create;
    std::string functions;
    if (options_.makes_shards) {
      create = "  allow create: if " + User() + "isIncrement()" +
               (shard_count ? " && counterExists()" : "") + ";\n";
    }
    if (options_.makes_shards && shard_count) {
      functions +=
          Fill(kCounterExists, {{"parentPath", places_.parent_path}, {"shardCount", *shard_count}});
    }
    if (is_set()) {
      functions +=
          Fill(kMembership, {{"memberPath", places_.parent_path + '/' + MemberCollection()},
                             {"isNew", IsNewMembership()}});
    }
    std::string text =
        Fill(kShards,
             {{"shards", places_.shards},
              {"create", create},
              {"user", User()},
              {"adminWrites", options_.admin ? "  allow write: if isCounterAdmin();\n\n" : "\n"},
              {"isIncrement", Increment()},
              {"functions", functions}});
    if (places_.shards.empty()) text.replace(text.find("//{"), 3, "/{");
    return text;
  }

  std::string Increment() const {
    std::string fields;
    std::string moves;
    for (const std::string& field : options_.fields) {
      fields += (fields.empty() ? "'" : ", '") + field + '\'';
      moves += (moves.empty() ? "" : "\n") +
               ("      && isWithinBounds('" + field + "', countsBefore, countsAfter)");
    }
    const std::string_view kind = options_.fractions ? kFractions : kWholeNumbers;
    const std::string_view kind_of_field = options_.fractions ? kFractionMoves : kWholeMoves;
    return Fill(fields.empty() ? kIncrement : kFieldIncrement,
                {{"field", options_.layout.count_field},
                 {"fields", fields},
                 {"moves", moves},
                 {"count", std::to_string(options_.shards)},
                 {"limit", options_.max_delta},
                 {"kind", std::string(fields.empty() ? kind : kind_of_field)},
                 {"entered", is_set() ? "\n      && isMembership(countBefore, countAfter)" : ""}});
  }

  std::string IsNewMembership() const {
    return is_like() ? "memberEntry.delta != (exists(memberPath) ? get(memberPath).data.delta : -1)"
                     : "!exists(memberPath)";
  }

  std::string Members() const {
    const auto of_like = [this](std::string_view text) {
      return is_like() ? std::string(text) : std::string();
    };
    return Fill(
        kMembers,
        {{"comment", is_like() ? "Who counts, once each, and who has taken it back."
                               : "Who has voted: made once, and never changed."},
         {"members", MemberCollection()},
         {"update", of_like(kTakenBack)},
         {"whatExpires", of_like(" Only what was taken back expires.")},
         {"expireAt", of_like(", 'expireAt'")},
         {"delta", is_like() ? "(memberEntry.delta == 1 || memberEntry.delta == -1)"
                             : "memberEntry.delta == 1"},
         {"size", is_like() ? "(memberEntry.delta == 1 ? 4 : 5)" : "4"},
         {"expires", of_like("      && (memberEntry.delta == 1 || expiresInTime(memberEntry))\n")},
         {"expiresInTime", of_like(kExpiresInTime)},
         {"shardPath", places_.shard_path},
         {"field", options_.layout.count_field}});
  }

  const RulesOptions& options_;
  RulesPlaces places_;
};

}  // namespace

std::string BeginOfRules(std::string_view path) {
  return "// [shardline " + std::string(path) + "]";
}

std::string WriteCounterBlocks(const RulesOptions& options, std::string_view database) {
  if (!options.choices.empty()) return WriteChoiceBlocks(options, database);
  return RulesWriter(options, database).Write();
}

std::string WriteCounterRules(const RulesOptions& options) {
  return WholeRules(WriteCounterBlocks(options, "$(database)"));
}

Result<std::string> MakeCounterRules(const PaddedText& text) {
  const Result<RulesOptions> options =
      ReadRulesOptions(nlohmann::json::parse(text.view(), nullptr, false));
  if (!options) return Fail(options.error());
  return WriteCounterRules(*options);
}

}  // namespace shardline
