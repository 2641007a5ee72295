// Reading writes.

#include <utility>

#include "simulator/names.h"
#include "simulator/wire.h"
#include "simulator/write.h"

namespace shardline::simulator {
namespace {

FieldPath ReadPath(JsonScanner& scanner) {
  Result<FieldPath> path = ParseFieldPath(ReadString(scanner));
  if (!path) scanner.Reject("a field path is malformed");
  return path ? std::move(*path) : FieldPath::DocumentName();
}

std::string ReadDocumentPath(JsonScanner& scanner, std::string_view database) {
  Result<ResourcePath> name = ParseDocumentName(ReadString(scanner));
  if (!name) {
    scanner.Reject("the name of a document is malformed");
    return {};
  }
  if (name->database != database) scanner.Reject("a document is of another database");
  return std::move(name->path);
}

Value ReadNumber(JsonScanner& scanner) {
  Value value = ReadValue(scanner);
  if (!value.As<std::int64_t>() && !value.As<double>()) {
    scanner.Reject("the operand of a transform must be an integer or a double");
  }
  return value;
}

// Reads the operand if `member` is one of the kinds of transform.
bool ReadOperand(JsonScanner& scanner, const std::string& member, Transform& transform) {
  using Kind = Transform::Kind;
  if (member == "setToServerValue") {
    if (ReadEnum(scanner, {"SERVER_VALUE_UNSPECIFIED", "REQUEST_TIME"}) != 1) {
      scanner.Reject("a server value must be given");
    }
    transform.kind = Kind::kServerTimestamp;
  } else if (member == "increment" || member == "maximum" || member == "minimum") {
    transform.kind = member == "increment" ? Kind::kIncrement
                     : member == "maximum" ? Kind::kMaximum
                                           : Kind::kMinimum;
    transform.operand = ReadNumber(scanner);
  } else if (member == "appendMissingElements" || member == "removeAllFromArray") {
    const bool append = member == "appendMissingElements";
    transform.kind = append ? Kind::kAppendMissing : Kind::kRemoveAll;
    transform.operand = {ReadArrayValue(scanner)};
  } else {
    return false;
  }
  return true;
}

Transform ReadTransform(JsonScanner& scanner) {
  Transform transform{FieldPath::DocumentName(), Transform::Kind::kIncrement, {}};
  bool named = false;
  int operands = 0;
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "fieldPath") {
      transform.field = ReadPath(scanner);
      named = true;
      return true;
    }
    ++operands;
    return ReadOperand(scanner, member, transform);
  });
  if (!named || operands != 1) scanner.Reject("a transform needs a field path and one operation");
  return transform;
}

std::vector<Transform> ReadTransforms(JsonScanner& scanner) {
  std::vector<Transform> transforms;
  ReadArray(scanner, [&] { transforms.push_back(ReadTransform(scanner)); });
  for (const Transform& a : transforms) {
    for (const Transform& b : transforms) {
      if (!(a.field == b.field) && a.field.IsPrefixOf(b.field)) {
        scanner.Reject("a field and its nested field are transformed at the same time");
        return transforms;
      }
    }
  }
  return transforms;
}

// `{name, fields}`; the times that a document may carry mean nothing in a write.
void ReadDocument(JsonScanner& scanner, std::string_view database, Write& write) {
  bool named = false;
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "name") {
      write.path = ReadDocumentPath(scanner, database);
      named = true;
    } else if (member == "fields") {
      write.fields = ReadFields(scanner);
    } else if (member == "createTime" || member == "updateTime") {
      scanner.SkipValue();
    } else {
      return false;
    }
    return true;
  });
  if (!named) scanner.Reject("a document lacks its name");
}

void ReadLegacyTransform(JsonScanner& scanner, std::string_view database, Write& write) {
  bool named = false;
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "document") {
      write.path = ReadDocumentPath(scanner, database);
      named = true;
    } else if (member == "fieldTransforms") {
      write.transforms = ReadTransforms(scanner);
    } else {
      return false;
    }
    return true;
  });
  if (!named) scanner.Reject("a transform lacks its document");
  if (write.transforms.empty()) scanner.Reject("a transform has no field transforms");
}

std::optional<Write::Kind> KindNamed(std::string_view member) {
  if (member == "update") return Write::Kind::kUpdate;
  if (member == "delete") return Write::Kind::kDelete;
  if (member == "verify") return Write::Kind::kVerify;
  if (member == "transform") return Write::Kind::kTransform;
  return std::nullopt;
}

}  // namespace

Precondition ReadPrecondition(JsonScanner& scanner) {
  Precondition precondition;
  ReadObject(scanner, [&](const std::string& member) {
    if (member != "exists" && member != "updateTime") return false;
    if (scanner.Peek() == JsonScanner::Kind::kNull) {
      scanner.Null();
    } else if (member == "exists") {
      precondition.exists = ReadBool(scanner);
    } else {
      precondition.update_time = ReadVersionTime(scanner);
    }
    return true;
  });
  if (precondition.exists && precondition.update_time) {
    scanner.Reject("a precondition is of two kinds");
  }
  return precondition;
}

std::optional<std::vector<FieldPath>> ReadMask(JsonScanner& scanner) {
  std::vector<FieldPath> mask;
  const bool present = ReadObject(scanner, [&](const std::string& member) {
    if (member != "fieldPaths") return false;
    ReadArray(scanner, [&] { mask.push_back(ReadPath(scanner)); });
    return true;
  });
  if (!present) return std::nullopt;
  return mask;
}

Write ReadWrite(JsonScanner& scanner, std::string_view database) {
  Write write;
  int kinds = 0;
  std::vector<Transform> update_transforms;
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "currentDocument") {
      write.precondition = ReadPrecondition(scanner);
    } else if (member == "updateMask") {
      write.mask = ReadMask(scanner);
    } else if (member == "updateTransforms") {
      update_transforms = ReadTransforms(scanner);
    } else if (const std::optional<Write::Kind> kind = KindNamed(member)) {
      ++kinds;
      write.kind = *kind;
      if (kind == Write::Kind::kUpdate) {
        ReadDocument(scanner, database, write);
      } else if (kind == Write::Kind::kTransform) {
        ReadLegacyTransform(scanner, database, write);
      } else {
        write.path = ReadDocumentPath(scanner, database);
      }
    } else {
      return false;
    }
    return true;
  });
  if (kinds != 1) scanner.Reject("a write must be one of update, delete, verify and transform");
  const bool updates = write.kind == Write::Kind::kUpdate;
  if (!updates && (write.mask || !update_transforms.empty())) {
    scanner.Reject("only an update may have a mask and transforms");
  }
  const Precondition& precondition = write.precondition;
  if (write.kind == Write::Kind::kVerify && !precondition.exists && !precondition.update_time) {
    scanner.Reject("a verify must contain a precondition");
  }
  if (updates) write.transforms = std::move(update_transforms);
  return write;
}

}  // namespace shardline::simulator
