// A user's own writes whose answers are lost: at most one unguarded request, and nothing twice.

#include "documents/document_commit.h"

#include <string>
#include <utility>
#include <vector>

#include "unit/sharded_query/api_caller.h"
#include "unit/support/values.h"

namespace shardline::document_commit_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kT1 = "2026-01-01T00:00:01Z";
constexpr const char* kT2 = "2026-01-01T00:00:02Z";

const json kAsked = {{"shard", {{"stringValue", "x"}}}, {"a", Number(1)}};
const json kOther = {{"shard", {{"stringValue", "x"}}}, {"a", Number(2)}, {"b", Number(3)}};

Reply Committed() { return Ok({{"writeResults", {{{"updateTime", kT2}}}}, {"commitTime", kT2}}); }
Reply Found(const json& fields, const char* update_time = kT1) {
  return Ok({{{"found",
               {{"name", Name("instruments/d")},
                {"fields", fields},
                {"createTime", kT1},
                {"updateTime", update_time}}},
              {"readTime", kT2}}});
}
Reply Missing() { return Ok({{{"missing", Name("instruments/d")}, {"readTime", kT2}}}); }

Outcome Write(const char* name, const json& fields, const std::vector<Reply>& replies,
              const json& transforms = json::array()) {
  json arguments = {{"collection", Instruments()}, {"id", "d"}};
  if (std::string(name) != "collection.delete") {
    const char* what = std::string(name) == "collection.set" ? "document" : "changes";
    arguments[what] = {{"fields", fields}, {"transforms", transforms}};
  }
  return Ask(name, arguments, InTurn(replies));
}
Outcome Set(const std::vector<Reply>& replies) { return Write("collection.set", kAsked, replies); }
Outcome Update(const std::vector<Reply>& replies) {
  return Write("collection.update", {{"a", Number(1)}}, replies);
}
Outcome Delete(const std::vector<Reply>& replies) {
  return Write("collection.delete", nullptr, replies);
}

// "commit", "batchGet", and conditions of commits.
std::vector<std::string> Steps(const Outcome& outcome) {
  std::vector<std::string> steps;
  for (const SentRequest& request : outcome.sent) {
    steps.push_back(request.verb());
    if (request.verb() != "commit") continue;
    const json& write = request.body["writes"][0];
    if (write.contains("currentDocument")) steps.back() += " " + write["currentDocument"].dump();
  }
  return steps;
}

const char* const kIfT1 = R"(commit {"updateTime":"2026-01-01T00:00:01Z"})";
const char* const kIfMissing = R"(commit {"exists":false})";
const char* const kIfThere = R"(commit {"exists":true})";

// The table of Decide().
TEST(DocumentCommit, DecidesByTheDocument) {
  const auto decide = [](const shardline::Write& write, const json& fields,
                         bool may_create = false) {
    Map document;
    for (const auto& [name, value] : fields.items()) document.Set(name, FromWire(value.dump()));
    return Decide(write, fields.is_null() ? nullptr : &document, may_create);
  };
  const shardline::Write removal{.kind = shardline::Write::Kind::kDelete, .name = "d"};
  const shardline::Write set{.name = "d", .fields = WireFields(kAsked.dump())};
  shardline::Write update{.name = "d", .fields = WireFields(R"({"a":{"integerValue":"1"}})")};
  update.mask.emplace();
  update.mask->push_back(FieldPath::Parse("a").value());
  update.mask->push_back(FieldPath::Parse("gone.inside").value());
  EXPECT_EQ(decide(removal, nullptr), AfterDoubt::kDone);
  EXPECT_EQ(decide(removal, kAsked), AfterDoubt::kRepeat);
  EXPECT_EQ(decide(set, kAsked), AfterDoubt::kDone);
  EXPECT_EQ(decide(set, kOther), AfterDoubt::kRepeat);
  EXPECT_EQ(decide(set, nullptr), AfterDoubt::kRepeat);
  EXPECT_EQ(decide(update, kAsked), AfterDoubt::kDone);
  EXPECT_EQ(decide(update, kOther), AfterDoubt::kRepeat);
  EXPECT_EQ(decide(update, nullptr), AfterDoubt::kMissing);
  EXPECT_EQ(decide(update, nullptr, true), AfterDoubt::kRepeat) << "a merge";
  EXPECT_EQ(decide(update, kAsked, true), AfterDoubt::kDone);
  // 1 is not 1.0, and what is to be removed must not be there.
  EXPECT_EQ(decide(update, {{"a", {{"doubleValue", 1}}}}), AfterDoubt::kRepeat);
  EXPECT_EQ(decide(update, {{"a", Number(1)},
                            {"gone", {{"mapValue", {{"fields", {{"inside", Number(1)}}}}}}}}),
            AfterDoubt::kRepeat);
}

