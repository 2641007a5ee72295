// memcmp, which every comparison of texts comes down to. emcc's own goes byte by byte; this one
// takes eight at a time.

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" int memcmp(const void* left, const void* right, std::size_t size) {
  const auto* a = static_cast<const unsigned char*>(left);
  const auto* b = static_cast<const unsigned char*>(right);
  for (; size >= 8; size -= 8, a += 8, b += 8) {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    std::memcpy(&x, a, 8);
    std::memcpy(&y, b, 8);
    if (x != y) break;
  }
  for (; size > 0; --size, ++a, ++b) {
    if (*a != *b) return *a - *b;
  }
  return 0;
}
