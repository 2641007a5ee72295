#include "simulator/dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "client.h"
#include "simulator/simulator.h"

namespace shardline::simulator::dialect_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr std::uint64_t kSeeds = 60;

// A simulator that words its answers in a dialect.
class Speaker {
 public:
  Speaker(std::string_view dialect, std::uint64_t seed, Json more = Json::object()) {
    more["dialect"] = dialect;
    more["seed"] = seed;
    auto options = ReadSimulatorOptions(PaddedText(more.dump()));
    EXPECT_TRUE(options) << more;
    simulator_ = std::make_unique<Simulator>(std::move(*options));
  }

  Answer Send(std::string_view method, std::string_view path, const Json& body = Json()) {
    const std::string target = "/v1/" + kRoot + std::string(path);
    now += 1'000'000;
    return simulator_
        ->Handle({method, target, simulator::Caller::kAdmin},
                 PaddedText(body.is_null() ? "" : body.dump()), Timestamp{now})
        .answer;
  }
  Answer Post(std::string_view verb, const Json& body) {
    return Send("POST", ":" + std::string(verb), body);
  }
  Answer Query(const Json& query) { return Post("runQuery", {{"structuredQuery", query}}); }
  void Put(std::string_view path, const Json& fields) {
    EXPECT_EQ(Post("commit", {{"writes", {Update(path, fields)}}}).status, 200);
  }
  void Configure(const Json& options) {
    EXPECT_TRUE(simulator_->Configure(PaddedText(options.dump())));
  }

  std::int64_t now = 1'795'197'600'000'000;

 private:
  std::unique_ptr<Simulator> simulator_;
};

Json Parse(const Answer& answer) {
  Json json = Json::parse(answer.body, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << answer.body;
  return json;
}

void Fill(Speaker& speaker, int count) {
  for (int i = 0; i < count; ++i) {
    speaker.Put("q/" + std::to_string(i), {{"v", Integer(i)}, {"<x>", String("ü/😀\"\\")}});
  }
}

std::vector<std::string> Ids(const Json& answer) {
  std::vector<std::string> ids;
  for (const Json& element : answer) {
    if (!element.contains("document")) continue;
    const std::string name = element["document"]["name"];
    ids.push_back(name.substr(name.rfind('/') + 1));
  }
  return ids;
}

const Json kAll = {{"from", From("q")}};
const Json kNone = {{"from", From("nothing")}};

TEST(Dialect, TheEmulatorsIsCompactAndSaysDone) {
  Speaker speaker("emulator", 1);
  Fill(speaker, 2);
  const Answer answer = speaker.Query(kAll);
  EXPECT_THAT(answer.body, StartsWith("[{\"document\":{\"name\":"));
  EXPECT_TRUE(Parse(answer).back()["done"]);
  EXPECT_TRUE(Parse(speaker.Query(kNone))[0]["done"]);
}

TEST(Dialect, ProductionIndentsByTwoSpaces) {
  Speaker speaker("production", 1);
  speaker.Put("q/a", {{"list", {{"arrayValue", Json::object()}}}, {"v", Integer(1)}});
  EXPECT_EQ(speaker.Send("GET", "/q/a").body, R"({
  "name": "projects/p/databases/(default)/documents/q/a",
  "fields": {
    "list": {
      "arrayValue": {}
    },
    "v": {
      "integerValue": "1"
    }
  },
  "createTime": "2026-11-20T18:00:01Z",
  "updateTime": "2026-11-20T18:00:01Z"
}
)");
}

TEST(Dialect, ProductionBreaksTheLinesOfAStreamBeforeTheComma) {
  std::set<std::string> separators;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("production", seed);
    Fill(speaker, 2);
    const std::string body = speaker.Query(kAll).body;
    EXPECT_THAT(body, StartsWith("[{\n  \""));
    EXPECT_THAT(body, EndsWith("\n}\n]"));
    const std::size_t comma = body.find("\n}\n,");
    ASSERT_NE(comma, std::string::npos) << body;
    separators.insert(body.substr(comma, body.find("{", comma) + 1 - comma));
  }
  EXPECT_THAT(separators, UnorderedElementsAre("\n}\n,{", "\n}\n,\n{"));
}

