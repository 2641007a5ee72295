// A collection, sharded or not: each acknowledged write is there, and its pages equal the result of
// one query over everything.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "api/collection_api.h"
#include "simulation/coverage.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

// A document of which only one client writes. Versions tell states apart; 0: it is not there.
using Version = std::int64_t;
struct Owned {
  std::set<Version> possible = {0};
  // Any sent request may arrive again: the user's own writes have no preconditions.
  std::set<Version> ever = {0};
  std::string shard = {};  // Of the only possible version; empty if it is not known.

  void Perhaps(Version version) {
    possible.insert(version);
    ever.insert(version);
    shard.clear();
  }
  void Surely(Version version) {
    possible = {version};
    ever.insert(version);
  }
};

// A query as QueryPlan reads it, and as the server does.
struct Query {
  // kCheap, and kWide by a list that is too long for the server: filters on `price`. kEither:
  // alternatives, of which one sorts. The others are too much for one query of the server, too:
  // two lists, a list beside alternatives, equalities on one field; and what finds a document in
  // several pieces: a list among alternatives, equalities on two fields, a list of array elements.
  enum class Filter : std::uint8_t {
    kNone,
    kCheap,
    kWide,
    kEither,
    kLists,
    kBeside,
    kEqualities,
    kAmong,
    kMixed,
    kElements,
    kEnd,
  };
  static constexpr int kFilters = static_cast<int>(Filter::kEnd);
  bool descending = false;
  std::int64_t limit = 0;  // 0: none
  Filter filter = Filter::kNone;
  bool further = false;  // By price, where timestamps are alike, in the other direction.
  bool whole_page = false;
  bool consistent_read = false;
  int second = 33;           // So long is the second of two lists.
  std::uint64_t stream = 0;  // The stream that its pages belong to; 0 for pages by themselves.

  // Two long lists make about a thousand combinations, each with every shard.
  static int LengthOfSecond(std::uint64_t shards) {
    return shards == 0 ? 33 : std::clamp(36 / static_cast<int>(shards), 2, 33);
  }
  // Whether no document is found by several pieces.
  bool is_disjoint() const { return filter < Filter::kAmong; }
  bool is_cut() const { return filter > Filter::kEither; }

  static Query Draw(Random& dice, std::uint64_t shards) {
    // Small pages have next pages; of a large one, a chunk may give too little at first.
    const std::uint64_t largest = dice.Below(3) > 0 ? 8 : 60;
    const auto limit = static_cast<std::int64_t>(1 + dice.Below(largest));
    const bool descending = dice.Below(2) == 0;
    const auto filter = static_cast<Filter>(dice.Below(kFilters));
    const bool further = dice.Below(3) == 0;
    const bool whole_page = dice.Below(3) == 0;
    const bool consistent_read = dice.Below(4) == 0;
    return {
        descending, limit, filter, further, whole_page, consistent_read, LengthOfSecond(shards)};
  }

  json ForPlan(const json& after) const {
    const auto direction = [](bool down) { return down ? "desc" : "asc"; };
    json query = {{"chunkReads", whole_page ? "whole-page" : "share"},
                  {"consistentRead", consistent_read}};
    query["orders"].push_back({{"field", "timestamp"}, {"direction", direction(descending)}});
    if (further) {
      query["orders"].push_back({{"field", "price"}, {"direction", direction(!descending)}});
    }
    const auto where = [](const char* field, const char* op, const json& value) {
      return json{{"field", field}, {"op", op}, {"value", value}};
    };
    const auto price = [&](const char* op, const json& value) { return where("price", op, value); };
    const json old = where("version", "<", Integer(20));
    const auto either = [](const json& filters) {
      return json{{"op", "or"}, {"filters", filters}};
    };
    if (filter == Filter::kCheap) query["filters"].push_back(price("<", Integer(3)));
    if (filter == Filter::kWide) {
      query["filters"].push_back(price("in", Prices(5, 45)));
      query["filters"][0]["value"]["arrayValue"]["values"].push_back({{"doubleValue", 2.0}});
    }
    if (filter == Filter::kEither) {
      const json both = {{"op", "and"}, {"filters", {price("==", Integer(3)), old}}};
      query["filters"].push_back(either({price("in", Prices(5, 5)), both}));
    }
    if (filter == Filter::kLists) {
      query["filters"] = {price("in", Spread(1, 2, 33)), where("kind", "in", Spread(1, 3, second))};
    }
    if (filter == Filter::kBeside) {
      query["filters"] = {price("in", Spread(1, 2, 33)),
                          either({where("kind", "==", Integer(1)), old})};
    }
    if (filter == Filter::kAmong) {
      const json both = {{"op", "and"}, {"filters", {where("kind", "==", Integer(3)), old}}};
      query["filters"].push_back(either({price("in", Spread(1, 2, 33)), both}));
    }
    if (filter == Filter::kEqualities || filter == Filter::kMixed) {
      json equalities = json::array();
      const bool mixed = filter == Filter::kMixed;
      for (const json& value : Values(Spread(1, 2, mixed ? 20 : 40))) {
        equalities.push_back(price("==", value));
      }
      if (mixed) {
        for (const json& value : Values(Spread(1, 3, 20))) {
          equalities.push_back(where("kind", "==", value));
        }
      }
      query["filters"].push_back(either(equalities));
    }
    if (filter == Filter::kElements) {
      query["filters"].push_back(where("elements", "array-contains-any", Spread(0, 4, 40)));
    }
    if (limit > 0) query["limit"] = limit;
    if (!after.is_null()) query["continueFrom"] = after;
    if (stream > 0) query["stream"] = std::to_string(stream);
    return query;
  }

