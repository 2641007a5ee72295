#include "base/number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace shardline {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// std::bit_cast, which emcc 3.1.6 does not have.
template <class To, class From>
To BitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// A natural number without bound: only what exact conversion needs.
class Natural {
 public:
  explicit Natural(std::uint64_t value) {
    while (value != 0) {
      limbs_.push_back(static_cast<std::uint32_t>(value));
      value >>= 32;
    }
  }

  void MultiplyAdd(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }

  void MultiplyByPowerOf10(int exponent) {
    for (; exponent >= 9; exponent -= 9) MultiplyAdd(1'000'000'000, 0);
    for (; exponent > 0; --exponent) MultiplyAdd(10, 0);
  }

  void ShiftLeft(int bits) {
    MultiplyAdd(std::uint32_t{1} << (bits % 32), 0);
    if (!limbs_.empty()) limbs_.insert(limbs_.begin(), static_cast<std::size_t>(bits / 32), 0);
  }

  // Requires *this >= other.
  void Subtract(const Natural& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      const std::uint64_t take = borrow + (i < other.limbs_.size() ? other.limbs_[i] : 0);
      borrow = limbs_[i] < take ? 1 : 0;
      limbs_[i] = static_cast<std::uint32_t>(limbs_[i] - take);
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }

  // Negative, zero or positive as *this is less than, equal to or greater than `other`.
  int Compare(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size() ? -1 : 1;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  // Least significant first, none of them a leading zero.
  std::vector<std::uint32_t> limbs_;
};

// digits × 10^exponent, as read from text.
struct Decimal {
  bool negative = false;
  std::string digits;  // Without leading zeros; empty is zero.
  int exponent = 0;
};

// The most digits that can matter: the exact middle between two doubles has at most 768. What
// follows them only says "a little more", for which one digit stands.
constexpr std::size_t kMaxDigits = 800;
// No exponent within a text that fits into memory can make up for one that is larger.
constexpr int kExponentBound = 200'000'000;

std::optional<Decimal> ReadDecimal(std::string_view text) {
  Decimal decimal;
  std::size_t at = 0;
  const auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto read_digits = [&](bool fraction) {
    const std::size_t start = at;
    for (; IsDigit(peek()); ++at) {
      if (fraction) --decimal.exponent;
      if (decimal.digits.empty() && text[at] == '0') continue;
      if (decimal.digits.size() < kMaxDigits) {
        decimal.digits.push_back(text[at]);
      } else {
        ++decimal.exponent;
        if (text[at] != '0') decimal.digits.back() = '1';
      }
    }
    return at - start;
  };
  if (peek() == '-') {
    decimal.negative = true;
    ++at;
  }
  const bool leading_zero = peek() == '0';
  const std::size_t whole = read_digits(false);
  if (whole == 0 || (leading_zero && whole > 1)) return std::nullopt;
  if (peek() == '.') {
    ++at;
    if (read_digits(true) == 0) return std::nullopt;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at;
    const bool negative = peek() == '-';
    if (peek() == '-' || peek() == '+') ++at;
    if (!IsDigit(peek())) return std::nullopt;
    int exponent = 0;
    for (; IsDigit(peek()); ++at) {
      exponent = std::min(exponent * 10 + (peek() - '0'), kExponentBound);
    }
    decimal.exponent += negative ? -exponent : exponent;
  }
  if (at != text.size()) return std::nullopt;
  return decimal;
}

// A finite, non-negative double as mantissa × 2^exponent.
struct Binary {
  std::uint64_t mantissa;
  int exponent;
};

Binary Split(double value) {
  const auto bits = BitCast<std::uint64_t>(value);
  const int biased = static_cast<int>(bits >> 52);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (biased == 0) return {fraction, -1074};
  return {fraction | (std::uint64_t{1} << 52), biased - 1075};
}

// Compares `decimal` with the middle between `value` and the next larger double.
int CompareWithMiddleAbove(const Decimal& decimal, double value) {
  const Binary binary = Split(value);
  const int exponent = binary.exponent - 1;
  Natural left(0);
  for (const char digit : decimal.digits) {
    left.MultiplyAdd(10, static_cast<std::uint32_t>(digit - '0'));
  }
  Natural right(2 * binary.mantissa + 1);
  if (decimal.exponent > 0) left.MultiplyByPowerOf10(decimal.exponent);
  if (decimal.exponent < 0) right.MultiplyByPowerOf10(-decimal.exponent);
  if (exponent > 0) right.ShiftLeft(exponent);
  if (exponent < 0) left.ShiftLeft(-exponent);
  return left.Compare(right);
}

// The largest power of ten that a double holds exactly is 10^22.
constexpr int kExactPower = 22;

double PowerOf10(int exponent) {
  double power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// A double within a few units in the last place of `decimal`; the right one when it has at most 15
// digits and its power of ten is exact, as only one operation rounds then.
double Estimate(const Decimal& decimal) {
  double value = 0;
  const std::size_t used = std::min<std::size_t>(decimal.digits.size(), 19);
  for (std::size_t i = 0; i < used; ++i) value = value * 10 + (decimal.digits[i] - '0');
  int exponent = decimal.exponent + static_cast<int>(decimal.digits.size() - used);
  while (exponent != 0 && value > 0 && value <= std::numeric_limits<double>::max()) {
    const int step = std::min(std::abs(exponent), kExactPower);
    const double power = PowerOf10(step);
    value = exponent > 0 ? value * power : value / power;
    exponent += exponent > 0 ? -step : step;
  }
  return std::min(value, std::numeric_limits<double>::max());
}

double Next(double value, int direction) {
  const auto bits = BitCast<std::int64_t>(value);
  return BitCast<double>(bits + direction);
}

bool IsOdd(double value) { return (BitCast<std::uint64_t>(value) & 1) != 0; }

double Nearest(const Decimal& decimal) {
  if (decimal.digits.empty()) return 0;
  double value = Estimate(decimal);
  if (decimal.digits.size() <= 15 && std::abs(decimal.exponent) <= kExactPower) return value;
  const int magnitude = static_cast<int>(decimal.digits.size()) + decimal.exponent;
  if (magnitude > 310) return std::numeric_limits<double>::infinity();
  if (magnitude < -330) return 0;
  // Walk to the double whose two middles enclose the decimal; on a middle the even one wins. The
  // next double after the largest is infinity, and its middle is where overflow begins.
  while (value <= std::numeric_limits<double>::max()) {
    const int above = CompareWithMiddleAbove(decimal, value);
    if (above < 0 || (above == 0 && !IsOdd(value))) break;
    value = Next(value, +1);
  }
  while (value > 0) {
    const double below = Next(value, -1);
    const int compared = CompareWithMiddleAbove(decimal, below);
    if (compared > 0 || (compared == 0 && IsOdd(below))) break;
    value = below;
  }
  return value;
}

constexpr int kDigits = 17;

// The first 17 significant digits of a positive value, rounded, and the power of ten of the first.
struct Digits {
  std::string text;
  int exponent;
};

Digits GenerateDigits(double value) {
  const Binary binary = Split(value);
  Natural numerator(binary.mantissa);
  Natural denominator(1);
  if (binary.exponent > 0) numerator.ShiftLeft(binary.exponent);
  if (binary.exponent < 0) denominator.ShiftLeft(-binary.exponent);
  // Scale until 1 <= numerator / denominator < 10, from an estimate
  // (0.30102 is about log10(2)).
  const int log2 = 63 - std::countl_zero(binary.mantissa) + binary.exponent;
  int exponent = static_cast<int>(std::floor(log2 * 0.30102));
  if (exponent > 0) denominator.MultiplyByPowerOf10(exponent);
  if (exponent < 0) numerator.MultiplyByPowerOf10(-exponent);
  while (numerator.Compare(denominator) < 0) {
    numerator.MultiplyAdd(10, 0);
    --exponent;
  }
  for (;;) {
    Natural tenfold = denominator;
    tenfold.MultiplyAdd(10, 0);
    if (numerator.Compare(tenfold) < 0) break;
    denominator = std::move(tenfold);
    ++exponent;
  }
  Digits digits{{}, exponent};
  for (int i = 0; i < kDigits; ++i) {
    char digit = '0';
    for (; numerator.Compare(denominator) >= 0; ++digit) numerator.Subtract(denominator);
    digits.text.push_back(digit);
    numerator.MultiplyAdd(10, 0);
  }
  // One more digit of information for the rounding below.
  char rest = '0';
  for (; numerator.Compare(denominator) >= 0; ++rest) numerator.Subtract(denominator);
  digits.text.push_back(rest);
  return digits;
}

// Rounds to `count` digits, half up.
Digits RoundTo(Digits digits, std::size_t count) {
  const bool up = digits.text[count] >= '5';
  digits.text.resize(count);
  if (!up) return digits;
  std::size_t at = count;
  while (at > 0 && digits.text[at - 1] == '9') digits.text[--at] = '0';
  if (at > 0) {
    ++digits.text[at - 1];
  } else {
    digits.text.insert(digits.text.begin(), '1');
    digits.text.pop_back();
    ++digits.exponent;
  }
  return digits;
}

std::string Layout(const Digits& digits) {
  std::string text = digits.text.substr(0, digits.text.find_last_not_of('0') + 1);
  const int exponent = digits.exponent;
  if (exponent < -7 || exponent > 20) {
    if (text.size() > 1) text.insert(1, ".");
    text += exponent < 0 ? "e-" : "e+";
    AppendInt64(text, std::abs(exponent));
    return text;
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + text;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (text.size() <= whole) return text + std::string(whole - text.size(), '0');
  return text.insert(whole, ".");
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
  const std::optional<Decimal> decimal = ReadDecimal(text);
  if (!decimal) return std::nullopt;
  const double value = Nearest(*decimal);
  return decimal->negative ? -value : value;
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
  if (std::signbit(value)) out.push_back('-');
  value = std::abs(value);
  if (value == 0) {
    out.push_back('0');
    return;
  }
  const Digits digits = GenerateDigits(value);
  for (std::size_t count = 15;; ++count) {
    const std::string text = Layout(RoundTo(digits, count));
    if (count < kDigits && ParseDouble(text) != value) continue;
    out += text;
    return;
  }
}

}  // namespace shardline
