#include "base/random.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <vector>

namespace shardline::random_test {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> Draw(Random random, int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(random.Next());
  return numbers;
}

// The published implementation's first numbers from the state {1, 2, 3, 4}.
TEST(Random, IsXoshiro256StarStar) {
  EXPECT_THAT(Draw(Random({1, 2, 3, 4}), 10),
              ElementsAre(11520u, 0u, 1509978240u, 1215971899390074240u, 1216172134540287360u,
                          607988272756665600u, 16172922978634559625u, 8476171486693032832u,
                          10595114339597558777u, 2904607092377533576u));
}

// SplitMix64's published first numbers from the seed 1234567 make the state.
TEST(Random, SpreadsASmallSeedWithSplitMix64) {
  EXPECT_EQ(Draw(Random(1234567), 20), Draw(Random({6457827717110365317u, 3203168211198807973u,
                                                    9817491932198370423u, 4593380528125082431u}),
                                            20));
}

TEST(Random, TakesAnAllZeroStateForSeed0) {
  EXPECT_EQ(Draw(Random({0, 0, 0, 0}), 5), Draw(Random(0), 5));
}

TEST(Random, DrawsOtherNumbersFromOtherSeeds) { EXPECT_NE(Draw(Random(1), 3), Draw(Random(2), 3)); }

TEST(Random, StaysBelowTheBound) {
  Random random(1);
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 32,
                                    (std::uint64_t{1} << 63) + 1, UINT64_MAX}) {
    for (int i = 0; i < 200; ++i) ASSERT_LT(random.Below(bound), bound);
  }
}

// 15 degrees of freedom: beyond 44.3 once in 10,000 times.
TEST(Random, IsUniformBelowTheBound) {
  Random random(2);
  std::array<int, 16> counts{};
  constexpr int kDraws = 64'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.Below(16));
  double chi_square = 0;
  for (const int count : counts) chi_square += std::pow(count - kDraws / 16, 2) * 16 / kDraws;
  EXPECT_LT(chi_square, 44.3);
}

// Plain remainders would fall into the lower half twice as often as into the upper one.
TEST(Random, HasNoBiasBelowAHugeBound) {
  Random random(3);
  const std::uint64_t bound = (std::uint64_t{3} << 62);
  int low = 0;
  for (int i = 0; i < 30'000; ++i) low += random.Below(bound) < bound / 3 ? 1 : 0;
  EXPECT_NEAR(low, 10'000, 400);
}

TEST(Random, DrawsFractionsFromZeroToBelowOne) {
  Random random(4);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double fraction = random.Fraction();
    ASSERT_GE(fraction, 0);
    ASSERT_LT(fraction, 1);
    sum += fraction;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Random, GivesFractionsOf53Bits) {
  Random bits(5);
  Random fractions(5);
  EXPECT_EQ(fractions.Fraction(), std::ldexp(static_cast<double>(bits.Next() >> 11), -53));
}

// 0.1 % of fair dice exceed 27.9 at nine degrees of freedom, 26.1 at eight.
double ChiSquared(const std::vector<int>& counts, int draws) {
  const double expected = static_cast<double>(draws) / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Random, AnotherIsUniform) {
  constexpr int kDraws = 100'000;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    std::vector<int> first(10);
    std::vector<int> other(10);
    for (int i = 0; i < kDraws; ++i) {
      ++first[static_cast<std::size_t>(random.Another(10, -1))];
      ++other[static_cast<std::size_t>(random.Another(10, 4))];
    }
    EXPECT_LT(ChiSquared(first, kDraws), 27.9);
    EXPECT_EQ(other[4], 0) << "not the last one again";
    other.erase(other.begin() + 4);
    EXPECT_LT(ChiSquared(other, kDraws), 26.1);
  }
}

TEST(Random, AnotherReachesBothEnds) {
  Random random(1);
  for (const std::int64_t last : {0, 1}) {
    for (int i = 0; i < 100; ++i) EXPECT_EQ(random.Another(2, last), 1 - last);
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.Another(1, 0), 0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.Another(1, -1), 0);
}

}  // namespace
}  // namespace shardline::random_test