TEST(Dialect, ProductionEscapesAngleBrackets) {
  Speaker speaker("production", 1);
  Fill(speaker, 1);
  const Answer answer = speaker.Send("GET", "/q/0");
  EXPECT_THAT(answer.body, HasSubstr("\"\\u003cx\\u003e\": {"));
  EXPECT_EQ(Parse(answer)["fields"]["<x>"], String("ü/😀\"\\"));
}

TEST(Dialect, ProductionNeverSaysDone) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("production", seed);
    Fill(speaker, 3);
    const Json count = {{"structuredQuery", kAll},
                        {"aggregations", {{{"alias", "n"}, {"count", Json::object()}}}}};
    for (const Answer& answer :
         {speaker.Query(kAll), speaker.Query(kNone),
          speaker.Post("runAggregationQuery", {{"structuredAggregationQuery", count}})}) {
      for (const Json& element : Parse(answer)) EXPECT_FALSE(element.contains("done"));
    }
  }
}

TEST(Dialect, ProductionFindsNothingInOneElementWithItsReadTime) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("production", seed);
    const Json answer = Parse(speaker.Query(kNone));
    ASSERT_EQ(answer.size(), 1U);
    EXPECT_EQ(answer[0].size(), 1U);
    EXPECT_TRUE(answer[0].contains("readTime"));
  }
}

// What the elements of many answers look like, by their members.
TEST(Dialect, ProductionReportsProgressBetweenDocumentsAndLast) {
  int between = 0;
  int last = 0;
  int last_is_document = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("production", seed);
    Fill(speaker, 5);
    const Json answer = Parse(speaker.Query(kAll));
    EXPECT_THAT(Ids(answer), ::testing::ElementsAre("0", "1", "2", "3", "4"));
    for (std::size_t i = 0; i < answer.size(); ++i) {
      EXPECT_TRUE(answer[i].contains("readTime"));
      if (answer[i].contains("document")) continue;
      EXPECT_EQ(answer[i].size(), 1U);
      ++(i + 1 < answer.size() ? between : last);
    }
    last_is_document += answer.back().contains("document") ? 1 : 0;
  }
  EXPECT_GT(between, 5);
  EXPECT_GT(last, 5);
  EXPECT_GT(last_is_document, 5);
}

TEST(Dialect, ProductionTellsOnceHowManyAnOffsetPassedOver) {
  int in_progress = 0;
  int with_document = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("production", seed);
    Fill(speaker, 6);
    for (const int offset : {3, 6}) {
      Json query = kAll;
      query["offset"] = offset;
      int skipped = 0;
      for (const Json& element : Parse(speaker.Query(query))) {
        const int some = element.value("skippedResults", 0);
        skipped += some;
        if (some > 0) ++(element.contains("document") ? with_document : in_progress);
      }
      EXPECT_EQ(skipped, offset);
    }
  }
  EXPECT_GT(in_progress, 5);
  EXPECT_GT(with_document, 5);
}

// What an answer tells is true of all its read times, of earlier ones as of later ones.
TEST(Dialect, ProductionsReadTimesRiseWhileNothingChanges) {
  int rising = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("production", seed);
    Fill(speaker, 4);
    const std::string written = Parse(speaker.Send("GET", "/q/3"))["updateTime"];
    const Json answer = Parse(speaker.Query(kAll));
    std::string before = written;
    std::set<std::string> times;
    for (const Json& element : answer) {
      const std::string time = element["readTime"];
      EXPECT_LE(Timestamp::Parse(before)->micros, Timestamp::Parse(time)->micros);
      EXPECT_LE(Timestamp::Parse(time)->micros, speaker.now);
      times.insert(time);
      before = time;
    }
    rising += times.size() > 1 ? 1 : 0;
    for (const std::string& time : times) {
      const Answer again =
          speaker.Post("runQuery", {{"structuredQuery", kAll}, {"readTime", time}});
      EXPECT_EQ(Ids(Parse(again)), Ids(answer));
      for (const Json& element : Parse(again)) EXPECT_EQ(element["readTime"], time);
    }
  }
  EXPECT_GT(rising, 5);
}

