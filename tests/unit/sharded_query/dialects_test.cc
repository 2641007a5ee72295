// Pages over answers in every dialect: production's, proxies', and the emulator's.

#include <functional>
#include <string>
#include <vector>

#include "unit/sharded_query/fake_collection.h"
#include "unit/sharded_query/revive.h"

namespace shardline::dialects_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string Moment(int second) { return "2026-01-01T00:00:" + std::to_string(10 + second) + "Z"; }

// A document with an array, and as many kinds of members as matter.
json DocumentOf(int number, const std::string& shard) {
  return {{"name", Name("instruments/d" + std::to_string(number))},
          {"fields",
           {{"timestamp", Number(number)},
            {"shard", {{"stringValue", shard}}},
            {"list", {{"arrayValue", {{"values", {{{"stringValue", "a"}}, Number(7)}}}}}},
            {"at", {{"timestampValue", Moment(0)}}}}},
          {"createTime", Moment(0)},
          {"updateTime", Moment(1)}};
}

// Answers, of documents given by their numbers. Read times rise from one element to the next.
using Dialect = std::function<std::string(const std::vector<json>& documents)>;

std::string Time(std::size_t element) { return Moment(static_cast<int>(element)); }

const std::pair<const char*, Dialect> kDialects[] = {
    {"emulator",
     [](const std::vector<json>& documents) {
       json answer = json::array();
       for (const json& document : documents) {
         answer.push_back({{"document", document}, {"readTime", Time(documents.size())}});
       }
       if (documents.empty()) answer.push_back({{"readTime", Time(0)}});
       answer.back()["done"] = true;
       return answer.dump();
     }},
    {"production",
     [](const std::vector<json>& documents) {
       std::string answer = "[";
       for (std::size_t i = 0; i < documents.size(); ++i) {
         answer += (i > 0 ? "\n,\n" : "") +
                   json({{"document", documents[i]}, {"readTime", Time(documents.size())}}).dump(2);
       }
       if (documents.empty()) answer += json({{"readTime", Time(0)}}).dump(2);
       return answer + "\n]";
     }},
    {"read time alone at the end",
     [](const std::vector<json>& documents) {
       json answer = json::array();
       for (const json& document : documents) {
         answer.push_back({{"document", document}, {"readTime", Time(0)}});
       }
       answer.push_back({{"readTime", Time(documents.size())}});
       return answer.dump();
     }},
    {"progress in between, rising read times, transaction first",
     [](const std::vector<json>& documents) {
       json answer = json::array({{{"transaction", "x"}}});
       for (std::size_t i = 0; i < documents.size(); ++i) {
         answer.push_back({{"readTime", Time(i)}, {"skippedResults", 3}});
         answer.push_back({{"document", documents[i]}, {"readTime", Time(i + 1)}});
       }
       if (documents.empty()) answer.push_back({{"readTime", Time(0)}});
       answer.push_back({{"explainMetrics", json::object()}});
       return answer.dump(2);
     }},
    {"members in another order, unknown ones beside them",
     [](const std::vector<json>& documents) {
       std::string answer = "[";
       for (const json& document : documents) {
         answer += (answer.size() > 1 ? "," : "") + std::string("{\"readTime\" : \"") +
                   Time(documents.size()) + "\",\"news\":[{\"document\":1}],\"document\":{" +
                   "\"updateTime\":" + document["updateTime"].dump() +
                   ",\"fields\":" + document["fields"].dump() + ",\"labels\":{\"fields\":{}}," +
                   "\"createTime\":" + document["createTime"].dump() +
                   ",\"name\":" + document["name"].dump() + "}}";
       }
       if (documents.empty()) answer += "{\"news\":1,\"readTime\":\"" + Time(0) + "\"}";
       return answer + "]\r\n";
     }},
    {"escaped",
     [](const std::vector<json>& documents) {
       json answer = json::array();
       for (const json& document : documents) {
         answer.push_back({{"document", document}, {"readTime", Time(documents.size())}});
       }
       if (documents.empty()) answer.push_back({{"readTime", Time(0)}});
       std::string text = answer.dump(-1, ' ', true);
       for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos; at += 2) {
         text.insert(at, "\\");
       }
       return text;
     }},
};

