#include "sharded_query/plain_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/base64.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/padded_text.h"
#include "firestore/timestamp.h"
#include "sharded_query/text_set.h"

namespace shardline {
namespace {

// The largest integer up to which JavaScript's numbers are exact.
constexpr std::int64_t kMaxSafeInteger = (std::int64_t{1} << 53) - 1;

// How many of the latest shapes a new document is compared with.
constexpr std::size_t kShapesCompared = 16;

// Padded like all that is copied in lanes.
constexpr char kPadded[PaddedText::kGuard + 16] = "nulltruefalse";
constexpr std::string_view kNull(kPadded, 4);
constexpr std::string_view kTrue(kPadded + 4, 4);
constexpr std::string_view kFalse(kPadded + 8, 5);

// Far more than documents of 1 MiB have.
constexpr std::size_t kMaxShapeSize = std::size_t{4} * 1024 * 1024;

// Names are compared one by one up to here.
constexpr std::size_t kFewNames = 16;

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// Goes from a value on the wire down along the rest of the path, and reads the value there.
void ReadKey(JsonScanner scanner, const FieldPath& path, std::size_t depth, SortKey& key) {
  if (depth == path.segments().size()) {
    key.Read(scanner);
    if (!scanner.ok()) key.Clear();
    return;
  }
  std::string_view name;
  if (!scanner.BeginObject() || !scanner.NextKey(name) || WireKindOf(name) != WireKind::kMap ||
      !scanner.BeginObject() || !scanner.NextKey(name) || !scanner.BeginObject()) {
    return;
  }
  while (scanner.NextKey(name)) {
    if (RawEquals(name, path.segments()[depth])) return ReadKey(scanner, path, depth + 1, key);
    scanner.SkipValue();
  }
}

}  // namespace

void PlainWriter::Read(JsonScanner& scanner, PlainFields& fields) {
  fields_ = &fields;
  fields.keys.resize(key_fields_.size());
  for (SortKey& key : fields.keys) key.Clear();
  out_.Begin(fields.buffer);
  shape_.clear();
  path_.clear();
  names_.clear();
  unescaped_.clear();
  if (projection_) {
    const FieldPath* paths = projection_->data();
    WriteFields(scanner, {paths, paths + projection_->size(), false}, 0);
  } else {
    WriteFields(scanner, {}, 0);
  }
  fields.size = out_.size();
  if (scanner.ok()) fields.shape = ShapeIndex();
  for (const SortKey& key : fields.keys) {
    if (key.wire().empty()) {
      scanner.Reject("a document lacks a field that it was found or sorted by");
    }
  }
}

std::string PlainWriter::Shapes() const {
  std::string text;
  for (const std::string& shape : shapes_) {
    if (!text.empty()) text += ',';
    text += '[';
    text += shape;
    text += ']';
  }
  return text;
}

std::size_t PlainWriter::WriteFields(JsonScanner& scanner, Selection selection, std::size_t depth) {
  const std::size_t first = names_.size();
  std::string_view key;
  out_.Put('{');
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    const std::string_view name = scanner.has_escapes() ? Unescape(scanner, key) : key;
    const SortKey* const sort_key = depth == 0 ? ReadKeys(scanner, key) : nullptr;
    const Selection inside = Narrow(selection, key, depth);
    if (!inside.everything && inside.begin == inside.end) {
      scanner.SkipValue();
      continue;
    }
    const std::size_t start = out_.size();
    if (names_.size() > first) out_.Put(',');
    if (name.data() == key.data()) {
      out_.PutQuoted(key);
    } else {
      out_.PutText(JsonWriter().String(name).text());
    }
    out_.Put(':');
    if (inside.everything) {
      const bool written = sort_key != nullptr && WriteKey(scanner, *sort_key, {key});
      if (!written) WriteValue(scanner, {key}, depth);
    } else if (!WriteSelectedMap(scanner, inside, {key}, depth + 1)) {
      out_.Truncate(start);
      continue;
    }
    names_.push_back(name);
  }
  out_.Put('}');
  const std::size_t count = names_.size() - first;
  CheckNames(scanner, first);
  return count;
}

