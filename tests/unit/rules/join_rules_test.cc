// The places of the joined rules, and the messages about them. Google's emulator tests that the
// joined rules compile, and that the app's own still act (tests/emulator/join_rules.test.js).

#include "rules/join_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "unit/support/text.h"

namespace shardline::join_rules_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Result<std::string> Try(const std::string& text, const json& more = json::object()) {
  json options = {{"path", "posts/{post}"}};
  options.update(more);
  return JoinCounterRules(Text(json::array({text, options}).dump()));
}

json Join(const std::string& text, const json& more = json::object()) {
  const Result<std::string> joined = Try(text, more);
  EXPECT_TRUE(joined) << text << ": " << joined.error().message;
  return json::parse(joined.value_or(R"({"text": "", "findings": []})"));
}

// "shard-count 5 users", without those of the kind "readable".
std::vector<std::string> Findings(const json& joined) {
  std::vector<std::string> list;
  for (const json& each : joined["findings"]) {
    if (each["kind"] == "readable") continue;
    list.push_back(each["kind"].get<std::string>() + ' ' + std::to_string(each["line"].get<int>()) +
                   ' ' + each["who"].get<std::string>());
  }
  return list;
}

std::vector<std::string> Readable(const json& joined) {
  std::vector<std::string> list;
  for (const json& each : joined["findings"]) {
    if (each["kind"] == "readable") list.push_back(each["path"]);
  }
  return list;
}

// A file of version 2 with this between the braces of the documents.
std::string File(const std::string& rules) {
  return "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents "
         "{\n" +
         rules + "\n  }\n}\n";
}

std::vector<std::string> FindingsOf(const std::string& rules, const json& more = json::object()) {
  return Findings(Join(File(rules), more));
}

TEST(JoinRules, TheRestOfTheFileStaysAsItIs) {
  const std::string before = File("    match /users/{user} {\n      allow read;\n    }");
  const std::string text = Join(before)["text"];
  const std::string begin = "\n\n    // [shardline posts/{post}]";
  const std::string end = "    // [/shardline]\n";
  ASSERT_THAT(text, HasSubstr(begin));
  ASSERT_THAT(text, HasSubstr(end));
  const std::size_t start = text.find(begin) + 1;
  const std::string rest = text.substr(0, start) + text.substr(text.find(end) + end.size());
  EXPECT_EQ(rest, before);
}

TEST(JoinRules, ToJoinAgainReplaces) {
  for (const std::string& file :
       {File("    match /a/{b} { allow read; }"), File(""), std::string(), std::string("// Ours."),
        std::string("service cloud.firestore{match /databases/{d}/documents{match /a/{b}{allow "
                    "read;}}}"),
        std::string("rules_version='2';\r\nservice cloud.firestore {\r\n}\r\n"),
        std::string(
            "rules_version='2';\nservice cloud.firestore {\n    match /a/{b} {\n        allow "
            "read;\n    }\n}\n")}) {
    const std::string once = Join(file)["text"];
    EXPECT_EQ(Join(once)["text"], once) << file;
    EXPECT_THAT(Findings(Join(once)), IsEmpty()) << file;
    const std::string other = Join(once, {{"access", "one-like"}})["text"];
    EXPECT_THAT(other, HasSubstr("shardline_members"));
    EXPECT_EQ(Join(other)["text"], once) << file;
  }
}

TEST(JoinRules, CountersAtOtherPathsStay) {
  const std::string posts = Join(File(""))["text"];
  const json both = Join(posts, {{"path", "pages/{page}"}});
  EXPECT_THAT(both["text"], HasSubstr("// [shardline posts/{post}]"));
  EXPECT_THAT(both["text"], HasSubstr("// [shardline pages/{page}]"));
  EXPECT_THAT(Findings(both), IsEmpty());
}