// Which chunk of 30 a request is for.
std::size_t ChunkOf(const SentRequest& request) {
  const json& where = request.body["structuredQuery"]["where"]["fieldFilter"]["value"];
  const std::string first = where["arrayValue"]["values"][0]["stringValue"];
  return static_cast<std::size_t>(std::stoi(first)) / 30;
}

// 90 shards make three chunks; the second finds nothing. The form of the last document of an answer
// stays with its answer: once, it was taken for the next one's.
TEST(Dialects, PagesAreTheSameInEveryMix) {
  for (const auto& [first_name, first] : kDialects) {
    for (const auto& [second_name, second] : kDialects) {
      for (const bool consistent_read : {false, true}) {
        SCOPED_TRACE(std::string(first_name) + ", then " + second_name);
        const auto serve = [&, &one = first, &two = second](const SentRequest& request) {
          const std::size_t chunk = ChunkOf(request);
          if (chunk == 1) return OkText(one({}));
          std::vector<json> documents;
          for (int number = 1; number <= 6; ++number) {
            if ((number % 2 == 0) == (chunk == 0)) {
              documents.push_back(DocumentOf(number, std::to_string(30 * chunk)));
            }
          }
          Reply reply = OkText((chunk == 0 ? one : two)(documents));
          reply.latency = std::chrono::milliseconds(chunk == 1 ? 1 : 5);
          return reply;
        };
        const Outcome page = Ask("collection.query",
                                 {{"collection", Instruments(90)},
                                  {"query", {{"limit", 9}, {"consistentRead", consistent_read}}}},
                                 serve);
        ASSERT_TRUE(page.ok()) << page.message;
        ASSERT_THAT(page.result["docs"], SizeIs(6));
        for (int i = 0; i < 6; ++i) {
          const json& document = page.result["docs"][static_cast<std::size_t>(i)];
          EXPECT_EQ(document[0], "d" + std::to_string(i + 1));
          EXPECT_EQ(document[1]["list"], json({"a", 7}));
        }
        ReviveDocuments(page.result);
        EXPECT_EQ(page.billed.reads, 7);
        EXPECT_EQ(page.result["nextToken"], nullptr);
        // The first chunk's three documents, as of the latest moment that its answer names.
        EXPECT_EQ(page.result["readTimes"][0][0], 1767225613);
        if (consistent_read) {
          EXPECT_EQ(page.sent[1].body["readTime"], Moment(3));
        }
      }
    }
  }
}

TEST(Dialects, TokensOfSnapshotsKeepTheLatestReadTime) {
  for (const auto& [name, dialect] : kDialects) {
    SCOPED_TRACE(name);
    const auto serve = [&, &speak = dialect](const SentRequest& request) {
      const json& query = request.body["structuredQuery"];
      std::vector<json> documents;
      int number = query.contains("startAt") ? 3 : 1;
      for (int limit = query["limit"]; limit > 0 && number <= 4; --limit, ++number) {
        documents.push_back(DocumentOf(number, "x"));
      }
      return OkText(speak(documents));
    };
    json query = {{"limit", 2}, {"consistentRead", true}};
    const Outcome first =
        Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", query}}, serve);
    ASSERT_TRUE(first.ok()) << first.message;
    query["continueFrom"] = first.result["nextToken"];
    const Outcome second =
        Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", query}}, serve);
    ASSERT_TRUE(second.ok()) << second.message;
    EXPECT_EQ(second.result["docs"][0][0], "d3");
    EXPECT_EQ(second.sent[0].body["readTime"], Moment(2));
  }
}

TEST(Dialects, AnErrorBehindDocumentsIsTheServersError) {
  const json error = {
      {"error", {{"code", 403}, {"message", "No more."}, {"status", "PERMISSION_DENIED"}}}};
  for (const auto& [name, dialect] : kDialects) {
    std::string answer = dialect({DocumentOf(1, "x"), DocumentOf(2, "x")});
    answer.insert(answer.rfind(']'), "," + error.dump(2));
    const Outcome page =
        Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 5}}}},
            InTurn({OkText(answer)}));
    EXPECT_THAT(page, FailsWith("permission-denied", HasSubstr("No more."))) << name;
  }
}

}  // namespace
}  // namespace shardline::dialects_test