TEST(Dialect, ANewTransactionComesFirst) {
  for (const std::string_view dialect : {"production", "proxy"}) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Speaker speaker(dialect, seed);
      Fill(speaker, 3);
      const Json begin = {{"readOnly", Json::object()}};
      for (const Answer& answer :
           {speaker.Post("runQuery", {{"structuredQuery", kAll}, {"newTransaction", begin}}),
            speaker.Post("runQuery", {{"structuredQuery", kNone}, {"newTransaction", begin}}),
            speaker.Post("batchGet",
                         {{"documents", {Name("q/0"), Name("q/1")}}, {"newTransaction", begin}})}) {
        const Json json = Parse(answer);
        EXPECT_TRUE(json[0].contains("transaction"));
        EXPECT_FALSE(json[0].contains("document"));
        EXPECT_FALSE(json[1].contains("transaction"));
      }
    }
  }
}

TEST(Dialect, ProductionGetsDocumentsInAnyOrder) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("production", seed);
    Fill(speaker, 2);
    const Json answer = Parse(
        speaker.Post("batchGet", {{"documents", {Name("q/0"), Name("q/1"), Name("q/none")}}}));
    std::set<std::string> names;
    std::string order;
    for (const Json& element : answer) {
      const std::string name = element.contains("found")
                                   ? element["found"]["name"].get<std::string>()
                                   : element["missing"].get<std::string>();
      EXPECT_EQ(element.contains("missing"), name == Name("q/none"));
      names.insert(name);
      order += name + ' ';
    }
    EXPECT_THAT(names, UnorderedElementsAre(Name("q/0"), Name("q/1"), Name("q/none")));
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 6U);
}

TEST(Dialect, ProductionsErrorsHaveDetails) {
  Speaker speaker("production", 1);
  const Answer missing = speaker.Send("GET", "/q/none");
  EXPECT_EQ(missing.status, 404);
  const Json error = Parse(missing)["error"];
  EXPECT_EQ(error["code"], 404);
  EXPECT_EQ(error["status"], "NOT_FOUND");
  EXPECT_THAT(error["details"][0]["@type"].get<std::string>(), HasSubstr("google.rpc.ErrorInfo"));
  const Json invalid = Parse(speaker.Post("commit", {{"writes", {Json::object()}}}))["error"];
  EXPECT_EQ(invalid["details"][0]["fieldViolations"][0]["description"], invalid["message"]);
}

TEST(Dialect, ProductionsErrorsOfStreamsStandInAnArray) {
  Speaker speaker("production", 1);
  for (const std::string_view verb : {"runQuery", "runAggregationQuery", "batchGet"}) {
    const Answer answer = speaker.Post(verb, {{"nonsense", 1}});
    EXPECT_EQ(answer.status, 400);
    const Json json = Parse(answer);
    ASSERT_TRUE(json.is_array());
    EXPECT_EQ(json[0]["error"]["status"], "INVALID_ARGUMENT");
  }
}

TEST(Dialect, ProductionLinksToTheIndexThatIsMissing) {
  Speaker speaker("production", 1, {{"requireIndexes", true}});
  const Answer answer =
      speaker.Query({{"from", From("q")}, {"orderBy", {Order("a"), Order("b", "DESCENDING")}}});
  EXPECT_EQ(answer.status, 400);
  const Json error = Parse(answer)[0]["error"];
  EXPECT_EQ(error["status"], "FAILED_PRECONDITION");
  EXPECT_THAT(error["message"].get<std::string>(),
              StartsWith("The query requires an index. You can create it here: "
                         "https://console.firebase.google.com/v1/r/project/p/firestore/indexes?"
                         "create_composite="));
  EXPECT_THAT(error["message"].get<std::string>(),
              EndsWith(error["details"][0]["links"][0]["url"].get<std::string>()));
  EXPECT_THAT(error["message"].get<std::string>(), Not(HasSubstr("queryScope")));
}

