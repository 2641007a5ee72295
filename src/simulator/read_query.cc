#include <cmath>
#include <utility>

#include "firestore/value_codec.h"
#include "simulator/names.h"
#include "simulator/query.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxInValues = 30;
constexpr std::size_t kMaxNotInValues = 10;
constexpr std::int64_t kMaxNearest = 1'000;
// Bounds AND and OR within each other: protobuf's own readers give up at a hundred levels of
// messages.
constexpr int kMaxFilterDepth = 30;

// Reads the JSON, and checks as much as possible in place.
class Reader {
 public:
  Reader(JsonScanner& scanner, std::string_view database)
      : scanner_(scanner), database_(database) {}

  bool ReadQuery(Query& query) {
    return ReadObject(scanner_, [&](const std::string& member) {
      if (member == "from") return ReadFrom(query);
      if (member == "where") return Done(query.filter = ReadFilter(0));
      if (member == "select") return ReadSelect(query);
      if (member == "orderBy") return ReadOrders(query);
      if (member == "startAt") return Done(query.start = ReadPosition());
      if (member == "endAt") return Done(query.end = ReadPosition());
      if (member == "offset") return Done(query.offset = ReadInt32(scanner_));
      if (member == "findNearest") return Done(query.nearest = ReadNearest());
      if (member != "limit") return false;
      if (scanner_.Peek() == JsonScanner::Kind::kNull) return scanner_.Null(), true;
      return Done(query.limit = ReadInt32(scanner_));
    });
  }

 private:
  template <class T>
  static bool Done(const T& /*read*/) {
    return true;
  }

  FieldPath ReadPath() {
    Result<FieldPath> path = ParseFieldPath(ReadString(scanner_));
    if (!path) scanner_.Reject("a field path is malformed");
    return path ? std::move(*path) : FieldPath::DocumentName();
  }

