#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace shardline {

// Bytes with zero bytes behind them as a sentinel: the scanner reads 16 bytes at a time without a
// bounds check for each, because it always meets a zero first. Owns its bytes; moves, never copies.
class PaddedText {
 public:
  // Bytes that a reader may touch behind the end.
  static constexpr std::size_t kGuard = 32;

  PaddedText() : PaddedText(std::string_view()) {}
  explicit PaddedText(std::string_view text);

  // Memory for `size` bytes, to be filled in by the caller, who then hands it to Adopt(). Null when
  // there is none left.
  static char* Allocate(std::size_t size);
  // Takes over what Allocate(size) returned.
  static PaddedText Adopt(char* bytes, std::size_t size) { return PaddedText(bytes, size); }

  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  PaddedText(char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  std::unique_ptr<char, Free> bytes_;
  std::size_t size_;
};

}  // namespace shardline