TEST(JoinRules, TheDatabaseKeepsItsName) {
  const auto expression = [](const std::string& match) {
    return Join("rules_version='2'; service cloud.firestore { " + match + " }")["text"]
        .get<std::string>();
  };
  EXPECT_THAT(expression("match /databases/{db}/documents { }"),
              HasSubstr("get(/databases/$(db)/documents/posts/$(post))"));
  EXPECT_THAT(expression("match /databases/(default)/documents { }"),
              HasSubstr("get(/databases/(default)/documents/posts/$(post))"));
  EXPECT_THAT(expression("match /databases/{db} { match /documents { } }"), HasSubstr("$(db)"));
  // The counter's wildcard would hide the database's.
  EXPECT_THAT(expression("match /databases/{post}/documents { }"), HasSubstr("$(database)"));
  EXPECT_THAT(expression("match /databases/{db}/documents/a/{b} { }"),
              HasSubstr("match /databases/{database}/documents {"));
}

TEST(JoinRules, TheFilesStyleIsKept) {
  const std::string tabs = Join(
      "rules_version = '2';\r\nservice cloud.firestore {\r\n\tmatch /databases/{d}/documents "
      "{\r\n\t\tmatch /a/{b} { allow read; }\r\n\t}\r\n}\r\n")["text"];
  EXPECT_THAT(tabs, HasSubstr("\r\n\t\tmatch /posts/{post} {\r\n\t\t\t//"));
  EXPECT_THAT(tabs, EndsWith("\t\t// [/shardline]\r\n\t}\r\n}\r\n"));
  EXPECT_EQ(std::count(tabs.begin(), tabs.end(), '\r'), std::count(tabs.begin(), tabs.end(), '\n'));
  const std::string marked =
      Join("\xEF\xBB\xBFrules_version = '2';\nservice cloud.firestore {}")["text"];
  EXPECT_THAT(marked, StartsWith("rules_version"));
}

TEST(JoinRules, TheFileBecomesOneOfVersion2) {
  const std::string rules = "service cloud.firestore { match /databases/{d}/documents { } }";
  const json without = Join(rules);
  EXPECT_THAT(without["text"], StartsWith("rules_version = '2';\nservice cloud"));
  EXPECT_THAT(Findings(without), ElementsAre("version 1 "));
  EXPECT_THAT(without["findings"][0]["why"], HasSubstr("had no `rules_version = '2'`"));
  const json one = Join("// Ours.\nrules_version = \"1\";\n" + rules);
  EXPECT_THAT(one["text"], StartsWith("// Ours.\nrules_version = '2';\nservice cloud"));
  EXPECT_THAT(Findings(one), ElementsAre("version 2 "));
}

TEST(JoinRules, WhatBecomesReadableIsSaid) {
  EXPECT_THAT(Readable(Join(File(""))),
              ElementsAre("posts/{post}", "posts/{post}/shards/{shardId}"));
  EXPECT_THAT(Readable(Join(File(""), {{"parent", "private"}})),
              ElementsAre("posts/{post}/shards/{shardId}"));
  const auto after = [](const std::string& rules) { return Readable(Join(File(rules))); };
  EXPECT_THAT(after("match /posts/{any} { allow read: if true; }"),
              ElementsAre("posts/{post}/shards/{shardId}"));
  EXPECT_THAT(after("match /{all=**} { allow get; }"), IsEmpty());
  EXPECT_THAT(after("match /posts/p1 { allow read: if true; }"),
              ElementsAre("posts/{post}", "posts/{post}/shards/{shardId}"));
  EXPECT_THAT(
      after("match /posts/{p} { allow list: if true; allow get: if request.auth != null; }"),
      ElementsAre("posts/{post}", "posts/{post}/shards/{shardId}"));
}

TEST(JoinRules, APrivateParentIsNotReadable) {
  const std::string text = Join(File(""), {{"parent", "private"}})["text"];
  const std::size_t parent = text.find("match /posts/{post} {");
  EXPECT_THAT(text.substr(parent, text.find("match /shards", parent) - parent),
              Not(HasSubstr("allow")));
  EXPECT_THAT(Try("", {{"parent", "hidden"}}).error().message,
              HasSubstr("parent must be readable or private"));
}