  // `{fieldPath: "a.b"}`
  FieldPath ReadField() {
    std::optional<FieldPath> path;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member != "fieldPath") return false;
      path = ReadPath();
      return true;
    });
    if (!path) scanner_.Reject("a field lacks its path");
    return path ? std::move(*path) : FieldPath::DocumentName();
  }

  bool ReadFrom(Query& query) {
    int count = 0;
    ReadArray(scanner_, [&] {
      if (++count > 1) scanner_.Reject("a query has more than one collection selector");
      ReadObject(scanner_, [&](const std::string& member) {
        if (member == "collectionId") {
          query.collection_id = ReadString(scanner_);
          if (!query.collection_id.empty() && !CheckCollectionId(query.collection_id)) {
            scanner_.Reject("the collection id is invalid");
          }
          return true;
        }
        return member == "allDescendants" && Done(query.all_descendants = ReadBool(scanner_));
      });
    });
    return true;
  }

  bool ReadSelect(Query& query) {
    std::vector<FieldPath> fields;
    const bool present = ReadObject(scanner_, [&](const std::string& member) {
      if (member != "fields") return false;
      ReadArray(scanner_, [&] { fields.push_back(ReadField()); });
      return true;
    });
    if (present) query.select = std::move(fields);
    return true;
  }

  bool ReadOrders(Query& query) {
    ReadArray(scanner_, [&] {
      OrderBy order{FieldPath::DocumentName()};
      bool named = false;
      ReadObject(scanner_, [&](const std::string& member) {
        if (member == "field") return named = true, Done(order.field = ReadField());
        if (member != "direction") return false;
        order.descending =
            ReadEnum(scanner_, {"DIRECTION_UNSPECIFIED", "ASCENDING", "DESCENDING"}) == 2;
        return true;
      });
      if (!named) scanner_.Reject("an order lacks its field");
      query.orders.push_back(std::move(order));
    });
    return true;
  }

  std::optional<Position> ReadPosition() {
    Position position;
    const bool present = ReadObject(scanner_, [&](const std::string& member) {
      if (member == "before") return Done(position.before = ReadBool(scanner_));
      if (member != "values") return false;
      ReadArray(scanner_, [&] { position.values.push_back(ReadValue(scanner_)); });
      return true;
    });
    if (!present) return std::nullopt;
    return position;
  }

  std::optional<Nearest> ReadNearest() {
    Nearest nearest;
    std::size_t measure = 0;
    bool named = false;
    const bool present = ReadObject(scanner_, [&](const std::string& member) {
      if (member == "vectorField") return named = true, Done(nearest.field = ReadField());
      if (member == "queryVector") return Done(nearest.to = ReadVector());
      if (member == "limit") return Done(nearest.limit = ReadInt32(scanner_));
      if (member == "distanceThreshold") return Done(nearest.threshold = ReadThreshold());
      if (member == "distanceResultField") return Done(nearest.result_field = ReadResultField());
      if (member != "distanceMeasure") return false;
      measure = ReadEnum(scanner_,
                         {"DISTANCE_MEASURE_UNSPECIFIED", "EUCLIDEAN", "COSINE", "DOT_PRODUCT"});
      return true;
    });
    if (!present) return std::nullopt;
    if (!named || nearest.to.elements.empty()) {
      scanner_.Reject("findNearest lacks a field or vector");
    }
    if (measure == 0) {
      scanner_.Reject("findNearest lacks its measure");
    } else {
      nearest.measure = static_cast<Nearest::Measure>(measure - 1);
    }
    if (nearest.limit < 1 || nearest.limit > kMaxNearest) {
      scanner_.Reject("FindNearest.limit must be a positive integer of no more than 1000");
    }
    return nearest;
  }

  Vector ReadVector() {
    const Value value = ReadValue(scanner_);
    const Vector* vector = value.As<Vector>();
    if (!vector) scanner_.Reject("Query Value must be of type vector");
    return vector ? *vector : Vector{};
  }

  std::optional<double> ReadThreshold() {
    if (scanner_.Peek() == JsonScanner::Kind::kNull) return scanner_.Null(), std::nullopt;
    const double threshold = DecodeDouble(scanner_);
    if (!std::isfinite(threshold)) scanner_.Reject("distanceThreshold must be a finite number");
    return threshold;
  }

  // A name, not a path.
  std::string ReadResultField() {
    std::string name = ReadString(scanner_);
    if (IsReserved(name)) scanner_.Reject("the distanceResultField is reserved");
    if (name.size() > kMaxFieldNameBytes) scanner_.Reject("the distanceResultField is too long");
    return name;
  }

  Filter ReadFilter(int depth) {
    Filter filter;
    int count = 0;
    if (depth > kMaxFilterDepth) {
      scanner_.Reject("filters are nested too deeply");
      return filter;
    }
    const bool present = ReadObject(scanner_, [&](const std::string& member) {
      ++count;
      if (member == "compositeFilter") return Done(filter = ReadComposite(depth));
      if (member == "fieldFilter") return Done(filter = ReadFieldFilter());
      return member == "unaryFilter" && Done(filter = ReadUnaryFilter());
    });
    if (depth > 0 ? !present || count != 1 : present && count != 1) {
      scanner_.Reject("a filter must have exactly one type");
    }
    return filter;
  }

  Filter ReadComposite(int depth) {
    Filter filter;
    std::size_t op = 0;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member == "op") {
        op = ReadEnum(scanner_, {"OPERATOR_UNSPECIFIED", "AND", "OR"});
        return true;
      }
      if (member != "filters") return false;
      ReadArray(scanner_, [&] { filter.children.push_back(ReadFilter(depth + 1)); });
      return true;
    });
    if (op == 0) scanner_.Reject("a composite filter lacks its operator");
    if (op == 2 && filter.children.empty()) scanner_.Reject("an OR has no filters");
    filter.kind = op == 2 ? Filter::Kind::kOr : Filter::Kind::kAnd;
    return filter;
  }

  Filter ReadFieldFilter() {
    // By the numbers of the proto's enumerators. The first one means no value.
    constexpr Op kOps[] = {
        Op::kEqual, Op::kLess,     Op::kLessOrEqual,   Op::kGreater, Op::kGreaterOrEqual,
        Op::kEqual, Op::kNotEqual, Op::kArrayContains, Op::kIn,      Op::kArrayContainsAny,
        Op::kNotIn};
    Filter filter;
    filter.kind = Filter::Kind::kField;
    std::size_t op = 0;
    bool named = false;
    bool valued = false;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member == "field") return named = true, Done(filter.field = ReadField());
      if (member == "value") return valued = true, Done(filter.value = ReadOperand(scanner_));
      if (member != "op") return false;
      op = ReadEnum(scanner_, {"OPERATOR_UNSPECIFIED", "LESS_THAN", "LESS_THAN_OR_EQUAL",
                               "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "EQUAL", "NOT_EQUAL",
                               "ARRAY_CONTAINS", "IN", "ARRAY_CONTAINS_ANY", "NOT_IN"});
      return true;
    });
    if (!named || !valued || op == 0) scanner_.Reject("a field filter lacks field, op or value");
    filter.op = kOps[op];
    CheckOperand(filter);
    return filter;
  }

  Filter ReadUnaryFilter() {
    // By the numbers of the proto's enumerators, which leave out 1.
    constexpr Op kOps[] = {Op::kIsNull, Op::kIsNull,   Op::kIsNan,
                           Op::kIsNull, Op::kIsNotNan, Op::kIsNotNull};
    Filter filter;
    filter.kind = Filter::Kind::kField;
    std::size_t op = 0;
    bool named = false;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member == "field") return named = true, Done(filter.field = ReadField());
      if (member != "op") return false;
      op = ReadEnum(scanner_,
                    {"OPERATOR_UNSPECIFIED", "", "IS_NAN", "IS_NULL", "IS_NOT_NAN", "IS_NOT_NULL"});
      return true;
    });
    if (!named || op < 2) scanner_.Reject("a unary filter lacks field or op");
    filter.op = kOps[op];
    if (filter.field.IsDocumentName()) scanner_.Reject("__name__ is never null and no number");
    return filter;
  }

  void CheckOperand(Filter& filter) {
    const bool list =
        filter.op == Op::kIn || filter.op == Op::kNotIn || filter.op == Op::kArrayContainsAny;
    if (list) {
      const Array* array = filter.value.As<Array>();
      const std::size_t size = array ? array->elements.size() : 0;
      if (size == 0) scanner_.Reject("the operator requires a non-empty array");
      if (size > (filter.op == Op::kNotIn ? kMaxNotInValues : kMaxInValues)) {
        scanner_.Reject("the operator supports no more values");
      }
    }
    if (!filter.field.IsDocumentName() || !scanner_.ok()) return;
    if (filter.op == Op::kArrayContains || filter.op == Op::kArrayContainsAny) {
      scanner_.Reject("__name__ is no array");
    } else if (list) {
      Array names = *filter.value.As<Array>();
      for (Value& name : names.elements) MakePathRelative(name);
      filter.value = {std::move(names)};
    } else {
      MakePathRelative(filter.value);
    }
  }

  void MakePathRelative(Value& value) {
    if (!MakeRelative(value, database_)) {
      scanner_.Reject("__name__ is compared with what names no document of this database");
    }
  }

  JsonScanner& scanner_;
  std::string_view database_;
};

}  // namespace

Result<Query> ReadQuery(JsonScanner& scanner, std::string_view database, std::string_view parent) {
  Query query;
  query.parent = std::string(parent);
  Reader reader(scanner, database);
  reader.ReadQuery(query);
  if (!scanner.ok()) return scanner.failure("structuredQuery");
  return query;
}

}  // namespace shardline::simulator
