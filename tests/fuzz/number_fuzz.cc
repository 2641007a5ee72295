// Numbers from and to text: the same as the C library's, and back again.

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/number.h"
#include "fuzz/fuzz.h"

namespace shardline {
namespace {

bool SameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void RequireSameAsStrtod(const std::string& text) {
  const std::optional<double> value = ParseDouble(text);
  if (value) {
    char* end = nullptr;
    Require(SameBits(*value, std::strtod(text.c_str(), &end)), "strtod reads the same");
    Require(end == text.c_str() + text.size(), "strtod reads as much");
    return;
  }
  constexpr std::size_t kMostRead = 2000;
  const bool number = !text.empty() && text.size() <= kMostRead &&
                      (text[0] == '-' || (text[0] >= '0' && text[0] <= '9')) &&
                      text.back() >= '0' && text.back() <= '9';
  Require(!number || !nlohmann::json::accept(text), "nlohmann/json refuses it too");
}

void RequireSameAsStrtoll(const std::string& text) {
  const std::optional<std::int64_t> value = ParseInt64(text);
  if (!value) return;
  errno = 0;
  Require(*value == std::strtoll(text.c_str(), nullptr, 10) && errno == 0,
          "strtoll reads the same");
}

template <class Number>
Number FirstBytesAs(std::string_view bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

void RequireRoundTrips(std::string_view bytes) {
  if (bytes.size() < 8) return;
  std::string integer;
  AppendInt64(integer, FirstBytesAs<std::int64_t>(bytes));
  Require(ParseInt64(integer) == FirstBytesAs<std::int64_t>(bytes), "an integer reads back");
  const auto value = FirstBytesAs<double>(bytes);
  if (!std::isfinite(value)) return;
  std::string text;
  AppendDouble(text, value);
  const std::optional<double> back = ParseDouble(text);
  Require(back && SameBits(*back, value), "a double reads back");
  Require(SameBits(std::strtod(text.c_str(), nullptr), value), "strtod reads back the double");
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = shardline::Input(data, size);
  const std::string text(input.substr(0, input.find('\0')));
  shardline::RequireSameAsStrtod(text);
  shardline::RequireSameAsStrtoll(text);
  shardline::RequireRoundTrips(input);
  return 0;
}