TEST(DocumentCommit, NeedsOneRequestIfAllIsWell) {
  EXPECT_THAT(Steps(Set({Committed()})), ElementsAre("commit"));
  EXPECT_THAT(Steps(Delete({Committed()})), ElementsAre("commit"));
  EXPECT_THAT(Steps(Update({Committed()})), ElementsAre(kIfThere));
  // Refused for sure: again as it is.
  EXPECT_THAT(Steps(Set({Refusal("ABORTED"), Committed()})), ElementsAre("commit", "commit"));
}

TEST(DocumentCommit, ALostAnswerIsLookedUp) {
  for (const Reply& lost : {Cut(), Silence(), Refusal("UNAVAILABLE"), Refusal("INTERNAL"),
                            OkText("{\"writeResults\":["), OkText("{}")}) {
    const Outcome set = Set({lost, Found(kAsked)});
    ASSERT_TRUE(set.ok()) << set.message;
    EXPECT_THAT(Steps(set), ElementsAre("commit", "batchGet"));
    EXPECT_EQ(set.result, json({{"id", "d"}, {"shard", "x"}}));
    EXPECT_TRUE(Update({lost, Found(kAsked)}).ok());
    EXPECT_THAT(Steps(Delete({lost, Missing()})), ElementsAre("commit", "batchGet"));
  }
}

TEST(DocumentCommit, WhatWasNotAppliedIsRepeatedUnderAGuard) {
  const Outcome set = Set({Cut(), Found(kOther), Committed()});
  ASSERT_TRUE(set.ok()) << set.message;
  EXPECT_THAT(Steps(set), ElementsAre("commit", "batchGet", kIfT1));
  EXPECT_EQ(set.sent[2].body["writes"][0]["update"], set.sent[0].body["writes"][0]["update"]);
  EXPECT_EQ(set.billed, (Billed{1, 1, 0}));
  EXPECT_THAT(Steps(Set({Cut(), Missing(), Committed()})),
              ElementsAre("commit", "batchGet", kIfMissing));
  EXPECT_THAT(Steps(Update({Cut(), Found(kOther), Committed()})),
              ElementsAre(kIfThere, "batchGet", kIfT1));
  const Outcome removed = Delete({Cut(), Found(kOther), Committed()});
  EXPECT_THAT(Steps(removed), ElementsAre("commit", "batchGet", kIfT1));
  EXPECT_EQ(removed.billed, (Billed{1, 0, 1}));
  EXPECT_THAT(Update({Cut(), Missing()}), FailsWith("not-found", HasSubstr("no document")));
}

