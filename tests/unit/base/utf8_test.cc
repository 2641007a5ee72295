#include "base/utf8.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace shardline::utf8_test {
namespace {

std::string Utf8(std::uint32_t code_point) {
  std::string text;
  AppendUtf8(text, code_point);
  return text;
}

// nlohmann/json refuses to write what is not UTF-8.
bool IsUtf8ForNlohmann(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

TEST(AppendUtf8, WritesTheEdgesOfEveryLength) {
  EXPECT_EQ(Utf8(0), std::string(1, '\0'));
  EXPECT_EQ(Utf8(0x7F), "\x7F");
  EXPECT_EQ(Utf8(0x80), "\xC2\x80");
  EXPECT_EQ(Utf8(0x7FF), "\xDF\xBF");
  EXPECT_EQ(Utf8(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(Utf8(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(Utf8(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(Utf8(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(IsUtf8, TakesEveryCodePointButSurrogates) {
  for (std::uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    ASSERT_EQ(IsUtf8(Utf8(code_point)), !surrogate) << code_point;
  }
}

TEST(IsUtf8, RefusesASequenceThatEndsEarly) {
  for (const std::uint32_t code_point : {0x80u, 0x800u, 0x10000u}) {
    const std::string text = Utf8(code_point);
    for (std::size_t size = 1; size < text.size(); ++size) {
      EXPECT_FALSE(IsUtf8(text.substr(0, size)));
      EXPECT_FALSE(IsUtf8(text.substr(0, size) + "a"));
    }
  }
}

TEST(IsUtf8, RefusesWhatIsLongerThanItNeedsToBe) {
  EXPECT_FALSE(IsUtf8("\xC0\x80"));
  EXPECT_FALSE(IsUtf8("\xC1\xBF"));
  EXPECT_FALSE(IsUtf8("\xE0\x9F\xBF"));
  EXPECT_FALSE(IsUtf8("\xF0\x8F\xBF\xBF"));
}

TEST(IsUtf8, RefusesWhatIsBeyondUnicode) {
  EXPECT_FALSE(IsUtf8("\xF4\x90\x80\x80"));
  EXPECT_FALSE(IsUtf8("\xF5\x80\x80\x80"));
  EXPECT_FALSE(IsUtf8("\xFF"));
}

TEST(IsUtf8, RefusesAContinuationWithoutABeginning) { EXPECT_FALSE(IsUtf8("a\x80")); }

TEST(IsUtf8, TakesNothingAtAll) { EXPECT_TRUE(IsUtf8("")); }

// All pairs of bytes, alone and as the start of something longer.
TEST(IsUtf8, AgreesWithNlohmannOnAllShortTexts) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const std::string_view rest : {"", "\x80", "\xBF\xBF"}) {
        std::string text{static_cast<char>(first), static_cast<char>(second)};
        text += rest;
        ASSERT_EQ(IsUtf8(text), IsUtf8ForNlohmann(text)) << first << ' ' << second;
      }
    }
  }
}

TEST(Utf8Prefix, EndsBetweenCharacters) {
  EXPECT_EQ(Utf8Prefix("abc", 3), "abc");
  EXPECT_EQ(Utf8Prefix("abc", 2), "ab");
  EXPECT_EQ(Utf8Prefix("abc", 0), "");
  EXPECT_EQ(Utf8Prefix("aé", 2), "a");
  EXPECT_EQ(Utf8Prefix("aé", 3), "aé");
  EXPECT_EQ(Utf8Prefix("😀😀", 7), "😀");
  EXPECT_EQ(Utf8Prefix("😀😀", 3), "");
}

}  // namespace
}  // namespace shardline::utf8_test
