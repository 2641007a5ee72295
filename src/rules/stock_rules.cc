#include "rules/stock_rules.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "rules/counter_rules.h"
#include "rules/rules_options.h"
#include "rules/rules_text.h"

namespace shardline {
namespace {

using nlohmann::json;

constexpr std::string_view kBlock = R"(@begin@
match /@path@ {
@isAdmin@
  match /stock_shards/{shardId} {
    // A look at the stock is a query, and so needs list.
    allow read: if true;
    allow update: if @user@isMove();
@adminWrites@

    // Units move between this shard and the one document that it names.
    function isMove() {
      let shard = request.resource.data;
      return shard.keys().hasOnly(['left', 'by'])
        && shard.left is int && shard.left >= 0 && shard.left != resource.data.left
        && shard.by is string && shard.by.size() <= 1510
        && (isWithTake(shard) || isWithShard(shard));
    }

    function isWithTake(shard) {
      let takePath = @parent@/stock_takes/$(shard.by.replace('^take:', ''));
      return shard.by.matches('^take:.*$')
        && getAfter(takePath).data.shard == shardId
        && getAfter(takePath).data.units + shard.left
          == (exists(takePath) ? get(takePath).data.units : 0) + resource.data.left;
    }

    function isWithShard(shard) {
      let otherId = shard.by.replace('^shard:', '');
      let otherPath = @parent@/stock_shards/$(otherId);
      return shard.by.matches('^shard:[0-9]{1,4}$') && otherId != shardId
        && getAfter(otherPath).data.by == 'shard:' + shardId
        && getAfter(otherPath).data.left + shard.left
          == get(otherPath).data.left + resource.data.left;
    }
  }

  match /stock_takes/{takeId} {
    // Users can list expired holds, because the next one who takes gives them back.
    allow get: if @reader@;
    allow list: if @user@resource.data.heldUntil <= request.time;
    allow create: if isOwner() && isTake(0);
    allow update: if (isOwner() || isOver()) && isTake(resource.data.units);
@adminWrites@

    function isOwner() {
      return @owner@;
    }

    function isOver() {
      return @user@resource.data.heldUntil <= request.time
        && request.resource.data.units == 0;
    }

    // Sizes and types come first.
    function isTake(unitsBefore) {
      let take = request.resource.data;
      return take.keys().hasOnly(['units', 'shard', 'change', 'before', 'heldUntil', 'expireAt'])
        && take.units is int && take.units >= 0 && take.units <= @maxUnits@
        && take.shard is string && take.shard.matches('^(0|[1-9][0-9]{0,3})$')
        && take.change is string && take.change.matches('^[A-Za-z0-9]{20}$')
        && take.before is string && take.before.matches('^([A-Za-z0-9]{20})?$')
        && (take.units == 0 ? expiresInTime(take) : !('expireAt' in take))
        && (take.units == unitsBefore ? @confirmed@ : isMoved(take, unitsBefore));
    }

    // For a TTL policy.
    function expiresInTime(take) {
      return !('heldUntil' in take) && take.expireAt is timestamp
        && take.expireAt >= request.time + duration.value(28, 'd')
        && take.expireAt < request.time + duration.value(400, 'd');
    }

    // Units are taken all at once, or put back. The shard changes by just as many, in the same
    // commit, and names this take.
    function isMoved(take, unitsBefore) {
      let shardPath = @parent@/stock_shards/$(take.shard);
      return (unitsBefore == 0 ? @held@ : take.units < unitsBefore && isHeldAsBefore(take))
        && getAfter(shardPath).data.by == 'take:' + takeId
        && getAfter(shardPath).data.left + take.units == get(shardPath).data.left + unitsBefore;
    }

    function isHeld(take) {
      return take.heldUntil is timestamp
        && take.heldUntil < request.time + duration.value(31, 'd');
    }

    function isHeldAsBefore(take) {
      return take.units == 0
        || take.get('heldUntil', null) == resource.data.get('heldUntil', null);
    }
  }
@adds@
}
@end@
)";

constexpr std::string_view kIsAdmin = R"(  function isStockAdmin() {
    return (@admin@);
  }
)";

