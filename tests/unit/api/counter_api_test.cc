// JavaScript's calls of counters: every option, and every typing error.

#include "api/counter_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/counter_admin_api.h"
#include "base/reason.h"
#include "unit/support/operation_driver.h"
#include "unit/support/status.h"

namespace shardline::counter_api_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class CounterApiTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Operation>> StartText(std::string_view name,
                                               const std::string& arguments) {
    const PaddedText text(arguments);
    JsonScanner scanner(text);
    for (const ApiEntry& entry : kCounterApi) {
      if (entry.name == name) return entry.start(scanner, context_);
    }
    for (const ApiEntry& entry : kCounterAdminApi) {
      if (entry.name == name) return entry.start(scanner, context_);
    }
    return Fail(kInternalFault, "There is no such entry.");
  }
  Result<std::unique_ptr<Operation>> Start(std::string_view name, const json& arguments) {
    return StartText(name, arguments.dump());
  }
  Result<std::unique_ptr<Operation>> Check(const json& counter) {
    return Start("counter.check", {{"counter", counter}});
  }
  // `options` beside a good path.
  Result<std::unique_ptr<Operation>> CheckOptions(const json& options) {
    json counter = {{"path", "posts/p1"}};
    counter.update(options);
    return Check(counter);
  }
  Result<std::unique_ptr<Operation>> CheckLayout(const json& layout) {
    return CheckOptions({{"layout", layout}});
  }

  OperationContext context_ = TestContext();
  const json counter_ = {{"path", "posts/p1"}, {"shards", 3}, {"delivery", "at-least-once"}};
};

TEST_F(CounterApiTest, CheckEndsAtOnceAndSpellsTheLayoutOut) {
  OperationDriver driver(Check({{"path", "posts/p1"}}));
  EXPECT_TRUE(driver.operation().done());
  EXPECT_EQ(driver.result(), json({{"layout",
                                    {{"shardCollection", "shards"},
                                     {"countField", "count"},
                                     {"shardCountField", "num_shards"},
                                     {"parent", true}}}}));
  OperationDriver php(Check({{"path", "a/b/c"}, {"layout", "php-sample"}}));
  EXPECT_EQ(php.result()["layout"], json({{"shardCollection", nullptr},
                                          {"countField", "Cnt"},
                                          {"shardCountField", nullptr},
                                          {"parent", false}}));
}

TEST_F(CounterApiTest, GoodOptions) {
  for (const json& options :
       {json::object(), json({{"shards", 1}}), json({{"shards", 10000}}),
        json({{"layout", "mobile-sample"}}), json({{"delivery", "exactly-once"}}),
        json({{"delivery", "at-least-once"}}), json({{"delivery", "transaction"}}),
        json({{"layout", {{"shardCollection", "s"}, {"countField", "a.b"}}}}),
        json({{"layout",
               {{"shardCollection", "s"}, {"countField", "n"}, {"shardCountField", nullptr}}}}),
        json({{"layout",
               {{"shardCollection", "s"},
                {"countField", "n"},
                {"shardCountField", "m"},
                {"parent", true}}}})}) {
    EXPECT_THAT(CheckOptions(options), IsOk()) << options;
  }
  EXPECT_THAT(
      Check({{"path", "c"}, {"layout", {{"shardCollection", nullptr}, {"countField", "n"}}}}),
      IsOk());
  EXPECT_THAT(Check({{"path", "日本/\"quoted\" \\ \n"}}), IsOk());
}

TEST_F(CounterApiTest, BadPaths) {
  for (const json& path :
       {json(nullptr), json(7), json(true), json::array({"posts", "p1"}), json::object()}) {
    EXPECT_THAT(Check({{"path", path}}), IsRefused(HasSubstr("`path` must be a string"))) << path;
  }
  EXPECT_THAT(Check(json::object()), IsRefused(HasSubstr("`path` must be given: a string")));
  for (const char* path : {"", "posts", "posts/p1/shards", "/posts/p1", "posts//p1", "posts/.."}) {
    EXPECT_THAT(Check({{"path", path}}), IsRefused(HasSubstr("path"))) << path;
  }
  EXPECT_THAT(StartText("counter.check", R"({"counter":{"path":"posts/\ud83d"}})"),
              IsRefused(HasSubstr("`path` must be well-formed")));
}