TEST(DocumentCommit, AGuardThatFailsIsLookedUpAgain) {
  // The first request has arrived meanwhile.
  const Outcome late =
      Set({Cut(), Found(kOther), Refusal("FAILED_PRECONDITION"), Found(kAsked, kT2)});
  ASSERT_TRUE(late.ok()) << late.message;
  EXPECT_THAT(Steps(late), ElementsAre("commit", "batchGet", kIfT1, "batchGet"));
  const Outcome made = Set({Cut(), Missing(), Refusal("ALREADY_EXISTS"), Found(kAsked, kT2)});
  EXPECT_TRUE(made.ok()) << made.message;
  // Guarded requests may be repeated as they are.
  EXPECT_THAT(Steps(Set({Cut(), Found(kOther), Cut(), Committed()})),
              ElementsAre("commit", "batchGet", kIfT1, kIfT1));
}

TEST(DocumentCommit, EndsAsUnknownWhenItCannotBeFoundOut) {
  EXPECT_THAT(Set({Cut(), Refusal("PERMISSION_DENIED", "No reading.")}),
              FailsWith("outcome-unknown", HasSubstr("No reading.")));
  EXPECT_THAT(Set({Cut(), Found(kOther), Refusal("PERMISSION_DENIED", "No.")}),
              FailsWith("outcome-unknown", HasSubstr("No.")));
  EXPECT_EQ(Set({Cut()}).code, "outcome-unknown");
  // Somebody else writes and writes.
  std::vector<Reply> replies = {Cut()};
  for (int i = 0; i < 20; ++i) {
    replies.push_back(Found(kOther));
    replies.push_back(Refusal("FAILED_PRECONDITION"));
  }
  const Outcome endless = Set(replies);
  EXPECT_EQ(endless.code, "outcome-unknown");
  EXPECT_THAT(endless.sent, SizeIs(11));
  // Another document than was asked for.
  EXPECT_EQ(Set({Cut(), Ok({{{"missing", Name("instruments/e")}, {"readTime", kT2}}})}).code,
            "outcome-unknown");
}

// A merge whose answer is lost: what is there now says which of the two writes goes on.
TEST(DocumentCommit, AMergeInDoubtGoesOnFromWhatIsThere) {
  const auto merge = [](const std::vector<Reply>& replies) {
    const json arguments = {{"collection", Instruments()},
                            {"id", "d"},
                            {"document", {{"fields", {{"a", Number(1)}}}}},
                            {"merge", true}};
    return Ask("collection.set", arguments, InTurn(replies));
  };
  EXPECT_THAT(Steps(merge({Cut(), Found(kAsked)})),
              ElementsAre(R"(commit {"exists":true})", "batchGet"));
  EXPECT_THAT(Steps(merge({Cut(), Found(kOther), Committed()})),
              ElementsAre(R"(commit {"exists":true})", "batchGet",
                          R"(commit {"updateTime":"2026-01-01T00:00:01Z"})"));
  EXPECT_THAT(Steps(merge({Cut(), Missing(), Committed()})),
              ElementsAre(R"(commit {"exists":true})", "batchGet", R"(commit {"exists":false})"));
  // The one that makes it is in doubt; others have changed it since.
  const Outcome made = merge({Refusal("NOT_FOUND"), Cut(), Found(kOther), Committed()});
  EXPECT_THAT(Steps(made),
              ElementsAre(R"(commit {"exists":true})", R"(commit {"exists":false})", "batchGet",
                          R"(commit {"updateTime":"2026-01-01T00:00:01Z"})"));
  EXPECT_EQ(made.sent[3].body["writes"][0]["updateMask"]["fieldPaths"], json::array({"a"}));
  // Deleted between the reading and the writing.
  EXPECT_THAT(Steps(merge({Cut(), Found(kOther), Refusal("NOT_FOUND"), Missing(), Committed()})),
              ElementsAre(R"(commit {"exists":true})", "batchGet",
                          R"(commit {"updateTime":"2026-01-01T00:00:01Z"})", "batchGet",
                          R"(commit {"exists":false})"));
}

// A merge that names the shard "x".
Outcome MergeInto(const std::vector<Reply>& replies, const json& transforms = json::array()) {
  const json arguments = {{"collection", Instruments()},
                          {"id", "d"},
                          {"document", {{"fields", kAsked}, {"transforms", transforms}}},
                          {"merge", true}};
  return Ask("collection.set", arguments, InTurn(replies));
}

