#include "firestore/write.h"

#include <utility>

#include "base/reason.h"
#include "firestore/fields_writer.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

constexpr int kMaxDepth = 20;
constexpr std::size_t kMaxDimensions = 2'048;

void EncodePrecondition(JsonWriter& writer, const Precondition& precondition) {
  if (precondition.kind == Precondition::Kind::kNone) return;
  writer.Key("currentDocument").BeginObject();
  if (precondition.kind == Precondition::Kind::kUpdateTime) {
    writer.Key("updateTime").String(precondition.update_time);
  } else {
    writer.Key("exists").Boolean(precondition.kind == Precondition::Kind::kExists);
  }
  writer.EndObject();
}

void EncodeTransform(JsonWriter& writer, const FieldTransform& transform) {
  // Indexed by Kind.
  constexpr std::string_view kKeys[] = {
      "increment",          "setToServerValue", "appendMissingElements",
      "removeAllFromArray", "maximum",          "minimum"};
  writer.BeginObject().Key("fieldPath").String(transform.field.text());
  writer.Key(kKeys[static_cast<std::size_t>(transform.kind)]);
  if (transform.kind == FieldTransform::Kind::kServerTimestamp) {
    writer.String("REQUEST_TIME");
  } else {
    writer.Raw(transform.value);
  }
  writer.EndObject();
}

void EncodeUpdate(JsonWriter& writer, const Write& write) {
  writer.Key("update").BeginObject().Key("name").String(write.name);
  if (!write.fields.empty()) writer.Key("fields").Raw(write.fields);
  writer.EndObject();
  if (write.mask) {
    writer.Key("updateMask").BeginObject().Key("fieldPaths").BeginArray();
    for (const FieldPath& field : *write.mask) writer.String(field.text());
    writer.EndArray().EndObject();
  }
  if (!write.transforms.empty()) {
    writer.Key("updateTransforms").BeginArray();
    for (const FieldTransform& transform : write.transforms) EncodeTransform(writer, transform);
    writer.EndArray();
  }
}

void EncodeWrite(JsonWriter& writer, const Write& write) {
  writer.BeginObject();
  if (write.kind == Write::Kind::kDelete) {
    writer.Key("delete").String(write.name);
  } else {
    EncodeUpdate(writer, write);
  }
  EncodePrecondition(writer, write.precondition);
  writer.EndObject();
}

// What a document's name takes: each id and one byte behind it, and 16 bytes. 0 if it is none.
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
      if (key != "values") scanner_.Reject("an arrayValue has an unknown member");
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
      if (key != "fields") scanner_.Reject("a mapValue has an unknown member");
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

Precondition Precondition::AsRead(std::string update_time) {
  if (update_time.empty()) return {Kind::kMissing};
  return {Kind::kUpdateTime, std::move(update_time)};
}

Write Write::Delete(std::string name, Precondition precondition) {
  Write write{.kind = Kind::kDelete, .name = std::move(name)};
  write.precondition = std::move(precondition);
  return write;
}

Write Write::Increment(std::string name, const FieldPath& field, const Amount& delta) {
  Write write{.name = std::move(name)};
  write.mask.emplace();
  write.transforms.push_back({field, FieldTransform::Kind::kIncrement, delta.Encode()});
  return write;
}

Write Write::SetField(std::string name, const FieldPath& field, const Amount& value,
                      Precondition precondition) {
  Write write = RemoveField(std::move(name), field, std::move(precondition));
  write.fields = FieldsOf(field, value);
  // A document that is not there has no others.
  if (write.precondition.kind == Precondition::Kind::kMissing) write.mask.reset();
  return write;
}

Write Write::RemoveField(std::string name, const FieldPath& field, Precondition precondition) {
  Write write{.name = std::move(name)};
  write.mask.emplace().push_back(field);
  write.precondition = std::move(precondition);
  return write;
}

void CommitBody::Add(const Write& write) {
  EncodeWrite(writer_, write);
  ++size_;
}

bool CommitBody::AddIfFits(const Write& write, std::size_t reserved) {
  constexpr std::size_t kAround = 3;  // A comma, and the closing brackets.
  JsonWriter writer;
  EncodeWrite(writer, write);
  if (writer_.text().size() + writer.text().size() + kAround + reserved > kMaxRequestBytes) {
    return false;
  }
  writer_.Raw(writer.text());
  ++size_;
  return true;
}

std::string EncodeCommit(const Write& write) {
  CommitBody body;
  body.Add(write);
  return body.Take();
}

std::string EncodeCommit(const std::vector<Write>& writes) {
  CommitBody body;
  for (const Write& write : writes) body.Add(write);
  return body.Take();
}

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

}  // namespace shardline