constexpr std::string_view kAdds = R"(
  match /stock_adds/{addId} {
    allow read, write: if isStockAdmin();
  }
)";

Status ReadWord(const json& value, std::initializer_list<std::string_view> words,
                const char* option, const char* allowed, std::size_t& index) {
  const std::string given = value.is_string() ? value.get<std::string>() : std::string();
  const auto* const word = std::find(words.begin(), words.end(), given);
  if (word == words.end()) return MustBe(option, allowed);
  index = static_cast<std::size_t>(word - words.begin());
  return {};
}

// The condition under which a take belongs to the user.
std::string Owner(Takers takers) {
  switch (takers) {
    case Takers::kPublic:
      return "takeId.matches('^[A-Za-z0-9]{20}$')";
    case Takers::kSignedIn:
      return "request.auth != null && takeId.split('[.]')[0] == request.auth.uid";
    case Takers::kOneTake:
      return "request.auth != null && takeId == request.auth.uid";
  }
  return {};
}

}  // namespace

Result<StockRulesOptions> ReadStockRulesOptions(const json& members) {
  if (!members.is_object()) return MustBe("The options", "an object");
  StockRulesOptions options;
  json of_path = json::object();
  std::size_t word = 0;
  for (const auto& [key, value] : members.items()) {
    if (key == "path" || key == "admin") {
      of_path[key] = value;
    } else if (key == "access") {
      SHARDLINE_CHECK(ReadWord(value, {"public", "signed-in", "one-take"}, "access",
                               "public, signed-in or one-take", word));
      options.takers = static_cast<Takers>(word);
    } else if (key == "confirm") {
      SHARDLINE_CHECK(ReadWord(value, {"user", "server"}, "confirm", "user or server", word));
      options.server_confirms = word == 1;
    } else if (key == "maxUnits") {
      const bool good = value.is_number_integer() && value >= 1 && value <= 1'000;
      if (!good) return MustBe("maxUnits", "an integer from 1 to 1,000");
      options.max_units = value;
    } else {
      return UnknownOption(key.substr(0, 100), "path, access, maxUnits, confirm and admin");
    }
  }
  SHARDLINE_TRY(options.of_path, ReadRulesOptions(of_path));
  constexpr std::string_view kNames[] = {"takeId",    "takePath", "take", "otherId",
                                         "otherPath", "shard",    "addId"};
  for (const std::string_view name : kNames) {
    if (options.of_path.path.find('{' + std::string(name) + '}') != std::string::npos) {
      return MustBe("path",
                    "without a wildcard {" + std::string(name) + "}: that is a name of the rules");
    }
  }
  return options;
}

std::string WriteStockBlocks(const StockRulesOptions& options, std::string_view database) {
  const auto& admin = options.of_path.admin;
  const bool is_public = options.takers == Takers::kPublic;
  return Fill(kBlock, {{"begin", BeginOfRules(options.part())},
                       {"path", options.of_path.path},
                       {"isAdmin", admin ? Fill(kIsAdmin, {{"admin", *admin}}) : std::string()},
                       {"user", is_public ? "" : "request.auth != null && "},
                       {"adminWrites", admin ? "    allow read, write: if isStockAdmin();\n" : ""},
                       {"reader", is_public ? "true" : "isOwner()"},
                       {"owner", Owner(options.takers)},
                       {"maxUnits", std::to_string(options.max_units)},
                       {"confirmed", options.server_confirms ? "false" : "!('heldUntil' in take)"},
                       {"held", options.server_confirms ? "isHeld(take)"
                                                        : "!('heldUntil' in take) || isHeld(take)"},
                       {"parent", InExpression(options.of_path.path, database)},
                       {"adds", admin ? std::string(kAdds) : std::string()},
                       {"end", std::string(kEndOfRules)}});
}

Result<std::string> MakeStockRules(const PaddedText& text) {
  const Result<StockRulesOptions> options =
      ReadStockRulesOptions(json::parse(text.view(), nullptr, false));
  if (!options) return Fail(options.error());
  return WholeRules(WriteStockBlocks(*options, "$(database)"));
}

}  // namespace shardline
