// The promise of all queries: the pages of one, put together, equal the result of a single query
// without shards in the embedded Firestore, and so are counts, sums and averages; and the bill
// equals the meter's. Collections, and()s, or()s, orders, cursors and pages are random.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "unit/sharded_query/api_caller.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::query_language_test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

json Text(const std::string& text) { return {{"stringValue", text}}; }
json Half(int halves) { return {{"doubleValue", halves / 2.0}}; }
json ListOf(const json& values) { return {{"arrayValue", {{"values", values}}}}; }
const json kNull = {{"nullValue", nullptr}};
const json kNaN = {{"doubleValue", "NaN"}};

// Dice with words for what the test draws.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  int Below(int bound) {
    return static_cast<int>(random_.Below(static_cast<std::uint64_t>(bound)));
  }
  bool OneIn(int n) { return Below(n) == 0; }
  template <class T>
  T Of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(Below(static_cast<int>(all.size())))];
  }

 private:
  Random random_;
};

// One in ten of these lists is longer than Firestore takes.
json ListOfNumbers(Dice& dice) {
  json values = json::array();
  const int count = dice.OneIn(10) ? 31 + dice.Below(60) : 1 + dice.Below(4);
  for (int i = 0; i < count; ++i) {
    const int number = dice.Below(count + 4);
    values.push_back(dice.OneIn(3) ? Half(2 * number) : Number(number));
  }
  if (dice.OneIn(6)) values.front() = dice.OneIn(2) ? kNull : kNaN;
  return ListOf(values);
}

// Filters as the core takes them.
json Leaf(Dice& dice) {
  switch (dice.Below(9)) {
    case 0:
      return Filter("kind", "==", Text(dice.Of<std::string>({"a", "b", "c"})));
    case 1:
      return Filter(dice.Of<std::string>({"n", "map.m"}),
                    dice.Of<std::string>({"<", "<=", ">", ">="}), Number(dice.Below(4)));
    case 2:
      return Filter("n", "==", dice.OneIn(2) ? kNull : Half(dice.Below(8)));
    case 3:
      return Filter(dice.Of<std::string>({"n", "kind"}), "!=", dice.OneIn(3) ? kNull : Number(2));
    case 4:
      return Filter(dice.Of<std::string>({"n", "map.m"}), "in", ListOfNumbers(dice));
    case 5:
      return Filter("n", "not-in", ListOf({Number(1), dice.OneIn(4) ? kNull : Half(5)}));
    case 6:
      return Filter("tags", "array-contains", Number(dice.Below(3)));
    case 7:
      return Filter("tags", "array-contains-any", ListOfNumbers(dice));
    default:
      return Filter("timestamp", dice.Of<std::string>({"<=", ">"}), Number(dice.Below(3)));
  }
}

json Tree(Dice& dice, int depth) {
  if (depth == 0 || dice.OneIn(3)) return Leaf(dice);
  json filters = json::array();
  for (int i = 1 + dice.Below(3); i > 0; --i) filters.push_back(Tree(dice, depth - 1));
  return {{"op", dice.OneIn(2) ? "or" : "and"}, {"filters", filters}};
}

