#include "sharded_query/sort_key.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/number.h"
#include "firestore/check_fields.h"
#include "firestore/value_codec.h"

namespace shardline {

void SortKey::Read(JsonScanner& scanner) {
  scanner.Peek();  // Past white space.
  const char* const begin = scanner.position();
  std::string_view key;
  kind_ = Kind::kOther;
  if (scanner.BeginObject() && scanner.NextKey(key)) {
    const WireKind wire_kind = WireKindOf(key);
    const bool is_text = scanner.Peek() == JsonScanner::Kind::kString;
    if (wire_kind == WireKind::kTimestamp && is_text) {
      ReadText(scanner, Kind::kTimestamp);
    } else if (wire_kind == WireKind::kString && is_text) {
      ReadText(scanner, Kind::kString);
    } else if (wire_kind == WireKind::kInteger && is_text) {
      ReadText(scanner, Kind::kInteger);
    } else if (wire_kind == WireKind::kDouble) {
      kind_ = Kind::kDouble;
      number_ = DecodeDouble(scanner);
    } else {
      value_ = DecodeValueOf(wire_kind, scanner);
    }
    if (scanner.NextKey(key)) scanner.Reject("a value must have exactly one type");
  }
  wire_ = {begin, static_cast<std::size_t>(scanner.position() - begin)};
  if (!scanner.ok() || kind_ != Kind::kOther) return;
  // It goes into cursors and page tokens. For a malformed value there, Firestore and continueFrom()
  // would blame the caller.
  JsonScanner again = JsonScanner::Within(wire_);
  if (!CheckValue(again, "a value to sort by")) scanner.Reject("no query sorts by such a value");
}

void SortKey::ReadText(JsonScanner& scanner, Kind kind) {
  text_ = scanner.RawString();
  if (kind == Kind::kString) {
    if (!scanner.has_escapes()) {
      kind_ = kind;
      return;
    }
    std::string plain;
    if (!AppendUnescaped(plain, text_)) scanner.Reject("a string is not valid Unicode");
    value_ = {std::move(plain)};
    return;
  }
  const std::optional<std::int64_t> number = [&]() -> std::optional<std::int64_t> {
    if (kind == Kind::kInteger) return ParseInt64(text_);
    if (const auto timestamp = Timestamp::Parse(text_)) return timestamp->micros;
    return std::nullopt;
  }();
  if (!number) scanner.Reject("a number or timestamp is malformed");
  kind_ = kind;
  integer_ = number.value_or(0);
}

Value SortKey::ToValue() const {
  switch (kind_) {
    case Kind::kInteger:
      return {integer_};
    case Kind::kDouble:
      return {number_};
    case Kind::kTimestamp:
      return {Timestamp{integer_}};
    case Kind::kString:
      return {std::string(text_)};
    case Kind::kOther:
      break;
  }
  return value_;
}

std::string_view SortKey::Text() const {
  if (kind_ == Kind::kString) return text_;
  const auto* text = kind_ == Kind::kOther ? value_.As<std::string>() : nullptr;
  return text ? std::string_view{*text} : std::string_view();
}

std::string_view SortKey::BytesOf() const {
  const auto* bytes = kind_ == Kind::kOther ? value_.As<Bytes>() : nullptr;
  return bytes ? std::string_view{bytes->data} : std::string_view();
}

std::weak_ordering SortKey::Compare(const SortKey& a, const SortKey& b, LongValues how) {
  // The bytes of a value that an index holds
  // (https://firebase.google.com/docs/firestore/manage-data/data-types).
  constexpr std::size_t kIndexed = 1'500;
  if (how == LongValues::kCut && std::max(a.wire_.size(), b.wire_.size()) > kIndexed) {
    for (const auto of : {&SortKey::Text, &SortKey::BytesOf}) {
      const std::string_view x = (a.*of)().substr(0, kIndexed);
      const std::string_view y = (b.*of)().substr(0, kIndexed);
      if (!x.empty() && !y.empty()) return x.compare(y) <=> 0;
    }
  }
  if (a.kind_ == b.kind_) {
    switch (a.kind_) {
      case Kind::kInteger:
      case Kind::kTimestamp:
        return a.integer_ <=> b.integer_;
      case Kind::kDouble:
        return CompareDoubles(a.number_, b.number_);
      case Kind::kString:
        return a.text_.compare(b.text_) <=> 0;
      case Kind::kOther:
        return CompareValues(a.value_, b.value_);
    }
  }
  return CompareValues(a.ToValue(), b.ToValue());
}

}  // namespace shardline
