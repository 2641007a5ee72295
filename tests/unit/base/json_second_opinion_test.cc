// The scanner against nlohmann/json, and with SIMD against without, on random documents.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/json_scanner.h"
#include "unit/support/json_walk.h"
#include "unit/support/random_json.h"
#include "unit/support/scalar_scanner.h"

namespace shardline::json_second_opinion_test {
namespace {

// The document, or nullopt if it is not one.
std::optional<nlohmann::json> Nlohmann(const std::string& text) {
  if (text.find('\0') != std::string::npos) return std::nullopt;  // It would take it for the end.
  if (text.starts_with("\xEF\xBB\xBF")) return std::nullopt;  // It would skip the byte order mark.
  nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) return std::nullopt;
  return document;
}

TEST(JsonSecondOpinion, FindsTheSameInEveryDocument) {
  RandomJson random(1);
  for (int i = 0; i < 5'000; ++i) {
    const std::string text = random.Document();
    const auto expected = Nlohmann(text);
    ASSERT_TRUE(expected.has_value()) << text;
    ASSERT_EQ(ReadStrictly(text), expected) << text;
  }
}

TEST(JsonSecondOpinion, RefusesTheSameDamage) {
  RandomJson random(2);
  int refused = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string text = random.Damage(random.Document());
    const auto expected = Nlohmann(text);
    ASSERT_EQ(ReadStrictly(text), expected) << text;
    if (!expected) ++refused;
  }
  EXPECT_GT(refused, 3'000);
  EXPECT_LT(refused, 9'500);
}

TEST(JsonSecondOpinion, SkipsExactlyWhatItReads) {
  RandomJson random(3);
  for (int i = 0; i < 3'000; ++i) {
    const std::string container = random.Container();
    const PaddedText text = Text("  " + container + " ,");
    JsonScanner scanner(text);
    ASSERT_EQ(scanner.SkipValue(), container);
  }
}

TEST(JsonSecondOpinion, RefusesEveryTruncation) {
  RandomJson random(4);
  for (int i = 0; i < 300; ++i) {
    const std::string text = random.Container();
    if (text.size() > 500) continue;  // The time goes with the square.
    for (std::size_t size = 0; size < text.size(); ++size) {
      const std::string start = text.substr(0, size);
      ASSERT_FALSE(ReadStrictly(start).has_value()) << start;
      const PaddedText padded = Text(start);
      JsonScanner skipping(padded);
      skipping.SkipValue();
      ASSERT_FALSE(skipping.Finish()) << start;
    }
  }
}

TEST(JsonSecondOpinion, IsTheSameWithAndWithoutSimd) {
  RandomJson random(5);
  for (int i = 0; i < 10'000; ++i) {
    std::string text = random.Document();
    if (random.Coin()) text = random.Damage(std::move(text));
    ASSERT_EQ(Transcript(text), ScalarTranscript(text)) << text;
  }
}

TEST(JsonSecondOpinion, IsTheSameWithAndWithoutSimdAtEveryAlignment) {
  RandomJson random(6);
  for (int i = 0; i < 200; ++i) {
    const std::string text = random.Container();
    for (std::size_t spaces = 0; spaces < 17; ++spaces) {
      const std::string shifted = "[" + std::string(spaces, ' ') + text + "]";
      ASSERT_EQ(Transcript(shifted), ScalarTranscript(shifted)) << shifted;
    }
  }
}

}  // namespace
}  // namespace shardline::json_second_opinion_test