TEST(JoinRules, WhoMayWriteTheNumberOfShardsIsSaid) {
  const auto of = [](const std::string& rule) {
    return FindingsOf("match /posts/{id} { " + rule + " }");
  };
  EXPECT_THAT(of("allow write;"), ElementsAre("shard-count 4 everybody"));
  EXPECT_THAT(of("allow create: if request.auth != null;"), ElementsAre("shard-count 4 users"));
  EXPECT_THAT(of("allow update: if request.auth.uid != null;"), ElementsAre("shard-count 4 users"));
  EXPECT_THAT(of("allow update: if request.auth.uid == resource.data.author;"),
              ElementsAre("shard-count 4 some"));
  for (const char* const harmless :
       {"allow read;", "allow delete: if request.auth != null;", "allow write: if false;",
        "allow write: if\n false /* x */;"}) {
    EXPECT_THAT(of(harmless), IsEmpty()) << harmless;
  }
  EXPECT_THAT(FindingsOf("match /pages/{id} { allow write; }"), IsEmpty());
  EXPECT_THAT(FindingsOf("match /posts/p1 { allow write; }"),
              ElementsAre("shard-count 4 everybody"));
  EXPECT_THAT(FindingsOf("match /{any}/{id} { allow write; }"), ElementsAre("counts 4 everybody"));
}

TEST(JoinRules, AConditionThatMindsTheNumberOfShardsIsNoFinding) {
  const auto of = [](const std::string& condition, const json& more = json::object()) {
    return FindingsOf("match /posts/{id} { allow update: if " + condition + "; }", more);
  };
  const std::string changed = "request.resource.data.diff(resource.data).affectedKeys()";
  for (const std::string& guard :
       {"!" + changed + ".hasAny(['num_shards'])", changed + ".hasOnly(['title', \"body\"])",
        std::string("request.resource.data.num_shards == resource.data.num_shards"),
        std::string("!('num_shards' in request.resource.data)"),
        std::string("request.resource.data.keys().hasOnly(['title'])")}) {
    EXPECT_THAT(of(guard), IsEmpty()) << guard;
  }
  for (const std::string& open :
       {changed + ".hasOnly(['title', 'num_shards'])",
        std::string("request.resource.data.keys().hasAll(['num_shards'])"),
        std::string("request.resource.data.num_shards is int"),
        std::string("request.resource.data.tags.hasOnly(['a'])"),
        std::string("request.resource.data.num_shards_of == 1"),
        std::string("true /* num_shards */")}) {
    EXPECT_THAT(of(open), ElementsAre("shard-count 4 everybody")) << open;
  }
  EXPECT_THAT(of("!" + changed + ".hasAny(['num_shards'])", {{"layout", "mobile-sample"}}),
              ElementsAre("shard-count 4 everybody"));
}

TEST(JoinRules, EachAlternativeOfAConditionMustMindTheNumberOfShards) {
  const std::string guard =
      "request.resource.data.diff(resource.data).affectedKeys().hasOnly([''])";
  const auto of = [](const std::string& condition) {
    return FindingsOf("match /posts/{id} { allow update: if " + condition + "; }");
  };
  for (const std::string& open :
       {"true || " + guard, guard + " || true", "(" + guard + " || (true))",
        "request.auth.uid == id || true || " + guard, "id == ')' || " + guard,
        "id == '\\'' || " + guard}) {
    EXPECT_THAT(of(open), ElementsAre("shard-count 4 everybody")) << open;
  }
  EXPECT_THAT(of("request.auth != null || " + guard), ElementsAre("shard-count 4 users"));
  for (const std::string& harmless :
       {"(true || id == 'x') && " + guard, guard + " || " + guard, "false || " + guard,
        // An administrator is trusted, if others are not.
        "request.auth.token.admin || " + guard, "id == 'a||b' && " + guard}) {
    EXPECT_THAT(of(harmless), IsEmpty()) << harmless;
  }
}

