#include "simulator/caller.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/base64.h"
#include "base/json_scanner.h"
#include "base/padded_text.h"

namespace shardline::simulator {
namespace {

bool EqualsInAnyCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool IsObject(std::string_view base64) {
  const std::optional<std::string> json = DecodeBase64(base64);
  if (!json) return false;
  const PaddedText text(*json);
  JsonScanner scanner(text);
  if (scanner.Peek() != JsonScanner::Kind::kObject) return false;
  scanner.SkipValue();
  return scanner.Finish();
}

// Two objects and a signature, each in base64, with points between.
bool IsJwt(std::string_view token) {
  std::array<std::string_view, 3> parts;
  for (std::string_view& part : parts) {
    const bool is_last = &part == &parts.back();
    const std::size_t point = token.find('.');
    if ((point == std::string_view::npos) != is_last) return false;
    part = token.substr(0, point);
    if (!is_last) token.remove_prefix(point + 1);
  }
  return IsObject(parts[0]) && IsObject(parts[1]) && DecodeBase64(parts[2]);
}

}  // namespace

Caller CallerOf(std::string_view authorization) {
  if (authorization.empty()) return Caller::kUser;
  const std::size_t space = authorization.find(' ');
  if (space == std::string_view::npos ||
      !EqualsInAnyCase(authorization.substr(0, space), "bearer")) {
    return Caller::kUnknown;
  }
  const std::string_view token = authorization.substr(space + 1);
  if (EqualsInAnyCase(token, "owner") || token.substr(0, 5) == "ya29.") return Caller::kAdmin;
  if (token == "stream") return Caller::kStream;
  return IsJwt(token) ? Caller::kUser : Caller::kUnknown;
}

}  // namespace shardline::simulator