// The same as Firestore takes it.
json OnTheWire(const json& filter) {
  static const std::map<std::string, std::string> kOps = {
      {"==", "EQUAL"},
      {"!=", "NOT_EQUAL"},
      {"<", "LESS_THAN"},
      {"<=", "LESS_THAN_OR_EQUAL"},
      {">", "GREATER_THAN"},
      {">=", "GREATER_THAN_OR_EQUAL"},
      {"in", "IN"},
      {"not-in", "NOT_IN"},
      {"array-contains", "ARRAY_CONTAINS"},
      {"array-contains-any", "ARRAY_CONTAINS_ANY"}};
  const std::string op = filter["op"];
  if (op == "and" || op == "or") {
    // One filter is joined with nothing: the server would still count it as an OR.
    if (filter["filters"].size() == 1) return OnTheWire(filter["filters"][0]);
    json filters = json::array();
    for (const json& each : filter["filters"]) filters.push_back(OnTheWire(each));
    return {{"compositeFilter", {{"op", op == "or" ? "OR" : "AND"}, {"filters", filters}}}};
  }
  const json field = {{"fieldPath", filter["field"]}};
  if (filter["value"] == kNull) {
    return {{"unaryFilter", {{"field", field}, {"op", op == "==" ? "IS_NULL" : "IS_NOT_NULL"}}}};
  }
  // Of a list that is too long for one query, what no document has does not matter, nor what is
  // there twice.
  json value = filter["value"];
  if (value.contains("arrayValue") && value["arrayValue"]["values"].size() > 10) {
    std::map<double, json> kept;
    for (const json& each : value["arrayValue"]["values"]) {
      if (each == kNull || each == kNaN) continue;
      const double number = each.contains("doubleValue")
                                ? each["doubleValue"].get<double>()
                                : std::stod(each["integerValue"].get<std::string>());
      if (number < 6) kept[number] = each;
    }
    json values = json::array();
    for (const auto& [number, each] : kept) values.push_back(each);
    if (values.empty()) values.push_back(Text("nothing"));
    value = ListOf(values);
  }
  return {{"fieldFilter", {{"field", field}, {"op", kOps.at(op)}, {"value", value}}}};
}

class LanguageTest : public ::testing::TestWithParam<int> {
 protected:
  LanguageTest()
      : dice_(static_cast<std::uint64_t>(GetParam())),
        server_(static_cast<std::uint64_t>(GetParam()), {{"requireIndexes", "note"}}),
        caller_([this](const SentRequest& request) { return server_(request); }) {
    const bool is_sharded = !dice_.OneIn(3);
    const int shards = dice_.Of<int>({1, 2, 3, 31, 70});
    const std::string path = dice_.OneIn(3) ? "parents/p/things" : "things";
    collection_ = {{"path", path}};
    if (is_sharded) {
      collection_["shards"] = shards;
    } else {
      collection_["ordinary"] = true;
    }
    parent_ = path == "things" ? "" : "/parents/p";
    json writes = json::array();
    for (int i = dice_.Below(60); i > 0; --i) {
      json fields = json::object();
      if (is_sharded) fields["shard"] = Text(std::to_string(dice_.Below(shards)));
      if (!dice_.OneIn(8)) fields["timestamp"] = Number(dice_.Below(4));
      if (!dice_.OneIn(6)) {
        fields["n"] = dice_.OneIn(6)   ? kNull
                      : dice_.OneIn(2) ? Half(dice_.Below(10))
                                       : Number(dice_.Below(5));
      }
      if (!dice_.OneIn(6))
        fields["map"] = {{"mapValue", {{"fields", {{"m", Number(dice_.Below(4))}}}}}};
      if (!dice_.OneIn(6))
        fields["kind"] = dice_.OneIn(6) ? Number(2) : Text(dice_.Of<std::string>({"a", "b"}));
      json tags = json::array();
      for (int tag = 0; tag < 4; ++tag) {
        if (dice_.OneIn(2)) tags.push_back(Number(tag));
      }
      if (!dice_.OneIn(6)) fields["tags"] = ListOf(tags);
      const std::string id =
          dice_.OneIn(5) ? "__id" + std::to_string(i) + "__" : "d" + std::to_string(i * 37 % 61);
      writes.push_back({{"update", {{"name", Name(path + "/" + id)}, {"fields", fields}}}});
    }
    if (!writes.empty()) server_.Commit(writes);
  }

  json Orders() {
    json orders = json::array();
    std::vector<std::string> fields = {"timestamp", "n", "map.m", "kind"};
    for (int i = dice_.Below(4); i > 0; --i) {
      const std::string field = dice_.Of(fields);
      fields.erase(std::find(fields.begin(), fields.end(), field));
      orders.push_back({{"field", field}, {"direction", dice_.Of<std::string>({"asc", "desc"})}});
    }
    if (!orders.empty() && dice_.OneIn(4)) {
      orders.push_back(
          {{"field", "__name__"}, {"direction", dice_.Of<std::string>({"asc", "desc"})}});
    }
    return orders;
  }