TEST(JoinRules, AGuardIsAddedToTheWholeCondition) {
  const auto advice = [](const std::string& rule) {
    const json joined = Join(File("match /posts/{id} { allow update" + rule + "; }"));
    return joined["findings"].back()["todo"].get<std::string>();
  };
  EXPECT_THAT(advice(""), StartsWith("Give it a condition: if !request"));
  EXPECT_THAT(advice(": if (id == 'a' || true) && id != '?'"),
              StartsWith("Add to its condition: && !request"));
  for (const char* const loose : {": if id == 'a' || true", ": if id == 'a' ? true : true"}) {
    EXPECT_THAT(advice(loose),
                StartsWith("Put its condition in parentheses, and add behind them: && !request"));
  }
}

TEST(JoinRules, FunctionsAreReadWhereTheyAreCalled) {
  const std::string guarded =
      "function same() { return inner(); }\n"
      "function inner() { return !changed().hasAny(['num_shards']); }\n"
      "function changed() { return request.resource.data.diff(resource.data).affectedKeys(); }\n";
  const std::string rule = "match /posts/{id} { allow update: if same() && isUser(); }";
  EXPECT_THAT(FindingsOf(guarded + rule), IsEmpty());
  EXPECT_THAT(FindingsOf("function same() { return true; }\n"
                         "function isUser() { return request.auth != null; }\n" +
                         rule),
              ElementsAre("shard-count 6 users"));
  // The nearest one counts, and those outside of the service.
  EXPECT_THAT(FindingsOf(guarded + "match /posts/{id} { function same() { return true; } allow "
                                   "update: if same(); }"),
              ElementsAre("shard-count 7 everybody"));
  EXPECT_THAT(Findings(Join(guarded + File(rule))), IsEmpty());
}

TEST(JoinRules, WhoMayWriteCountsIsSaid) {
  EXPECT_THAT(FindingsOf("match /{document=**} { allow read, write: if request.auth != null; }"),
              ElementsAre("counts 4 users"));
  EXPECT_THAT(FindingsOf("match /posts/{id}/{c}/{d} { allow delete: if request.auth.uid == id; }"),
              ElementsAre("counts 4 some"));
  EXPECT_THAT(FindingsOf("match /{path=**}/shards/{s} { allow create; }"),
              ElementsAre("counts 4 everybody"));
  EXPECT_THAT(FindingsOf("match /{path=**}/comments/{c} { allow create; }"), IsEmpty());
  const json likes = {{"path", "likes"}, {"layout", "ruby-sample"}};
  EXPECT_THAT(FindingsOf("match /likes/{id} { allow write; }", likes),
              ElementsAre("counts 4 everybody"));
}

TEST(JoinRules, EarlierRulesOfCountersAreSaid) {
  EXPECT_THAT(
      FindingsOf("match /shardline_markers/{id} { allow get; allow create; allow delete; }"),
      ElementsAre("earlier 4 "));
}

