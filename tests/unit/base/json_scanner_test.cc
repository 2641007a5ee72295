#include "base/json_scanner.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/support/json_walk.h"
#include "unit/support/text.h"

namespace shardline::json_scanner_test {
namespace {

using namespace std::literals;  // "text"s may hold zero bytes.

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;
using Kind = JsonScanner::Kind;

// The members of the object that is all of `text`.
std::vector<std::pair<std::string, std::string>> Members(const PaddedText& text) {
  std::vector<std::pair<std::string, std::string>> members;
  JsonScanner scanner(text);
  std::string_view key;
  if (scanner.BeginObject()) {
    while (scanner.NextKey(key)) members.emplace_back(key, scanner.SkipValue());
  }
  EXPECT_TRUE(scanner.Finish()) << Complaint(scanner);
  return members;
}

// What is wrong with `text`, read strictly; empty if nothing is.
std::string ComplaintAbout(std::string_view text) {
  const PaddedText padded = Text(text);
  JsonScanner scanner(padded);
  ReadValue(scanner);
  scanner.Finish();
  return Complaint(scanner);
}

// The same when the value is skipped.
std::string ComplaintWhenSkipping(std::string_view text) {
  const PaddedText padded = Text(text);
  JsonScanner scanner(padded);
  scanner.SkipValue();
  scanner.Finish();
  return Complaint(scanner);
}

TEST(JsonScanner, TellsWhatComesNext) {
  const std::pair<std::string_view, Kind> kinds[] = {
      {"{}", Kind::kObject},    {" []", Kind::kArray},   {"\n\"a\"", Kind::kString},
      {"\t-1", Kind::kNumber},  {"\r0", Kind::kNumber},  {"9", Kind::kNumber},
      {"true", Kind::kBoolean}, {"f", Kind::kBoolean},   {"null", Kind::kNull},
      {"", Kind::kInvalid},     {"  ", Kind::kInvalid},  {"}", Kind::kInvalid},
      {"]", Kind::kInvalid},    {"+1", Kind::kInvalid},  {".5", Kind::kInvalid},
      {"NaN", Kind::kInvalid},  {"\f1", Kind::kInvalid}, {"'a'", Kind::kInvalid},
  };
  for (const auto& [json, kind] : kinds) {
    const PaddedText text = Text(json);
    JsonScanner scanner(text);
    EXPECT_EQ(scanner.Peek(), kind) << json;
    EXPECT_EQ(scanner.Peek(), kind) << json;
    EXPECT_TRUE(scanner.ok());
  }
}

TEST(JsonScanner, HandsOutMembersInTheirOrder) {
  const PaddedText text = Text(R"( { "b" : 1 , "a" : [ 2 ] , "" : { "x" : "}" } } )");
  EXPECT_THAT(Members(text),
              ElementsAre(Pair("b", "1"), Pair("a", "[ 2 ]"), Pair("", R"({ "x" : "}" })")));
}

TEST(JsonScanner, HandsOutSlicesOfItsInput) {
  const PaddedText text = Text(R"(["abc",12,{"k":0}])");
  JsonScanner scanner(text);
  scanner.BeginArray();
  scanner.NextElement();
  EXPECT_EQ(scanner.RawString().data(), text.view().data() + 2);
  scanner.NextElement();
  EXPECT_EQ(scanner.RawNumber().data(), text.view().data() + 7);
  scanner.NextElement();
  EXPECT_EQ(scanner.SkipValue().data(), text.view().data() + 10);
}

TEST(JsonScanner, EndsEmptyContainersAtOnce) {
  const PaddedText text = Text("[ {} , [] ]");
  JsonScanner scanner(text);
  std::string_view key;
  ASSERT_TRUE(scanner.BeginArray());
  ASSERT_TRUE(scanner.NextElement());
  ASSERT_TRUE(scanner.BeginObject());
  EXPECT_FALSE(scanner.NextKey(key));
  ASSERT_TRUE(scanner.NextElement());
  ASSERT_TRUE(scanner.BeginArray());
  EXPECT_FALSE(scanner.NextElement());
  EXPECT_FALSE(scanner.NextElement());
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonScanner, ReadsBooleansAndNull) {
  const PaddedText text = Text("[true,false,null]");
  JsonScanner scanner(text);
  scanner.BeginArray();
  scanner.NextElement();
  EXPECT_TRUE(scanner.Boolean());
  scanner.NextElement();
  EXPECT_FALSE(scanner.Boolean());
  scanner.NextElement();
  scanner.Null();
  EXPECT_FALSE(scanner.NextElement());
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonScanner, KeepsEscapesInRawStrings) {
  const PaddedText text = Text(R"("a\"\u00e9\\")");
  JsonScanner scanner(text);
  EXPECT_EQ(scanner.RawString(), R"(a\"\u00e9\\)");
}

