// Two ways to read a whole document with a scanner.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/number.h"
#include "unit/support/text.h"

namespace shardline {

inline constexpr int kMaxWalkDepth = 500;

// Writes down all that the scanner says of the document that comes next.
inline void Transcribe(JsonScanner& scanner, std::string& out, int depth = 0) {
  using Kind = JsonScanner::Kind;
  std::string_view key;
  if (depth > kMaxWalkDepth) scanner.Reject("the test does not go deeper");
  switch (scanner.Peek()) {
    case Kind::kObject:
      scanner.BeginObject();
      out += '{';
      while (scanner.NextKey(key)) {
        out += key;
        out += ':';
        Transcribe(scanner, out, depth + 1);
      }
      out += '}';
      break;
    case Kind::kArray:
      scanner.BeginArray();
      out += '[';
      while (scanner.NextElement()) {
        Transcribe(scanner, out, depth + 1);
        out += ',';
      }
      out += ']';
      break;
    case Kind::kString:
      out += '"';
      out += scanner.String();
      break;
    case Kind::kNumber:
      out += '#';
      out += scanner.RawNumber();
      break;
    case Kind::kBoolean:
      out += scanner.Boolean() ? "true" : "false";
      break;
    case Kind::kNull:
      scanner.Null();
      out += "null";
      break;
    case Kind::kInvalid:
      out += '!';
      scanner.SkipValue();
      break;
  }
}

// The transcript of `text`, read strictly and then skipped, with how each ends.
inline std::string Transcript(std::string_view text) {
  const PaddedText padded = Text(text);
  JsonScanner strict(padded);
  std::string out;
  Transcribe(strict, out);
  out += strict.Finish() ? " ok" : " " + Complaint(strict);
  JsonScanner skipping(padded);
  out += "; skipped: ";
  out += skipping.SkipValue();
  out += skipping.Finish() ? " ok" : " " + Complaint(skipping);
  return out;
}

// Builds the document that comes next. Numbers that no double can hold are refused, as
// nlohmann/json does.
inline nlohmann::json ReadValue(JsonScanner& scanner, int depth = 0) {
  using Kind = JsonScanner::Kind;
  std::string_view key;
  if (depth > kMaxWalkDepth) scanner.Reject("the test does not go deeper");
  switch (scanner.Peek()) {
    case Kind::kObject: {
      nlohmann::json object = nlohmann::json::object();
      scanner.BeginObject();
      while (scanner.NextKey(key)) {
        std::string name;
        if (!AppendUnescaped(name, key)) scanner.Reject("a key is not valid Unicode");
        object[name] = ReadValue(scanner, depth + 1);
      }
      return object;
    }
    case Kind::kArray: {
      nlohmann::json array = nlohmann::json::array();
      scanner.BeginArray();
      while (scanner.NextElement()) array.push_back(ReadValue(scanner, depth + 1));
      return array;
    }
    case Kind::kString:
      return scanner.String();
    case Kind::kNumber: {
      const std::string_view text = scanner.RawNumber();
      const bool whole = text.find_first_of(".eE") == std::string_view::npos;
      if (const auto integer = ParseInt64(text); whole && integer) return *integer;
      const double number = ParseDouble(text).value_or(0);
      if (number - number != 0) scanner.Reject("a number is too large");
      return number;
    }
    case Kind::kBoolean:
      return scanner.Boolean();
    case Kind::kNull:
      scanner.Null();
      return nullptr;
    case Kind::kInvalid:
      break;
  }
  scanner.SkipValue();  // Latches the error.
  return nullptr;
}

// The document, or nullopt if it is not one.
inline std::optional<nlohmann::json> ReadStrictly(std::string_view text) {
  const PaddedText padded = Text(text);
  JsonScanner scanner(padded);
  nlohmann::json document = ReadValue(scanner);
  if (!scanner.Finish()) return std::nullopt;
  return document;
}

}  // namespace shardline
