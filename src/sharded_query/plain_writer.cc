#include "sharded_query/plain_writer.h"

#include <algorithm>
#include <cstring>

#include "base/number.h"
#include "base/padded_text.h"
#include "firestore/timestamp.h"

namespace shardline {
namespace {

// The largest integer up to which JavaScript's numbers are exact.
constexpr std::int64_t kMaxSafeInteger = (std::int64_t{1} << 53) - 1;

// How many of the latest shapes a new document is compared with.
constexpr std::size_t kShapesCompared = 16;

// Padded like all that is copied in lanes.
constexpr char kPadded[PaddedText::kGuard + 16] = "nulltruefalse0";
constexpr std::string_view kNull(kPadded, 4);
constexpr std::string_view kTrue(kPadded + 4, 4);
constexpr std::string_view kFalse(kPadded + 8, 5);
constexpr std::string_view kZero(kPadded + 13, 1);

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// Goes from a value on the wire down along the rest of the path, and reads what is there.
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
  fields.keys.resize(order_fields_.size());
  for (SortKey& key : fields.keys) key.Clear();
  out_.Begin(fields.buffer);
  stencil_.BeginFields();
  shape_.clear();
  path_.clear();
  if (projection_) {
    stencil_.GiveUp();  // What is left out is not looked at.
    const FieldPath* paths = projection_->data();
    WriteFields(scanner, {paths, paths + projection_->size(), false}, 0);
  } else {
    WriteFields(scanner, {}, 0);
  }
  fields.size = out_.size();
  if (scanner.ok()) fields.shape = ShapeIndex();
  for (const SortKey& key : fields.keys) {
    if (key.wire().empty()) scanner.Reject("a document lacks a field that it was sorted by");
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
  std::size_t count = 0;
  std::string_view key;
  out_.Put('{');
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (depth == 0) ReadKeys(scanner, key);
    if (key == "__type__") stencil_.GiveUp();  // Whether it is a vector's depends on its value.
    const Selection inside = Narrow(selection, key, depth);
    if (!inside.everything && inside.begin == inside.end) {
      scanner.SkipValue();
      continue;
    }
    const std::size_t start = out_.size();
    if (count > 0) out_.Put(',');
    out_.PutQuoted(key);
    out_.Put(':');
    if (inside.everything) {
      WriteValue(scanner, {key}, depth);
    } else if (!WriteSelectedMap(scanner, inside, {key}, depth + 1)) {
      out_.Truncate(start);
      continue;
    }
    ++count;
  }
  out_.Put('}');
  return count;
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

void PlainWriter::ReadKeys(const JsonScanner& scanner, std::string_view raw_key) {
  for (std::size_t i = 0; i < order_fields_.size(); ++i) {
    const FieldPath& path = order_fields_[i];
    if (RawEquals(raw_key, path.segments()[0])) ReadKey(scanner, path, 1, fields_->keys[i]);
  }
}

// A map none of whose selected fields exist is left out, as the server does.
bool PlainWriter::WriteSelectedMap(JsonScanner& scanner, Selection selection, Step step,
                                   std::size_t depth) {
  const std::size_t way = path_.size();
  std::size_t count = 0;
  std::string_view key;
  AppendStep(path_, step);
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (WireKindOf(key) != WireKind::kMap) {
      scanner.SkipValue();
      continue;
    }
    scanner.BeginObject();
    while (scanner.NextKey(key)) count += WriteFields(scanner, selection, depth);
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
      return Note(Stand::kTimestamp, step);
    case WireKind::kBytes:
      WriteText(scanner);
      return Note(Stand::kBytes, step);
    case WireKind::kReference:
      WriteText(scanner);
      return Note(Stand::kReference, step);
    case WireKind::kGeoPoint:
      WriteGeoPoint(scanner);
      return Note(Stand::kGeoPoint, step);
    case WireKind::kArray:
      return RecordArray(scanner, step, depth + 1);
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
  scanner.Peek();
  const char* const text = scanner.position();
  const Value value = DecodeValueOf(WireKind::kInteger, scanner);
  const std::int64_t integer = *value.As<std::int64_t>();
  const bool safe = integer >= -kMaxSafeInteger && integer <= kMaxSafeInteger;
  const std::size_t start = out_.size();
  if (!safe) out_.Put('"');
  out_.PutInt(integer);
  if (safe && *text == '"' && scanner.ok()) {
    const auto size = static_cast<std::size_t>(scanner.position() - text);
    return stencil_.AddField(Stencil::Kind::kInteger, {text + 1, size - 2}, out_, start);
  }
  stencil_.GiveUp();
  if (safe) return;
  out_.Put('"');
  Note(Stand::kBigInt, step);
}

void PlainWriter::WriteDouble(JsonScanner& scanner, Step step) {
  if (scanner.Peek() != JsonScanner::Kind::kString) {
    const std::size_t start = out_.size();
    const std::string_view number = scanner.RawNumber();
    out_.PutPadded(number);
    return stencil_.AddField(Stencil::Kind::kNumber, number, out_, start);
  }
  stencil_.GiveUp();
  out_.PutQuoted(scanner.RawString());
  Note(Stand::kDouble, step);
}

void PlainWriter::WriteBoolean(JsonScanner& scanner) {
  const std::size_t start = out_.size();
  scanner.Peek();
  const char* const text = scanner.position();
  out_.PutPadded(scanner.Boolean() ? kTrue : kFalse);
  const auto size = static_cast<std::size_t>(scanner.position() - text);
  stencil_.AddField(Stencil::Kind::kBoolean, {text, size}, out_, start);
}

void PlainWriter::WriteTimestamp(JsonScanner& scanner) {
  const std::size_t start = out_.size();
  const std::string_view text = scanner.RawString();
  const std::optional<Timestamp> time = Timestamp::Parse(text);
  if (!time) {
    scanner.Reject("a timestamp is malformed");
    return;
  }
  out_.PutTimestamp(*time);
  stencil_.AddField(Stencil::Kind::kTimestamp, text, out_, start);
}

void PlainWriter::WriteText(JsonScanner& scanner) {
  const std::size_t start = out_.size();
  const std::string_view text = scanner.RawString();
  out_.PutQuoted(text);
  stencil_.AddField(Stencil::Kind::kText, text, out_, start);
}

void PlainWriter::WriteGeoPoint(JsonScanner& scanner) {
  // A coordinate that is zero may be left out.
  std::string_view latitude = kZero;
  std::string_view longitude = kZero;
  std::string_view key;
  stencil_.GiveUp();
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (key == "latitude") {
      latitude = scanner.RawNumber();
    } else if (key == "longitude") {
      longitude = scanner.RawNumber();
    } else {
      scanner.SkipValue();
    }
  }
  out_.Put('[');
  out_.PutPadded(latitude);
  out_.Put(',');
  out_.PutPadded(longitude);
  out_.Put(']');
}

// To the stencil, an array is one value, unless there are stand-ins in it.
void PlainWriter::RecordArray(JsonScanner& scanner, Step step, std::size_t depth) {
  const bool recording = stencil_.Pause();
  const std::size_t notes = shape_.size();
  const std::size_t start = out_.size();
  scanner.Peek();
  const char* const text = scanner.position();
  WriteArray(scanner, step, depth);
  if (shape_.size() > notes) return;
  stencil_.Resume(recording);
  const auto size = static_cast<std::size_t>(scanner.position() - text);
  stencil_.AddField(Stencil::Kind::kArray, {text, size}, out_, start, depth);
}

bool PlainWriter::WritePlainArray(JsonScanner& scanner, std::size_t depth) {
  shape_.clear();
  path_.clear();
  WriteArray(scanner, {}, depth);
  return scanner.ok() && shape_.empty();
}

void PlainWriter::WriteArray(JsonScanner& scanner, Step step, std::size_t depth) {
  const std::size_t way = path_.size();
  std::string_view key;
  if (depth > kMaxNesting) scanner.Reject("values are nested too deeply");
  AppendStep(path_, step);
  out_.Put('[');
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (key != "values") scanner.Reject("an array has something beside its values");
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
  if (count == 2) FoldVector(start, notes, step);
}

void PlainWriter::FoldVector(std::size_t start, std::size_t notes, Step step) {
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
  // What has other values in it than numbers is no vector, and neither is what has been left whole.
  for (std::string_view rest = numbers;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of("0123456789.,+-eE"), rest.size()));
    if (rest.empty()) break;
    if (!StartsWith(rest, R"("Infinity")") && !StartsWith(rest, R"("-Infinity")")) return;
    rest.remove_prefix(rest.find('"', 1) + 1);
  }
  shape_.resize(notes);  // Whoever reads a vector knows what its infinities are.
  out_.Truncate(start);
  out_.Put('[');
  out_.Move(numbers);
  out_.Put(']');
  Note(Stand::kVector, step);
}

void PlainWriter::Note(Stand stand, Step step) {
  if (!shape_.empty()) shape_ += ',';
  shape_ += '[';
  shape_ += static_cast<char>('0' + static_cast<int>(stand));
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