  json DrawQuery() {
    json query = json::object();
    json filters = json::array();
    for (int i = dice_.Below(3); i > 0; --i) filters.push_back(Tree(dice_, 3));
    if (!filters.empty()) query["filters"] = filters;
    const json orders = Orders();
    if (!orders.empty()) query["orders"] = orders;
    for (const char* end : {"start", "end"}) {
      const bool has_order = !orders.empty() || !collection_.contains("ordinary");
      if (!has_order || !dice_.OneIn(4)) continue;
      json values = ListOfOne(Number(dice_.Below(4)));
      if (orders.size() > 1 && orders[1]["field"] != "__name__" && dice_.OneIn(2)) {
        values.push_back(Number(dice_.Below(4)));
      }
      query[end] = {{"values", values}, {"inclusive", dice_.OneIn(2)}};
    }
    if (dice_.OneIn(3)) query["chunkReads"] = "whole-page";
    if (dice_.OneIn(3)) query["consistentRead"] = true;
    if (dice_.OneIn(3)) query["select"] = dice_.OneIn(2) ? json::array() : json({"n"});
    return query;
  }

  // The query that knows nothing of shards.
  json Plain(const json& query) const {
    json plain = {{"from", json::array({{{"collectionId", "things"}}})}};
    if (query.contains("filters")) {
      plain["where"] = OnTheWire({{"op", "and"}, {"filters", query["filters"]}});
    }
    json orders = query.value("orders", json::array());
    if (orders.empty() && !collection_.contains("ordinary")) {
      orders.push_back({{"field", "timestamp"}, {"direction", "asc"}});
    }
    for (const json& order : orders) {
      plain["orderBy"].push_back(
          {{"field", {{"fieldPath", order["field"]}}},
           {"direction", order["direction"] == "desc" ? "DESCENDING" : "ASCENDING"}});
    }
    for (const auto& [from, to] : {std::pair("start", "startAt"), std::pair("end", "endAt")}) {
      if (!query.contains(from)) continue;
      const bool inclusive = query[from]["inclusive"];
      plain[to] = {{"values", query[from]["values"]},
                   {"before", inclusive == (std::string(from) == "start")}};
    }
    return plain;
  }

  Reply PostPlain(const json& query) {
    return server_(
        {.id = 1,
         .at = server_.now(),
         .path = "/v1/projects/demo/databases/(default)/documents" + parent_ + ":runQuery",
         .body = {{"structuredQuery", Plain(query)}},
         .refresh_token = false});
  }

  Outcome AskFor(const std::string& name, const json& query, json more = json::object()) {
    more["collection"] = collection_;
    more["query"] = query;
    const std::int64_t before = server_.billed_reads();
    Outcome outcome = caller_.Ask(name, more.dump());
    EXPECT_EQ(outcome.billed.reads, server_.billed_reads() - before) << name << " and the meter";
    return outcome;
  }

  // Ids, in the order of all pages.
  std::vector<std::string> ReadPages(json query) {
    std::vector<std::string> ids;
    query["limit"] = 1 + dice_.Below(12);
    for (;;) {
      const Outcome page = AskFor("collection.query", query);
      EXPECT_TRUE(page.ok()) << page.message;
      if (!page.ok()) return ids;
      EXPECT_LE(page.result["docs"].size(), query["limit"]);
      for (const json& document : page.result["docs"]) ids.push_back(document[0]);
      if (page.result["nextToken"].is_null()) return ids;
      query["continueFrom"] = page.result["nextToken"];
    }
  }

