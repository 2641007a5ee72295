#include "firestore/resource_name.h"

#include <gmock/gmock.h>

#include <cctype>
#include <string>

#include "base/random.h"
#include "unit/support/status.h"

namespace shardline::resource_name_test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::Truly;

const std::string kLongest(1'500, 'x');

DatabaseName Demo() { return DatabaseName::Make("demo", "(default)").value(); }
DocumentPath Doc(std::string_view text) { return DocumentPath::Parse(text).value(); }
CollectionPath Col(std::string_view text) { return CollectionPath::Parse(text).value(); }

TEST(CheckId, TakesWhatFirestoreTakes) {
  for (const std::string& id :
       {std::string("a"), std::string("..."), std::string("__"), std::string("___"),
        std::string("__a"), std::string("a__"), std::string("a b"), std::string("日本😀"),
        std::string("%2F"), kLongest}) {
    EXPECT_THAT(CheckId(id, "id"), IsOk()) << id;
  }
}

TEST(CheckId, RefusesWhatFirestoreRefuses) {
  EXPECT_THAT(CheckId("", "shard"), IsRefused(HasSubstr("The shard is empty")));
  EXPECT_THAT(CheckId("a/b", "shard"), IsRefused(HasSubstr("slash")));
  EXPECT_THAT(CheckId(".", "shard"), IsRefused(HasSubstr("not allowed")));
  EXPECT_THAT(CheckId("..", "shard"), IsRefused(HasSubstr("not allowed")));
  EXPECT_THAT(CheckId("____", "shard"), IsRefused(HasSubstr("reserved")));
  EXPECT_THAT(CheckId("__id7__", "shard"), IsRefused(HasSubstr("reserved")));
  EXPECT_THAT(CheckId(kLongest + 'x', "shard"), IsRefused(HasSubstr("1,500 bytes")));
  EXPECT_THAT(CheckId("a\xFF", "shard"), IsRefused(HasSubstr("UTF-8")));
}

TEST(CheckId, CountsBytesNotCharacters) {
  std::string id;
  while (id.size() < 1'500) id += "é";
  EXPECT_THAT(CheckId(id, "id"), IsOk());
  EXPECT_THAT(CheckId(id + "é", "id"), Not(IsOk()));
}

TEST(CheckId, NamesTheThingAndTheId) {
  EXPECT_THAT(CheckId("__x__", "shard collection"),
              IsRefused(HasSubstr("The shard collection \"__x__\" is reserved")));
}

TEST(CheckId, DoesNotRepeatWhatIsLongOrBroken) {
  EXPECT_THAT(CheckId(kLongest + 'x', "id"), IsRefused(Not(HasSubstr("xxx"))));
  EXPECT_THAT(CheckId("abc\xFF", "id"), IsRefused(Not(HasSubstr("abc"))));
}

TEST(DatabaseName, IsWhatTheProtocolWants) {
  EXPECT_EQ(Demo().documents(), "projects/demo/databases/(default)/documents");
}

TEST(DatabaseName, GoesIntoUrlsEncoded) {
  EXPECT_EQ(Demo().UrlPath(":commit"), "/v1/projects/demo/databases/(default)/documents:commit");
  const DatabaseName odd = DatabaseName::Make("example.com:p", "d").value();
  EXPECT_EQ(odd.UrlPath(":commit"), "/v1/projects/example.com%3Ap/databases/d/documents:commit");
}

TEST(DatabaseName, RefusesBadIds) {
  EXPECT_THAT(DatabaseName::Make("", "d"), IsRefused(HasSubstr("projectId")));
  EXPECT_THAT(DatabaseName::Make("p", "a/b"), IsRefused(HasSubstr("databaseId")));
}

TEST(DocumentPath, TakesAnEvenNumberOfIds) {
  EXPECT_EQ(Doc("posts/p1").text(), "posts/p1");
  EXPECT_EQ(Doc("posts/p1/shards/7").text(), "posts/p1/shards/7");
  EXPECT_EQ(Doc("posts/p1/shards/7").id(), "7");
}

TEST(DocumentPath, RefusesAnOddNumber) {
  EXPECT_THAT(DocumentPath::Parse("posts"),
              IsRefused(AllOf(HasSubstr("\"posts\""), HasSubstr("even number"))));
  EXPECT_THAT(DocumentPath::Parse("a/b/c"), Not(IsOk()));
}

TEST(DocumentPath, RefusesEmptySegments) {
  for (const std::string_view text : {"", "/", "/a/b", "a/b/", "a//b", "a/", "//"}) {
    EXPECT_THAT(DocumentPath::Parse(text), IsRefused(HasSubstr("empty segment"))) << text;
    EXPECT_THAT(CollectionPath::Parse(text), IsRefused(HasSubstr("empty segment"))) << text;
  }
}

TEST(DocumentPath, RefusesBadSegments) {
  EXPECT_THAT(DocumentPath::Parse("a/.."), IsRefused(HasSubstr("not allowed")));
  EXPECT_THAT(DocumentPath::Parse("__a__/b"), IsRefused(HasSubstr("reserved")));
  EXPECT_THAT(DocumentPath::Parse("a/\xFF"), IsRefused(HasSubstr("UTF-8")));
}

TEST(DocumentPath, HasANameInADatabase) {
  EXPECT_EQ(Doc("posts/p 1").Name(Demo()), "projects/demo/databases/(default)/documents/posts/p 1");
}

TEST(DocumentPath, LeadsToItsCollections) {
  EXPECT_EQ(Doc("posts/p1").Collection("shards").text(), "posts/p1/shards");
}

TEST(CollectionPath, TakesAnOddNumberOfIds) {
  EXPECT_EQ(Col("instruments").text(), "instruments");
  EXPECT_EQ(Col("instruments").id(), "instruments");
  EXPECT_EQ(Col("posts/p1/shards").id(), "shards");
}

TEST(CollectionPath, RefusesAnEvenNumber) {
  EXPECT_THAT(CollectionPath::Parse("a/b"), IsRefused(HasSubstr("odd number")));
}

TEST(CollectionPath, KnowsItsParent) {
  EXPECT_EQ(Col("instruments").parent(), "");
  EXPECT_EQ(Col("posts/p1/shards").parent(), "posts/p1");
}

TEST(CollectionPath, LeadsToItsDocuments) {
  EXPECT_EQ(Col("posts/p1/shards").Document("7").text(), "posts/p1/shards/7");
}

TEST(CollectionPath, IsQueriedAtItsParent) {
  EXPECT_EQ(Col("instruments").QueryUrlPath(Demo(), ":runQuery"),
            "/v1/projects/demo/databases/(default)/documents:runQuery");
  EXPECT_EQ(Col("posts/p1/shards").QueryUrlPath(Demo(), ":runQuery"),
            "/v1/projects/demo/databases/(default)/documents/posts/p1:runQuery");
}

TEST(CollectionPath, IsPercentEncodedInUrls) {
  EXPECT_EQ(Col("a b/c%d?e#f:g/é").QueryUrlPath(Demo(), ":runQuery"),
            "/v1/projects/demo/databases/(default)/documents/a%20b/c%25d%3Fe%23f%3Ag:runQuery");
  EXPECT_EQ(Col("日/@[`{/x").QueryUrlPath(Demo(), ""),
            "/v1/projects/demo/databases/(default)/documents/%E6%97%A5/%40%5B%60%7B");
}

TEST(CollectionPath, KeepsUnreservedCharactersInUrls) {
  EXPECT_EQ(Col("AZaz09-._~()/d/x").QueryUrlPath(Demo(), ""),
            "/v1/projects/demo/databases/(default)/documents/AZaz09-._~()/d");
}

TEST(MakeAutoId, Draws20LettersAndDigits) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const std::string id = MakeAutoId(random);
    EXPECT_EQ(id.size(), 20u);
    EXPECT_THAT(id,
                Each(Truly([](char c) { return std::isalnum(static_cast<unsigned char>(c)); })));
  }
}

TEST(MakeAutoId, UsesTheWholeAlphabet) {
  Random random(2);
  std::string seen(256, '0');
  for (int i = 0; i < 200; ++i) {
    for (const char c : MakeAutoId(random)) seen[static_cast<unsigned char>(c)] = '1';
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), '1'), 62);
}

}  // namespace
}  // namespace shardline::resource_name_test
