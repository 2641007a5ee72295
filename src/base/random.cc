#include "base/random.h"

#include <cassert>

namespace shardline {
namespace {

std::uint64_t SplitMix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::uint64_t RotateLeft(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = SplitMix64(seed);
}

Random::Random(const std::array<std::uint64_t, 4>& seed) : state_(seed) {
  // All zero is the one state that the generator never leaves.
  if ((seed[0] | seed[1] | seed[2] | seed[3]) == 0) *this = Random(0);
}

std::uint64_t Random::Next() {
  const std::uint64_t result = RotateLeft(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = RotateLeft(state_[3], 45);
  return result;
}

std::uint64_t Random::Below(std::uint64_t bound) {
  assert(bound > 0);
  // Values past the last whole multiple of `bound` would favour the small results: throw again.
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  std::uint64_t value = Next();
  while (value >= limit) value = Next();
  return value % bound;
}

std::int64_t Random::Another(std::int64_t bound, std::int64_t last) {
  assert(bound > 0 && last < bound);
  const bool others_only = last >= 0 && bound > 1;
  const std::int64_t choices = others_only ? bound - 1 : bound;
  const auto pick = static_cast<std::int64_t>(Below(static_cast<std::uint64_t>(choices)));
  // The others: those from `last` on move up by one.
  return others_only && pick >= last ? pick + 1 : pick;
}

double Random::Fraction() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

}  // namespace shardline
