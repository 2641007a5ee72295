// Writes: the requests, the refusals, and the outcome of lost answers.

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unit/sharded_query/api_caller.h"

namespace shardline::document_write_test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

json Text(const std::string& text) { return {{"stringValue", text}}; }

// A document as the core takes it.
json Doc(const json& fields, const json& transforms = json::array()) {
  const json list = transforms.is_object() ? ListOfOne(transforms) : transforms;
  return {{"fields", fields}, {"transforms", list}};
}
json Transform(const std::string& kind, const json& path, const json& value = nullptr) {
  // Braces around two names make an array, around one just the name.
  const json names = path.is_string() ? ListOfOne(path) : path;
  return {{"kind", kind}, {"path", names}, {"value", value}};
}

Reply Committed(std::size_t writes = 1) {
  json results = json::array();
  for (std::size_t i = 0; i < writes; ++i) {
    results.push_back({{"updateTime", "2026-01-01T00:00:00Z"}});
  }
  return Ok({{"writeResults", results}, {"commitTime", "2026-01-01T00:00:00Z"}});
}

Outcome Set(const json& document, const Server& server = InTurn({Committed()}),
            const json& collection = Instruments()) {
  return Ask("collection.set", {{"collection", collection}, {"id", "d"}, {"document", document}},
             server);
}
Outcome Update(const json& document, const Server& server = InTurn({Committed()}),
               const json& collection = Instruments(), bool move = true) {
  return Ask("collection.update",
             {{"collection", collection}, {"id", "d"}, {"changes", document}, {"move", move}},
             server);
}
Outcome Merge(const json& document, const Server& server = InTurn({Committed()}),
              const json& collection = Instruments(), bool move = false) {
  json arguments = {
      {"collection", collection}, {"id", "d"}, {"document", document}, {"merge", true}};
  if (move) arguments["move"] = true;
  return Ask("collection.set", arguments, server);
}
Outcome Add(const json& documents, const Server& server = InTurn({Committed()}),
            const json& collection = Instruments(), const json& start = nullptr) {
  json arguments = {{"collection", collection},
                    {"documents", documents.is_object() ? ListOfOne(documents) : documents}};
  if (!start.is_null()) arguments["start"] = start;
  return Ask("collection.add", arguments, server);
}

json OnlyWrite(const Outcome& outcome) {
  EXPECT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_THAT(outcome.sent, SizeIs(1));
  if (outcome.sent.empty()) return nullptr;
  EXPECT_EQ(outcome.sent[0].path, "/v1/projects/demo/databases/(default)/documents:commit");
  EXPECT_THAT(outcome.sent[0].body["writes"], SizeIs(1));
  return outcome.sent[0].body["writes"][0];
}

TEST(Add, MakesADocumentThatIsNew) {
  const Outcome outcome = Add({Doc({{"a", Number(1)}})});
  const json write = OnlyWrite(outcome);
  ASSERT_THAT(outcome.result, SizeIs(1));
  const std::string id = outcome.result[0]["id"];
  const std::string shard = outcome.result[0]["shard"];
  EXPECT_THAT(id, SizeIs(20));
  EXPECT_THAT(shard, AnyOf("x", "y", "z"));
  EXPECT_EQ(write, json({{"update",
                          {{"name", Name("instruments/" + id)},
                           {"fields", {{"a", Number(1)}, {"shard", Text(shard)}}}}},
                         {"currentDocument", {{"exists", false}}}}));
  EXPECT_EQ(outcome.billed, (Billed{0, 1, 0}));
}

TEST(Add, DrawsEveryShardAlike) {
  std::multiset<std::string> drawn;
  json documents = json::array();
  for (int i = 0; i < 400; ++i) documents.push_back(Doc(json::object()));
  const Outcome outcome = Add(documents, InTurn({Committed(400)}), Instruments({"x", 7, "z", "é"}));
  ASSERT_THAT(outcome.result, SizeIs(400)) << outcome.message;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < 400; ++i) {
    drawn.insert(outcome.result[i]["shard"].dump());
    ids.insert(outcome.result[i]["id"]);
    const json& written = outcome.sent[0].body["writes"][i]["update"];
    EXPECT_EQ(written["name"], Name("instruments/" + outcome.result[i]["id"].get<std::string>()));
  }
  EXPECT_THAT(ids, SizeIs(400));
  for (const char* shard : {"\"x\"", "7", "\"z\"", "\"é\""}) EXPECT_GT(drawn.count(shard), 60u);
}

