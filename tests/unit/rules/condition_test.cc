// Who gets through conditions of the shapes that apps have, and past which guard.

#include "rules/condition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "rules/inline_functions.h"
#include "rules/rules_file.h"

namespace shardline::condition_test {
namespace {

const char* const kFunctions = R"(
  function signedIn() { return request.auth != null; }
  function me() { return request.auth.uid; }
  function isOwner(uid) { return signedIn() && me() == uid; }
  function isAdmin() { return request.auth.token.admin == true; }
  function hasRole(role) { return get(/databases/$(database)/documents/users/$(me())).data.role == role; }
  function isBanned() { return exists(/databases/$(database)/documents/banned/$(request.auth.uid)); }
  function open() { return true; }
  function closed() { return false; }
  function incoming() { return request.resource.data; }
  function existing() { return resource.data; }
  function changed() { return incoming().diff(existing()).affectedKeys(); }
  function only(fields) { return changed().hasOnly(fields); }
  function unchanged(field) { return incoming()[field] == existing()[field]; }
  function canEdit() { return isAdmin() || isOwner(existing().author); }
  function canTouch() { return isAdmin() || open(); }
  function keeps() { let after = request.resource.data; let n = after.num_shards; return n == existing().num_shards; }
  function keepsOr(other) { return keeps() || other; }
  function loop() { return loop() || isAdmin(); }
)";

// "users", "users guarded", "guarded", or "".
std::string Through(const std::string& condition) {
  const Result<RulesFile> file = ParseRulesFile(kFunctions);
  EXPECT_TRUE(file);
  const auto find = [&](std::string_view name) -> const RulesFunction* {
    const auto& all = file->functions;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
  };
  const Ways ways = WaysOf(InlineFunctions(condition, find), "num_shards");
  constexpr const char* kNames[] = {"some", "users", "everybody"};
  std::string text = ways.open ? kNames[static_cast<std::size_t>(*ways.open)] : "";
  if (ways.has_guarded) text += text.empty() ? "guarded" : " guarded";
  return text;
}

struct Case {
  const char* condition;
  const char* who;
};

class ConditionTest : public testing::TestWithParam<Case> {};

TEST_P(ConditionTest, Through) {
  EXPECT_EQ(Through(GetParam().condition), GetParam().who) << GetParam().condition;
}

INSTANTIATE_TEST_SUITE_P(
    Who, ConditionTest,
    testing::Values(Case{"", "everybody"}, Case{"true", "everybody"}, Case{"false", ""},
                    Case{"!false", "everybody"}, Case{"isAdmin() || isOwner(uid)", "some"},
                    Case{"signedIn() || isAdmin()", "users"},
                    Case{"isOwner(id) || open()", "everybody"}, Case{"canEdit()", "some"},
                    Case{"canTouch()", "everybody"}, Case{"signedIn() && canTouch()", "users"},
                    Case{"signedIn() && (isAdmin() || true)", "users"},
                    Case{"isAdmin() && canTouch()", "some"}, Case{"closed() || isAdmin()", "some"},
                    Case{"isAdmin() && closed()", ""}, Case{"!closed()", "everybody"},
                    Case{"hasRole('editor')", "some"}, Case{"signedIn() && !isBanned()", "users"},
                    Case{"request.auth == null", "everybody"},
                    Case{"!(request.auth == null)", "users"}, Case{"null != request.auth", "users"},
                    Case{"me() != null", "users"}, Case{"me() != 'spam'", "users"},
                    Case{"!(me() == 'spam')", "users"}, Case{"me() is string", "users"},
                    Case{"!signedIn()", "everybody"}, Case{"signedIn() == true", "users"},
                    Case{"isAdmin() != false", "some"},
                    // A name that only begins as the user's does.
                    Case{"resource.data.author == request.resource.data.author", "everybody"},
                    Case{"resource.data.get('open', false)", "everybody"},
                    Case{"signedIn() ? isAdmin() : false", "some"},
                    Case{"signedIn() ? true : isAdmin()", "users"},
                    Case{"isAdmin() ? true : id == 'a' ? true : false", "users"},
                    Case{"!isAdmin()", "users"}, Case{"!hasRole('reader')", "users"},
                    Case{"!(me() in ['ann'])", "users"}, Case{"debug(signedIn())", "users"},
                    Case{"loop()", "everybody"}, Case{"unknown()", "everybody"},
                    Case{"'isAdmin() || true' == id && isAdmin()", "some"}));

INSTANTIATE_TEST_SUITE_P(
    Guard, ConditionTest,
    testing::Values(
        Case{"only(['title'])", "guarded"}, Case{"only(['num_shards'])", "everybody"},
        Case{"!only(['title'])", "everybody"}, Case{"isOwner(id) && only(['title'])", "guarded"},
        Case{"isAdmin() || only(['title'])", "some guarded"},
        Case{"open() || only(['title'])", "everybody guarded"},
        Case{"(isAdmin() || signedIn()) && (only(['title']) || isOwner(id))", "some guarded"},
        Case{"signedIn() && (only(['title']) || open())", "users guarded"},
        Case{"unchanged('num_shards')", "guarded"}, Case{"unchanged(\"num_shards\")", "guarded"},
        Case{"unchanged('title')", "everybody"}, Case{"!unchanged('num_shards')", "everybody"},
        Case{"keeps()", "guarded"}, Case{"keepsOr(signedIn())", "users guarded"},
        Case{"keepsOr(keeps())", "guarded"}, Case{"keepsOr(closed())", "guarded"},
        Case{"!changed().hasAny(['num_shards'])", "guarded"},
        Case{"changed().hasAny(['num_shards'])", "everybody"},
        Case{"changed().hasAny(['num_shards']) == false", "guarded"},
        Case{"!('num_shards' in changed())", "guarded"},
        Case{"'num_shards' in changed()", "everybody"},
        Case{"'num_shards' in changed() ? isAdmin() : signedIn()", "some guarded"},
        Case{"['title', 'body'].hasAll(incoming().keys())", "guarded"},
        Case{"['num_shards'].hasAll(incoming().keys())", "everybody"},
        Case{"incoming().num_shards != existing().num_shards", "everybody"},
        Case{"incoming().num_shards <= 100", "guarded"},
        // Says nothing of what is written.
        Case{"existing().num_shards == 10", "everybody"},
        Case{"request.method == 'delete' || keeps()", "guarded"},
        Case{"request.resource == null || keeps()", "guarded"},
        Case{"request.method == 'create' || keeps()", "everybody guarded"},
        Case{"request.method != 'delete' || keeps()", "everybody guarded"}));

TEST(Condition, DeepAndEndlessOnesEnd) {
  const auto repeated = [](const char* text) {
    std::string all;
    for (int i = 0; i < 1'000; ++i) all += text;
    return all;
  };
  EXPECT_EQ(Through(repeated("(") + "true" + repeated(")")), "everybody");
  EXPECT_EQ(Through(repeated("!") + "isAdmin()"), "some");
  EXPECT_EQ(Through(repeated("isOwner(") + "id" + repeated(")")), "some");
  EXPECT_EQ(Through(repeated("true ? ") + "true" + repeated(" : false")), "everybody");
  EXPECT_EQ(Through("only(['title']) && " + repeated("keepsOr(keeps()) && ") + "true"), "guarded");
}

}  // namespace
}  // namespace shardline::condition_test