std::string_view PlainWriter::Unescape(JsonScanner& scanner, std::string_view raw_key) {
  std::string& name = unescaped_.emplace_front();
  if (!AppendUnescaped(name, raw_key)) scanner.Reject("a field name is not valid Unicode");
  return name;
}

// The last of two would silently win in JavaScript, and take the stand-in of the first.
void PlainWriter::CheckNames(JsonScanner& scanner, std::size_t first) {
  const std::size_t count = names_.size() - first;
  const std::string_view* const names = names_.data() + first;
  bool twice = false;
  if (count <= kFewNames) {
    for (std::size_t i = 1; i < count; ++i) {
      for (std::size_t k = 0; k < i; ++k) twice = twice || names[i] == names[k];
    }
  } else {
    TextSet set;
    for (std::size_t i = 0; i < count; ++i) twice = !set.Add(names[i]) || twice;
  }
  if (twice) scanner.Reject("a document has a field twice");
  names_.resize(first);
}

PlainWriter::Selection PlainWriter::Narrow(Selection selection, std::string_view raw_key,
                                           std::size_t depth) {
  if (selection.everything) return selection;
  const auto matches = [&](const FieldPath& path) {
    return RawEquals(raw_key, path.segments()[depth]);
  };
  const FieldPath* begin = std::find_if(selection.begin, selection.end, matches);
  const FieldPath* end = std::find_if_not(begin, selection.end, matches);
  return {begin, end, begin != end && begin->segments().size() == depth + 1};
}

const SortKey* PlainWriter::ReadKeys(const JsonScanner& scanner, std::string_view raw_key) {
  const SortKey* whole = nullptr;
  for (std::size_t i = 0; i < key_fields_.size(); ++i) {
    const FieldPath& path = key_fields_[i];
    if (!RawEquals(raw_key, path.segments()[0])) continue;
    SortKey& key = fields_->keys[i];
    ReadKey(scanner, path, 1, key);
    if (path.segments().size() == 1 && !key.wire().empty()) whole = &key;
  }
  return whole;
}

bool PlainWriter::WriteKey(JsonScanner& scanner, const SortKey& key, Step step) {
  out_.MakeRoom(0);
  if (const std::optional<Timestamp> time = key.timestamp()) {
    out_.PutTimestamp(*time);
    Note(scanner, StandIn::kTimestamp, step);
  } else if (const std::string_view json = key.plain_json(); !json.empty()) {
    out_.PutPadded(json);
  } else {
    return false;
  }
  scanner.SkipRead(key.wire());
  return true;
}

// Like the server, leaves out a map that has no selected field.
bool PlainWriter::WriteSelectedMap(JsonScanner& scanner, Selection selection, Step step,
                                   std::size_t depth) {
  const std::size_t way = path_.size();
  std::size_t count = 0;
  bool has_fields = false;
  std::string_view key;
  AppendStep(path_, step);
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    const WireKind kind = WireKindOf(key);
    if (kind == WireKind::kUnknown) scanner.Reject("a value is of an unknown type");
    if (kind != WireKind::kMap) {
      scanner.SkipValue();
      continue;
    }
    scanner.BeginObject();
    while (scanner.NextKey(key)) {
      if (key != "fields" || has_fields) scanner.Reject("a map has something beside its fields");
      has_fields = true;
      count = WriteFields(scanner, selection, depth);
    }
  }
  path_.resize(way);
  return count > 0;
}

void PlainWriter::WriteValue(JsonScanner& scanner, Step step, std::size_t depth) {
  std::string_view key;
  out_.MakeRoom(0);
  if (!scanner.BeginObject() || !scanner.NextKey(key)) {
    scanner.Reject("a value has no type");
    return;
  }
  WriteKind(scanner, WireKindOf(key), step, depth);
  if (scanner.NextKey(key)) scanner.Reject("a value has two types");
}

