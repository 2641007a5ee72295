#include "base/lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>

#include "base/random.h"

namespace shardline::lanes_test {
namespace {

using Bytes = std::array<char, 16>;

Bytes Filled(char c) {
  Bytes bytes;
  bytes.fill(c);
  return bytes;
}

TEST(ScalarLanes, StopsAStringAtQuoteBackslashAndControlCharacters) {
  Bytes bytes = Filled('a');
  bytes[1] = '"';
  bytes[4] = '\\';
  bytes[5] = '\n';
  bytes[9] = 0;
  bytes[14] = 0x1F;
  bytes[15] = 0x20;
  EXPECT_EQ(ScalarLanes::StringStops(bytes.data()), 0b0100'0010'0011'0010u);
}

TEST(ScalarLanes, FindsQuotesBracketsAndTheEnd) {
  const Bytes bytes = {'{', 'a', '}', '[', ']', '"', 0, ':', ',', '(', ')', ';', '<', '\\', '|', 1};
  EXPECT_EQ(ScalarLanes::Quotes(bytes.data()), 0b0010'0000u);
  EXPECT_EQ(ScalarLanes::Openers(bytes.data()), 0b0000'1001u);
  EXPECT_EQ(ScalarLanes::Closers(bytes.data()), 0b0001'0100u);
  EXPECT_EQ(ScalarLanes::Controls(bytes.data()), 0b1000'0000'0100'0000u);
}

TEST(ScalarLanes, FindsWhatIsNoWhiteSpace) {
  Bytes bytes = Filled(' ');
  bytes[1] = '\n';
  bytes[2] = '\r';
  bytes[3] = '\t';
  bytes[4] = '\v';
  bytes[7] = 0;
  bytes[15] = 'a';
  EXPECT_EQ(ScalarLanes::NonSpace(bytes.data()), 0b1000'0000'1001'0000u);
}

TEST(ScalarLanes, FindsWhatIsNotAscii) {
  Bytes bytes = Filled('\x7F');
  bytes[2] = '\x80';
  bytes[15] = '\xFF';
  EXPECT_EQ(ScalarLanes::NonAscii(bytes.data()), 0b1000'0000'0000'0100u);
}

TEST(ScalarLanes, SaysWhatABlockHolds) {
  for (std::size_t place = 0; place < 64; ++place) {
    std::string block(64, '\x7F');
    EXPECT_TRUE(ScalarLanes::AllAscii64(block.data()));
    EXPECT_TRUE(ScalarLanes::NoBackslashOrZero64(block.data()));
    block[place] = '\x80';
    EXPECT_FALSE(ScalarLanes::AllAscii64(block.data()));
    EXPECT_TRUE(ScalarLanes::NoBackslashOrZero64(block.data()));
    for (const char c : {'\\', '\0'}) {
      block[place] = c;
      EXPECT_TRUE(ScalarLanes::AllAscii64(block.data()));
      EXPECT_FALSE(ScalarLanes::NoBackslashOrZero64(block.data()));
    }
  }
}

#if SHARDLINE_HAS_VECTOR_LANES

void ExpectSame(const Bytes& bytes) {
  ASSERT_EQ(VectorLanes::NonSpace(bytes.data()), ScalarLanes::NonSpace(bytes.data()));
  ASSERT_EQ(VectorLanes::NonAscii(bytes.data()), ScalarLanes::NonAscii(bytes.data()));
  ASSERT_EQ(VectorLanes::StringStops(bytes.data()), ScalarLanes::StringStops(bytes.data()));
  ASSERT_EQ(VectorLanes::Quotes(bytes.data()), ScalarLanes::Quotes(bytes.data()));
  ASSERT_EQ(VectorLanes::Openers(bytes.data()), ScalarLanes::Openers(bytes.data()));
  ASSERT_EQ(VectorLanes::Closers(bytes.data()), ScalarLanes::Closers(bytes.data()));
  ASSERT_EQ(VectorLanes::Controls(bytes.data()), ScalarLanes::Controls(bytes.data()));
}

TEST(VectorLanes, AgreeWithScalarOnesOnEveryByteInEveryPlace) {
  for (int byte = 0; byte < 256; ++byte) {
    for (const char background : {'a', ' ', '"', '\0', '\xFF'}) {
      for (std::size_t place = 0; place < 16; ++place) {
        Bytes bytes = Filled(background);
        bytes.at(place) = static_cast<char>(byte);
        ExpectSame(bytes);
      }
    }
  }
}

TEST(VectorLanes, AgreeWithScalarOnesOnBlocks) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t place = 0; place < 64; ++place) {
      std::string block(64, 'a');
      block[place] = static_cast<char>(byte);
      ASSERT_EQ(VectorLanes::AllAscii64(block.data()), ScalarLanes::AllAscii64(block.data()));
      ASSERT_EQ(VectorLanes::NoBackslashOrZero64(block.data()),
                ScalarLanes::NoBackslashOrZero64(block.data()));
    }
  }
}

TEST(VectorLanes, AgreeWithScalarOnesOnRandomBytes) {
  Random random(1);
  for (int i = 0; i < 50'000; ++i) {
    Bytes bytes;
    for (char& c : bytes) c = static_cast<char>(random.Below(256));
    ExpectSame(bytes);
  }
}

TEST(VectorLanes, ReadFromAnyAddress) {
  const std::string text = "0123456789abcdef\"123456789abcdef";
  for (std::size_t start = 1; start <= 16; ++start) {
    EXPECT_EQ(VectorLanes::StringStops(text.data() + start), 1u << (16 - start));
  }
}

TEST(VectorLanes, AreWhatTheScannerUsesHere) { EXPECT_TRUE((std::is_same_v<Lanes, VectorLanes>)); }

#endif

}  // namespace
}  // namespace shardline::lanes_test