TEST(JsonScanner, ResolvesEveryEscape) {
  const PaddedText text = Text(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\uDE00\u0000.")");
  JsonScanner scanner(text);
  EXPECT_EQ(scanner.String(), "\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\0."s);
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonScanner, KeepsUtf8AsItIs) {
  const PaddedText text = Text("\"日本😀\x7F\"");
  JsonScanner scanner(text);
  EXPECT_EQ(scanner.String(), "日本😀\x7F");
}

TEST(JsonScanner, RefusesHalvesOfSurrogatePairs) {
  for (const std::string_view raw :
       {R"(\ud83d)", R"(\ude00)", R"(\ud83dx)", R"(\ud83d\n)", R"(\ud83d\u0041)", R"(\ud83d\ud83d)",
        R"(\ude00\ud83d)", R"(\ud83d\ude0)"}) {
    EXPECT_NE(ComplaintAbout('"' + std::string(raw) + '"'), "") << raw;
  }
}

TEST(JsonScanner, SaysWhatIsWrongWithUnicode) {
  EXPECT_THAT(ComplaintAbout(R"("\ud83d")"), HasSubstr("not valid Unicode"));
  EXPECT_THAT(ComplaintAbout("\"\xC0\x80\""), HasSubstr("not valid Unicode"));
}

TEST(JsonScanner, RefusesUnknownAndBrokenEscapes) {
  for (const std::string_view json :
       {R"("\x")", R"("\U0041")", R"("\u00g0")", R"("\u 041")", R"("\u004")", R"("\'")", "\"\\\n\"",
        R"("\u-041")", R"("\u+041")", "\"\\\xC3\""}) {
    EXPECT_THAT(ComplaintAbout(json), HasSubstr("malformed escape")) << json;
    EXPECT_THAT(ComplaintWhenSkipping(json), HasSubstr("malformed escape")) << json;
    EXPECT_THAT(ComplaintWhenSkipping("[" + std::string(json) + "]"), HasSubstr("malformed escape"))
        << json;
  }
}

TEST(JsonScanner, RefusesControlCharactersInStrings) {
  for (char c = 0; c < 0x20; ++c) {
    const std::string json = std::string("[\"a") + c + "\"]";
    EXPECT_THAT(ComplaintAbout(json), HasSubstr("control character")) << int{c};
    EXPECT_THAT(ComplaintWhenSkipping(json), HasSubstr("control character")) << int{c};
  }
}

TEST(JsonScanner, TakesNumbersInJsonsGrammar) {
  for (const std::string_view number :
       {"0", "-0", "1", "-12", "0.5", "-0.0", "10.25", "1e3", "1E3", "1e+3", "1e-3", "0e0",
        "1.5e99", "123456789012345678901234567890", "1e999"}) {
    const PaddedText text = Text(number);
    JsonScanner scanner(text);
    EXPECT_EQ(scanner.RawNumber(), number);
    EXPECT_TRUE(scanner.Finish()) << number;
  }
}

TEST(JsonScanner, RefusesNumbersInAnyOtherNotation) {
  for (const std::string_view number :
       {"-",   "01",   "-01",   "1.",  "1.e3",  ".5",       "+1",        "1e",  "1e+", "1e-",
        "- 1", "0x10", "1_000", "--1", "1e1.5", "Infinity", "-Infinity", "NaN", "1f",  "00"}) {
    EXPECT_NE(ComplaintAbout(number), "") << number;
    EXPECT_NE(ComplaintAbout("[" + std::string(number) + "]"), "") << number;
    EXPECT_NE(ComplaintWhenSkipping(number), "") << number;
  }
}

TEST(JsonScanner, RefusesHalfWordsAndLongerOnes) {
  for (const std::string_view json : {"tru", "truE", "true1", "fals", "falsey", "nul", "nulll", "n",
                                      "t", "f", "nil", "True", "none"}) {
    EXPECT_NE(ComplaintAbout(json), "") << json;
    EXPECT_NE(ComplaintWhenSkipping(json), "") << json;
  }
}