void PlainWriter::WriteKind(JsonScanner& scanner, WireKind kind, Step step, std::size_t depth) {
  switch (kind) {
    case WireKind::kString:
      return WriteText(scanner);
    case WireKind::kInteger:
      return WriteInteger(scanner, step);
    case WireKind::kDouble:
      return WriteDouble(scanner, step);
    case WireKind::kBoolean:
      return WriteBoolean(scanner);
    case WireKind::kTimestamp:
      WriteTimestamp(scanner);
      return Note(scanner, StandIn::kTimestamp, step);
    case WireKind::kBytes:
      WriteBytes(scanner);
      return Note(scanner, StandIn::kBytes, step);
    case WireKind::kReference:
      WriteText(scanner);
      return Note(scanner, StandIn::kReference, step);
    case WireKind::kGeoPoint:
      WriteGeoPoint(scanner);
      return Note(scanner, StandIn::kGeoPoint, step);
    case WireKind::kArray:
      return WriteArray(scanner, step, depth + 1);
    case WireKind::kMap:
      return WriteMap(scanner, step, depth + 1);
    case WireKind::kNull:
      DecodeValueOf(kind, scanner);
      return out_.PutPadded(kNull);
    case WireKind::kUnknown:
      scanner.Reject("a value is of an unknown type");
  }
}

void PlainWriter::WriteInteger(JsonScanner& scanner, Step step) {
  const std::int64_t integer = DecodeInteger(scanner);
  const bool safe = integer >= -kMaxSafeInteger && integer <= kMaxSafeInteger;
  if (!safe) out_.Put('"');
  out_.PutInt(integer);
  if (safe) return;
  out_.Put('"');
  Note(scanner, StandIn::kBigInt, step);
}

void PlainWriter::WriteDouble(JsonScanner& scanner, Step step) {
  const bool quoted = scanner.Peek() == JsonScanner::Kind::kString;
  const char* const text = scanner.position();
  if (!quoted) {
    const std::string_view number = scanner.RawNumber();
    out_.PutPadded(number);
    // Too large for a double, unless it is short and without an exponent.
    constexpr std::size_t kMaxPlainDigits = 300;
    if (number.size() <= kMaxPlainDigits && number.find_first_of("eE") == std::string_view::npos) {
      return;
    }
    const std::optional<double> value = ParseDouble(number);
    if (value && !std::isfinite(*value)) scanner.Reject("a doubleValue is too large");
    return;
  }
  DecodeDouble(scanner);
  if (!scanner.ok()) return;
  out_.PutPadded({text, static_cast<std::size_t>(scanner.position() - text)});
  Note(scanner, StandIn::kDouble, step);
}

void PlainWriter::WriteBoolean(JsonScanner& scanner) {
  out_.PutPadded(scanner.Boolean() ? kTrue : kFalse);
}

void PlainWriter::WriteTimestamp(JsonScanner& scanner) {
  const std::optional<Timestamp> time = Timestamp::Parse(scanner.RawString());
  if (!time) scanner.Reject("a timestamp is malformed");
  out_.PutTimestamp(time.value_or(Timestamp{}));
}

void PlainWriter::WriteText(JsonScanner& scanner) {
  const std::string_view text = scanner.RawString();
  if (scanner.has_escapes()) {
    std::string unescaped;
    if (!AppendUnescaped(unescaped, text)) scanner.Reject("a string is not valid Unicode");
  }
  out_.PutQuoted(text);
}

// In the server's form of base64.
void PlainWriter::WriteBytes(JsonScanner& scanner) {
  const std::optional<std::string> bytes = DecodeBase64(scanner.String());
  if (!bytes) return scanner.Reject("a bytesValue is no base64");
  out_.Put('"');
  out_.PutText(EncodeBase64(*bytes));
  out_.Put('"');
}

void PlainWriter::WriteGeoPoint(JsonScanner& scanner) {
  const Value value = DecodeValueOf(WireKind::kGeoPoint, scanner);
  const auto* point = value.As<GeoPoint>();
  if (!scanner.ok() || point == nullptr) return;
  std::string text = "[";
  AppendDouble(text, point->latitude);
  text += ',';
  AppendDouble(text, point->longitude);
  text += ']';
  out_.PutText(text);
}