TEST(Dialect, ProductionsErrorsMayFollowOnDocuments) {
  int behind = 0;
  int alone = 0;
  for (std::uint64_t seed = 1; seed <= 4 * kSeeds; ++seed) {
    Speaker speaker(seed % 2 == 0 ? "production" : "proxy", seed);
    Fill(speaker, 4);
    speaker.Configure({{"faults", {{"unavailable", 1}}}});
    const Answer answer = speaker.Query(kAll);
    const Json json = Parse(answer);
    EXPECT_EQ(json.back()["error"]["status"], "UNAVAILABLE");
    EXPECT_EQ(answer.status, json.size() > 1 ? 200 : 503);
    ++(json.size() > 1 ? behind : alone);
    const std::vector<std::string> ids = Ids(json);
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], std::to_string(i));
  }
  EXPECT_GT(behind, 5);
  EXPECT_GT(alone, 5);
}

// ---- A proxy ----

// What is left of an answer without what only its wording adds: unknown members, order, progress.
Json Meaning(const Json& value, bool open) {
  static const std::set<std::string> kNoise = {"done", "skippedResults", "readTime", "details"};
  if (value.is_array()) {
    Json kept = Json::array();
    for (const Json& element : value) kept.push_back(Meaning(element, open));
    return kept;
  }
  if (!value.is_object()) return value;
  Json kept = Json::object();
  for (const auto& [key, member] : value.items()) {
    if (open && (key.rfind("future", 0) == 0 || key == "document2" || key == "explainMetrics")) {
      continue;
    }
    if (open && kNoise.count(key) != 0) continue;
    const bool of_user = key == "fields" || key == "aggregateFields" || key == "transformResults";
    kept[key] = Meaning(member, open && !of_user);
  }
  return kept;
}

// The same with elements that tell nothing left out, and documents by name.
Json Said(const Answer& answer, bool any_order) {
  Json json = Meaning(Parse(answer), true);
  // The error of a stream.
  if (answer.status != 200 && json.is_array()) json = Json(json[0]);
  if (!json.is_array()) return json;
  std::vector<Json> kept;
  for (const Json& element : json) {
    if (!element.empty()) kept.push_back(element);
  }
  if (any_order) std::sort(kept.begin(), kept.end());
  return kept;
}

Json Values() {
  return {
      {"v", Integer(7)},
      {"ü.`", String("a/b\\\"\n\x01 😀 } ] , : { [")},
      {"list", {{"arrayValue", {{"values", {Double(1.5), {{"nullValue", nullptr}}}}}}}},
      {"map", {{"mapValue", {{"fields", {{"futureFlag", Integer(1)}, {"readTime", Integer(2)}}}}}}},
      {"empty", {{"mapValue", Json::object()}}},
      {"nan", {{"doubleValue", "NaN"}}}};
}

std::vector<std::pair<std::string, Json>> Requests() {
  const Json count = {
      {"structuredQuery", kAll},
      {"aggregations", {{{"alias", "done"}, {"sum", {{"field", {{"fieldPath", "v"}}}}}}}}};
  const Json add = {{"update", {{"name", Name("n/a")}}},
                    {"updateMask", Json::object()},
                    {"updateTransforms", {{{"fieldPath", "n"}, {"increment", Integer(1)}}}}};
  return {{"commit", {{"writes", {Update("q/a", Values()), Update("q/b", {{"v", Integer(1)}})}}}},
          {"commit", {{"writes", {add}}}},
          {"commit", {{"writes", {Delete("q/none")}}}},
          {"runQuery", {{"structuredQuery", kAll}}},
          {"runQuery", {{"structuredQuery", kNone}}},
          {"batchGet", {{"documents", {Name("q/a"), Name("q/b"), Name("q/none")}}}},
          {"batchGet", {{"documents", Json::array()}}},
          {"runAggregationQuery", {{"structuredAggregationQuery", count}}},
          {"beginTransaction", Json::object()},
          {"runQuery", {{"structuredQuery", {{"limit", -1}}}}},
          {"commit", {{"writes", {{{"delete", "x"}}}}}},
          {"listCollectionIds", Json::object()}};
}

