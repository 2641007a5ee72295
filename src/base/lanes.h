// SIMD: the readers of JSON test sixteen bytes at a time. Each test returns a bit mask whose bit i
// stands for byte i.
//
// VectorLanes uses the compiler's vector types, which compile to SIMD instructions on WASM and x86.
// ScalarLanes gives the same answers byte by byte, for other machines and for tests.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(SHARDLINE_SCALAR_LANES)
// The tests that compare the two define this.
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define SHARDLINE_HAS_VECTOR_LANES 1
#elif defined(__SSE2__)
#include <emmintrin.h>
#define SHARDLINE_HAS_VECTOR_LANES 1
#endif

namespace shardline {

struct ScalarLanes {
  // Bytes that can end a run of plain string characters: quote, backslash, control characters.
  static std::uint32_t StringStops(const char* bytes) {
    return Where(bytes, [](unsigned char c) { return c == '"' || c == '\\' || c < 0x20; });
  }
  // Skipping a value looks at these only: quotes, brackets of either kind, control characters.
  static std::uint32_t Quotes(const char* bytes) {
    return Where(bytes, [](unsigned char c) { return c == '"'; });
  }
  static std::uint32_t Openers(const char* bytes) {
    return Where(bytes, [](unsigned char c) { return c == '{' || c == '['; });
  }
  static std::uint32_t Closers(const char* bytes) {
    return Where(bytes, [](unsigned char c) { return c == '}' || c == ']'; });
  }
  static std::uint32_t Controls(const char* bytes) {
    return Where(bytes, [](unsigned char c) { return c < 0x20; });
  }
  // Bytes that are not JSON's white space.
  static std::uint32_t NonSpace(const char* bytes) {
    return Where(bytes,
                 [](unsigned char c) { return c != ' ' && c != '\n' && c != '\r' && c != '\t'; });
  }
  // Bytes that are not ASCII.
  static std::uint32_t NonAscii(const char* bytes) {
    return Where(bytes, [](unsigned char c) { return c >= 0x80; });
  }
  // Looks at 64 bytes: whether all are ASCII, and whether there is neither a backslash nor a zero.
  static bool AllAscii64(const char* bytes) {
    return All64(bytes, [](unsigned char c) { return c < 0x80; });
  }
  static bool NoBackslashOrZero64(const char* bytes) {
    return All64(bytes, [](unsigned char c) { return c != '\\' && c != 0; });
  }

 private:
  template <class Predicate>
  static std::uint32_t Where(const char* bytes, Predicate predicate) {
    std::uint32_t mask = 0;
    for (int i = 0; i < 16; ++i) {
      if (predicate(static_cast<unsigned char>(bytes[i]))) mask |= std::uint32_t{1} << i;
    }
    return mask;
  }
  template <class Predicate>
  static bool All64(const char* bytes, Predicate predicate) {
    for (int i = 0; i < 64; ++i) {
      if (!predicate(static_cast<unsigned char>(bytes[i]))) return false;
    }
    return true;
  }
};

#if SHARDLINE_HAS_VECTOR_LANES
struct VectorLanes {
  static std::uint32_t StringStops(const char* bytes) {
    const Bytes16 v = Load(bytes);
    return Mask((v == '"') | (v == '\\') | BelowSpace(v));
  }
  static std::uint32_t Quotes(const char* bytes) { return Mask(Load(bytes) == '"'); }
  // Setting bit 5 maps [ onto { and ] onto }, and no other byte.
  static std::uint32_t Openers(const char* bytes) { return Mask((Load(bytes) | 0x20) == '{'); }
  static std::uint32_t Closers(const char* bytes) { return Mask((Load(bytes) | 0x20) == '}'); }
  static std::uint32_t Controls(const char* bytes) { return Mask(BelowSpace(Load(bytes))); }
  static std::uint32_t NonSpace(const char* bytes) {
    const Bytes16 v = Load(bytes);
    return Mask((v != ' ') & (v != '\n') & (v != '\r') & (v != '\t'));
  }
  static std::uint32_t NonAscii(const char* bytes) { return Mask(Load(bytes)); }
  static bool AllAscii64(const char* bytes) {
    return Mask(Load(bytes) | Load(bytes + 16) | Load(bytes + 32) | Load(bytes + 48)) == 0;
  }
  static bool NoBackslashOrZero64(const char* bytes) {
    const auto found = [&](int i) {
      const Bytes16 v = Load(bytes + i);
      return (v == '\\') | (v == 0);
    };
    return Mask(found(0) | found(16) | found(32) | found(48)) == 0;
  }

 private:
  using Bytes16 = std::uint8_t __attribute__((vector_size(16)));

  // A mask is made of each byte's highest bit. This one is set where a byte is less than 0x20: such
  // a comparison without signs takes four instructions on x86, the subtraction one.
  static Bytes16 BelowSpace(Bytes16 v) { return (v - 0x20) & ~v; }

  static Bytes16 Load(const char* bytes) {
    Bytes16 v;
    std::memcpy(&v, bytes, sizeof v);
    return v;
  }
  template <class Vector>
  static std::uint32_t Mask(Vector matches) {
#if defined(__wasm_simd128__)
    return static_cast<std::uint32_t>(wasm_i8x16_bitmask(reinterpret_cast<v128_t>(matches)));
#else
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(matches)));
#endif
  }
};
using Lanes = VectorLanes;
#else
using Lanes = ScalarLanes;
#endif

}  // namespace shardline
