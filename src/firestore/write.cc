#include "firestore/write.h"

#include <cassert>
#include <utility>

#include "firestore/fields_writer.h"

namespace shardline {
namespace {

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
    assert(!transform.value.empty());
    writer.Raw(transform.value.json());
  }
  writer.EndObject();
}

void EncodeUpdate(JsonWriter& writer, const Write& write) {
  writer.Key("update").BeginObject().Key("name").String(write.name);
  if (!write.fields.empty()) writer.Key("fields").Raw(write.fields.json());
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

Write Write::Increment(std::string name, const std::vector<FieldAmount>& amounts) {
  Write write{.name = std::move(name)};
  write.mask.emplace();
  for (const auto& [field, amount] : amounts) {
    write.transforms.push_back({field, FieldTransform::Kind::kIncrement, amount.Encode()});
  }
  return write;
}

Write Write::Increment(std::string name, const FieldPath& field, const Amount& delta) {
  return Increment(std::move(name), std::vector<FieldAmount>{{field, delta}});
}

Write Write::SetField(std::string name, const FieldPath& field, const Amount& value,
                      Precondition precondition) {
  Write write = RemoveField(std::move(name), field, std::move(precondition));
  write.fields = FieldsOf(field, value.Encode());
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

}  // namespace shardline
