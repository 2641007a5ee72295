#include "rules/choice_rules.h"

#include "counter/places.h"
#include "rules/counter_rules.h"
#include "rules/rules_text.h"

namespace shardline {
namespace {

constexpr std::string_view kChoiceBlocks =
    R"(@begin@ `shardline rules --into` replaces this part, up to its end.
match /@path@ {
@isAdmin@
  match /@shards@/{shardId} {
    // A summary is a query, and so needs list.
    allow read: if true;
    allow create, update: if request.auth != null && isChoice();
@adminWrites@
    // The user's own member document names this shard, and its choice moves in the same commit. A
    // write that changes nothing passes: it may be one that its precondition refuses.
    function isChoice() {
      let memberPath = @memberPath@/$(request.auth.uid);
      let memberEntry = getAfter(memberPath).data;
      let choiceBefore = exists(memberPath) ? get(memberPath).data.get('choice', '') : '';
      let choiceAfter = memberEntry.get('choice', '');
      let countsBefore = resource == null ? {} : resource.data;
      return shardId.matches('^(0|[1-9][0-9]{0,3})$') && int(shardId) < @count@
        && memberEntry.shard == shardId
        && request.resource.data.diff(countsBefore).affectedKeys().hasOnly([@choices@])
@moves@;
    }

    function moves(choiceId, countsBefore, choiceBefore, choiceAfter) {
      return request.resource.data[choiceId] is int
        && request.resource.data[choiceId] == countsBefore.get(choiceId, 0)
          + (choiceId == choiceAfter ? 1 : 0) - (choiceId == choiceBefore ? 1 : 0);
    }
  }

  // The choice of each user. Found by name only.
  match /@members@/{memberId} {
    allow get: if isOwner();
    allow create, update: if isOwner() && isMember(request.resource.data);
@adminWrites@
    function isOwner() {
      return request.auth != null && memberId == request.auth.uid;
    }

    // Sizes and types come first. Only a choice that was taken back expires.
    function isMember(memberEntry) {
      let choiceBefore = resource == null ? '' : resource.data.get('choice', '');
      let choiceAfter = memberEntry.get('choice', '');
      return memberEntry.keys().hasOnly(['delta', 'shard', 'change', 'before', 'choice', 'expireAt'])
        && memberEntry.keys().size() == 5
        && memberEntry.delta is int && memberEntry.delta == (choiceAfter == '' ? -1 : 1)
        && choiceAfter in ['', @choices@] && choiceAfter != choiceBefore
        && memberEntry.shard is string && memberEntry.shard.matches('^(0|[1-9][0-9]{0,3})$')
        && memberEntry.change is string && memberEntry.change.matches('^[A-Za-z0-9]{20}$')
        && memberEntry.before is string && memberEntry.before.matches('^([A-Za-z0-9]{20})?$')
        && (choiceAfter == '' ? expiresInTime(memberEntry) : !('expireAt' in memberEntry))
        && isCounted(memberEntry.shard, choiceBefore, choiceAfter);
    }

    // For a TTL policy.
    function expiresInTime(memberEntry) {
      return memberEntry.expireAt is timestamp
        && memberEntry.expireAt >= request.time + duration.value(28, 'd')
        && memberEntry.expireAt < request.time + duration.value(400, 'd');
    }

    // The shard changes by just this, in the same commit.
    function isCounted(shardId, choiceBefore, choiceAfter) {
      let shardPath = @shardPath@/$(shardId);
      let countsBefore = exists(shardPath) ? get(shardPath).data : {};
      let countsAfter = getAfter(shardPath).data;
      return (choiceAfter == '' || countsAfter[choiceAfter] == countsBefore.get(choiceAfter, 0) + 1)
        && (choiceBefore == '' || countsAfter[choiceBefore] == countsBefore.get(choiceBefore, 0) - 1);
    }
  }
@kept@}
@end@
)";

constexpr std::string_view kIsChoiceAdmin = R"(  function isCounterAdmin() {
    return (@admin@);
  }

)";

// Administrators list the members to delete them, and publish.
constexpr std::string_view kKeptForChoices = R"(
  // Whatever is kept for these choices.
  match /@own@/{keptIn}/{keptId} {
    allow read, write: if isCounterAdmin();
  }
)";

}  // namespace

std::string WriteChoiceBlocks(const RulesOptions& options, std::string_view database) {
  const RulesPlaces places = PlacesOf(options, database);
  const std::string members = places.own + '/' + std::string(kMemberCollection);
  std::string choices;
  std::string moves;
  for (const std::string& choice : options.choices) {
    choices += (choices.empty() ? "'" : ", '") + choice + '\'';
    moves += (moves.empty() ? "" : "\n") +
             ("        && moves('" + choice + "', countsBefore, choiceBefore, choiceAfter)");
  }
  const std::string is_admin =
      options.admin ? Fill(kIsChoiceAdmin, {{"admin", *options.admin}}) : std::string();
  return Fill(
      kChoiceBlocks,
      {{"begin", BeginOfRules(options.part())},
       {"path", options.path},
       {"isAdmin", is_admin},
       {"shards", places.shards},
       {"adminWrites", options.admin ? "    allow write: if isCounterAdmin();\n\n" : "\n"},
       {"memberPath", places.parent_path + '/' + members},
       {"count", std::to_string(options.shards)},
       {"choices", choices},
       {"moves", moves},
       {"members", members},
       {"shardPath", places.shard_path},
       {"kept", options.admin ? Fill(kKeptForChoices, {{"own", places.own}}) : std::string()},
       {"end", std::string(kEndOfRules)}});
}

}  // namespace shardline