  void CheckAggregates(json query, const std::vector<json>& found) {
    query.erase("select");
    const Outcome count = AskFor("collection.count", query);
    if (!count.ok()) {
      EXPECT_THAT(count, IsInvalid(HasSubstr("several times")));
      EXPECT_GT(AskFor("collection.plan", query).result["requests"], 1);
      return;
    }
    EXPECT_EQ(count.result["count"], found.size());
    double sum = 0;
    int numbers = 0;
    for (const json& document : found) {
      const json n = document["fields"].value("n", json::object());
      if (n.contains("integerValue")) sum += std::stod(n["integerValue"].get<std::string>());
      if (n.contains("doubleValue")) sum += n["doubleValue"].get<double>();
      numbers += n.contains("integerValue") || n.contains("doubleValue") ? 1 : 0;
    }
    const Outcome added = AskFor("collection.aggregate", query, {{"kind", "sum"}, {"field", "n"}});
    ASSERT_TRUE(added.ok()) << added.message;
    EXPECT_EQ(NumberOf(added.result["value"]), sum);
    const Outcome mean =
        AskFor("collection.aggregate", query, {{"kind", "average"}, {"field", "n"}});
    ASSERT_TRUE(mean.ok()) << mean.message;
    if (numbers == 0) {
      EXPECT_TRUE(mean.result["value"].is_null());
    } else {
      EXPECT_DOUBLE_EQ(NumberOf(mean.result["value"]), sum / numbers);
    }
  }

  static double NumberOf(const json& value) {
    return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
  }

  // What plan() says is what the server would have to have.
  void CheckIndexes(const json& query) {
    const std::set<std::string> before = server_.MissingIndexes();
    AskFor("collection.query", query);
    const std::set<std::string> after = server_.MissingIndexes();
    const json indexes = AskFor("collection.plan", query).result["indexes"];
    std::set<std::string> described;
    for (const json& index : indexes) {
      json entry = {{"collectionGroup", "things"}, {"queryScope", "COLLECTION"}};
      for (const json& field : index["fields"]) {
        json named = field;
        named["fieldPath"] = field["field"];
        named.erase("field");
        entry["fields"].push_back(named);
      }
      described.insert(entry.dump());
      EXPECT_TRUE(after.count(entry.dump())) << "needed by nothing: " << entry;
    }
    for (const std::string& entry : after) {
      EXPECT_TRUE(before.count(entry) || described.count(entry)) << "not described: " << entry;
    }
  }

  Dice dice_;
  SimulatedServer server_;
  ApiCaller caller_;
  json collection_;
  std::string parent_;
};

TEST_P(LanguageTest, EqualsTheQueryWithoutShards) {
  int answered = 0;
  for (int i = 0; i < 12; ++i) {
    const json query = DrawQuery();
    SCOPED_TRACE(collection_.dump() + query.dump());
    const Reply plain = PostPlain(query);
    const Outcome plan = AskFor("collection.plan", query);
    if (!plan.ok()) {
      // Where the server counts the same condition once, it takes what is refused here.
      EXPECT_TRUE(plain.status != 200 || plan.message.find("10,000") != std::string::npos ||
                  plan.message.find("too large") != std::string::npos)
          << plan.message;
      continue;
    }
    if (plain.status != 200) {
      // Firestore reads no names backwards, and does not cut what is too much for one query.
      EXPECT_THAT(plain.body, AnyOf(HasSubstr("descending key scans"), HasSubstr("disjunctions")));
      continue;
    }
    ++answered;
    std::vector<json> found;
    std::vector<std::string> ids;
    for (const json& element : json::parse(plain.body)) {
      if (!element.contains("document")) continue;
      found.push_back(element["document"]);
      if (!found.back().contains("fields")) found.back()["fields"] = json::object();
      const std::string name = element["document"]["name"];
      ids.push_back(name.substr(name.rfind('/') + 1));
    }
    EXPECT_EQ(ReadPages(query), ids);
    CheckIndexes(query);
    CheckAggregates(query, found);
    if (HasFailure()) return;
  }
  EXPECT_GT(answered, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LanguageTest, ::testing::Range(0, InRun(15, 60)));

}  // namespace
}  // namespace shardline::query_language_test
