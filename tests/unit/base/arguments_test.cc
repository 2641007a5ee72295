#include "base/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/padded_text.h"

namespace shardline::arguments_test {
namespace {

using ::testing::HasSubstr;

constexpr Parameter kParameters[] = {
    {.name = "counter", .type = ParameterType::kObject, .internal = true},
    {.name = "name", .type = ParameterType::kText, .fallback_text = "nobody"},
    {.name = "comment", .type = ParameterType::kText, .nullable = true},
    {.name = "shards", .type = ParameterType::kInteger, .least = 1, .most = 10'000, .fallback = 10},
    {.name = "delta", .type = ParameterType::kInteger, .fallback = 0},
    {.name = "age", .type = ParameterType::kNumber, .least = 0, .fallback = 0},
    {.name = "late", .type = ParameterType::kBoolean},
    {.name = "source", .type = ParameterType::kWord, .allowed = "sum|shards|none"},
    {.name = "list", .type = ParameterType::kList},
    {.name = "any", .type = ParameterType::kValue, .allowed = "a number or a list"},
    kSignalParameter,
};
constexpr Parameter kRequired[] = {
    {.name = "path", .type = ParameterType::kText, .required = true, .internal = true},
};

// What is wrong with the arguments; empty if nothing is.
std::string Wrong(const std::string& json) {
  const PaddedText text(json);
  JsonScanner scanner(text);
  Arguments arguments(scanner, kChecks<kParameters>);
  return arguments.ok() ? "" : arguments.TakeFailure().error().message;
}

TEST(Arguments, AreReadByName) {
  const PaddedText text(
      R"( {"source":"shards","shards":3,"late":true,"name":"a\u0062","age":0.5,"list":[1],)"
      R"("counter":{"a":1},"any":7,"comment":null} ,)");
  JsonScanner scanner(text);
  Arguments arguments(scanner, kChecks<kParameters>);
  ASSERT_TRUE(arguments.ok());
  EXPECT_EQ(arguments.Word("source"), 1U);
  EXPECT_EQ(arguments.Integer("shards"), 3);
  EXPECT_TRUE(arguments.Boolean("late"));
  EXPECT_EQ(arguments.Text("name"), "ab");
  EXPECT_EQ(arguments.Number("age"), 0.5);
  EXPECT_EQ(arguments.Raw("list"), "[1]");
  EXPECT_EQ(arguments.Raw("counter"), R"({"a":1})");
  EXPECT_EQ(arguments.Raw("any"), "7");
  EXPECT_TRUE(arguments.Has("comment"));
  EXPECT_TRUE(arguments.IsNull("comment"));
  EXPECT_EQ(arguments.OptionalText("comment"), std::nullopt);
  EXPECT_EQ(scanner.position(), text.view().data() + text.view().size() - 2);
}

TEST(Arguments, HaveDefaults) {
  const PaddedText text("{}");
  JsonScanner scanner(text);
  Arguments arguments(scanner, kChecks<kParameters>);
  ASSERT_TRUE(arguments.ok());
  EXPECT_FALSE(arguments.Has("name"));
  EXPECT_EQ(arguments.Text("name"), "nobody");
  EXPECT_EQ(arguments.Integer("shards"), 10);
  EXPECT_EQ(arguments.Number("age"), 0);
  EXPECT_FALSE(arguments.Boolean("late"));
  EXPECT_EQ(arguments.Word("source"), 0U);
  EXPECT_EQ(arguments.Raw("any"), "");
}

TEST(Arguments, ErrorsNameTheArgumentAndWhatIsAllowedAndWhatCame) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"shards":0})", "`shards` must be an integer from 1 to 10,000; got 0."},
      {R"({"shards":10001})", "`shards` must be an integer from 1 to 10,000; got 10001."},
      {R"({"shards":2.5})", "got 2.5."},
      {R"({"shards":"3"})", R"(got "3".)"},
      {R"({"shards":null})", "got null."},
      {R"({"delta":1e3})", "`delta` must be an integer; got 1e3."},
      {R"({"age":-1})", "`age` must be a number from 0 on; got -1."},
      {R"({"age":1e999})", "got 1e999."},
      {R"({"age":"1"})", "must be a number"},
      {R"({"name":7})", "`name` must be a string; got 7."},
      {R"({"comment":7})", "`comment` must be a string; got 7."},
      {R"({"late":0})", "`late` must be true or false; got 0."},
      {R"({"source":"su"})", R"(`source` must be 'sum', 'shards' or 'none'; got "su".)"},
      {R"({"source":""})", R"(got "".)"},
      {R"({"source":["sum"]})", R"(got ["sum"].)"},
      {R"({"list":{}})", "`list` must be a list; got {}."},
      {R"({"counter":[]})", "`counter` must be an object; got []."},
      {R"({"signal":null})",
       "There is no option `signal` here, only name, comment, shards, delta, age, late, source, "
       "list, any and signal."},
      {R"({"Shards":3})", "There is no option `Shards` here"},
      {"[]", "Cannot read the arguments"},
      {"null", "Cannot read the arguments"},
      {R"({"shards":3)", "Cannot read the arguments"},
      {R"({"shards":})", "Cannot read the arguments"},
  };
  for (const auto& [json, expected] : cases) EXPECT_THAT(Wrong(json), HasSubstr(expected)) << json;
  EXPECT_EQ(Wrong(R"({"shards":1,"age":0,"delta":-9223372036854775808,"comment":"x"})"), "");
}

TEST(Arguments, LongOnesAreCutBetweenCharacters) {
  std::string long_name;
  for (int i = 0; i < 200; ++i) long_name += "é";
  const std::string wrong = Wrong(R"({"shards":"x)" + long_name + "\"}");
  EXPECT_THAT(wrong, HasSubstr("é…."));
  EXPECT_LT(wrong.size(), 200U);
  EXPECT_LT(Wrong("{\"" + long_name + "\":1}").size(), 250U);
}

TEST(Arguments, WhatIsRequiredMustBeGiven) {
  const PaddedText nothing("{}");
  Arguments arguments(nothing.view(), kChecks<kRequired>, "to.");
  ASSERT_FALSE(arguments.ok());
  EXPECT_EQ(arguments.TakeFailure().error().message, "`to.path` must be given: a string.");
  const PaddedText misspelt(R"({"paht":"a"})");
  Arguments other(misspelt.view(), kChecks<kRequired>);
  EXPECT_EQ(other.TakeFailure().error().message, "There is no option `paht` here.");
}

TEST(Arguments, AreRefusedByTheirReadersToo) {
  const PaddedText text(R"({"any":"x","name":"\ud83d"})");
  JsonScanner scanner(text);
  Arguments arguments(scanner, kChecks<kParameters>);
  arguments.Refuse("any");
  EXPECT_EQ(arguments.Text("name"), "");
  EXPECT_EQ(arguments.TakeFailure().error().message,
            "`any` must be a number or a list; got \"x\".");
  JsonScanner again(text);
  Arguments unread(again, kChecks<kParameters>);
  unread.Text("name");
  EXPECT_THAT(unread.TakeFailure().error().message,
              HasSubstr("`name` must be well-formed Unicode text"));
}

}  // namespace
}  // namespace shardline::arguments_test