  json ForServer() const {
    json query = {{"from", json::array({{{"collectionId", "events"}}})}};
    const auto order = [&](const char* field, bool down) {
      query["orderBy"].push_back(
          {{"field", {{"fieldPath", field}}}, {"direction", down ? "DESCENDING" : "ASCENDING"}});
    };
    const auto where = [](const char* field, const char* op, const json& value) {
      return json{
          {"fieldFilter", {{"field", {{"fieldPath", field}}}, {"op", op}, {"value", value}}}};
    };
    const auto join = [](const char* op, const json& filters) {
      return json{{"compositeFilter", {{"op", op}, {"filters", filters}}}};
    };
    order("timestamp", descending);
    if (further) order("price", !descending);
    const bool last = descending != further;
    if (filter == Filter::kCheap) {
      if (!further) order("price", last);
      query["where"] = where("price", "LESS_THAN", Integer(3));
    }
    if (filter == Filter::kWide) query["where"] = where("price", "IN", Prices(5, 5));
    // What there is of long lists.
    const json listed = where("price", "IN", Spread(1, 2, 2));
    const json old = where("version", "LESS_THAN", Integer(20));
    const json kinds = where("kind", "IN", Spread(1, 3, 2));
    if (filter == Filter::kLists) query["where"] = join("AND", {listed, kinds});
    if (filter == Filter::kBeside) {
      order("version", last);
      const json either = join("OR", {where("kind", "EQUAL", Integer(1)), old});
      query["where"] = join("AND", {listed, either});
    }
    if (filter == Filter::kEqualities) query["where"] = listed;
    if (filter == Filter::kAmong) {
      order("version", last);
      const json both = join("AND", {where("kind", "EQUAL", Integer(3)), old});
      query["where"] = join("OR", {listed, both});
    }
    if (filter == Filter::kMixed) query["where"] = join("OR", {listed, kinds});
    if (filter == Filter::kElements) {
      query["where"] = where("elements", "ARRAY_CONTAINS_ANY", Spread(0, 4, 2));
    }
    if (filter == Filter::kEither) {
      order("version", last);
      const json both = join("AND", {where("price", "EQUAL", Integer(3)), old});
      query["where"] = join("OR", {where("price", "IN", Prices(5, 5)), both});
    }
    order("__name__", last);
    return {{"structuredQuery", query}};
  }

  static json Integer(std::int64_t value) { return {{"integerValue", std::to_string(value)}}; }
  // 1, 2, and from `from` to `to`: no document costs more than 4.
  static json Prices(int from, int to) {
    json values = json::array();
    const auto add = [&](int price) {
      values.push_back({{"integerValue", std::to_string(price)}});
    };
    add(1);
    add(2);
    for (int price = from; price <= to; ++price) add(price);
    return {{"arrayValue", {{"values", values}}}};
  }
  // `count` values from `first` to `last`. Of no document are those between, so the ends are in
  // the first piece and in the last one.
  static json Spread(std::int64_t first, std::int64_t last, int count) {
    json values = json::array({Integer(first)});
    for (int i = 1; i < count - 1; ++i) {
      values.push_back({{"doubleValue", static_cast<double>(first) + i / 64.0}});
    }
    values.push_back(Integer(last));
    return {{"arrayValue", {{"values", values}}}};
  }
  static json Values(const json& list) { return list["arrayValue"]["values"]; }
};

