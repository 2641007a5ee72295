// A seeded pseudo-random number generator: the same seed gives the same sequence on every platform.
#pragma once

#include <array>
#include <cstdint>

namespace shardline {

// xoshiro256** 1.0 (Blackman and Vigna, 2018), seeded through SplitMix64. Not for secrets.
//
// The standard library's distributions differ between implementations, and its engines are larger
// than all the rest of this room in WASM.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  // 256 bits of seed, for ids that must not collide between clients. All zero counts as seed 0.
  explicit Random(const std::array<std::uint64_t, 4>& seed);

  std::uint64_t Next();
  // Uniform over [0, bound), without bias. `bound` must be positive.
  std::uint64_t Below(std::uint64_t bound);
  // Uniform over [0, bound) without `last`; a negative `last` excludes nothing. Returns `last` if
  // there is no other number. `bound` must be positive.
  std::int64_t Another(std::int64_t bound, std::int64_t last);
  // Uniform over [0, 1).
  double Fraction();

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace shardline
