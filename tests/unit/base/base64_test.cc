#include "base/base64.h"

#include <gmock/gmock.h>

#include <string>

#include "base/random.h"

namespace shardline::base64_test {
namespace {

using namespace std::literals;  // "text"s may hold zero bytes.

using testing::Optional;

std::string RandomBytes(Random& random, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.Below(256));
  return bytes;
}

struct Example {
  std::string bytes, standard, url;
};

// RFC 4648, section 10, and all that differs between the alphabets.
const Example kExamples[] = {
    {"", "", ""},
    {"f", "Zg==", "Zg"},
    {"fo", "Zm8=", "Zm8"},
    {"foo", "Zm9v", "Zm9v"},
    {"foob", "Zm9vYg==", "Zm9vYg"},
    {"fooba", "Zm9vYmE=", "Zm9vYmE"},
    {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
    {"\xFB\xFF\xBF", "+/+/", "-_-_"},
    {"\0\xFF"s, "AP8=", "AP8"},
};

TEST(Base64, WritesBothAlphabets) {
  for (const Example& example : kExamples) {
    EXPECT_EQ(EncodeBase64(example.bytes), example.standard);
    EXPECT_EQ(EncodeBase64Url(example.bytes), example.url);
  }
}

TEST(Base64, ReadsBothAlphabetsPaddedOrNot) {
  for (const Example& example : kExamples) {
    EXPECT_THAT(DecodeBase64(example.standard), Optional(example.bytes));
    EXPECT_THAT(DecodeBase64(example.url), Optional(example.bytes));
  }
}

TEST(Base64, ReadsBackWhatItWrote) {
  Random random(1);
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string bytes = RandomBytes(random, size);
    ASSERT_THAT(DecodeBase64(EncodeBase64(bytes)), Optional(bytes));
    ASSERT_THAT(DecodeBase64(EncodeBase64Url(bytes)), Optional(bytes));
  }
}

TEST(Base64, RefusesEveryOtherCharacter) {
  const std::string allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
  for (int c = 0; c < 256; ++c) {
    const std::string text = std::string("QU") + static_cast<char>(c) + "B";
    const bool good = allowed.find(static_cast<char>(c)) != std::string::npos;
    EXPECT_EQ(DecodeBase64(text).has_value(), good) << c;
  }
}

TEST(Base64, RefusesASingleCharacterOfAGroup) {
  EXPECT_EQ(DecodeBase64("Q"), std::nullopt);
  EXPECT_EQ(DecodeBase64("QUFBQ"), std::nullopt);
}

TEST(Base64, RefusesPaddingThatIsNotAtTheEnd) {
  EXPECT_EQ(DecodeBase64("QQ==QQ=="), std::nullopt);
  EXPECT_EQ(DecodeBase64("QQ==="), std::nullopt);
}

TEST(Base64, TakesHalfThePadding) { EXPECT_THAT(DecodeBase64("QQ="), Optional(std::string("A"))); }

}  // namespace
}  // namespace shardline::base64_test
