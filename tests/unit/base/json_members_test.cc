#include "base/json_members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/support/text.h"

namespace shardline::json_members_test {
namespace {

using testing::ElementsAre;

TEST(JsonMembers, PassesOverWhatIsNotRead) {
  const PaddedText text = Text("{ \"a\" : [1, {\"b\": 2}] ,\n\"b\":\t\"x\", \"c\":3 }");
  JsonScanner scanner(text);
  JsonMembers members(scanner);
  std::string b;
  std::vector<std::string> keys;
  while (members.Next()) {
    keys.emplace_back(members.raw_key());
    if (members.Is("b")) b = scanner.String();
  }
  EXPECT_THAT(keys, ElementsAre("a", "b", "c"));
  EXPECT_EQ(b, "x");
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonMembers, MayPeekAndPassOver) {
  const PaddedText text = Text("{\"a\":  7, \"b\":  \"x\"}");
  JsonScanner scanner(text);
  JsonMembers members(scanner);
  std::string read;
  while (members.Next()) {
    if (scanner.Peek() == JsonScanner::Kind::kString) read = scanner.String();
  }
  EXPECT_EQ(read, "x");
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonMembers, TellsNamesApart) {
  const PaddedText text = Text("{\"ab\":1}");
  JsonScanner scanner(text);
  JsonMembers members(scanner);
  ASSERT_TRUE(members.Next());
  EXPECT_TRUE(members.Is("ab"));
  EXPECT_FALSE(members.Is("a"));
  EXPECT_FALSE(members.Is("abc"));
}

TEST(JsonMembers, ResolvesEscapesInNames) {
  const PaddedText text = Text(R"({"\u0061b":1, "a\u0062":2, "\u0061":3, "ab":4, "\ud800":5})");
  JsonScanner scanner(text);
  JsonMembers members(scanner);
  std::string read;
  while (members.Next()) {
    if (members.Is("ab")) read += scanner.SkipValue();
    EXPECT_FALSE(members.Is("\\u0061"));
  }
  EXPECT_EQ(read, "124");
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonMembers, HasNoneOfWhatIsNoObject) {
  for (const char* json : {"[1]", "7", "{\"a\"}", "{\"a\":"}) {
    const PaddedText text = Text(json);
    JsonScanner scanner(text);
    JsonMembers members(scanner);
    while (members.Next()) {
    }
    EXPECT_FALSE(scanner.ok()) << json;
  }
}

}  // namespace
}  // namespace shardline::json_members_test
