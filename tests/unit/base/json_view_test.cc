#include "base/json_view.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "unit/support/status.h"
#include "unit/support/text.h"

namespace shardline::json_view_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A text, and the view of all of it.
struct Whole {
  explicit Whole(std::string_view json) : text(Text(json)), scanner(text), view(scanner) {}

  PaddedText text;
  JsonScanner scanner;
  JsonView view;
};

TEST(JsonView, FindsMembersByTheirPath) {
  Whole json(R"( {"a" : {"b":{"c":"x"}, "d":[1]}, "e.f":"y", "":"z"} )");
  EXPECT_EQ(json.view["a.b.c"].String(), "x");
  EXPECT_EQ(json.view["a"]["b"]["c"].String(), "x");
  EXPECT_EQ(json.view["a.d"].Raw(), "[1]");
  EXPECT_EQ(json.view.Member("e.f").String(), "y");
  EXPECT_EQ(json.view.Member("").String(), "z");
  EXPECT_EQ(json.view["a.b"].Raw(), R"({"c":"x"})");
  EXPECT_TRUE(json.view["a.d"]);
  json.scanner.SkipValue();
  EXPECT_TRUE(json.scanner.Finish()) << "the scanner has stayed where it was";
}

TEST(JsonView, WhatIsAbsentIsEmpty) {
  Whole json(R"({"a":{}})");
  for (const JsonView& absent :
       {json.view["b"], json.view["a.b"], json.view["b.c.d"], JsonView()}) {
    EXPECT_FALSE(absent);
    EXPECT_EQ(absent.String(), "");
    EXPECT_EQ(absent.Raw(), "");
    EXPECT_FALSE(absent.Read(&JsonScanner::Boolean));
    EXPECT_FALSE(absent["c"]);
    EXPECT_FALSE(JsonItems(absent).Next());
  }
  EXPECT_TRUE(json.scanner.ok());
}

TEST(JsonView, ComparesNamesWithTheirEscapesResolved) {
  Whole json(R"({"\u0061":{"b\n":"x"}})");
  EXPECT_EQ(json.view["a.b\n"].String(), "x");
  EXPECT_FALSE(json.view.Member("\\u0061"));
}

TEST(JsonItems, GoThroughArraysAndObjects) {
  Whole json(R"({"list":[ {"n":"1"} ,{"n":"2"}, {} ],"map":{"a":"x","b":"y"},"none":[],"no":{}})");
  std::vector<std::string> numbers;
  for (JsonItems items(json.view["list"]); items.Next();) {
    numbers.push_back(items.value()["n"].String());
  }
  EXPECT_THAT(numbers, ElementsAre("1", "2", ""));
  std::vector<std::string> texts;
  for (JsonItems items(json.view["map"], JsonItems::Of::kObject); items.Next();) {
    texts.push_back((items.Is("a") ? "a=" : "?=") + items.value().String());
  }
  EXPECT_THAT(texts, ElementsAre("a=x", "?=y"));
  EXPECT_FALSE(JsonItems(json.view["none"]).Next());
  EXPECT_FALSE(JsonItems(json.view["no"], JsonItems::Of::kObject).Next());
  EXPECT_TRUE(json.scanner.ok());
}

TEST(JsonItems, MayBeNested) {
  Whole json(R"([[1,2],[],[3]])");
  std::vector<std::string> numbers;
  for (JsonItems outer(json.view); outer.Next();) {
    for (JsonItems inner(outer.value()); inner.Next();) {
      numbers.emplace_back(inner.value().Raw());
    }
  }
  EXPECT_THAT(numbers, ElementsAre("1", "2", "3"));
}

// The error says where, and from then on everything is empty.
TEST(JsonView, LatchesWhatIsMalformed) {
  struct Row {
    const char* json;
    void (*ask)(const JsonView& view);
    const char* why;
  };
  const auto ask_a = [](const JsonView& view) { view["a"].String(); };
  const auto ask_ab = [](const JsonView& view) { view["a.b"].String(); };
  const auto list_a = [](const JsonView& view) {
    for (JsonItems items(view["a"]); items.Next();) {
    }
  };
  const Row rows[] = {
      {R"({"a":7})", ask_a, "a string was expected at position 5"},
      {R"({"a":"x","a":"x"})", ask_a, "an object has a name twice at position"},
      {R"({"a":"x","\u0061":"x"})", ask_a, "an object has a name twice at position"},
      {R"({"a":"x","b")", ask_a, "it ends too early"},
      {R"({"a":"x" "b":1})", ask_a, "a comma was expected at position 9"},
      {R"({"a":7})", ask_ab, "an object was expected at position 5"},
      {R"([])", ask_ab, "an object was expected at position 0"},
      {"", ask_a, "it ends too early"},
      {R"({"a":{}})", list_a, "an array was expected at position 5"},
      {R"({"a":[1,2})", list_a, ""},
      {R"({"a":[1,]})", list_a, ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.json);
    Whole json(row.json);
    row.ask(json.view);
    ASSERT_FALSE(json.scanner.ok());
    EXPECT_THAT(Status(json.scanner.failure("it")), IsRefused(HasSubstr(row.why)));
    EXPECT_FALSE(json.view["a"]);
    EXPECT_THAT(json.view.String(), IsEmpty());
    EXPECT_FALSE(JsonItems(json.view).Next());
  }
}

}  // namespace
}  // namespace shardline::json_view_test