TEST(JsonScanner, RefusesMisplacedCommasAndColons) {
  for (const std::string_view json :
       {"[,]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "{,}", R"({"a":1,})", R"({,"a":1})",
        R"({"a":1,,"b":2})", R"({"a":1 "b":2})", R"({"a" 1})", R"({"a"})", R"({"a":})", R"({:1})",
        R"({1:1})", R"({a:1})", "[1:2]", R"({"a":1:2})", R"({"a",1})"}) {
    EXPECT_NE(ComplaintAbout(json), "") << json;
  }
}

TEST(JsonScanner, RefusesBracketsOfTheWrongKindWhileReading) {
  for (const std::string_view json : {"[}", "{]", "[[}]", "[{]}", R"({"a":[})"}) {
    EXPECT_NE(ComplaintAbout(json), "") << json;
  }
}

TEST(JsonScanner, ChecksOnlyBalanceAndStringsWhileSkipping) {
  EXPECT_EQ(ComplaintWhenSkipping("[}"), "");
  EXPECT_EQ(ComplaintWhenSkipping("[1 2 nonsense]"), "");
  EXPECT_NE(ComplaintWhenSkipping("[]]"), "");
  EXPECT_NE(ComplaintWhenSkipping("[[]"), "");
}

TEST(JsonScanner, SkipsBracketsAndQuotesInsideStrings) {
  const PaddedText text = Text(R"({"a":["]}\"[{","\\"],"b":1} )");
  JsonScanner scanner(text);
  EXPECT_EQ(scanner.SkipValue(), R"({"a":["]}\"[{","\\"],"b":1})");
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonScanner, SkipsDeepNestingWithoutRecursion) {
  std::string json(200'000, '[');
  json += std::string(200'000, ']');
  const PaddedText text = Text(json);
  JsonScanner scanner(text);
  EXPECT_EQ(scanner.SkipValue().size(), 400'000u);
  EXPECT_TRUE(scanner.Finish());
}

TEST(JsonScanner, TakesNothingButWhiteSpaceBehindTheEnd) {
  EXPECT_EQ(ComplaintAbout("{} \r\n\t"), "");
  for (const std::string_view json : {"{} x", "{}{}", "1 2", "\"a\"b", "[]]", "true false"}) {
    EXPECT_THAT(ComplaintAbout(json), HasSubstr("something follows")) << json;
  }
}

TEST(JsonScanner, TakesNoZeroByteForTheEnd) {
  EXPECT_THAT(ComplaintAbout("[1]\0"s), HasSubstr("something follows"));
  EXPECT_NE(ComplaintAbout("[1,\0 2]"s), "");
  EXPECT_THAT(ComplaintWhenSkipping("[1,\0 2]"s), HasSubstr("zero byte"));
}

TEST(JsonScanner, TakesOnlyJsonsWhiteSpace) {
  for (const std::string_view space : {"\v", "\f", "\xC2\xA0", "\xEF\xBB\xBF", "\x1F", "//\n"}) {
    EXPECT_NE(ComplaintAbout(std::string(space) + "1"), "");
    EXPECT_NE(ComplaintAbout("[1" + std::string(space) + "]"), "");
  }
}

TEST(JsonScanner, NamesThePlaceAndTheThingInItsErrors) {
  const PaddedText text = Text(R"({"a": tru})");
  JsonScanner scanner(text);
  ReadValue(scanner);
  const Error error = scanner.failure("the answer").error();
  EXPECT_EQ(error.code, Code::kInvalidArgument);
  EXPECT_EQ(error.message, "Cannot read the answer: true or false was expected at position 6.");
}

TEST(JsonScanner, SaysThatTheTextEndsTooEarly) {
  for (const std::string_view json :
       {"", " ", "[", "[1", "[1,", "{", R"({"a)", R"({"a")", R"({"a":)", R"({"a":1)", R"({"a":1,)",
        "\"", "\"a", "\"a\\", "\"\\u00", "-", "1.", "1e", "1e+"}) {
    EXPECT_THAT(ComplaintAbout(json), HasSubstr("it ends too early")) << json;
  }
}

TEST(JsonScanner, DoesNotBlameTheEndForTheCallersRefusal) {
  const PaddedText text = Text("7");
  JsonScanner scanner(text);
  scanner.RawNumber();
  scanner.Reject("the number is odd");
  EXPECT_EQ(Complaint(scanner), "Cannot read it: the number is odd at position 1.");
}

TEST(JsonScanner, RefusesAnotherKindThanAskedFor) {
  const auto complaint = [](auto read) {
    const PaddedText text = Text("[0]");
    JsonScanner scanner(text);
    scanner.BeginArray();
    scanner.NextElement();
    read(scanner);
    return Complaint(scanner);
  };
  EXPECT_THAT(complaint([](JsonScanner& s) { EXPECT_EQ(s.RawString(), ""); }),
              HasSubstr("a string was expected at position 1"));
  EXPECT_THAT(complaint([](JsonScanner& s) { EXPECT_EQ(s.String(), ""); }),
              HasSubstr("a string was expected"));
  EXPECT_THAT(complaint([](JsonScanner& s) { EXPECT_FALSE(s.BeginObject()); }),
              HasSubstr("an object was expected"));
  EXPECT_THAT(complaint([](JsonScanner& s) { EXPECT_FALSE(s.BeginArray()); }),
              HasSubstr("an array was expected"));
  EXPECT_THAT(complaint([](JsonScanner& s) { EXPECT_FALSE(s.Boolean()); }),
              HasSubstr("true or false was expected"));
  EXPECT_THAT(complaint([](JsonScanner& s) { s.Null(); }), HasSubstr("null was expected"));
}

TEST(JsonScanner, LatchesItsFirstError) {
  const PaddedText text = Text(R"({"a":1})");
  JsonScanner scanner(text);
  std::string_view key;
  scanner.Reject("first");
  scanner.Reject("second");
  EXPECT_FALSE(scanner.ok());
  EXPECT_EQ(scanner.Peek(), Kind::kInvalid);
  EXPECT_FALSE(scanner.BeginObject());
  EXPECT_FALSE(scanner.NextKey(key));
  EXPECT_FALSE(scanner.BeginArray());
  EXPECT_FALSE(scanner.NextElement());
  EXPECT_EQ(scanner.RawString(), "");
  EXPECT_EQ(scanner.RawNumber(), "");
  EXPECT_EQ(scanner.SkipValue(), "");
  EXPECT_EQ(scanner.String(), "");
  EXPECT_FALSE(scanner.Boolean());
  EXPECT_FALSE(scanner.Finish());
  EXPECT_THAT(Complaint(scanner), AllOf(HasSubstr("first"), HasSubstr("position 0")));
}

TEST(JsonScanner, StandsBehindWhatItHasRead) {
  const PaddedText text = Text("[12 ,3]");
  JsonScanner scanner(text);
  const char* const begin = text.view().data();
  EXPECT_EQ(scanner.position(), begin);
  scanner.BeginArray();
  scanner.NextElement();
  EXPECT_EQ(scanner.position(), begin + 1);
  scanner.RawNumber();
  EXPECT_EQ(scanner.position(), begin + 3);
}

TEST(JsonScanner, ReadsASliceAgain) {
  const PaddedText text = Text(R"({"a": [1, "x]"] , "b":2})");
  JsonScanner scanner(text);
  std::string_view key;
  scanner.BeginObject();
  scanner.NextKey(key);
  JsonScanner inner = JsonScanner::Within(scanner.SkipValue());
  ASSERT_TRUE(inner.BeginArray());
  ASSERT_TRUE(inner.NextElement());
  EXPECT_EQ(inner.RawNumber(), "1");
  ASSERT_TRUE(inner.NextElement());
  EXPECT_EQ(inner.String(), "x]");
  EXPECT_FALSE(inner.NextElement());
  EXPECT_TRUE(inner.Finish());
  EXPECT_TRUE(scanner.NextKey(key));
}

TEST(JsonScanner, ReadsASliceOfEveryKindToItsEndOnly) {
  for (const std::string_view value : {"7", "true", "null", "\"a\"", "{}", "[[]]", "-1.5e3"}) {
    const PaddedText text = Text("[" + std::string(value) + " , 8]");
    JsonScanner scanner(text);
    scanner.BeginArray();
    scanner.NextElement();
    JsonScanner inner = JsonScanner::Within(scanner.SkipValue());
    EXPECT_EQ(inner.SkipValue(), value);
    EXPECT_TRUE(inner.Finish()) << Complaint(inner);
  }
}

TEST(JsonScanner, ReadsTheSliceOfAFailedReadAsAnEmptyText) {
  const PaddedText text = Text("[");
  JsonScanner scanner(text);
  JsonScanner within = JsonScanner::Within(scanner.SkipValue());
  EXPECT_EQ(within.Peek(), Kind::kInvalid);
  EXPECT_EQ(within.SkipValue(), "");
  EXPECT_THAT(Complaint(within), HasSubstr("it ends too early"));
}

TEST(JsonScanner, FindsAnEscapeInEveryLane) {
  for (std::size_t before = 0; before < 50; ++before) {
    for (const std::string_view escape : {R"(\")", R"(\\)", R"(\u0022)", R"(\ud83d\ude00)"}) {
      const std::string raw = std::string(before, 'a') + std::string(escape) + "b";
      const PaddedText text = Text("[\"" + raw + "\",\"]\"]");
      JsonScanner scanner(text);
      scanner.BeginArray();
      scanner.NextElement();
      ASSERT_EQ(scanner.RawString(), raw) << before;
      scanner.NextElement();
      ASSERT_EQ(scanner.RawString(), "]") << before;
      JsonScanner skipping(text);
      ASSERT_EQ(skipping.SkipValue(), text.view()) << before;
    }
  }
}

TEST(JsonScanner, FindsABrokenEscapeInEveryLane) {
  for (std::size_t before = 0; before < 50; ++before) {
    const std::string start = "[\"" + std::string(before, 'a');
    for (const std::string_view escape : {R"(\x)", R"(\u12g4)", "\x01", "\\"}) {
      const std::string json = start + std::string(escape) + "\"]";
      ASSERT_NE(ComplaintAbout(json), "") << json;
      ASSERT_NE(ComplaintWhenSkipping(json), "") << json;
    }
  }
}

TEST(JsonScanner, FindsTheClosingBracketInEveryLane) {
  for (std::size_t before = 0; before < 50; ++before) {
    const std::string json = "[" + std::string(before, ' ') + "]";
    const PaddedText text = Text(json + ",[");
    JsonScanner scanner(text);
    ASSERT_EQ(scanner.SkipValue(), json);
  }
}

// Whatever stands around it in the blocks that are looked at together.
TEST(JsonScanner, SkipsTheSameInEveryPlaceOfABlock) {
  constexpr std::string_view kValues[] = {
      R"({"a":{"b":["]}",{}],"c":[[[]]]},"d":"{["})",
      R"([[[[{"x":[]}]]]])",
      R"({"text":"\"]}\\","more":{"n":-1.5e3}})",
      "[\"\u00e9\u3042\", {\n  \"k\" : \"v\"\n}\n]",
  };
  for (const std::string_view value : kValues) {
    for (std::size_t inside = 0; inside < 130; ++inside) {
      for (const char filling : {' ', 'x'}) {
        const std::string padding(inside, filling);
        const std::string json = filling == ' '
                                     ? "[" + padding + std::string(value) + "]"
                                     : "[\"" + padding + "\"," + std::string(value) + "]";
        const std::string rest = R"(,"]}{[",)" + std::string(100, '"');
        const PaddedText text = Text(json + rest);
        JsonScanner scanner(text);
        ASSERT_EQ(scanner.SkipValue(), json);
        ASSERT_TRUE(scanner.ok());
        const PaddedText cut = Text(json.substr(0, json.size() - 1));
        JsonScanner cut_scanner(cut);
        cut_scanner.SkipValue();
        ASSERT_FALSE(cut_scanner.ok()) << json;
      }
    }
  }
}

TEST(JsonScanner, FindsAControlCharacterInEveryPlaceOfABlock) {
  for (std::size_t before = 0; before < 130; ++before) {
    for (const char control : {'\0', '\x01', '\n', '\x1f'}) {
      std::string json = "[\"" + std::string(130, 'a') + "\"]" + std::string(70, ' ');
      json[2 + before] = control;
      ASSERT_NE(ComplaintWhenSkipping(json), "") << before;
    }
    std::string json = "[" + std::string(130, ' ') + "]" + std::string(70, ' ');
    json[1 + before] = '\n';
    ASSERT_EQ(ComplaintWhenSkipping(json), "") << before;
    json[1 + before] = '\0';
    ASSERT_NE(ComplaintWhenSkipping(json), "") << before;
  }
}

TEST(JsonScanner, DoesNotMindWhatFollowsAContainerInItsBlock) {
  const PaddedText text = Text("[{}\n ,\"a\x01\"]" + std::string(70, ' '));
  JsonScanner scanner(text);
  scanner.BeginArray();
  scanner.NextElement();
  EXPECT_EQ(scanner.SkipValue(), "{}");
  EXPECT_TRUE(scanner.ok());
}

TEST(JsonScanner, GoesPastTheSameText) {
  const PaddedText text = Text(R"([{"a":1},{"a":2},{"b":3}])");
  JsonScanner scanner(text);
  scanner.BeginArray();
  scanner.NextElement();
  EXPECT_EQ(scanner.SkipValue(), R"({"a":1})");
  EXPECT_TRUE(scanner.SkipText(",")) << "and not a second comma";
  EXPECT_FALSE(scanner.SkipText(""));
  EXPECT_EQ(scanner.SkipValue(), R"({"a":2})");
  EXPECT_FALSE(scanner.SkipText("]"));
  EXPECT_FALSE(scanner.SkipText(R"(,{"b":3}]    )")) << "not beyond the end";
  EXPECT_TRUE(scanner.NextElement());
  EXPECT_EQ(scanner.SkipValue(), R"({"b":3})");
  EXPECT_FALSE(scanner.NextElement());
  EXPECT_TRUE(scanner.Finish());
  scanner.Reject("no");
  EXPECT_FALSE(scanner.SkipText("x"));
}

TEST(AppendUnescaped, AppendsBehindWhatIsThere) {
  std::string out = "a";
  EXPECT_TRUE(AppendUnescaped(out, R"(b\n)"));
  EXPECT_EQ(out, "ab\n");
}

TEST(AppendUnescaped, RefusesWhatIsNoUnicode) {
  std::string out;
  EXPECT_FALSE(AppendUnescaped(out, R"(\udc00)"));
  EXPECT_FALSE(AppendUnescaped(out, "\x80"));
}

TEST(RawEquals, ComparesWithEscapesResolved) {
  EXPECT_TRUE(RawEquals("name", "name"));
  EXPECT_TRUE(RawEquals(R"(n\u0061me)", "name"));
  EXPECT_TRUE(RawEquals(R"(a\/b)", "a/b"));
  EXPECT_FALSE(RawEquals("name", "names"));
  EXPECT_FALSE(RawEquals(R"(n\u0062me)", "name"));
  EXPECT_FALSE(RawEquals(R"(\ud83d)", ""));
}

TEST(JsonScanner, SaysWhetherTheLastStringHadEscapes) {
  const PaddedText text(R"({"a\n":"b", "c":"d\\"})");
  JsonScanner scanner(text);
  std::string_view key;
  ASSERT_TRUE(scanner.BeginObject() && scanner.NextKey(key));
  EXPECT_TRUE(scanner.has_escapes());
  scanner.RawString();
  EXPECT_FALSE(scanner.has_escapes());
  ASSERT_TRUE(scanner.NextKey(key));
  EXPECT_FALSE(scanner.has_escapes());
  scanner.RawString();
  EXPECT_TRUE(scanner.has_escapes());
}

TEST(JsonScanner, TellsThePlaceOfASliceInTheWholeText) {
  const PaddedText text(R"([7, {"a": x}])");
  JsonScanner scanner = JsonScanner::Within(text, text.view().substr(4, 8));
  std::string_view key;
  ASSERT_TRUE(scanner.BeginObject() && scanner.NextKey(key));
  scanner.RawNumber();
  EXPECT_THAT(scanner.failure("it").error().message, HasSubstr("at position 10"));
}

TEST(JsonScanner, RefusesNumbersThatNobodyWrites) {
  const PaddedText longest("[" + std::string(1'000, '7') + "]");
  const PaddedText longer("[" + std::string(1'001, '7') + "]");
  for (const PaddedText* text : {&longest, &longer}) {
    JsonScanner scanner(*text);
    ASSERT_TRUE(scanner.BeginArray() && scanner.NextElement());
    scanner.RawNumber();
    EXPECT_EQ(scanner.ok(), text == &longest);
  }
}

TEST(JsonScanner, RequiresUtf8WhereItIsAskedTo) {
  const auto refusal = [](std::string_view text) {
    const PaddedText padded(text);
    JsonScanner scanner(padded);
    scanner.RequireUtf8();
    return scanner.ok() ? std::string() : scanner.failure("it").error().message;
  };
  EXPECT_EQ(refusal("[\"é, and what comes behind it\"]"), "");
  EXPECT_THAT(refusal("[\"sixteen bytes and then \xff\"]"), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal("\xEF\xBB\xBF[]"), HasSubstr("byte order mark"));
}

}  // namespace
}  // namespace shardline::json_scanner_test