TEST(DocumentCommit, AMergeThatNamesTheShardMovesNoDocument) {
  const json other_shard = {{"shard", {{"stringValue", "y"}}}, {"a", Number(2)}};
  const json unsharded = {{"a", Number(2)}};
  const json none = {{"shard", {{"nullValue", nullptr}}}};
  // It has the shard: the field is not touched, so that whoever moves it meanwhile may.
  const Outcome same = MergeInto({Found(kOther), Committed()});
  EXPECT_THAT(Steps(same), ElementsAre("batchGet", kIfThere));
  EXPECT_EQ(same.sent[1].body["writes"][0]["updateMask"]["fieldPaths"], json::array({"a"}));
  EXPECT_EQ(same.result, json({{"id", "d"}, {"shard", "x"}}));
  EXPECT_EQ(same.billed, (Billed{1, 1, 0}));
  // It has another one.
  for (const json& found : {other_shard, none}) {
    const Outcome refused = MergeInto({Found(found)});
    EXPECT_THAT(refused, FailsWith("invalid-argument", HasSubstr("move: true")));
    EXPECT_THAT(Steps(refused), ElementsAre("batchGet"));
  }
  // It has none: it gets this one, if nobody gives it one meanwhile.
  const Outcome given = MergeInto({Found(unsharded), Committed()});
  EXPECT_THAT(Steps(given), ElementsAre("batchGet", kIfT1));
  EXPECT_EQ(given.sent[1].body["writes"][0]["updateMask"]["fieldPaths"], json({"a", "shard"}));
  EXPECT_EQ(given.result, json({{"id", "d"}, {"shard", "x"}}));
  // It is not there.
  const Outcome made = MergeInto({Missing(), Committed()});
  EXPECT_THAT(Steps(made), ElementsAre("batchGet", kIfMissing));
  EXPECT_EQ(made.sent[1].body["writes"][0]["update"]["fields"], kAsked);
  EXPECT_FALSE(made.sent[1].body["writes"][0].contains("updateMask"));
  EXPECT_EQ(made.result, json({{"id", "d"}, {"shard", "x"}}));
}

TEST(DocumentCommit, AMergeThatNamesTheShardLooksAgainWhenOthersWereFirst) {
  const json other_shard = {{"shard", {{"stringValue", "y"}}}};
  const json unsharded = {{"a", Number(2)}};
  // Somebody makes it, in another shard, or in this one.
  EXPECT_EQ(MergeInto({Missing(), Refusal("ALREADY_EXISTS"), Found(other_shard)}).code,
            "invalid-argument");
  EXPECT_THAT(Steps(MergeInto({Missing(), Refusal("ALREADY_EXISTS"), Found(kOther), Committed()})),
              ElementsAre("batchGet", kIfMissing, "batchGet", kIfThere));
  // Somebody deletes it.
  EXPECT_THAT(Steps(MergeInto({Found(kOther), Refusal("NOT_FOUND"), Missing(), Committed()})),
              ElementsAre("batchGet", kIfThere, "batchGet", kIfMissing));
  // Somebody, such as backfill(), gives it a shard.
  const Outcome late =
      MergeInto({Found(unsharded), Refusal("FAILED_PRECONDITION"), Found(other_shard)});
  EXPECT_THAT(Steps(late), ElementsAre("batchGet", kIfT1, "batchGet"));
  EXPECT_EQ(late.code, "invalid-argument");
  // Not for ever.
  std::vector<Reply> replies;
  for (int i = 0; i < 20; ++i) {
    replies.push_back(Found(unsharded));
    replies.push_back(Refusal("FAILED_PRECONDITION", "Changed."));
  }
  EXPECT_THAT(MergeInto(replies), FailsWith("failed-precondition", HasSubstr("Changed.")));
}

