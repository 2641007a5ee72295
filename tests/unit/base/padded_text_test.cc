#include "base/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace shardline::padded_text_test {
namespace {

using namespace std::literals;  // "text"s may hold zero bytes.

bool HasGuard(const PaddedText& text) {
  const char* const end = text.view().data() + text.view().size();
  return std::all_of(end, end + PaddedText::kGuard, [](char c) { return c == 0; });
}

TEST(PaddedText, HoldsACopyOfTheText) {
  std::string original = "a\0b"s;
  const PaddedText text(original);
  original[0] = 'x';
  EXPECT_EQ(text.view(), "a\0b"sv);
}

TEST(PaddedText, EndsInZeroBytesWhateverItsSize) {
  for (std::size_t size = 0; size < 70; ++size) {
    const PaddedText text(std::string(size, 'x'));
    EXPECT_EQ(text.view().size(), size);
    EXPECT_TRUE(HasGuard(text)) << size;
  }
}

TEST(PaddedText, IsEmptyByDefaultButGuarded) {
  const PaddedText text;
  EXPECT_TRUE(text.view().empty());
  EXPECT_TRUE(HasGuard(text));
}

TEST(PaddedText, AdoptsWhatTheCallerFilledIn) {
  char* const bytes = PaddedText::Allocate(5);
  std::memcpy(bytes, "hello", 5);
  const PaddedText text = PaddedText::Adopt(bytes, 5);
  EXPECT_EQ(text.view().data(), bytes);
  EXPECT_EQ(text.view(), "hello");
  EXPECT_TRUE(HasGuard(text));
}

TEST(PaddedText, MovesWithoutCopying) {
  PaddedText text("hello");
  const char* const bytes = text.view().data();
  const PaddedText moved = std::move(text);
  EXPECT_EQ(moved.view().data(), bytes);
  EXPECT_EQ(moved.view(), "hello");
}

TEST(PaddedText, ReplacesAnotherText) {
  PaddedText text("first");
  text = PaddedText("second");
  EXPECT_EQ(text.view(), "second");
}

}  // namespace
}  // namespace shardline::padded_text_test
