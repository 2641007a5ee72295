#include "firestore/field_path.h"

#include <gmock/gmock.h>

#include <string>

#include "base/random.h"
#include "unit/support/status.h"

namespace shardline::field_path_test {
namespace {

using namespace std::literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

FieldPath Path(std::string_view text) { return FieldPath::Parse(text).value(); }

TEST(FieldPath, SplitsAtDots) {
  EXPECT_THAT(Path("price.currency").segments(), ElementsAre("price", "currency"));
  EXPECT_THAT(Path("count").segments(), ElementsAre("count"));
}

TEST(FieldPath, ReadsQuotedNames) {
  EXPECT_THAT(Path("a.`b.c`").segments(), ElementsAre("a", "b.c"));
  EXPECT_THAT(Path("`a b`.c").segments(), ElementsAre("a b", "c"));
  EXPECT_THAT(Path(R"(`\``)").segments(), ElementsAre("`"));
  EXPECT_THAT(Path(R"(`a\\b\`c`)").segments(), ElementsAre("a\\b`c"));
}

TEST(FieldPath, TakesUnquotedNamesAsTheyStand) {
  EXPECT_THAT(Path("a b.c-d.é").segments(), ElementsAre("a b", "c-d", "é"));
  EXPECT_THAT(Path(R"(a\b.c`d)").segments(), ElementsAre(R"(a\b)", "c`d"));
}

TEST(FieldPath, PutsBackticksExactlyWhereTheyAreNeeded) {
  EXPECT_EQ(Path("price.currency").text(), "price.currency");
  EXPECT_EQ(Path("_a1.B_2").text(), "_a1.B_2");
  EXPECT_EQ(Path("`plain`").text(), "plain");
  EXPECT_EQ(Path("1a").text(), "`1a`");
  EXPECT_EQ(Path("a b.c").text(), "`a b`.c");
  EXPECT_EQ(Path("é").text(), "`é`");
  EXPECT_EQ(Path(R"(a\b)").text(), R"(`a\\b`)");
  EXPECT_EQ(Path("c`d").text(), R"(`c\`d`)");
  EXPECT_EQ(Path("a@b").text(), "`a@b`");
  EXPECT_EQ(Path("a[b").text(), "`a[b`");
}

TEST(FieldPath, RefusesEmptyNames) {
  for (const std::string_view text : {"", ".", "a.", ".a", "a..b", "``", "a.``", "``.a"}) {
    EXPECT_THAT(FieldPath::Parse(text), IsRefused(HasSubstr("empty name"))) << text;
  }
}

TEST(FieldPath, RefusesReservedNames) {
  for (const std::string_view text : {"__a__", "a.__b__", "`__name__`", "a.__name__", "____"}) {
    EXPECT_THAT(FieldPath::Parse(text), IsRefused(HasSubstr("reserved"))) << text;
  }
}

TEST(FieldPath, RefusesBrokenQuotes) {
  EXPECT_THAT(FieldPath::Parse("`a"), IsRefused(HasSubstr("closing backtick")));
  EXPECT_THAT(FieldPath::Parse("`"), IsRefused(HasSubstr("closing backtick")));
  EXPECT_THAT(FieldPath::Parse(R"(`a\`)"), IsRefused(HasSubstr("closing backtick")));
  EXPECT_THAT(FieldPath::Parse(R"(`a\)"), IsRefused(HasSubstr("closing backtick")));
  EXPECT_THAT(FieldPath::Parse("`a`b"), IsRefused(HasSubstr("behind a closing backtick")));
}

TEST(FieldPath, RefusesWhatIsTooLongOrNotUtf8) {
  EXPECT_THAT(FieldPath::Parse(std::string(1'500, 'a')), IsOk());
  EXPECT_THAT(FieldPath::Parse(std::string(1'501, 'a')), IsRefused(HasSubstr("1,500 bytes")));
  EXPECT_THAT(FieldPath::Parse("a.\xFF"), IsRefused(HasSubstr("UTF-8")));
}

TEST(FieldPath, KnowsTheDocumentsName) {
  EXPECT_TRUE(Path("__name__").IsDocumentName());
  EXPECT_TRUE(FieldPath::DocumentName().IsDocumentName());
  EXPECT_EQ(FieldPath::DocumentName().text(), "__name__");
  EXPECT_FALSE(Path("name").IsDocumentName());
}

TEST(FieldPath, IsAPrefixOfItselfAndOfWhatIsInside) {
  EXPECT_TRUE(Path("a").IsPrefixOf(Path("a")));
  EXPECT_TRUE(Path("a").IsPrefixOf(Path("a.b")));
  EXPECT_FALSE(Path("a.b").IsPrefixOf(Path("a")));
  EXPECT_FALSE(Path("a").IsPrefixOf(Path("ab")));
  EXPECT_FALSE(Path("a").IsPrefixOf(Path("`a.b`")));
}

TEST(FieldPath, ComparesByWhatItMeansNotByHowItIsWritten) {
  EXPECT_EQ(Path("`a`.b"), Path("a.b"));
  EXPECT_FALSE(Path("`a.b`") == Path("a.b"));
}

TEST(FieldPath, SortsNameByNameAsBytes) {
  EXPECT_LT(Path("a.z"), Path("a-.a"));
  EXPECT_LT(Path("a"), Path("a.a"));
  EXPECT_LT(Path("Z"), Path("a"));
  EXPECT_LT(Path("\uFFFD"), Path("😀"));
  EXPECT_FALSE(Path("a") < Path("`a`"));
}

// Whatever the names are, the canonical text reads back as the same path.
TEST(FieldPath, ReadsBackItsCanonicalForm) {
  constexpr std::string_view kPieces[] = {"a", "B", "_", "1", ".", "`", "\\", " ", "é", "😀"};
  Random random(1);
  for (int i = 0; i < 5'000; ++i) {
    std::string quoted;
    std::vector<std::string> names;
    for (std::uint64_t count = 1 + random.Below(3); count > 0; --count) {
      std::string name;
      for (std::uint64_t n = 1 + random.Below(4); n > 0; --n) name += kPieces[random.Below(10)];
      if (!CheckFieldName(name)) continue;
      quoted += quoted.empty() ? "`" : ".`";
      for (const char c : name) {
        if (c == '`' || c == '\\') quoted += '\\';
        quoted += c;
      }
      quoted += '`';
      names.push_back(name);
    }
    if (names.empty()) continue;
    const FieldPath path = Path(quoted);
    ASSERT_EQ(path.segments(), names) << quoted;
    ASSERT_EQ(Path(path.text()).segments(), names) << path.text();
    ASSERT_EQ(Path(path.text()).text(), path.text());
  }
}

TEST(CheckFieldName, TakesAlmostAnything) {
  for (const std::string& name :
       {"a"s, "a.b"s, "`"s, "__a"s, "___"s, "日本"s, "a\0b"s, std::string(1'500, 'a')}) {
    EXPECT_THAT(CheckFieldName(name), IsOk()) << name;
  }
}

TEST(CheckFieldName, RefusesWhatFirestoreRefuses) {
  EXPECT_THAT(CheckFieldName(""), IsRefused(HasSubstr("empty")));
  EXPECT_THAT(CheckFieldName("__x__"), IsRefused(HasSubstr("\"__x__\" is reserved")));
  EXPECT_THAT(CheckFieldName(std::string(1'501, 'a')), IsRefused(HasSubstr("1,500 bytes")));
  EXPECT_THAT(CheckFieldName("\xC0\x80"), IsRefused(HasSubstr("UTF-8")));
}

}  // namespace
}  // namespace shardline::field_path_test
