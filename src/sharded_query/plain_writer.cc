#include "sharded_query/plain_writer.h"

#include <algorithm>
#include <utility>

#include "base/number.h"
#include "firestore/timestamp.h"

namespace shardline {
namespace {

// The largest integer up to which JavaScript's numbers are exact.
constexpr std::int64_t kMaxSafeInteger = (std::int64_t{1} << 53) - 1;

// How many of the latest shapes a new document is compared with.
constexpr std::size_t kShapesCompared = 16;

// A document without any fields has no `fields` either. Padded like all that a scanner reads.
constexpr char kNoFieldsPadded[2 + PaddedText::kGuard] = {'{', '}'};
constexpr std::string_view kNoFields(kNoFieldsPadded, 2);

std::string_view From(const std::string& text, std::size_t start) {
  return std::string_view(text).substr(start);
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

}  // namespace

Status PlainWriter::Add(const DocumentHead& document) {
  if (!out_.empty()) out_ += ',';
  out_ += '[';
  WriteQuoted(document.name.substr(document.name.rfind('/') + 1));
  out_ += ',';
  shape_.clear();
  path_.clear();
  const std::string_view fields = document.fields.empty() ? kNoFields : document.fields;
  JsonScanner scanner = JsonScanner::Within(fields);
  if (projection_) {
    out_ += '{';
    const FieldPath* paths = projection_->data();
    WriteSelected(scanner, {paths, paths + projection_->size()}, 0);
    out_ += '}';
  } else {
    WriteFields(scanner, 0);
  }
  for (const std::string_view time : {document.create_time, document.update_time}) {
    out_ += ',';
    WriteTime(scanner, time);
  }
  out_ += ',';
  AppendInt64(out_, static_cast<std::int64_t>(ShapeIndex()));
  out_ += ']';
  if (!scanner.ok()) return Fail(scanner.error("a document of the answer"));
  return {};
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

std::size_t PlainWriter::WriteFields(JsonScanner& scanner, int depth) {
  std::size_t count = 0;
  std::string_view key;
  out_ += '{';
  if (scanner.BeginObject()) {
    for (; scanner.NextKey(key); ++count) {
      if (count > 0) out_ += ',';
      WriteQuoted(key);
      out_ += ':';
      WriteValue(scanner, {key}, depth);
    }
  }
  out_ += '}';
  return count;
}

bool PlainWriter::WriteSelected(JsonScanner& scanner, Selection selection, std::size_t depth) {
  bool any = false;
  std::string_view key;
  if (!scanner.BeginObject()) return false;
  while (scanner.NextKey(key)) {
    const auto matches = [&](const FieldPath& path) {
      return RawEquals(key, path.segments()[depth]);
    };
    const FieldPath* begin = std::find_if(selection.begin, selection.end, matches);
    const FieldPath* end = std::find_if_not(begin, selection.end, matches);
    if (begin == end) {
      scanner.SkipValue();
      continue;
    }
    const std::size_t start = out_.size();
    if (any) out_ += ',';
    WriteQuoted(key);
    out_ += ':';
    if (begin->segments().size() == depth + 1) {
      WriteValue(scanner, {key}, static_cast<int>(depth));
      any = true;
    } else if (WriteSelectedMap(scanner, {begin, end}, {key}, depth + 1)) {
      any = true;
    } else {
      out_.resize(start);
    }
  }
  return any;
}

// A map none of whose selected fields exist is left out, as the server does.
bool PlainWriter::WriteSelectedMap(JsonScanner& scanner, Selection selection, Step step,
                                   std::size_t depth) {
  const std::size_t way = path_.size();
  bool any = false;
  std::string_view key;
  Enter(step);
  out_ += '{';
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (WireKindOf(key) != WireKind::kMap) {
      scanner.SkipValue();
      continue;
    }
    scanner.BeginObject();
    while (scanner.NextKey(key)) any = WriteSelected(scanner, selection, depth);
  }
  out_ += '}';
  path_.resize(way);
  return any;
}

void PlainWriter::WriteValue(JsonScanner& scanner, Step step, int depth) {
  std::string_view key;
  if (!scanner.BeginObject() || !scanner.NextKey(key)) {
    scanner.Reject("a value has no type");
    return;
  }
  WriteKind(scanner, WireKindOf(key), step, depth);
  if (scanner.NextKey(key)) scanner.Reject("a value has two types");
}

void PlainWriter::WriteKind(JsonScanner& scanner, WireKind kind, Step step, int depth) {
  switch (kind) {
    case WireKind::kString:
      WriteQuoted(scanner.RawString());
      return;
    case WireKind::kInteger:
      return WriteInteger(scanner, step);
    case WireKind::kDouble:
      return WriteDouble(scanner, step);
    case WireKind::kBoolean:
      out_ += scanner.Boolean() ? "true" : "false";
      return;
    case WireKind::kTimestamp:
      out_ += '[';
      WriteTime(scanner, scanner.RawString());
      out_ += ']';
      return Note(Stand::kTimestamp, step);
    case WireKind::kBytes:
      WriteQuoted(scanner.RawString());
      return Note(Stand::kBytes, step);
    case WireKind::kReference:
      WriteQuoted(scanner.RawString());
      return Note(Stand::kReference, step);
    case WireKind::kGeoPoint:
      WriteGeoPoint(scanner);
      return Note(Stand::kGeoPoint, step);
    case WireKind::kArray:
      return WriteArray(scanner, step, depth + 1);
    case WireKind::kMap:
      return WriteMap(scanner, step, depth + 1);
    case WireKind::kNull:
      DecodeValueOf(kind, scanner);
      out_ += "null";
      return;
    case WireKind::kUnknown:
      scanner.Reject("a value is of an unknown type");
  }
}

void PlainWriter::WriteInteger(JsonScanner& scanner, Step step) {
  const Value value = DecodeValueOf(WireKind::kInteger, scanner);
  const std::int64_t integer = *value.As<std::int64_t>();
  const bool safe = integer >= -kMaxSafeInteger && integer <= kMaxSafeInteger;
  if (!safe) out_ += '"';
  AppendInt64(out_, integer);
  if (safe) return;
  out_ += '"';
  Note(Stand::kBigInt, step);
}

void PlainWriter::WriteDouble(JsonScanner& scanner, Step step) {
  if (scanner.Peek() != JsonScanner::Kind::kString) {
    out_ += scanner.RawNumber();
    return;
  }
  WriteQuoted(scanner.RawString());
  Note(Stand::kDouble, step);
}

void PlainWriter::WriteGeoPoint(JsonScanner& scanner) {
  // A coordinate that is zero may be left out.
  std::string_view latitude = "0";
  std::string_view longitude = "0";
  std::string_view key;
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
  out_ += '[';
  out_ += latitude;
  out_ += ',';
  out_ += longitude;
  out_ += ']';
}

void PlainWriter::WriteArray(JsonScanner& scanner, Step step, int depth) {
  const std::size_t way = path_.size();
  std::string_view key;
  if (depth > kMaxNesting) scanner.Reject("values are nested too deeply");
  Enter(step);
  out_ += '[';
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (key != "values") scanner.Reject("an array has something beside its values");
    scanner.BeginArray();
    for (std::int64_t index = 0; scanner.NextElement(); ++index) {
      if (index > 0) out_ += ',';
      WriteValue(scanner, {{}, index}, depth);
    }
  }
  out_ += ']';
  path_.resize(way);
}

void PlainWriter::WriteMap(JsonScanner& scanner, Step step, int depth) {
  const Mark mark = Here();
  std::size_t count = 0;
  std::string_view key;
  if (depth > kMaxNesting) scanner.Reject("values are nested too deeply");
  Enter(step);
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    if (key != "fields" || out_.size() > mark.out)
      scanner.Reject("a map has something beside its fields");
    count = WriteFields(scanner, depth);
  }
  if (out_.size() == mark.out) out_ += "{}";
  path_.resize(mark.path);
  if (count == 2) FoldVector(mark, step);
}

