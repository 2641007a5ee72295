#include "firestore/write.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firestore/fields_writer.h"
#include "unit/support/fixtures.h"
#include "unit/support/values.h"

namespace shardline::write_test {
namespace {

using nlohmann::json;

const std::string kDocuments = "projects/demo/databases/(default)/documents/";

FieldPath Path(std::string_view text) { return FieldPath::Parse(text).value(); }

Write Set(std::string path, std::string_view fields) {
  return {.name = kDocuments + path, .fields = WireFields(fields)};
}

// Changes no field but the one that is incremented.
Write Increment(std::string path, std::string_view operand) {
  return {.name = kDocuments + path,
          .mask = std::vector<FieldPath>{},
          .transforms = {{Path("count"), FieldTransform::Kind::kIncrement, WireValue(operand)}}};
}

Write If(Write write, Precondition precondition) {
  write.precondition = std::move(precondition);
  return write;
}

constexpr auto kMissing = Precondition::Kind::kMissing;

json Encoded(const std::vector<Write>& writes) { return json::parse(EncodeCommit(writes)); }
json Recorded(const std::string& name) { return LoadExchange("commit", name).request; }

TEST(EncodeCommit, IsTheCreationThatWasRecorded) {
  EXPECT_EQ(
      Encoded({If(Set("counters/c", R"({"num_shards":{"integerValue":"2"}})"), {kMissing}),
               If(Set("counters/c/shards/0", R"({"count":{"integerValue":"0"}})"), {kMissing}),
               If(Set("counters/c/shards/1", R"({"count":{"integerValue":"0"}})"), {kMissing})}),
      Recorded("create a counter"));
}

TEST(EncodeCommit, IsTheIncrementThatWasRecorded) {
  EXPECT_EQ(Encoded({Increment("counters/c/shards/0", R"({"integerValue":"3"})")}),
            Recorded("increment"));
}

TEST(EncodeCommit, IsTheLedgerCommitsThatWereRecorded) {
  const Write increment = Increment("counters/c/shards/1", R"({"integerValue":"1"})");
  EXPECT_EQ(Encoded({If(Set("ledgers/client1", R"({"seq":{"integerValue":"1"}})"), {kMissing}),
                     increment}),
            Recorded("ledger and increment, first"));
  const json later = Recorded("ledger and increment, later");
  const std::string time = later.at("writes").at(0).at("currentDocument").at("updateTime");
  EXPECT_EQ(Encoded({If(Set("ledgers/client1", R"({"seq":{"integerValue":"2"}})"),
                        {Precondition::Kind::kUpdateTime, time}),
                     increment}),
            later);
}

TEST(EncodeCommit, IsTheTransformsThatWereRecorded) {
  Write write = Set("counters/t", R"({"keep":{"stringValue":"x"}})");
  write.transforms = {
      {Path("count"), FieldTransform::Kind::kIncrement, WireValue(R"({"integerValue":"1"})")},
      {Path("at"), FieldTransform::Kind::kServerTimestamp},
      {Path("list"), FieldTransform::Kind::kAppendMissing,
       WireValues({R"({"stringValue":"a"})"}).Elements()},
      {Path("most"), FieldTransform::Kind::kMaximum, WireValue(R"({"doubleValue":1.5})")}};
  EXPECT_EQ(Encoded({write}), Recorded("transforms of one document"));
}

TEST(EncodeCommit, WritesTheOtherTransforms) {
  Write write{.name = kDocuments + "a/b"};
  write.transforms = {
      {Path("x.y"), FieldTransform::Kind::kRemoveAll,
       WireValues({R"({"nullValue":null})"}).Elements()},
      {Path("z"), FieldTransform::Kind::kMinimum, WireValue(R"({"integerValue":"0"})")}};
  EXPECT_EQ(Encoded({write}).at("writes").at(0).at("updateTransforms"), json::parse(R"([
    {"fieldPath": "x.y", "removeAllFromArray": {"values": [{"nullValue": null}]}},
    {"fieldPath": "z", "minimum": {"integerValue": "0"}}])"));
}

TEST(EncodeCommit, IsTheDeleteThatWasRecorded) {
  EXPECT_EQ(Encoded({{.kind = Write::Kind::kDelete, .name = kDocuments + "counters/t"}}),
            Recorded("delete"));
}

TEST(EncodeCommit, IsTheEmptyCommitThatWasRecorded) {
  EXPECT_EQ(Encoded({}), Recorded("no writes"));
}

TEST(EncodeCommit, PutsAPreconditionOnADelete) {
  const Write write =
      If({.kind = Write::Kind::kDelete, .name = kDocuments + "a/b"}, {Precondition::Kind::kExists});
  EXPECT_EQ(Encoded({write}).at("writes").at(0).at("currentDocument"), json({{"exists", true}}));
}

TEST(EncodeCommit, WritesMasksAsCanonicalPaths) {
  Write write = Set("a/b", R"({"x":{"integerValue":"1"}})");
  write.mask = {Path("x"), Path("a b.c")};
  EXPECT_EQ(Encoded({write}).at("writes").at(0).at("updateMask"),
            json({{"fieldPaths", {"x", "`a b`.c"}}}));
}

TEST(EncodeCommit, HasNoMaskWhenTheDocumentIsReplaced) {
  const json write = Encoded({Set("a/b", "{}")}).at("writes").at(0);
  EXPECT_FALSE(write.contains("updateMask"));
  EXPECT_FALSE(write.contains("updateTransforms"));
  EXPECT_FALSE(write.contains("currentDocument"));
  EXPECT_EQ(write.at("update").at("fields"), json::object());
}

TEST(EncodeCommit, EscapesNames) {
  const json writes = Encoded({Set("a/\"\\", "{}"), {.kind = Write::Kind::kDelete, .name = "é\n"}});
  EXPECT_EQ(writes.at("writes").at(0).at("update").at("name"), kDocuments + "a/\"\\");
  EXPECT_EQ(writes.at("writes").at(1).at("delete"), "é\n");
}

// ---- What is written often ----

TEST(Write, IncrementsAFieldAndLeavesTheOthers) {
  EXPECT_EQ(Encoded({Write::Increment("n", Path("a.b"), Amount::Integer(3))}).at("writes").at(0),
            json::parse(R"({"update":{"name":"n"},"updateMask":{"fieldPaths":[]},
                "updateTransforms":[{"fieldPath":"a.b","increment":{"integerValue":"3"}}]})"));
}

TEST(Write, SetsAFieldInTheMapsThatItLiesIn) {
  const json fields = json::parse(
      R"({"a":{"mapValue":{"fields":{"b":{"mapValue":{"fields":{"c d":{"doubleValue":0.5}}}}}}}})");
  const auto set = [](const char* update_time) {
    return Encoded({Write::SetField("n", Path("a.b.`c d`"), Amount::Double(0.5),
                                    Precondition::AsRead(update_time))})
        .at("writes")
        .at(0);
  };
  EXPECT_EQ(set("t"), json({{"update", {{"name", "n"}, {"fields", fields}}},
                            {"updateMask", {{"fieldPaths", {"a.b.`c d`"}}}},
                            {"currentDocument", {{"updateTime", "t"}}}}));
  EXPECT_EQ(set(""), json({{"update", {{"name", "n"}, {"fields", fields}}},
                           {"currentDocument", {{"exists", false}}}}));
}

TEST(Write, RemovesAFieldOrTheDocument) {
  EXPECT_EQ(Encoded({Write::RemoveField("n", Path("a.b"), Precondition::AsRead("t")),
                     Write::Delete("n", Precondition::AsRead("t"))})
                .at("writes"),
            json::parse(R"([{"update":{"name":"n"},"updateMask":{"fieldPaths":["a.b"]},
                             "currentDocument":{"updateTime":"t"}},
                            {"delete":"n","currentDocument":{"updateTime":"t"}}])"));
}

TEST(CommitBody, TakesWhatFits) {
  const Write write = Write::Delete(std::string(1'000'000, 'n'), {});
  CommitBody body;
  int added = 0;
  while (body.AddIfFits(write, 500'000)) ++added;
  EXPECT_EQ(added, 9);
  EXPECT_TRUE(body.AddIfFits(write));
  EXPECT_FALSE(body.AddIfFits(write));
  EXPECT_EQ(body.size(), 10U);
  const std::string text = body.Take();
  EXPECT_LE(text.size(), kMaxRequestBytes);
  EXPECT_EQ(json::parse(text).at("writes").size(), 10U);

  CommitBody full;
  const std::size_t rest = kMaxRequestBytes - EncodeCommit(Write::Delete("", {})).size();
  EXPECT_FALSE(CommitBody(full).AddIfFits(Write::Delete(std::string(rest + 2, 'n'), {})));
  EXPECT_TRUE(full.AddIfFits(Write::Delete(std::string(rest - 2, 'n'), {})));
  EXPECT_LE(full.Take().size(), kMaxRequestBytes);
}

TEST(FieldsWriter, WritesEachTypeAsFirestoreHasIt) {
  EXPECT_EQ(json::parse(FieldsWriter()
                            .Number("i", Amount::Integer(-9007199254740995))
                            .Number("d", Amount::Double(0.5))
                            .Text("\"", "é\n")
                            .Texts("l", {"a", "b"})
                            .Texts("e", {})
                            .Time("t", "2026-01-01T00:00:00Z")
                            .Map("m", FieldsWriter().Text("x", "y").Take())
                            .Boolean("b", true)
                            .Value("v", WireValue(R"({"nullValue":null})"))
                            .Take()
                            .json()),
            json::parse(R"({"i":{"integerValue":"-9007199254740995"},"d":{"doubleValue":0.5},
                "\"":{"stringValue":"é\n"},
                "l":{"arrayValue":{"values":[{"stringValue":"a"},{"stringValue":"b"}]}},
                "e":{"arrayValue":{"values":[]}},
                "t":{"timestampValue":"2026-01-01T00:00:00Z"},
                "m":{"mapValue":{"fields":{"x":{"stringValue":"y"}}}},
                "b":{"booleanValue":true},"v":{"nullValue":null}})"));
  EXPECT_EQ(FieldsWriter().Take().json(), "{}");
}

}  // namespace
}  // namespace shardline::write_test