TEST(Add, ABatchIsAsLargeAsACommitMayBe) {
  json documents = json::array();
  for (int i = 0; i < 700; ++i) documents.push_back(Doc({{"a", Number(i)}}));
  const Outcome many = Add(documents, InTurn({Committed(500)}));
  ASSERT_THAT(many.result, SizeIs(500)) << many.message;
  EXPECT_THAT(many.sent[0].body["writes"], SizeIs(500));
  EXPECT_EQ(many.billed.writes, 500);
  documents = json::array();
  for (int i = 0; i < 5; ++i) documents.push_back(Doc({{"a", Text(std::string(300'000, 'a'))}}));
  const Outcome large = Add(documents, InTurn({Committed(3)}));
  EXPECT_THAT(large.result, SizeIs(3)) << large.message;
  // But at least one.
  documents = {Doc({{"a", Text(std::string(1'048'000, 'a'))}}), Doc(json::object())};
  const Outcome one = Add(documents);
  EXPECT_THAT(one.result, SizeIs(1)) << one.message;
  // What escapes blow up counts by what it is on the wire.
  documents = {Doc({{"a", Text(std::string(600'000, '"'))}}),
               Doc({{"a", Text(std::string(600'000, '"'))}})};
  EXPECT_THAT(Add(documents).result, SizeIs(1));
}

TEST(Add, MessagesNameTheDocument) {
  const json bad = {Doc({{"a", Number(1)}}), Doc({{"price", {{"integerValue", "x"}}}})};
  for (const char* name : {"collection.check", "collection.add"}) {
    EXPECT_THAT(AskNobody(name, {{"collection", Instruments()}, {"documents", bad}, {"start", 40}}),
                IsInvalid(AllOf(HasSubstr("Document 41"), HasSubstr("price"))));
  }
  EXPECT_THAT(AskNobody("collection.add", {{"collection", Instruments()}, {"documents", bad}}),
              IsInvalid(AllOf(HasSubstr("price"), Not(HasSubstr("Document 1")))));
}

TEST(Add, CheckSendsNothing) {
  json documents = json::array();
  for (int i = 0; i < 700; ++i) documents.push_back(Doc({{"a", Number(i)}}));
  const Outcome outcome = AskNobody(
      "collection.check", {{"collection", Instruments()}, {"documents", documents}, {"start", 0}});
  // It says how they would be added, as a batch wants to know.
  ASSERT_EQ(outcome.result.size(), documents.size()) << outcome.message;
  std::set<std::string> ids;
  for (const json& added : outcome.result) {
    ids.insert(added["id"]);
    EXPECT_THAT(added["shard"].get<std::string>(), AnyOf("x", "y", "z"));
  }
  EXPECT_EQ(ids.size(), documents.size());
}

TEST(Add, ThatItExistsAlreadyMeansThatItHasBeenAdded) {
  for (const Reply& lost : {Cut(), Silence(), Refusal("UNAVAILABLE"), Refusal("INTERNAL"),
                            Refusal("DEADLINE_EXCEEDED"), OkText("{\"writeRes")}) {
    const Outcome outcome = Add({Doc(json::object())}, InTurn({lost, Refusal("ALREADY_EXISTS")}));
    EXPECT_TRUE(outcome.ok()) << outcome.message;
    ASSERT_THAT(outcome.sent, SizeIs(2));
    EXPECT_EQ(outcome.sent[0].body, outcome.sent[1].body);
    EXPECT_THAT(outcome.result, SizeIs(1));
  }
  // The browser repeats requests by itself, so also at the first attempt.
  EXPECT_TRUE(Add({Doc(json::object())}, InTurn({Refusal("ALREADY_EXISTS")})).ok());
}

TEST(Add, OtherRefusalsAreFinalOrTriedAgain) {
  const Outcome denied = Add({Doc(json::object())}, InTurn({Refusal("PERMISSION_DENIED")}));
  EXPECT_EQ(denied.code, "permission-denied");
  EXPECT_EQ(denied.status, 403);
  EXPECT_THAT(denied.sent, SizeIs(1));
  for (const char* status : {"ABORTED", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED"}) {
    const Outcome outcome = Add({Doc(json::object())}, InTurn({Refusal(status), Committed()}));
    EXPECT_TRUE(outcome.ok()) << outcome.message;
    EXPECT_THAT(outcome.sent, SizeIs(2));
    EXPECT_EQ(outcome.sent[1].refresh_token, std::string(status) == "UNAUTHENTICATED");
  }
  const Outcome lost = Add({Doc(json::object())}, InTurn({Cut()}));
  EXPECT_EQ(lost.code, "outcome-unknown");
  EXPECT_THAT(lost.sent, SizeIs(6));
  const Outcome html = Add({Doc(json::object())}, InTurn({OkText("<html>")}));
  EXPECT_FALSE(html.ok());
}

TEST(Set, ReplacesTheDocument) {
  const Outcome outcome = Set(Doc({{"shard", Text("y")}, {"a", Number(1)}}));
  EXPECT_EQ(OnlyWrite(outcome), json({{"update",
                                       {{"name", Name("instruments/d")},
                                        {"fields", {{"shard", Text("y")}, {"a", Number(1)}}}}}}));
  EXPECT_EQ(outcome.result, json({{"id", "d"}, {"shard", "y"}}));
  EXPECT_EQ(outcome.billed, (Billed{0, 1, 0}));
}

TEST(Set, PutsTheShardWhereItBelongs) {
  json collection = Instruments({7});
  collection["shardField"] = "meta.`a b`.shard";
  const auto fields = [&](const json& document) {
    return OnlyWrite(Set(document, InTurn({Committed()}), collection))["update"]["fields"];
  };
  const auto map = [](const json& inside) { return json{{"mapValue", {{"fields", inside}}}}; };
  const json shard = map({{"shard", Number(7)}});
  EXPECT_EQ(fields(Doc(json::object())), json({{"meta", map({{"a b", shard}})}}));
  EXPECT_EQ(fields(Doc({{"z", Number(1)}})),
            json({{"z", Number(1)}, {"meta", map({{"a b", shard}})}}));
  EXPECT_EQ(fields(Doc({{"meta", map(json::object())}})), json({{"meta", map({{"a b", shard}})}}));
  EXPECT_EQ(fields(Doc({{"meta", map({{"x", Number(1)}})}})),
            json({{"meta", map({{"x", Number(1)}, {"a b", shard}})}}));
  EXPECT_EQ(fields(Doc({{"meta", map({{"a b", map({{"y", Number(2)}})}})}})),
            json({{"meta", map({{"a b", map({{"y", Number(2)}, {"shard", Number(7)}})}})}}));
  EXPECT_EQ(fields(Doc({{"meta", map({{"a b", shard}})}})),
            json({{"meta", map({{"a b", shard}})}}));
  // Something else stands in its way.
  for (const json& bad :
       {Number(1), map({{"a b", Number(1)}}), map({{"a b", map({{"shard", Number(8)}})}})}) {
    EXPECT_THAT(Set(Doc({{"meta", bad}}), {}, collection), IsInvalid(HasSubstr("meta"))) << bad;
  }
}

TEST(Set, OtherShardValuesAreRefused) {
  for (const json& shard : {Text("w"), Text(""), Text("X"), Number(1), json{{"nullValue", nullptr}},
                            json{{"booleanValue", true}}, json{{"doubleValue", 1}}}) {
    EXPECT_THAT(Set(Doc({{"shard", shard}}), {}),
                IsInvalid(AllOf(HasSubstr("shard"), HasSubstr("\"x\", \"y\", \"z\""))))
        << shard;
  }
  for (const char* kind : {"serverTimestamp", "increment", "arrayUnion"}) {
    const json value = std::string(kind) == "increment" ? Number(1) : json{{"values", {Number(1)}}};
    for (const json& path : {json({"shard"}), json({"shard", "x"})}) {
      EXPECT_THAT(Set(Doc(json::object(), {Transform(kind, path, value)}), {}),
                  IsInvalid(HasSubstr("shard")));
    }
  }
}

TEST(Set, TransformsGoAlong) {
  const json list = {{"values", {Number(1), Text("a")}}};
  const json write = OnlyWrite(Set(Doc(
      {{"shard", Text("x")}},
      {Transform("serverTimestamp", {"timestamp"}), Transform("increment", {"a", "b.c"}, Number(2)),
       Transform("arrayUnion", {"d"}, list), Transform("arrayRemove", {"e`\\"}, list)})));
  EXPECT_EQ(write["updateTransforms"], json::parse(R"([
      {"fieldPath": "timestamp", "setToServerValue": "REQUEST_TIME"},
      {"fieldPath": "a.`b.c`", "increment": {"integerValue": "2"}},
      {"fieldPath": "d", "appendMissingElements":
          {"values": [{"integerValue": "1"}, {"stringValue": "a"}]}},
      {"fieldPath": "`e\\`\\\\`", "removeAllFromArray":
          {"values": [{"integerValue": "1"}, {"stringValue": "a"}]}}])"));
  EXPECT_FALSE(write.contains("updateMask"));
  EXPECT_THAT(Set(Doc(json::object(), {Transform("delete", {"a"})}), {}),
              IsInvalid(AllOf(HasSubstr("\"a\""), HasSubstr("update()"))));
}

TEST(Set, WhatFirestoreCannotHoldIsRefusedByName) {
  const auto map = [](const json& inside) { return json{{"mapValue", {{"fields", inside}}}}; };
  const auto list = [](const json& one) {
    return json{{"arrayValue", {{"values", ListOfOne(one)}}}};
  };
  json deep = Number(1);
  for (int i = 0; i < 21; ++i) deep = map({{"a", deep}});
  const std::pair<json, const char*> cases[] = {
      {{{"price", list(list(Number(1)))}}, "price"},
      {{{"price", map({{"__x__", Number(1)}})}}, "__x__"},
      {{{"__name__", Number(1)}}, "__name__"},
      {{{"", Number(1)}}, "empty"},
      {{{"price", deep}}, "price"},
      {{{"price", json::object()}}, "price"},
      {{{"price", 7}}, "price"},
      {{{"a", map({{"price", {{"timestampValue", "soon"}}}})}}, "a.price"},
      {{{"price", {{"referenceValue", "x"}}}}, "price"},
      {{{"price", {{"bytesValue", "?"}}}}, "price"}};
  for (const auto& [fields, expected] : cases) {
    EXPECT_THAT(Set(Doc(fields), {}), IsInvalid(HasSubstr(expected))) << fields;
    EXPECT_EQ(Update(Doc(fields), {}).code, "invalid-argument") << fields;
  }
}

TEST(Set, AMebibyteIsTheMost) {
  const auto document = [](std::size_t size) {
    return Doc({{"shard", Text("x")}, {"a", Text(std::string(size, 'a'))}});
  };
  // Name, overhead and the shard field are less than 100 bytes.
  EXPECT_TRUE(Set(document(1'048'576 - 100)).ok());
  EXPECT_THAT(Set(document(1'048'576), {}), IsInvalid(HasSubstr("1 MiB")));
  EXPECT_THAT(Set(document(2'000'000), {}), IsInvalid(HasSubstr("1 MiB")));
  EXPECT_THAT(Update(document(1'048'576), {}), IsInvalid(HasSubstr("1 MiB")));
  EXPECT_THAT(Add({document(1'048'576)}, {}), IsInvalid(HasSubstr("1 MiB")));
}

TEST(Set, BadIds) {
  for (const json& id : {json(""), json("a/b"), json("."), json(".."), json("__x__"), json(7),
                         json(nullptr), json(std::string(1'501, 'x'))}) {
    const json document = Doc(json::object());
    const json with_id = {{"collection", Instruments()}, {"id", id}};
    EXPECT_THAT(AskNobody("collection.delete", with_id),
                IsInvalid(AnyOf(HasSubstr(" id"), HasSubstr("`id`"))))
        << id;
    for (const auto& [name, what] :
         {std::pair("collection.set", "document"), std::pair("collection.update", "changes")}) {
      json arguments = with_id;
      arguments[what] = document;
      EXPECT_THAT(AskNobody(name, arguments), IsInvalid(AnyOf(HasSubstr(" id"), HasSubstr("`id`"))))
          << id;
    }
  }
}

TEST(Update, ChangesWhatIsNamed) {
  const Outcome outcome =
      Update(Doc({{"a.b", Number(1)}, {"a.c", Number(2)}, {"d", Number(3)}, {"`e.f`", Number(4)}},
                 {Transform("delete", {"g.h"}), Transform("delete", {"a.x"})}));
  EXPECT_EQ(OnlyWrite(outcome), json::parse(R"({
      "update": {"name": "projects/demo/databases/(default)/documents/instruments/d",
                 "fields": {"a": {"mapValue": {"fields": {"b": {"integerValue": "1"},
                                                          "c": {"integerValue": "2"}}}},
                            "d": {"integerValue": "3"}, "e.f": {"integerValue": "4"}}},
      "updateMask": {"fieldPaths": ["a.b", "a.c", "a.x", "d", "`e.f`", "g.h"]},
      "currentDocument": {"exists": true}})"));
  EXPECT_EQ(outcome.result, json({{"id", "d"}}));
}

TEST(Update, TheFirstNameOfATransformIsAPath) {
  const json write =
      OnlyWrite(Update(Doc(json::object(), {Transform("increment", {"a.b", "c.d"}, Number(1))})));
  EXPECT_EQ(write["updateTransforms"][0]["fieldPath"], "a.b.`c.d`");
  EXPECT_EQ(write["updateMask"], json({{"fieldPaths", json::array()}}));
}

TEST(Update, Contradictions) {
  for (const json& fields : {json({{"a", Number(1)}, {"a.b", Number(1)}}),
                             json({{"a", Number(1)}, {"`a`", Number(2)}})}) {
    EXPECT_THAT(Update(Doc(fields), {}), IsInvalid(HasSubstr("twice"))) << fields;
  }
  EXPECT_THAT(Update(Doc({{"a", Number(1)}}, {Transform("delete", {"a"})}), {}),
              IsInvalid(HasSubstr("twice")));
  for (const char* path : {"", "a..b", "`a", "__name__", "__x__"}) {
    EXPECT_EQ(Update(Doc({{path, Number(1)}}), {}).code, "invalid-argument") << path;
  }
}

TEST(Update, TheShardMayChangeButNotVanish) {
  const Outcome moved = Update(Doc({{"shard", Text("z")}}));
  EXPECT_TRUE(moved.ok()) << moved.message;
  EXPECT_EQ(moved.result, json({{"id", "d"}, {"shard", "z"}}));
  EXPECT_THAT(Update(Doc({{"shard", Text("w")}}), {}), IsInvalid(HasSubstr("shard")));
  EXPECT_THAT(Update(Doc({{"shard.x", Text("x")}}), {}), IsInvalid(HasSubstr("shard")));
  EXPECT_THAT(Update(Doc(json::object(), {Transform("delete", {"shard"})}), {}),
              IsInvalid(HasSubstr("shard")));
  EXPECT_THAT(Update(Doc(json::object(), {Transform("serverTimestamp", {"shard"})}), {}),
              IsInvalid(HasSubstr("shard")));
  json nested = Instruments();
  nested["shardField"] = "m.shard";
  const auto map = [](const json& inside) { return json{{"mapValue", {{"fields", inside}}}}; };
  EXPECT_EQ(Update(Doc({{"m", map({{"shard", Text("y")}})}}), InTurn({Committed()}), nested)
                .result["shard"],
            "y");
  EXPECT_EQ(Update(Doc({{"m.other", Number(1)}}), InTurn({Committed()}), nested).result,
            json({{"id", "d"}}));
  for (const json& bad : {map({{"x", Number(1)}}), map(json::object()), Number(1)}) {
    EXPECT_THAT(Update(Doc({{"m", bad}}), {}, nested), IsInvalid(HasSubstr("m.shard"))) << bad;
  }
  EXPECT_THAT(Update(Doc(json::object(), {Transform("delete", {"m"})}), {}, nested),
              IsInvalid(HasSubstr("m.shard")));
}

TEST(Update, AMissingDocumentIsNotFound) {
  const Outcome outcome = Update(Doc({{"a", Number(1)}}), InTurn({Refusal("NOT_FOUND", "None.")}));
  EXPECT_THAT(outcome, FailsWith("not-found", HasSubstr("None.")));
  EXPECT_EQ(outcome.billed, Billed{});
}

TEST(Delete, RemovesTheDocument) {
  const Outcome outcome = Ask(
      "collection.delete", {{"collection", Instruments()}, {"id", "é\"\\"}},
      InTurn({Refusal("ABORTED"),
              Ok({{"writeResults", {json::object()}}, {"commitTime", "2026-01-01T00:00:00Z"}})}));
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(outcome.result, json({{"id", "é\"\\"}}));
  EXPECT_EQ(outcome.sent[1].body, json({{"writes", {{{"delete", Name("instruments/é\"\\")}}}}}));
  EXPECT_EQ(outcome.billed, (Billed{0, 0, 1}));
}

TEST(Update, SaysSoIfItMayMoveTheDocument) {
  EXPECT_THAT(Update(Doc({{"shard", Text("z")}}), {}, Instruments(), false),
              IsInvalid(HasSubstr("move: true")));
  EXPECT_TRUE(Update(Doc({{"a", Text("z")}}), InTurn({Committed()}), Instruments(), false).ok());
}

TEST(Set, TakesTheShardThatIsChosenForIt) {
  json document = Doc({{"a", Number(1)}});
  document["shard"] = "y";
  EXPECT_EQ(OnlyWrite(Set(document))["update"]["fields"]["shard"], Text("y"));
  document["fields"]["shard"] = Text("z");
  EXPECT_EQ(OnlyWrite(Set(document))["update"]["fields"]["shard"], Text("z"));
  for (const json& bad : {json("w"), json(7), json(nullptr), json::array(), json(1.5)}) {
    document = Doc({{"a", Number(1)}});
    document["shard"] = bad;
    EXPECT_THAT(Set(document, {}), IsInvalid(HasSubstr("shard"))) << bad;
  }
}

TEST(Merge, ChangesWhatIsGivenOfADocumentThatIsThere) {
  const auto map = [](const json& fields) { return json{{"mapValue", {{"fields", fields}}}}; };
  const Outcome outcome = Merge(Doc(
      {{"a", map({{"b", Number(1)}, {"c.d", map({{"e", Number(2)}})}})},
       {"empty", map(json::object())}},
      {Transform("delete", json::array({"g", "h.i"})), Transform("increment", {"n"}, Number(1))}));
  const json write = OnlyWrite(outcome);
  EXPECT_EQ(write["currentDocument"], json({{"exists", true}}));
  EXPECT_EQ(write["updateMask"]["fieldPaths"], json({"a.b", "a.`c.d`.e", "empty", "g.`h.i`"}));
  EXPECT_EQ(write["update"]["fields"],
            json({{"a", map({{"b", Number(1)}, {"c.d", map({{"e", Number(2)}})}})},
                  {"empty", map(json::object())}}));
  EXPECT_EQ(write["updateTransforms"].size(), 1U);
  EXPECT_EQ(outcome.result, json({{"id", "d"}}));
}

TEST(Merge, MakesADocumentThatIsNotThereWithAShard) {
  const Outcome outcome = Merge(
      Doc({{"a", Number(1)}}, {Transform("delete", {"b"})}),
      InTurn({Refusal("NOT_FOUND"), Refusal("ALREADY_EXISTS"), Refusal("NOT_FOUND"), Committed()}));
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  ASSERT_THAT(outcome.sent, SizeIs(4));
  EXPECT_EQ(outcome.sent[2].body, outcome.sent[0].body);
  const json made = outcome.sent[3].body["writes"][0];
  EXPECT_EQ(outcome.sent[1].body["writes"][0], made);
  EXPECT_EQ(made["currentDocument"], json({{"exists", false}}));
  EXPECT_FALSE(made.contains("updateMask"));
  EXPECT_EQ(made["update"]["fields"]["a"], Number(1));
  EXPECT_EQ(made["update"]["fields"]["shard"], Text(outcome.result["shard"]));
  EXPECT_EQ(outcome.billed.writes, 1);
  // Whoever makes and deletes it all the time wins in the end.
  std::vector<Reply> replies;
  for (int i = 0; i < 10; ++i) {
    replies.push_back(Refusal("NOT_FOUND"));
    replies.push_back(Refusal("ALREADY_EXISTS"));
  }
  EXPECT_FALSE(Merge(Doc({{"a", Number(1)}}), InTurn(replies)).ok());
}

TEST(Merge, MapsOfTransformsAreNoLeaves) {
  const json empty = {{"mapValue", {{"fields", json::object()}}}};
  const json write =
      OnlyWrite(Merge(Doc({{"a", empty}, {"b", empty}, {"c", empty}},
                          {Transform("delete", json::array({"a", "x"})),
                           Transform("increment", json::array({"b", "y"}), Number(1))})));
  EXPECT_EQ(write["updateMask"]["fieldPaths"], json({"a.x", "c"}));
}

// A document that is made holds no map of which nothing is set.
TEST(Merge, MakesNoMapsOfTransformsAlone) {
  const auto map = [](const json& fields) { return json{{"mapValue", {{"fields", fields}}}}; };
  const json empty = map(json::object());
  const json fields = {
      {"a", map({{"b", empty}, {"x", empty}})},
      {"c", map({{"d", empty}, {"n", Number(1)}})},
      {"e", empty},
      {"f", empty},
      {"g", map({{"__type__", Text("__vector__")},
                 {"value", {{"arrayValue", {{"values", {{{"doubleValue", 1}}}}}}}}})}};
  const json transforms = {Transform("delete", json::array({"a", "b", "c"})),
                           Transform("increment", json::array({"a", "x", "y"}), Number(1)),
                           Transform("delete", json::array({"c", "d", "e"})),
                           Transform("delete", json::array({"e", "m"})),
                           Transform("delete", {"h"})};
  const json left = {{"c", map({{"n", Number(1)}})}, {"f", empty}, {"g", fields["g"]}};
  const Outcome drawn = Merge(Doc(fields, transforms), InTurn({Refusal("NOT_FOUND"), Committed()}));
  ASSERT_TRUE(drawn.ok()) << drawn.message;
  ASSERT_THAT(drawn.sent, SizeIs(2));
  const json made = drawn.sent[1].body["writes"][0];
  json expected = left;
  expected["shard"] = Text(drawn.result["shard"]);
  EXPECT_EQ(made["update"]["fields"], expected);
  EXPECT_EQ(made["updateTransforms"].size(), 1U);
  // The same where the shard is named,
  json named = fields;
  named["shard"] = Text("y");
  const Outcome outcome = Merge(
      Doc(named, transforms),
      InTurn({Ok({{{"missing", Name("instruments/d")}, {"readTime", "2026-01-01T00:00:00Z"}}}),
              Committed()}));
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  ASSERT_THAT(outcome.sent, SizeIs(2));
  expected["shard"] = Text("y");
  EXPECT_EQ(outcome.sent[1].body["writes"][0]["update"]["fields"], expected);
  // and where the shard field itself lies in such a map.
  json nested = Instruments();
  nested["shardField"] = "a.b.shard";
  const Outcome inside =
      Merge(Doc(fields, transforms), InTurn({Refusal("NOT_FOUND"), Committed()}), nested);
  ASSERT_TRUE(inside.ok()) << inside.message;
  ASSERT_THAT(inside.sent, SizeIs(2));
  expected = left;
  expected["a"] = map({{"b", map({{"shard", Text(inside.result["shard"])}})}});
  EXPECT_EQ(inside.sent[1].body["writes"][0]["update"]["fields"], expected);
  // Nothing is set at all.
  const Outcome nothing = Merge(Doc({{"e", empty}}, {Transform("delete", json::array({"e", "m"}))}),
                                InTurn({Refusal("NOT_FOUND"), Committed()}));
  ASSERT_THAT(nothing.sent, SizeIs(2)) << nothing.message;
  EXPECT_EQ(nothing.sent[1].body["writes"][0]["update"]["fields"],
            json({{"shard", Text(nothing.result["shard"])}}));
}

TEST(Merge, ThatMayMoveTheDocumentIsOneWrite) {
  const Outcome outcome =
      Merge(Doc({{"shard", Text("z")}}), InTurn({Committed()}), Instruments(), true);
  const json write = OnlyWrite(outcome);
  EXPECT_FALSE(write.contains("currentDocument"));
  EXPECT_EQ(write["updateMask"]["fieldPaths"], json::array({"shard"}));
  EXPECT_EQ(outcome.result, json({{"id", "d"}, {"shard", "z"}}));
}

TEST(Merge, RefusesBadShardsUnasked) {
  for (const bool move : {false, true}) {
    EXPECT_THAT(Merge(Doc({{"shard", Text("w")}}), {}, Instruments(), move),
                IsInvalid(HasSubstr("shard")));
    EXPECT_THAT(Merge(Doc({{"a", {{"integerValue", "x"}}}}), {}, Instruments(), move),
                IsInvalid(HasSubstr("a")));
  }
}

// The shard field of a document that is there is left alone, also when it lies in a map.
TEST(Merge, WritesAllButTheShardOfADocumentThatHasIt) {
  const auto map = [](const json& fields) { return json{{"mapValue", {{"fields", fields}}}}; };
  json nested = Instruments();
  nested["shardField"] = "m.shard";
  const json there = {{"m", map({{"shard", Text("y")}})}, {"a", Number(1)}};
  const Outcome outcome =
      Merge(Doc({{"m", map({{"shard", Text("y")}, {"n", Number(2)}})}, {"a", Number(3)}},
                {Transform("increment", {"k"}, Number(1))}),
            InTurn({Ok({{{"found",
                          {{"name", Name("instruments/d")},
                           {"fields", there},
                           {"createTime", "2026-01-01T00:00:00Z"},
                           {"updateTime", "2026-01-01T00:00:00Z"}}},
                         {"readTime", "2026-01-01T00:00:00Z"}}}),
                    Committed()}),
            nested);
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  ASSERT_THAT(outcome.sent, SizeIs(2));
  const json write = outcome.sent[1].body["writes"][0];
  EXPECT_EQ(write["updateMask"]["fieldPaths"], json({"a", "m.n"}));
  EXPECT_EQ(write["update"]["fields"], json({{"m", map({{"n", Number(2)}})}, {"a", Number(3)}}));
  EXPECT_EQ(write["currentDocument"], json({{"exists", true}}));
  EXPECT_EQ(write["updateTransforms"].size(), 1U);
  EXPECT_EQ(outcome.result, json({{"id", "d"}, {"shard", "y"}}));
  EXPECT_EQ(outcome.billed, (Billed{1, 1, 0}));
}

TEST(Set, TakesMoveWithMergeOnly) {
  EXPECT_THAT(AskNobody("collection.set", {{"collection", Instruments()},
                                           {"id", "d"},
                                           {"document", Doc(json::object())},
                                           {"move", true}}),
              IsInvalid(HasSubstr("merge: true")));
}

TEST(Write, MalformedArgumentsAreRefused) {
  ApiCaller caller(InTurn({Committed()}));
  const json document = Doc({{"a", Number(1)}}, {Transform("increment", {"n"}, Number(1))});
  const auto with = [](json more) {
    more["collection"] = Instruments();
    return more.dump();
  };
  const std::pair<const char*, std::string> good[] = {
      {"collection.set", with({{"id", "d"}, {"document", document}})},
      {"collection.update", with({{"id", "d"}, {"changes", document}})},
      {"collection.add", with({{"start", 0}, {"documents", ListOfOne(document)}})},
      {"collection.check", with({{"start", 0}, {"documents", ListOfOne(document)}})}};
  for (const auto& [name, arguments] : good) {
    ASSERT_TRUE(caller.Ask(name, arguments).ok());
    for (std::size_t size = 0; size < arguments.size(); ++size) {
      const std::string cut = arguments.substr(0, size);
      // The request's own last bracket may be what is missing.
      if (json::accept(cut + "}")) continue;
      EXPECT_EQ(caller.Ask(name, cut).code, "invalid-argument") << name << cut;
    }
  }
  for (const json& bad :
       {json(7), json(nullptr), json::object(), json::array(), json({{"fields", 7}}),
        json({{"fields", json::object()}, {"transforms", 7}}),
        json({{"fields", json::object()}, {"field", json::object()}}), Doc(json::object(), {7}),
        Doc(json::object(), ListOfOne(json::array())),
        Doc(json::object(), {Transform("increment", json::array(), Number(1))}),
        Doc(json::object(), {Transform("increment", {"n"})}),
        Doc(json::object(), {Transform("increment", json::array({7}), Number(1))}),
        Doc(json::object(), ListOfOne({{"kind", "increment"}, {"path", {"n", "m"}}})),
        Doc(json::object(), ListOfOne({{"kind", "arrayUnion"}, {"path", {"n", "m"}}})),
        Doc(json::object(), {Transform("multiply", {"n"}, Number(1))})}) {
    EXPECT_EQ(Set(bad, InTurn({Committed()})).code, "invalid-argument") << bad;
    EXPECT_EQ(Update(bad, InTurn({Committed()})).code, "invalid-argument") << bad;
    EXPECT_EQ(Add(ListOfOne(bad), InTurn({Committed()})).code, "invalid-argument") << bad;
  }
}

}  // namespace
}  // namespace shardline::document_write_test