TEST_F(CounterApiTest, BadShardCounts) {
  for (const json& shards :
       {json(0), json(-1), json(10001), json(INT64_MAX), json(2.5), json(1e300), json("10"),
        json(nullptr), json(true), json::array({10})}) {
    EXPECT_THAT(CheckOptions({{"shards", shards}}),
                IsRefused(AllOf(HasSubstr("`shards` must be an integer from 1 to 10,000; got "),
                                HasSubstr(shards.dump()))))
        << shards;
  }
}

TEST_F(CounterApiTest, BadLayouts) {
  for (const json& layout : {json(7), json(nullptr), json(true), json::array({"web-sample"})}) {
    EXPECT_THAT(CheckLayout(layout), IsRefused(HasSubstr("`layout` must be"))) << layout;
  }
  EXPECT_THAT(CheckLayout("wbe"), IsRefused(HasSubstr("'wbe'")));
  EXPECT_THAT(CheckLayout("extension"), IsRefused(HasSubstr("`countField`")));
  EXPECT_THAT(CheckOptions({{"layout", "web-sample"}, {"countField", "visits"}}),
              IsRefused(HasSubstr("`countField` must be left out")));
  EXPECT_THAT(CheckOptions({{"layout", "extension"}, {"countField", 7}}),
              IsRefused(HasSubstr("`countField` must be a string")));
  EXPECT_THAT(CheckOptions({{"layout", "extension"}, {"countField", "a..b"}}),
              IsRefused(HasSubstr("a..b")));
  const std::pair<json, const char*> cases[] = {
      {json::object(), "`layout.shardCollection` must be given"},
      {{{"countField", "n"}}, "`layout.shardCollection` must be given"},
      {{{"shardCollection", "s"}}, "`layout.countField` must be given"},
      {{{"shardCollection", 7}, {"countField", "n"}},
       "`layout.shardCollection` must be a string; got 7."},
      {{{"shardCollection", "a/b"}, {"countField", "n"}}, "must not contain a slash"},
      {{{"shardCollection", "s"}, {"countField", nullptr}}, "`layout.countField` must be a string"},
      {{{"shardCollection", "s"}, {"countField", "a..b"}}, "a..b"},
      {{{"shardCollection", "s"}, {"countField", "n"}, {"shardCountField", 7}}, "shardCountField"},
      {{{"shardCollection", "s"}, {"countField", "n"}, {"parent", "yes"}},
       "`layout.parent` must be true or false"},
      {{{"shardCollection", "s"}, {"countField", "n"}, {"parent", true}},
       "`layout.parent` must be"},
      {{{"shardCollection", "s"}, {"countField", "n"}, {"countfield", "n"}}, "`layout.countfield`"},
  };
  for (const auto& [layout, expected] : cases) {
    EXPECT_THAT(CheckLayout(layout), IsRefused(HasSubstr(expected))) << layout;
  }
  EXPECT_THAT(
      Check({{"path", "c"},
             {"layout",
              {{"shardCollection", nullptr}, {"countField", "n"}, {"shardCountField", "m"}}}}),
      IsRefused(HasSubstr("without a shardCollection")));
}

TEST_F(CounterApiTest, BadDeliveries) {
  for (const json& delivery :
       {json(""), json("once"), json("at-most-once"), json(1), json(nullptr)}) {
    EXPECT_THAT(CheckOptions({{"delivery", delivery}}), IsRefused(HasSubstr("`delivery` must be")))
        << delivery;
  }
}