class CollectionPart final : public Part {
 public:
  CollectionPart(const Circumstances& circumstances, Random& dice)
      : circumstances_(circumstances),
        works_(circumstances.clients),
        owned_(circumstances.clients) {
    if (dice.Below(4) == 0) {
      collection_ = {{"path", "events"}, {"ordinary", true}};
      return;
    }
    shards_ = 1 + dice.Below(dice.Below(3) == 0 ? 100 : 40);
    collection_ = {{"path", "events"}, {"shards", shards_}};
  }

  Started Start(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    const std::uint64_t kind = dice.Below(24);
    work.kind = kind < 3    ? Kind::kAdd
                : kind < 6  ? Kind::kSet
                : kind < 8  ? Kind::kMerge
                : kind < 12 ? Kind::kUpdate
                : kind < 14 ? Kind::kDelete
                : kind < 20 ? Kind::kPage
                : kind < 22 ? Kind::kGet
                : kind < 23 ? Kind::kAggregate
                            : Kind::kCount;
    work.id = "c" + std::to_string(client.number) + "-" + std::to_string(dice.Below(4));
    work.version = 0;
    switch (work.kind) {
      case Kind::kAdd:
        return Ask(StartCollectionAdd, {{"documents", json::array({Document(work, dice)})}},
                   client);
      case Kind::kSet:
        return Ask(StartCollectionSet, {{"id", work.id}, {"document", Document(work, dice)}},
                   client);
      case Kind::kMerge: {
        // Present fields stay unless this write names them; so does the shard.
        json merged = Document(work, dice);
        work.named.clear();
        json arguments = {{"id", work.id}, {"merge", true}};
        if (shards_ > 0 && dice.Below(2) == 0) {
          const std::string shard = std::to_string(dice.Below(std::min<std::uint64_t>(shards_, 3)));
          merged["fields"]["shard"] = {{"stringValue", shard}};
          arguments["move"] = dice.Below(3) == 0;
          if (arguments["move"] == false) work.named = shard;
        }
        arguments["document"] = merged;
        return Ask(StartCollectionSet, arguments, client);
      }
      case Kind::kUpdate: {
        work.version = ++last_version_;
        json fields = {{"version", Integer(work.version)}, {"price", Price(dice)}};
        json arguments = {{"id", work.id}};
        if (shards_ > 0 && dice.Below(3) == 0) {
          fields["shard"] = {{"stringValue", std::to_string(dice.Below(shards_))}};
          arguments["move"] = true;
        }
        arguments["changes"] = {{"fields", fields}};
        return Ask(StartCollectionUpdate, arguments, client);
      }
      case Kind::kGet:
        return Ask(StartCollectionGet, {{"id", work.id}, {"nameOnly", dice.Below(3) == 0}}, client);
      case Kind::kAggregate:
        return Ask(StartCollectionAggregate,
                   {{"query", Query{}.ForPlan(nullptr)},
                    {"kind", dice.Below(2) == 0 ? "sum" : "average"},
                    {"field", "price"}},
                   client);
      case Kind::kDelete:
        return Ask(StartCollectionDelete, {{"id", work.id}}, client);
      case Kind::kPage:
        // The page behind the last one, or the first of another query.
        if (work.next.is_null()) {
          work.query = Query::Draw(dice, shards_);
          // The pages of every second query are a stream.
          if (++queries_ % 2 == 0) work.query.stream = queries_;
        }
        return Ask(StartCollectionQuery, {{"query", work.query.ForPlan(work.next)}}, client);
      case Kind::kCount:
        return Ask(StartCollectionCount, {{"query", Query{}.ForPlan(nullptr)}}, client);
    }
    return std::unique_ptr<Operation>();
  }

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    Work& work = works_[client.number];
    switch (work.kind) {
      case Kind::kAdd:
        if (!done.error()) {
          added_[ResultOf(done)[0]["id"]] = work.version;
        } else if (IsUnknown(done) || circumstances_.arrives_later) {
          perhaps_added_.insert(work.version);
        }
        break;
      case Kind::kPage:
        OnPage(client, done, complain);
        break;
      case Kind::kGet:
        OnGot(client, done, complain);
        break;
      case Kind::kCount:
      case Kind::kAggregate:
        break;
      default:
        OnWritten(owned_[client.number][work.id], work, done, complain);
    }
  }

  // Its operation may have been done, or may still be done.
  void OnDeath(const Client& client, Random&) override {
    Work& work = works_[client.number];
    work.next = nullptr;
    if (work.kind == Kind::kAdd) {
      perhaps_added_.insert(work.version);
    } else if (work.version > 0 || work.kind == Kind::kDelete) {
      owned_[client.number][work.id].Perhaps(work.version);
    }
  }

  void Check(Observer& observer, const Complain& complain) override {
    std::int64_t found = 0;
    std::int64_t prices = 0;
    for (int combination = 0; combination < 8 * Query::kFilters; ++combination) {
      const Query query{(combination & 1) != 0,
                        7,
                        static_cast<Query::Filter>(combination / 8),
                        (combination & 4) != 0,
                        (combination & 2) != 0,
                        (combination & 2) == 0,
                        Query::LengthOfSecond(shards_),
                        static_cast<std::uint64_t>(combination)};
      // A page of many requests takes its time.
      if (query.is_cut() && combination % 8 != 1 && combination % 8 != 6) continue;
      const json unsharded = observer.Ask(":runQuery", query.ForServer());
      std::vector<std::string> expected;
      std::int64_t sum = 0;
      for (const json& element : unsharded) {
        if (!element.contains("document")) continue;
        const std::string name = element["document"]["name"];
        expected.push_back(name.substr(name.rfind('/') + 1));
        sum +=
            std::stoll(element["document"]["fields"]["price"]["integerValue"].get<std::string>());
        if (combination == 0) CheckDocument(expected.back(), element["document"], complain);
      }
      if (combination == 0) {
        found = static_cast<std::int64_t>(expected.size());
        prices = sum;
      }
      if (PageThrough(observer, query) != expected) {
        complain("the sharded pages are not the unsharded query: " + query.ForPlan(nullptr).dump());
      }
      if (query.filter != Query::Filter::kNone) {
        CheckCount(observer, query, expected.size(), sum, complain);
      }
    }
    CheckMissing(complain);
    const Client client{0, observer.context(), observer.now(), observer.now()};
    const json count =
        observer.Run(Ask(StartCollectionCount, {{"query", Query{}.ForPlan(nullptr)}}, client));
    if (!count.is_object()) return;
    if (count["count"] != found) {
      complain("count() says " + count.dump() + " of " + std::to_string(found));
    }
    const auto aggregate = [&](const char* kind) {
      const json arguments = {
          {"query", Query{}.ForPlan(nullptr)}, {"kind", kind}, {"field", "price"}};
      return observer.Run(Ask(StartCollectionAggregate, arguments, client));
    };
    const json sum = aggregate("sum");
    if (sum.is_object() && sum["value"] != std::to_string(prices)) {
      complain("sum() says " + sum.dump() + " instead of " + std::to_string(prices));
    }
    const json average = aggregate("average");
    if (!average.is_object()) return;
    const json expected =
        found > 0 ? json(static_cast<double>(prices) / static_cast<double>(found)) : json();
    if (average["value"] != expected) {
      complain("average() says " + average.dump() + " instead of " + expected.dump());
    }
    for (const auto& [id, version] : found_) {
      const json got = observer.Run(Ask(StartCollectionGet, {{"id", id}}, client));
      if (!got.is_object()) return;
      if (got["docs"].size() != 1 || got["docs"][0][1]["version"] != version) {
        complain("get() of " + id + " says " + got.dump());
      }
    }
  }

 private:
  enum class Kind : std::uint8_t {
    kAdd,
    kSet,
    kMerge,
    kUpdate,
    kDelete,
    kPage,
    kGet,
    kAggregate,
    kCount
  };
  // The state of a client.
  struct Work {
    Kind kind = Kind::kAdd;
    std::string id;
    Version version = 0;
    std::string named;  // The shard that a merge names, and must not move the document to.
    Query query;
    json next;                        // Token, or null.
    std::vector<std::string> so_far;  // Ids of the pages of this query.
  };

  static json Integer(std::int64_t value) { return Query::Integer(value); }
  static json Price(Random& dice) { return Integer(static_cast<std::int64_t>(dice.Below(5))); }

  // A document on the wire, of a new version. There are few timestamps, so many are equal.
  json Document(Work& work, Random& dice) {
    work.version = ++last_version_;
    const std::string at = "2026-01-01T00:00:0" + std::to_string(dice.Below(10)) + "Z";
    json document = {{"fields",
                      {{"timestamp", {{"timestampValue", at}}},
                       {"price", Price(dice)},
                       {"kind", Price(dice)},
                       {"elements", {{"arrayValue", {{"values", {Price(dice), Price(dice)}}}}}},
                       {"version", Integer(work.version)}}}};
    // The choice of shardBy().
    if (shards_ > 0 && dice.Below(4) == 0) {
      document["shard"] = std::to_string(dice.Below(shards_));
    }
    return document;
  }

  // `arguments` are those beside the collection.
  Started Ask(Started (*start)(JsonScanner&, OperationContext&), json arguments,
              const Client& client) const {
    arguments["collection"] = collection_;
    return StartWith(start, arguments.dump(), client.context);
  }

  void OnWritten(Owned& document, const Work& work, const Operation& done,
                 const Complain& complain) const {
    const bool arrives_later = circumstances_.arrives_later;
    if (!done.error()) {
      // An update needs a document. It has found one.
      if (work.kind == Kind::kUpdate && !arrives_later &&
          document.possible == std::set<Version>{0}) {
        complain(work.id + " was updated, and was not there");
      }
      if (work.kind == Kind::kMerge && !work.named.empty() && !arrives_later &&
          !document.shard.empty() && document.shard != work.named) {
        complain(work.id + " was moved from shard " + document.shard + " by a merge");
      }
      const json result = ResultOf(done);
      document.Surely(work.version);
      if (work.kind == Kind::kDelete) document.shard.clear();
      if (result.contains("shard")) document.shard = result["shard"].get<std::string>();
    } else if (IsUnknown(done) || arrives_later) {
      document.Perhaps(work.version);
    } else if (done.error()->code == Code::kNotFound) {
      if (!document.possible.contains(0)) complain(work.id + " is lost");
      document.Surely(0);
      document.shard.clear();
    } else if (done.error()->code == Code::kInvalidArgument &&
               document.possible == std::set<Version>{0}) {
      complain(work.id + " was not there, and is said to be in another shard");
    }
  }

  // Nobody else writes the document, and this client was not at it.
  void OnGot(const Client& client, const Operation& done, const Complain& complain) {
    if (done.error()) return;
    const Work& work = works_[client.number];
    const Owned& document = owned_[client.number][work.id];
    const std::set<Version>& possible =
        circumstances_.arrives_later ? document.ever : document.possible;
    const json docs = ResultOf(done)["docs"];
    if (docs.empty() || docs[0][1].empty()) {
      const bool is_there = !docs.empty();
      const bool may_be = std::any_of(possible.begin(), possible.end(),
                                      [&](Version version) { return (version != 0) == is_there; });
      if (!may_be) complain("get() takes " + work.id + (is_there ? " to be there" : " to be gone"));
      return;
    }
    const auto version = docs[0][1]["version"].get<Version>();
    if (!possible.contains(version)) {
      complain("get() of " + work.id + " says " + std::to_string(version));
    }
  }

  void OnPage(const Client& client, const Operation& done, const Complain& complain) {
    Work& work = works_[client.number];
    if (done.error()) return;
    const json page = ResultOf(done);
    if (work.next.is_null()) {
      work.so_far.clear();
    } else {
      Reached(State::kPageBehindToken);
    }
    if (work.query.is_cut() && page["readTimes"].size() > std::max<std::size_t>(shards_, 1)) {
      Reached(State::kPageOfPieces);
    }
    if (page["readTimes"].size() > 1) Reached(State::kPageOfManyChunks);
    if (page["requests"] > page["readTimes"].size()) Reached(State::kPageRefilled);
    if (page["docs"].size() > static_cast<std::size_t>(work.query.limit)) {
      complain("a page has more documents than its limit");
    }
    if (work.query.consistent_read) CheckSnapshot(client, page, complain);
    for (const json& document : page["docs"]) work.so_far.push_back(document[0]);
    work.next = page["nextToken"];
  }

  // A page at one snapshot equals exactly the result of one query over everything at that time.
  void CheckSnapshot(const Client& client, const json& page, const Complain& complain) {
    if (page["readTimes"].empty()) return;
    const Work& work = works_[client.number];
    const json& time = page["readTimes"][0];
    const Timestamp read{time[0].get<std::int64_t>() * 1'000'000 +
                         time[1].get<std::int64_t>() / 1'000};
    // The server forgets after an hour.
    constexpr std::int64_t kMemoryMicros = std::int64_t{59} * 60 * 1'000'000;
    if (read.micros < client.server_now.micros - kMemoryMicros) return;
    Reached(State::kPageAtSnapshot);
    json query = work.query.ForServer();
    query["readTime"] = read.ToString();
    std::vector<std::string> expected = NamesIn(circumstances_.server.Ask(":runQuery", query));
    std::vector<std::string> found = work.so_far;
    for (const json& document : page["docs"]) found.push_back(document[0]);
    const bool is_last = page["nextToken"].is_null();
    if (!is_last && expected.size() > found.size()) expected.resize(found.size());
    if (found != expected) {
      complain("a page at one snapshot is not the unsharded query: " + json(found).dump() +
               " instead of " + json(expected).dump());
    }
  }

  static std::vector<std::string> NamesIn(const json& elements) {
    std::vector<std::string> names;
    for (const json& element : elements) {
      if (!element.contains("document")) continue;
      const std::string name = element["document"]["name"];
      names.push_back(name.substr(name.rfind('/') + 1));
    }
    return names;
  }

  std::vector<std::string> PageThrough(Observer& observer, const Query& query) const {
    std::vector<std::string> ids;
    json next;
    do {
      const Client client{0, observer.context(), observer.now(), observer.now()};
      const json page =
          observer.Run(Ask(StartCollectionQuery, {{"query", query.ForPlan(next)}}, client));
      if (page.is_null()) return {"failed"};
      for (const json& document : page["docs"]) ids.push_back(document[0]);
      next = page["nextToken"];
    } while (!next.is_null());
    return ids;
  }

  // If no two pieces find the same document, it is counted and summed; if several may, the query is
  // refused.
  void CheckCount(Observer& observer, Query query, std::size_t found, std::int64_t prices,
                  const Complain& complain) const {
    query.limit = 0;
    const json arguments = {{"query", query.ForPlan(nullptr)}};
    json of_prices = arguments;
    of_prices["kind"] = "sum";
    of_prices["field"] = "price";
    const auto client = [&] {
      return Client{0, observer.context(), observer.now(), observer.now()};
    };
    Started count_started = Ask(StartCollectionCount, arguments, client());
    if (!query.is_disjoint()) {
      if (count_started || Ask(StartCollectionAggregate, of_prices, client())) {
        complain("count() or sum() of what several pieces may find: " + arguments.dump());
      }
      return;
    }
    const json count = observer.Run(std::move(count_started));
    if (count.is_object() && count["count"] != found) {
      complain("count() says " + count.dump() + " of " + std::to_string(found) + ": " +
               arguments.dump());
    }
    const json sum = observer.Run(Ask(StartCollectionAggregate, of_prices, client()));
    if (sum.is_object() && sum["value"] != std::to_string(prices)) {
      complain("sum() says " + sum.dump() + " instead of " + std::to_string(prices) + ": " +
               arguments.dump());
    }
  }

  void CheckDocument(const std::string& id, const json& document, const Complain& complain) {
    const Version version =
        std::stoll(document["fields"]["version"].value("integerValue", std::string("0")));
    if (!versions_.insert(version).second) complain(id + " was written twice, as two documents");
    found_[id] = version;
  }

  // Each acknowledged document is there unchanged; and nothing else is.
  void CheckMissing(const Complain& complain) {
    std::map<std::string, std::set<Version>> possible;
    for (const auto& client : owned_) {
      for (const auto& [id, document] : client) {
        possible[id] = circumstances_.arrives_later ? document.ever : document.possible;
      }
    }
    for (const auto& [id, version] : added_) possible[id] = {version};
    for (const auto& [id, versions] : possible) {
      const auto found = found_.find(id);
      if (!versions.contains(found == found_.end() ? 0 : found->second)) {
        complain(id + " is not as it was written");
      }
    }
    for (const auto& [id, version] : found_) {
      if (!possible.contains(id) && !perhaps_added_.contains(version)) {
        complain(id + " is there, and nobody has written it");
      }
    }
  }

  Circumstances circumstances_;
  json collection_;
  std::uint64_t shards_ = 0;  // 0: an ordinary collection.
  std::vector<Work> works_;
  std::vector<std::map<std::string, Owned>> owned_;  // By client.
  std::map<std::string, Version> added_;
  std::set<Version> perhaps_added_;
  Version last_version_ = 0;
  std::uint64_t queries_ = 0;
  // In the end.
  std::map<std::string, Version> found_;
  std::set<Version> versions_;
};

}  // namespace

std::unique_ptr<Part> MakeCollectionPart(const Circumstances& circumstances, Random& dice) {
  return std::make_unique<CollectionPart>(circumstances, dice);
}

}  // namespace shardline::simulation
