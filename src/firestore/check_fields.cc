#include "firestore/check_fields.h"

#include <optional>
#include <string>
#include <utility>

#include "base/padded_text.h"
#include "base/reason.h"
#include "firestore/field_path.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

constexpr int kMaxDepth = 20;
constexpr std::size_t kMaxDimensions = 2'048;

// The size of a document's name: each id and one byte behind it, and 16 bytes. 0 for any other
// text.
std::size_t NameSize(std::string_view name) {
  constexpr std::string_view kDocuments = "/documents/";
  const std::size_t at = name.find(kDocuments);
  return at == std::string_view::npos ? 0 : name.size() - at - kDocuments.size() + 1 + 16;
}

// Walks values as CheckFields describes it, keeping the way down for messages. The sizes that its
// functions return mean nothing once failed() is true.
class Checker {
 public:
  explicit Checker(JsonScanner& scanner) : scanner_(scanner) {}

  std::size_t FieldsSize(int depth) {
    std::size_t size = 0;
    std::string_view key;
    if (!scanner_.BeginObject()) return size;
    while (!failed() && scanner_.NextKey(key)) {
      const std::size_t parent = where_.size();
      std::string name;
      if (!AppendUnescaped(name, key)) scanner_.Reject("a field name is not valid Unicode");
      if (failed()) break;
      if (Status status = CheckFieldName(name); !status) Refuse(std::move(status.error().message));
      Enter(name);
      size += name.size() + 1 + ValueSize(depth, false);
      if (!failed()) where_.resize(parent);
    }
    return size;
  }

  std::size_t ValueSize(int depth, bool in_array) {
    std::size_t size = 0;
    int count = 0;
    std::string_view key;
    if (!scanner_.BeginObject()) return size;
    for (; !failed() && scanner_.NextKey(key); ++count) {
      size += KindSize(WireKindOf(key), depth, in_array);
    }
    if (count != 1) scanner_.Reject("a value must have exactly one type");
    return size;
  }

  void Enter(std::string_view name) {
    if (!where_.empty()) where_ += '.';
    where_ += name;
  }

  Result<std::size_t> Finish(std::size_t size) {
    if (!refusal_.empty()) return Fail(kValueNotAllowed, std::move(refusal_)).With("field", where_);
    if (scanner_.ok()) return size;
    const std::string what = where_.empty() ? "the fields" : "field \"" + where_ + '"';
    return scanner_.failure(what.c_str());
  }

 private:
  bool failed() const { return !refusal_.empty() || !scanner_.ok(); }

  void Refuse(std::string why) {
    if (!failed()) refusal_ = std::move(why);
  }
  void RefuseField(std::string_view why) {
    std::string message = "Field \"" + where_ + "\" ";
    message += why;
    Refuse(std::move(message));
  }

  std::size_t KindSize(WireKind kind, int depth, bool in_array) {
    switch (kind) {
      case WireKind::kArray:
        if (in_array) RefuseField("is an array directly inside an array: put a map between them.");
        return ArraySize(depth + 1);
      case WireKind::kMap:
        if (const auto size = VectorSize(in_array)) return *size;
        return MapSize(depth + 1);
      default:
        return LeafSize(kind);
    }
  }

  // Decoding such a value checks its range.
  std::size_t LeafSize(WireKind kind) {
    const Value value = DecodeValueOf(kind, scanner_);
    if (const auto* text = value.As<std::string>()) return text->size() + 1;
    if (const auto* bytes = value.As<Bytes>()) return bytes->data.size();
    if (const auto* reference = value.As<Reference>()) {
      const std::size_t size = NameSize(reference->name);
      if (size == 0) RefuseField("refers to something that is no document.");
      return size;
    }
    if (value.As<GeoPoint>()) return 16;
    return value.IsNull() || value.As<bool>() ? 1 : 8;
  }

  std::size_t ArraySize(int depth) {
    std::size_t size = 0;
    std::string_view key;
    if (!Descend(depth)) return size;
    while (!failed() && scanner_.NextKey(key)) {
      if (key != "values") scanner_.Reject("an arrayValue has an unknown name");
      if (!scanner_.BeginArray()) break;
      while (!failed() && scanner_.NextElement()) size += ValueSize(depth, true);
    }
    return size;
  }

  std::size_t MapSize(int depth) {
    std::size_t size = 0;
    std::string_view key;
    if (!Descend(depth)) return size;
    while (!failed() && scanner_.NextKey(key)) {
      if (key != "fields") scanner_.Reject("a mapValue has an unknown name");
      size += FieldsSize(depth);
    }
    return size;
  }

  // Consumes the mapValue that comes next if it stands for a vector; nullopt if it does not.
  // Vectors are no maps: they count for no level.
  std::optional<std::size_t> VectorSize(bool in_array) {
    JsonScanner ahead = scanner_;
    if (ahead.SkipValue().find("__type__") == std::string_view::npos) return std::nullopt;
    ahead = scanner_;
    const Value value = DecodeValueOf(WireKind::kMap, ahead);
    const auto* vector = value.As<Vector>();
    if (!vector || !ahead.ok()) return std::nullopt;
    const std::size_t dimensions = vector->elements.size();
    if (in_array) RefuseField("is a vector inside an array: put a map between them.");
    if (dimensions == 0 || dimensions > kMaxDimensions) {
      RefuseField("is a vector that has not 1 to 2,048 dimensions.");
    }
    scanner_ = ahead;
    return dimensions * sizeof(double);
  }

  bool Descend(int depth) {
    if (depth > kMaxDepth) RefuseField("is nested more than 20 levels deep.");
    return !failed() && scanner_.BeginObject();
  }

  JsonScanner& scanner_;
  std::string where_;
  std::string refusal_;
};

}  // namespace

Result<std::size_t> CheckFields(JsonScanner& scanner) {
  Checker checker(scanner);
  const std::size_t size = checker.FieldsSize(0);
  return checker.Finish(size);
}

Result<std::size_t> CheckValue(JsonScanner& scanner, std::string_view where) {
  Checker checker(scanner);
  checker.Enter(where);
  const std::size_t size = checker.ValueSize(0, false);
  return checker.Finish(size);
}

bool IsValue(std::string_view wire) {
  const PaddedText text(wire);
  JsonScanner scanner(text);
  return CheckValue(scanner, "a value") && scanner.Finish();
}

}  // namespace shardline