TEST_F(CounterApiTest, HowItIsCountedIsCheckedWithIt) {
  const auto check = [&](const char* option, const json& value) {
    return Start("counter.check", {{"counter", counter_}, {option, value}});
  };
  EXPECT_TRUE(check("maxDelta", {{"doubleValue", 0.5}}));
  EXPECT_TRUE(check("maxDelta", nullptr));
  for (const json& value : {json("a/b"), json(""), json(7), json({{"integerValue", "0"}}),
                            json({{"doubleValue", "Infinity"}})}) {
    EXPECT_THAT(check("maxDelta", value), IsRefused(HasSubstr("maxDelta"))) << value;
  }
}

TEST_F(CounterApiTest, UnknownOptionsAreRefusedByName) {
  for (const char* option : {"shard", "Layout", "flushMs", "maxDelta", ""}) {
    EXPECT_THAT(CheckOptions({{option, 1}}),
                IsRefused(AllOf(HasSubstr('`' + std::string(option) + '`'),
                                HasSubstr("layout, countField, shards and delivery"))));
  }
  EXPECT_THAT(CheckOptions({{std::string(500, 'x'), 1}}), IsRefused(HasSubstr("xxx` here, only")));
  EXPECT_THAT(Start("counter.create", {{"counter", counter_}, {"ifexists", "keep"}}),
              IsRefused(HasSubstr("`ifexists`")));
  EXPECT_THAT(Start("counter.increment", {{"counter", counter_}, {"by", 1}}),
              IsRefused(HasSubstr("`by`")));
  EXPECT_THAT(Start("counter.total", {{"counter", counter_}, {"maxAgeMs", 1}}),
              IsRefused(HasSubstr("`maxAgeMs`")));
  EXPECT_THAT(Start("counter.check", {{"counter", counter_}, {"source", "sum"}}),
              IsRefused(HasSubstr("`source`")));
}

TEST_F(CounterApiTest, ArgumentsMustBeThere) {
  for (const char* name :
       {"counter.check", "counter.create", "counter.increment", "counter.total"}) {
    EXPECT_THAT(StartText(name, "{}"), IsRefused(HasSubstr("`counter` must be given"))) << name;
    for (const char* text :
         {"", "null", "7", "[]", "{", "{\"counter\"", "{\"counter\":", "{\"counter\":{\"path\"",
          "{\"counter\":{\"path\":\"a/b\"}", "{\"counter\":null}", "{\"counter\":\"a/b\"}"}) {
      EXPECT_THAT(StartText(name, text), IsRefused(HasSubstr(""))) << name << ' ' << text;
    }
  }
}

TEST_F(CounterApiTest, Migrate) {
  const json counter = {{"path", "pages/p"}, {"layout", "extension"}, {"countField", "visits"}};
  const json to = {{"path", "pages/p"}};
  EXPECT_THAT(Start("counter.migrate", {{"counter", counter}}),
              IsRefused(HasSubstr("`to` must be given")));
  EXPECT_THAT(Start("counter.migrate", {{"counter", counter}, {"to", {{"path", "pages"}}}}),
              IsRefused(HasSubstr("pages")));
  EXPECT_THAT(Start("counter.migrate", {{"counter", to}, {"to", to}}),
              IsRefused(HasSubstr("extension")));
  EXPECT_THAT(Start("counter.resize", {{"counter", counter}, {"to", to}}),
              IsRefused(HasSubstr("`to`")));
  OperationDriver checked(Start("counter.migrate", {{"counter", counter}, {"to", to}}));
  EXPECT_TRUE(checked.Run().sent().empty());
  OperationDriver driver(
      Start("counter.migrate", {{"counter", counter}, {"to", to}, {"shards", 1}}));
  const json read_time = {{"readTime", "2026-01-01T00:00:01Z"}};
  const auto missing = [&](const std::string& path) {
    json answer = read_time;
    answer["missing"] = Name(path);
    return Ok(json::array({answer}));
  };
  // The target's shards, the shards, what the target has published, and the document.
  driver
      .Script({Ok(json::array({read_time})), Ok(json::array({read_time})),
               missing("pages/p/shardline/shards.count/shardline_totals/published"),
               missing("pages/p")})
      .Run();
  EXPECT_EQ(driver.result(), json({{"folded", 0}, {"complete", true}}));
}