void PlainWriter::FoldVector(Mark mark, Step step) {
  constexpr std::string_view kTypeFirst = R"({"__type__":"__vector__","value":[)";
  constexpr std::string_view kTypeLast = R"(],"__type__":"__vector__"})";
  constexpr std::string_view kValueFirst = R"({"value":[)";
  constexpr std::string_view kValueLast = "]}";
  const std::string_view map = From(out_, mark.out);
  std::string_view numbers = map;
  if (StartsWith(map, kTypeFirst) && EndsWith(map, kValueLast)) {
    numbers.remove_prefix(kTypeFirst.size());
    numbers.remove_suffix(kValueLast.size());
  } else if (StartsWith(map, kValueFirst) && EndsWith(map, kTypeLast)) {
    numbers.remove_prefix(kValueFirst.size());
    numbers.remove_suffix(kTypeLast.size());
  }
  // What has other values in it than numbers is no vector, and neither is what has been left whole.
  if (numbers.find_first_not_of("0123456789.,+-eE") != std::string_view::npos) return;
  std::string array = "[";
  array += numbers;
  array += ']';
  out_.resize(mark.out);
  out_ += array;
  Note(Stand::kVector, step);
}

void PlainWriter::WriteTime(JsonScanner& scanner, std::string_view text) {
  const std::optional<Timestamp> time = Timestamp::Parse(text);
  if (!time) {
    scanner.Reject("a timestamp is malformed");
    return;
  }
  AppendInt64(out_, time->seconds());
  out_ += ',';
  AppendInt64(out_, time->nanoseconds());
}

void PlainWriter::WriteQuoted(std::string_view raw) {
  out_ += '"';
  out_ += raw;
  out_ += '"';
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

void PlainWriter::Note(Stand stand, Step step) {
  if (!shape_.empty()) shape_ += ',';
  shape_ += '[';
  shape_ += static_cast<char>('0' + static_cast<int>(stand));
  shape_ += path_;
  AppendStep(shape_, step);
  shape_ += ']';
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