TEST(JoinRules, AFileThatCannotBeReadIsRefused) {
  const auto error = [](const std::string& text) {
    const Result<std::string> joined = Try(text);
    EXPECT_FALSE(joined) << text;
    return joined ? std::string() : joined.error().message;
  };
  EXPECT_THAT(error("\nservice cloud.firestore {\n  match /a {"),
              HasSubstr("at line 3: a brace is not closed."));
  EXPECT_THAT(error("service cloud.firestore { match /a/{b} { allow read: if 'x; } }"),
              HasSubstr("a quote is not closed"));
  EXPECT_THAT(error("/* service"), HasSubstr("line 1: a comment is not closed"));
  EXPECT_THAT(error("{ \"rules\": {} }"), HasSubstr("it must be `rules_version`"));
  EXPECT_THAT(error("service firebase.storage { }"), HasSubstr("no `service cloud.firestore`"));
  EXPECT_THAT(error("service cloud.firestore { match a/{b} { } }"),
              HasSubstr("a path must begin with /"));
  EXPECT_THAT(error("service cloud.firestore { alow read; }"), HasSubstr("it must be `match`"));
  EXPECT_THAT(error("service cloud.firestore { } service cloud.firestore { }"), HasSubstr("twice"));
  EXPECT_THAT(error("service cloud.firestore { match /a/{b} { allow read: if (a]; } }"),
              HasSubstr("closes nothing"));
  EXPECT_THAT(error(std::string("s\0e\0r\0", 6)), HasSubstr("it is UTF-16; save it as UTF-8"));
  EXPECT_THAT(error(std::string(300, ' ') + "service cloud.firestore {"),
              HasSubstr("a brace is not closed"));
  EXPECT_THAT(error(File("// [shardline posts/{post}]")), HasSubstr("the end of Shardline's part"));
  std::string deep = "service cloud.firestore {";
  for (int i = 0; i < 5'000; ++i) deep += "match /a/{b} {";
  EXPECT_THAT(error(deep), HasSubstr("too many blocks"));
  // However it is cut off, it is refused.
  const std::string whole = File("match /a/{b} { allow read: if b == 'x\\'' && (1 == [1][0]); }");
  for (std::size_t size = whole.find("service") + 1; size + 2 < whole.size(); ++size) {
    error(whole.substr(0, size));
  }
}

TEST(JoinRules, ArgumentsAreChecked) {
  for (const json& wrong : {json(1), json::array(), json::array({1, {{"path", "a/{b}"}}})}) {
    EXPECT_FALSE(JoinCounterRules(Text(wrong.dump())));
  }
  EXPECT_THAT(JoinCounterRules(Text(R"(["", {}])")).error().message, HasSubstr("path"));
}

json JoinStocks(const std::string& text, const json& more = json::object()) {
  json options = {{"path", "events/{event}"}};
  options.update(more);
  const Result<std::string> joined = JoinStockRules(Text(json::array({text, options}).dump()));
  EXPECT_TRUE(joined) << text << ": " << joined.error().message;
  return json::parse(joined.value_or(R"({"text": "", "findings": []})"));
}

TEST(JoinStockRules, HaveAPartOfTheirOwnBesideTheRulesOfCounters) {
  const std::string counters = Join(File(""), {{"path", "events/{event}"}})["text"];
  const std::string both = JoinStocks(counters)["text"];
  EXPECT_THAT(both, HasSubstr("// [shardline events/{event}]"));
  EXPECT_THAT(both, HasSubstr("// [shardline stock events/{event}]"));
  // To join again replaces only the rules of stocks.
  const std::string again = JoinStocks(both, {{"maxUnits", 7}})["text"];
  EXPECT_THAT(again, HasSubstr("take.units <= 7"));
  EXPECT_THAT(again, Not(HasSubstr("take.units <= 1")));
  EXPECT_THAT(again, HasSubstr("// [shardline events/{event}]"));
  EXPECT_EQ(JoinStocks("")["text"].get<std::string>().find("rules_version = '2';"), 0u);
}

TEST(JoinStockRules, OnlyRulesThatLetOthersWriteStocksAreFound) {
  const auto findings = [](const std::string& rules) { return Findings(JoinStocks(File(rules))); };
  EXPECT_THAT(findings("    match /events/{id} { allow read, write; }"), IsEmpty());
  const json open = JoinStocks(File("    match /events/{id=**} { allow write; }"));
  ASSERT_EQ(open["findings"].size(), 1u);
  EXPECT_EQ(open["findings"][0]["kind"], "counts");
  EXPECT_THAT(open["findings"][0]["why"].get<std::string>(), HasSubstr("the rules of the stocks"));
  EXPECT_THAT(findings("    match /{all=**} { allow write: if request.auth != null; }"),
              ElementsAre("counts 4 users"));
}

TEST(JoinStockRules, NamesTheDatabaseOfTheFile) {
  const std::string text = JoinStocks(
      "rules_version = '2';\nservice cloud.firestore {\n  match /databases/(default)/documents "
      "{\n  }\n}\n")["text"];
  EXPECT_THAT(text, HasSubstr("/databases/(default)/documents/events/$(event)/stock_takes/"));
  EXPECT_THAT(text, Not(HasSubstr("$(database)")));
}

}  // namespace
}  // namespace shardline::join_rules_test