TEST_F(CounterApiTest, Create) {
  for (const json& arguments :
       {json({{"counter", counter_}}), json({{"counter", counter_}, {"ifExists", "keep"}}),
        json({{"ifExists", "keep"}, {"counter", counter_}})}) {
    OperationDriver driver(Start("counter.create", arguments));
    driver
        .Script({OkText(
            "[{\"found\":{\"name\":\"" + Name("posts/p1") +
            "\",\"updateTime\":\"2026-01-01T00:00:00Z\",\"fields\":"
            "{\"num_shards\":{\"integerValue\":\"5\"}}},\"readTime\":\"2026-01-01T00:00:00Z\"}]")})
        .Run();
    EXPECT_EQ(driver.result(), json({{"created", false}, {"shards", 5}}));
  }
  OperationDriver strict(Start("counter.create", {{"counter", counter_}, {"ifExists", "error"}}));
  strict
      .Script({OkText(
          "[{\"found\":{\"name\":\"" + Name("posts/p1") +
          "\",\"updateTime\":\"2026-01-01T00:00:00Z\",\"fields\":"
          "{\"num_shards\":{\"integerValue\":\"5\"}}},\"readTime\":\"2026-01-01T00:00:00Z\"}]")})
      .Run();
  EXPECT_EQ(strict.error().code, Code::kAlreadyExists);
  for (const json& if_exists : {json("replace"), json(""), json(nullptr), json(true)}) {
    EXPECT_THAT(Start("counter.create", {{"counter", counter_}, {"ifExists", if_exists}}),
                IsRefused(HasSubstr("`ifExists` must be")))
        << if_exists;
  }
}

TEST_F(CounterApiTest, Increment) {
  json counter = counter_;
  counter["delivery"] = "transaction";
  OperationDriver driver(
      Start("counter.increment", {{"counter", counter}, {"delta", {{"integerValue", "5"}}}}));
  driver.Send();
  EXPECT_EQ(driver.verbs(), "batchGet");
  EXPECT_THAT(Start("counter.increment", {{"counter", counter}}),
              IsRefused(HasSubstr("`delta` must be")));
}

TEST_F(CounterApiTest, IncrementsOfOtherDeliveriesGoThroughTheOutbox) {
  const json delta = {{"integerValue", "1"}};
  for (const char* delivery : {"exactly-once", "at-least-once"}) {
    json counter = counter_;
    counter["delivery"] = delivery;
    EXPECT_THAT(Start("counter.increment", {{"counter", counter}, {"delta", delta}}),
                IsRefused(HasSubstr("counter.commit")));
  }
  const json counter = {{"path", "a/b"}, {"layout", "node-sample"}, {"delivery", "transaction"}};
  EXPECT_THAT(Start("counter.increment", {{"counter", counter}, {"delta", delta}}),
              IsRefused(HasSubstr("pass the option `shards`")));
}

TEST_F(CounterApiTest, Published) {
  OperationDriver driver(Start(
      "counters.published", {{"counters", {counter_, {{"path", "posts/p2"}}}}, {"publish", "n"}}));
  driver.Send();
  EXPECT_EQ(driver.sent()[0].body["documents"], json::array({Name("posts/p1"), Name("posts/p2")}));
  EXPECT_EQ(driver.sent()[0].body["mask"]["fieldPaths"], json::array({"n"}));
  for (const json& arguments :
       {json::object(), json({{"counters", {counter_}}}),
        json({{"counters", {1}}, {"publish", "n"}}),
        json({{"counters", {counter_}}, {"publish", "num_shards"}}),
        json({{"counters", {{{"path", "c"}, {"layout", "collection"}}}}, {"publish", "n"}})}) {
    EXPECT_THAT(Start("counters.published", arguments), IsRefused(HasSubstr(""))) << arguments;
  }
}

