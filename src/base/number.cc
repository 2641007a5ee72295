#include "base/number.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace shardline {
namespace {

// Between doubles and text, the nearest library converts. In WebAssembly that is JavaScript: the C
// library's conversions would be 8 KB of the download (brotli).
#ifdef __EMSCRIPTEN__

extern "C" {
// In wasm/number_library.js.
double ShardlineParseDouble(const char* text, std::size_t size);
std::size_t ShardlinePrintDouble(double value, char* out);  // At most 25 characters.
}

double TextToDouble(std::string_view text) {
  return ShardlineParseDouble(text.data(), text.size());
}

std::size_t DoubleToText(double value, char* out, std::size_t) {
  return ShardlinePrintDouble(value, out);
}

#else

// Unless the program sets a locale, which this library does not.
double TextToDouble(std::string_view text) {
  return std::strtod(std::string(text).c_str(), nullptr);
}

std::size_t DoubleToText(double value, char* out, std::size_t capacity) {
  int size = 0;
  for (int digits = 15; digits <= 17; ++digits) {
    size = std::snprintf(out, capacity, "%.*g", digits, value);
    if (std::strtod(out, nullptr) == value) break;
  }
  return static_cast<std::size_t>(size);
}

#endif

// The exact digits of the smallest double take 1,076 characters. A much longer number is an attack:
// its sender wants the conversion to take seconds.
constexpr std::size_t kMaxDoubleSize = 2000;

// JSON's grammar: -? (0 | [1-9][0-9]*) (.[0-9]+)? ([eE][+-]?[0-9]+)?
bool IsNumber(std::string_view text) {
  std::size_t at = 0;
  const auto take = [&](std::string_view any) {
    const bool there = at < text.size() && any.find(text[at]) != std::string_view::npos;
    if (there) ++at;
    return there;
  };
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at > start;
  };
  take("-");
  if (!take("0") && !digits()) return false;
  if (take(".") && !digits()) return false;
  if (take("eE")) {
    take("+-");
    if (!digits()) return false;
  }
  return at == text.size();
}

}  // namespace

std::optional<std::int64_t> ParseInt64(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 19) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  const std::uint64_t limit = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (value > limit) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

std::optional<double> ParseDouble(std::string_view text) {
  if (text.size() > kMaxDoubleSize || !IsNumber(text)) return std::nullopt;
  return TextToDouble(text);
}

std::string_view FormatInt64(std::int64_t value, Int64Buffer& buffer) {
  char* const end = buffer.data() + buffer.size();
  char* start = end;
  auto rest = static_cast<std::uint64_t>(value);
  if (value < 0) rest = 0 - rest;
  // Division of 64 bits is slow in WASM, and few numbers need it.
  for (; rest > UINT32_MAX; rest /= 10) *--start = static_cast<char>('0' + rest % 10);
  auto small = static_cast<std::uint32_t>(rest);
  do {
    *--start = static_cast<char>('0' + small % 10);
    small /= 10;
  } while (small != 0);
  if (value < 0) *--start = '-';
  return {start, static_cast<std::size_t>(end - start)};
}

void AppendInt64(std::string& out, std::int64_t value) {
  Int64Buffer buffer;
  out += FormatInt64(value, buffer);
}

void AppendDouble(std::string& out, double value) {
  // JavaScript writes -0 as 0.
  if (value == 0 && 1 / value < 0) out.push_back('-');
  char text[32];
  out.append(text, DoubleToText(value == 0 ? 0 : value, text, sizeof text));
}

}  // namespace shardline