void PlainWriter::WriteArray(JsonScanner& scanner, Step step, std::size_t depth) {
  const std::size_t way = path_.size();
  bool has_values = false;
  std::string_view key;
  if (depth > kMaxNesting) scanner.Reject("values are nested too deeply");
  AppendStep(path_, step);
  out_.Put('[');
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (key != "values" || has_values) scanner.Reject("an array has something beside its values");
    has_values = true;
    scanner.BeginArray();
    for (std::int64_t index = 0; scanner.NextElement(); ++index) {
      if (index > 0) out_.Put(',');
      WriteValue(scanner, {{}, index}, depth);
    }
  }
  out_.Put(']');
  path_.resize(way);
}

void PlainWriter::WriteMap(JsonScanner& scanner, Step step, std::size_t depth) {
  const std::size_t way = path_.size();
  const std::size_t start = out_.size();
  const std::size_t notes = shape_.size();
  std::size_t count = 0;
  std::string_view key;
  if (depth > kMaxNesting) scanner.Reject("values are nested too deeply");
  AppendStep(path_, step);
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (key != "fields" || out_.size() != start) {
      scanner.Reject("a map has something beside its fields");
    }
    count = WriteFields(scanner, {}, depth);
  }
  if (out_.size() == start) {
    out_.Put('{');
    out_.Put('}');
  }
  path_.resize(way);
  if (count == 2) FoldVector(scanner, start, notes, step);
}

void PlainWriter::FoldVector(JsonScanner& scanner, std::size_t start, std::size_t notes,
                             Step step) {
  constexpr std::string_view kTypeFirst = R"({"__type__":"__vector__","value":[)";
  constexpr std::string_view kTypeLast = R"(],"__type__":"__vector__"})";
  constexpr std::string_view kValueFirst = R"({"value":[)";
  constexpr std::string_view kValueLast = "]}";
  std::string_view numbers = out_.From(start);
  if (StartsWith(numbers, kTypeFirst) && EndsWith(numbers, kValueLast)) {
    numbers.remove_prefix(kTypeFirst.size());
    numbers.remove_suffix(kValueLast.size());
  } else if (StartsWith(numbers, kValueFirst) && EndsWith(numbers, kTypeLast)) {
    numbers.remove_prefix(kValueFirst.size());
    numbers.remove_suffix(kTypeLast.size());
  }
  // A value with anything but numbers in it is not a vector, and neither is one that was left
  // whole.
  for (std::string_view rest = numbers;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of("0123456789.,+-eE"), rest.size()));
    if (rest.empty()) break;
    if (!StartsWith(rest, R"("Infinity")") && !StartsWith(rest, R"("-Infinity")")) return;
    rest.remove_prefix(rest.find('"', 1) + 1);
  }
  shape_.resize(notes);  // The reader of a vector knows its infinities.
  out_.Truncate(start);
  out_.Put('[');
  out_.Move(numbers);
  out_.Put(']');
  Note(scanner, StandIn::kVector, step);
}

void PlainWriter::Note(JsonScanner& scanner, StandIn stand_in, Step step) {
  // Paths are written out, so that a long name with many values inside of it is multiplied.
  if (shape_.size() > kMaxShapeSize) return scanner.Reject("a document has too many odd values");
  if (!shape_.empty()) shape_ += ',';
  shape_ += '[';
  shape_ += static_cast<char>('0' + static_cast<int>(stand_in));
  shape_ += path_;
  AppendStep(shape_, step);
  shape_ += ']';
}

void PlainWriter::AppendStep(std::string& path, Step step) {
  path += ',';
  if (step.index >= 0) {
    AppendInt64(path, step.index);
    return;
  }
  path += '"';
  path += step.raw_key;
  path += '"';
}

std::size_t PlainWriter::ShapeIndex() {
  const std::size_t first = shapes_.size() - std::min(shapes_.size(), kShapesCompared);
  for (std::size_t i = shapes_.size(); i-- > first;) {
    if (shapes_[i] == shape_) return i;
  }
  shapes_.push_back(shape_);
  return shapes_.size() - 1;
}

}  // namespace shardline