TEST_F(CounterApiTest, Total) {
  const std::pair<json, const char*> cases[] = {
      {{{"counter", counter_}}, "runAggregationQuery"},
      {{{"counter", counter_}, {"source", "sum"}}, "runAggregationQuery"},
      {{{"counter", counter_}, {"source", "shards"}}, "runQuery"},
  };
  for (const auto& [arguments, verb] : cases) {
    OperationDriver driver(Start("counter.total", arguments));
    driver.Send();
    EXPECT_EQ(driver.verbs(), verb);
  }
  for (const json& source : {json("shared"), json(""), json(nullptr), json(1)}) {
    EXPECT_THAT(Start("counter.total", {{"counter", counter_}, {"source", source}}),
                IsRefused(HasSubstr("`source` must be")))
        << source;
  }
}

// `signal` and the arguments of other calls are no arguments of the core's.
TEST_F(CounterApiTest, EachCallTakesItsOwnArgumentsAlone) {
  const json to = {{"path", "posts/p2"}};
  const json extension = {{"path", "posts/p1"}, {"layout", "extension"}, {"countField", "n"}};
  const json every = {{"signal", 5},        {"shards", 5},
                      {"atLeast", true},    {"maxAgeMs", 5},
                      {"ifExists", "keep"}, {"source", "sum"},
                      {"to", to},           {"olderThan", "2026-01-01T00:00:00Z"},
                      {"number", 5},        {"", "x"}};
  struct Row {
    const char* name;
    json counter;
    std::vector<std::string> takes;
  };
  const Row rows[] = {
      {"counter.check", counter_, {}},
      {"counter.create", counter_, {"ifExists"}},
      {"counter.total", counter_, {"source"}},
      {"counter.delete", counter_, {}},
      {"counter.resize", counter_, {"shards", "atLeast"}},
      {"counter.sharedTotal", counter_, {"maxAgeMs"}},
      {"counter.cleanUp", counter_, {"olderThan"}},
      {"counter.migrate", extension, {"to", "shards"}},
  };
  for (const Row& row : rows) {
    json good = {{"counter", row.counter}};
    for (const std::string& name : row.takes) good[name] = every[name];
    EXPECT_THAT(Start(row.name, good), IsOk()) << row.name;
    for (const auto& [name, value] : every.items()) {
      if (good.contains(name)) continue;
      json bad = good;
      bad[name] = value;
      EXPECT_THAT(Start(row.name, bad), IsRefused(HasSubstr("There is no option `" + name + "`")))
          << row.name;
    }
  }
}

TEST_F(CounterApiTest, CleanUpAndAtLeast) {
  EXPECT_THAT(Start("counter.cleanUp", {{"counter", counter_}}), IsOk());
  for (const json& bound :
       {json(7), json("yesterday"), json(nullptr), json("2026-13-01T00:00:00Z")}) {
    EXPECT_FALSE(Start("counter.cleanUp", {{"counter", counter_}, {"olderThan", bound}})) << bound;
  }
  EXPECT_THAT(Start("counter.resize", {{"counter", counter_}, {"shards", 5}, {"atLeast", 1}}),
              IsRefused(HasSubstr("`atLeast` must be true or false")));
  EXPECT_THAT(Start("counter.migrate",
                    {{"counter", {{"path", "p/1"}, {"layout", "extension"}, {"countField", "n"}}},
                     {"to", counter_},
                     {"shards", -1}}),
              IsRefused(HasSubstr("`shards`")));
}

TEST_F(CounterApiTest, ContentionSuggestsShards) {
  OperationDriver driver(Start(
      "contention", {{"shards", 10}, {"attempts", 100}, {"aborted", 100}, {"perSecond", 0.5}}));
  EXPECT_TRUE(driver.operation().done());
  EXPECT_EQ(driver.result(), json({{"suggestedShards", 100}}));
  EXPECT_THAT(Start("contention", {{"shard", 10}}), IsRefused(HasSubstr("shard")));
}

}  // namespace
}  // namespace shardline::counter_api_test