TEST(DocumentCommit, AMergeThatNamesTheShardInDoubt) {
  const json other_shard = {{"shard", {{"stringValue", "y"}}}, {"a", Number(1)}};
  const json unsharded = {{"a", Number(2)}};
  // Nothing was sent that could have been applied.
  EXPECT_EQ(MergeInto({Refusal("PERMISSION_DENIED")}).code, "permission-denied");
  EXPECT_THAT(Steps(MergeInto({Missing(), Cut(), Found(kAsked)})),
              ElementsAre("batchGet", kIfMissing, "batchGet"));
  EXPECT_THAT(Steps(MergeInto({Missing(), Cut(), Missing(), Committed()})),
              ElementsAre("batchGet", kIfMissing, "batchGet", kIfMissing));
  const Outcome merged = MergeInto({Found(kOther), Cut(), Found(kOther), Committed()});
  EXPECT_THAT(Steps(merged), ElementsAre("batchGet", kIfThere, "batchGet", kIfT1));
  EXPECT_EQ(merged.sent[3].body["writes"][0]["updateMask"]["fieldPaths"], json::array({"a"}));
  // The guarded one is repeated as it is. Refused then, it was perhaps applied before.
  EXPECT_THAT(Steps(MergeInto({Found(unsharded), Cut(), Committed()})),
              ElementsAre("batchGet", kIfT1, kIfT1));
  const std::vector<Reply> refused = {Found(unsharded), Cut(), Refusal("FAILED_PRECONDITION")};
  const auto then = [&](const std::vector<Reply>& more) {
    std::vector<Reply> replies = refused;
    replies.insert(replies.end(), more.begin(), more.end());
    return MergeInto(replies);
  };
  EXPECT_TRUE(then({Found(kAsked), Committed()}).ok());
  EXPECT_EQ(then({Found(other_shard)}).code, "outcome-unknown");
  EXPECT_EQ(then({Refusal("PERMISSION_DENIED")}).code, "outcome-unknown");
  EXPECT_EQ(MergeInto({Missing(), Cut(), Found(other_shard)}).code, "outcome-unknown");
  // Transforms are sent again only where what was sent cannot have been applied.
  const json add =
      ListOfOne(json({{"kind", "increment"}, {"path", ListOfOne("n")}, {"value", Number(1)}}));
  EXPECT_EQ(MergeInto({Missing(), Cut()}, add).code, "outcome-unknown");
  EXPECT_EQ(MergeInto({Found(kOther), Cut()}, add).code, "outcome-unknown");
  EXPECT_EQ(MergeInto({Found(unsharded), Refusal("FAILED_PRECONDITION")}, add).code,
            "failed-precondition");
}

TEST(DocumentCommit, TransformsAreNeverSentAgainInDoubt) {
  for (const json& transform :
       {json({{"kind", "serverTimestamp"}, {"path", ListOfOne("t")}}),
        json({{"kind", "increment"}, {"path", ListOfOne("n")}, {"value", Number(1)}}),
        json({{"kind", "arrayUnion"},
              {"path", ListOfOne("l")},
              {"value", {{"values", ListOfOne(Number(1))}}}})}) {
    for (const char* name : {"collection.set", "collection.update"}) {
      for (const Reply& lost : {Cut(), Silence(), Refusal("UNAVAILABLE"), OkText("{\"wri")}) {
        const Outcome outcome =
            Write(name, {{"a", Number(1)}}, {lost, Committed()}, json::array({transform}));
        EXPECT_EQ(outcome.code, "outcome-unknown");
        EXPECT_THAT(outcome.sent, SizeIs(1));
      }
      EXPECT_TRUE(Write(name, {{"a", Number(1)}}, {Refusal("ABORTED"), Committed()},
                        json::array({transform}))
                      .ok());
    }
  }
}

}  // namespace
}  // namespace shardline::document_commit_test
