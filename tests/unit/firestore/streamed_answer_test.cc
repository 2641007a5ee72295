#include "firestore/streamed_answer.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "unit/support/status.h"
#include "unit/support/text.h"

namespace shardline::streamed_answer_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Walk {
  std::vector<std::string> seen;  // "key=value", and "." behind each element.
  Status end;
};

Walk WalkThrough(std::string_view body, StreamedAnswer::Asked asked = StreamedAnswer::kQuery) {
  Walk walk;
  const PaddedText text = Text(body);
  StreamedAnswer answer(text, asked);
  while (answer.NextElement()) {
    while (answer.Next()) {
      for (const char* key : {"a", "c", "readTime", "done"}) {
        if (!answer.Is(key)) continue;
        walk.seen.push_back(std::string(key) + '=' + std::string(answer.scanner().SkipValue()));
      }
    }
    walk.seen.emplace_back(".");
  }
  walk.end = answer.Finish("the answer");
  return walk;
}

TEST(StreamedAnswer, GivesTheMembersOfEachElement) {
  const Walk walk =
      WalkThrough(R"( [ {"a":1, "readTime":[2]} , {"done":true} , {"c":{}, "document":1} ] )");
  EXPECT_THAT(walk.seen, ElementsAre("a=1", "readTime=[2]", ".", "done=true", ".", "c={}", "."));
  EXPECT_THAT(walk.end, IsOk());
}

TEST(StreamedAnswer, MembersMayBeWrittenWithEscapes) {
  const Walk walk = WalkThrough(R"([{"re\u0061dTime":1},{"\u0063":2,"d\u006fne":true}])");
  EXPECT_THAT(walk.seen, ElementsAre("readTime=1", ".", "c=2", "done=true", "."));
  EXPECT_THAT(walk.end, IsOk());
}

TEST(StreamedAnswer, SaysSomething) {
  EXPECT_THAT(WalkThrough("[\n]").end, IsRefused(HasSubstr("it is empty")));
  for (const std::string_view body : {"[{}]", R"([{"a":1}])", R"([{"readTime":1},{"a":1}])",
                                      R"([{},{"readTime":1}])", R"([{"ReadTime":1}])"}) {
    EXPECT_THAT(WalkThrough(body).end, IsRefused(HasSubstr("says nothing"))) << body;
  }
}

TEST(StreamedAnswer, IsOfTheMethodThatWasAsked) {
  const std::pair<StreamedAnswer::Asked, std::string_view> own[] = {
      {StreamedAnswer::kBatchGet, "found"},
      {StreamedAnswer::kBatchGet, "missing"},
      {StreamedAnswer::kQuery, "document"},
      {StreamedAnswer::kAggregation, "result"}};
  for (const auto& [method, member] : own) {
    const std::string body = R"([{")" + std::string(member) + R"(":1,"readTime":1}])";
    for (const auto& [asked, other] : own) {
      const Status end = WalkThrough(body, asked).end;
      if (asked == method) {
        EXPECT_TRUE(end) << body;
      } else {
        EXPECT_THAT(end, IsRefused(HasSubstr("it answers another request"))) << body;
      }
    }
  }
}

TEST(StreamedAnswer, IsUtf8WithoutAByteOrderMark) {
  EXPECT_THAT(WalkThrough("[{\"\xff\xfe\":1}]").end, IsRefused(HasSubstr("it is not UTF-8")));
  EXPECT_THAT(WalkThrough("\xEF\xBB\xBF[{\"done\":true}]").end,
              IsRefused(HasSubstr("it begins with a byte order mark")));
  EXPECT_THAT(WalkThrough("[{\"done\":true,\"é\":1}]").end, IsOk());
}

TEST(StreamedAnswer, EndsWithTheErrorThatItHolds) {
  const Walk walk = WalkThrough(R"([{"done":1},{"error":{"status":"ABORTED","message":"m"}}])");
  EXPECT_THAT(walk.end, Fails(Code::kAborted, "m"));
  EXPECT_EQ(walk.end.error().http_status, 200);
}

TEST(StreamedAnswer, MayBeAnErrorAlone) {
  EXPECT_THAT(WalkThrough(R"({"error":{"status":"NOT_FOUND","message":"m"}})").end,
              Fails(Code::kNotFound, "m"));
}

TEST(StreamedAnswer, MayBreakOffBehindTheError) {
  EXPECT_THAT(WalkThrough(R"([{"error":{"status":"ABORTED","message":"m"}},)").end,
              Fails(Code::kAborted, "m"));
}

TEST(StreamedAnswer, IsNoOtherObjectAlone) {
  EXPECT_THAT(WalkThrough(R"({"a":1})").end, IsRefused(HasSubstr("an array was expected")));
}

TEST(StreamedAnswer, HoldsNothingButObjects) {
  for (const std::string_view body : {"[1]", "[[]]", "[null]", R"([{"done":1},"x"])"}) {
    EXPECT_THAT(WalkThrough(body).end, IsRefused(HasSubstr("an object was expected"))) << body;
  }
}

TEST(StreamedAnswer, IsCompleteOrRefused) {
  const std::string body = R"([{"done":1},{"readTime":"x"}])";
  for (std::size_t size = 0; size < body.size(); ++size) {
    EXPECT_THAT(WalkThrough(body.substr(0, size)).end, IsRefused(HasSubstr("ends too early")))
        << body.substr(0, size);
  }
  EXPECT_THAT(WalkThrough(body + "]").end, IsRefused(HasSubstr("something follows")));
}

TEST(StreamedAnswer, KeepsTheErrorsOfItsReader) {
  const PaddedText text = Text(R"([{"a":1}])");
  StreamedAnswer answer(text, StreamedAnswer::kQuery);
  ASSERT_TRUE(answer.NextElement());
  ASSERT_TRUE(answer.Next());
  answer.scanner().String();
  EXPECT_FALSE(answer.Next());
  EXPECT_FALSE(answer.NextElement());
  EXPECT_THAT(answer.Finish("the answer"),
              IsRefused(HasSubstr("Cannot read the answer: a string was expected")));
}

}  // namespace
}  // namespace shardline::streamed_answer_test