TEST(Dialect, NoDialectChangesWhatIsSaid) {
  for (const std::string_view dialect : {"production", "proxy"}) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Speaker plain("emulator", seed);
      Speaker speaker(dialect, seed);
      for (const auto& [verb, body] : Requests()) {
        const Answer expected = plain.Post(verb, body);
        const Answer answer = speaker.Post(verb, body);
        EXPECT_EQ(answer.status, expected.status);
        EXPECT_EQ(Said(answer, verb == "batchGet"), Said(expected, verb == "batchGet"))
            << answer.body;
      }
      EXPECT_EQ(Said(speaker.Send("GET", "/q/a"), false), Said(plain.Send("GET", "/q/a"), false));
      EXPECT_EQ(Said(speaker.Send("GET", "/q?pageSize=1"), false),
                Said(plain.Send("GET", "/q?pageSize=1"), false));
    }
  }
}

TEST(Dialect, AProxyAddsMembersToMessagesOnly) {
  int added = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Speaker speaker("proxy", seed);
    speaker.Put("q/a", Values());
    const Json document = Parse(speaker.Send("GET", "/q/a"));
    EXPECT_EQ(document["fields"], Values());
    added += document.size() > 4 ? 1 : 0;
  }
  EXPECT_GT(added, 10);
}

TEST(Dialect, AProxyWritesMembersInAnyOrderAndSpace) {
  std::set<std::string> first_members;
  std::set<char> begins;
  bool slash = false;
  for (std::uint64_t seed = 1; seed <= 2 * kSeeds; ++seed) {
    Speaker speaker("proxy", seed);
    speaker.Put("q/a", {{"v", Integer(1)}});
    const std::string body = speaker.Send("GET", "/q/a").body;
    const std::size_t key = body.find('"');
    first_members.insert(body.substr(key, body.find('"', key + 1) - key));
    begins.insert(body[body.find('{') + 1]);
    slash = slash || body.find("projects\\/p\\/") != std::string::npos;
  }
  EXPECT_THAT(first_members, ::testing::IsSupersetOf({"\"name", "\"fields", "\"updateTime"}));
  EXPECT_THAT(begins, ::testing::IsSupersetOf({'"', ' ', '\n', '\t', '\r'}));
  EXPECT_TRUE(slash);
}

TEST(Dialect, TheSeedDecides) {
  for (const std::string_view dialect : {"production", "proxy"}) {
    Speaker one(dialect, 7);
    Speaker other(dialect, 7);
    Fill(one, 6);
    Fill(other, 6);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(one.Query(kAll).body, other.Query(kAll).body);
  }
}

TEST(Dialect, WhatFailsDoesNotDependOnIt) {
  const Json faults = {{"faults", {{"unavailable", 0.3}, {"dropResponse", 0.3}}}};
  Speaker one("emulator", 3, faults);
  Speaker other("proxy", 3, faults);
  for (int i = 0; i < 100; ++i) {
    const Json writes = {{"writes", {Update("q/a", {{"v", Integer(i)}})}}};
    EXPECT_EQ(one.Post("commit", writes).status, other.Post("commit", writes).status);
  }
}

TEST(SimulatorOptions, FailuresNameTheOptionIfThereIsSuch) {
  const auto message = [](std::string_view json) {
    const auto options = ReadSimulatorOptions(PaddedText(json));
    return options ? std::string() : options.error().message;
  };
  EXPECT_THAT(message(R"({"limits": 5})"), HasSubstr("the embedded Firestore's option `limits`"));
  // Members that are not known are passed over, and may be no text.
  EXPECT_THAT(message("{\"se\xDA\": 1, nonsense"), HasSubstr("the embedded Firestore's options"));
}

TEST(Dialect, CanBeChangedAndMustBeOneOfThem) {
  Speaker speaker("emulator", 1);
  EXPECT_EQ(speaker.Query(kNone).body.find('\n'), std::string::npos);
  speaker.Configure({{"dialect", "production"}});
  EXPECT_NE(speaker.Query(kNone).body.find('\n'), std::string::npos);
  const auto refused = ReadSimulatorOptions(PaddedText(R"({"dialect":"french"})"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("'emulator', 'production' or 'proxy'"));
}

}  // namespace
}  // namespace shardline::simulator::dialect_test
