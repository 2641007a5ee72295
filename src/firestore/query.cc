#include "firestore/query.h"

#include <cassert>
#include <cstddef>

namespace shardline {
namespace {

// Indexed by FilterOp.
constexpr std::string_view kWireOps[] = {
    "EQUAL",
    "NOT_EQUAL",
    "LESS_THAN",
    "LESS_THAN_OR_EQUAL",
    "GREATER_THAN",
    "GREATER_THAN_OR_EQUAL",
    "IN",
    "NOT_IN",
    "ARRAY_CONTAINS",
    "ARRAY_CONTAINS_ANY",
};

void EncodeField(JsonWriter& writer, const FieldPath& field) {
  writer.Key("field").BeginObject().Key("fieldPath").String(field.text()).EndObject();
}

// Equality with null and NaN has operators of its own on the wire; nullopt for all other filters.
std::optional<std::string_view> UnaryOp(const Filter& filter) {
  const bool equal = filter.op == FilterOp::kEqual;
  if (!equal && filter.op != FilterOp::kNotEqual) return std::nullopt;
  if (filter.value.json() == R"({"nullValue":null})") return equal ? "IS_NULL" : "IS_NOT_NULL";
  if (filter.value.json() == R"({"doubleValue":"NaN"})") return equal ? "IS_NAN" : "IS_NOT_NAN";
  return std::nullopt;
}

void EncodeComposite(JsonWriter& writer, std::string_view op, const std::vector<Filter>& filters);

// NOLINTNEXTLINE(misc-no-recursion)
void EncodeFilter(JsonWriter& writer, const Filter& filter) {
  if (IsComposite(filter.op)) {
    return EncodeComposite(writer, filter.op == FilterOp::kAnd ? "AND" : "OR", filter.filters);
  }
  const std::optional<std::string_view> unary = UnaryOp(filter);
  writer.BeginObject().Key(unary ? "unaryFilter" : "fieldFilter").BeginObject();
  EncodeField(writer, filter.field);
  writer.Key("op").String(unary ? *unary : kWireOps[static_cast<std::size_t>(filter.op)]);
  if (!unary) writer.Key("value").Raw(filter.value.json());
  writer.EndObject().EndObject();
}

// Needs at least one filter; a single one is written alone. NOLINTNEXTLINE(misc-no-recursion)
void EncodeComposite(JsonWriter& writer, std::string_view op, const std::vector<Filter>& filters) {
  assert(!filters.empty());
  if (filters.size() == 1) return EncodeFilter(writer, filters[0]);
  writer.BeginObject().Key("compositeFilter").BeginObject();
  writer.Key("op").String(op).Key("filters").BeginArray();
  for (const Filter& filter : filters) EncodeFilter(writer, filter);
  writer.EndArray().EndObject().EndObject();
}

void EncodeOrders(JsonWriter& writer, const std::vector<Order>& orders) {
  if (orders.empty()) return;
  writer.Key("orderBy").BeginArray();
  for (const Order& order : orders) {
    writer.BeginObject();
    EncodeField(writer, order.field);
    const bool ascending = order.direction == Direction::kAscending;
    writer.Key("direction").String(ascending ? "ASCENDING" : "DESCENDING").EndObject();
  }
  writer.EndArray();
}

void EncodePosition(JsonWriter& writer, std::string_view key,
                    const std::optional<Position>& position) {
  if (!position) return;
  writer.Key(key).BeginObject().Key("values").BeginArray();
  for (std::size_t i = 0; i < position->values.size(); ++i) writer.Raw(position->values.json(i));
  writer.EndArray().Key("before").Boolean(position->before).EndObject();
}

void EncodeQuery(JsonWriter& writer, const Query& query) {
  writer.Key("structuredQuery").BeginObject();
  if (!query.select.empty()) {
    writer.Key("select").BeginObject().Key("fields").BeginArray();
    for (const FieldPath& field : query.select) {
      writer.BeginObject().Key("fieldPath").String(field.text()).EndObject();
    }
    writer.EndArray().EndObject();
  }
  writer.Key("from").BeginArray().BeginObject();
  writer.Key("collectionId").String(query.collection.id()).EndObject().EndArray();
  if (!query.filters.empty()) EncodeComposite(writer.Key("where"), "AND", query.filters);
  EncodeOrders(writer, query.orders);
  EncodePosition(writer, "startAt", query.start);
  EncodePosition(writer, "endAt", query.end);
  if (query.limit) writer.Key("limit").Int(*query.limit);
  writer.EndObject();
}

void EncodeReadTime(JsonWriter& writer, std::string_view read_time) {
  if (!read_time.empty()) writer.Key("readTime").String(read_time);
}

}  // namespace

Position Position::AtDocument(std::string_view name, bool before) {
  Position position{.before = before};
  position.values.Add(EncodedValue::Reference(name));
  return position;
}

bool IsInequality(FilterOp op) {
  switch (op) {
    case FilterOp::kEqual:
    case FilterOp::kIn:
    case FilterOp::kArrayContains:
    case FilterOp::kArrayContainsAny:
    case FilterOp::kAnd:
    case FilterOp::kOr:
      return false;
    default:
      return true;
  }
}

std::string EncodeRunQuery(const Query& query, std::string_view read_time) {
  JsonWriter writer;
  writer.BeginObject();
  EncodeQuery(writer, query);
  EncodeReadTime(writer, read_time);
  writer.EndObject();
  return writer.Take();
}

std::string EncodeRunAggregation(const Query& query, const FieldPath* sum,
                                 std::string_view read_time, bool average) {
  JsonWriter writer;
  writer.BeginObject().Key("structuredAggregationQuery").BeginObject();
  EncodeQuery(writer, query);
  writer.Key("aggregations").BeginArray();
  const auto of_field = [&](const char* kind, const FieldPath& field) {
    writer.BeginObject().Key("alias").String(kind).Key(kind).BeginObject();
    EncodeField(writer, field);
    writer.EndObject().EndObject();
  };
  if (sum != nullptr) of_field("sum", *sum);
  if (sum != nullptr && average) of_field("avg", *sum);
  writer.BeginObject().Key("alias").String("count").Key("count").BeginObject();
  writer.EndObject().EndObject().EndArray().EndObject();
  EncodeReadTime(writer, read_time);
  return writer.EndObject().Take();
}

std::string EncodeSums(const Query& query, const std::vector<FieldPath>& fields, bool counts,
                       std::string_view read_time) {
  JsonWriter writer;
  writer.BeginObject().Key("structuredAggregationQuery").BeginObject();
  EncodeQuery(writer, query);
  writer.Key("aggregations").BeginArray();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    writer.BeginObject().Key("alias").String("c" + std::to_string(i)).Key("sum").BeginObject();
    EncodeField(writer, fields[i]);
    writer.EndObject().EndObject();
  }
  if (counts) {
    writer.BeginObject().Key("alias").String("count").Key("count").BeginObject();
    writer.EndObject().EndObject();
  }
  writer.EndArray().EndObject();
  EncodeReadTime(writer, read_time);
  return writer.EndObject().Take();
}

std::string EncodeBatchGet(const std::vector<std::string>& names, const FieldPath* field,
                           std::string_view read_time) {
  JsonWriter writer;
  writer.BeginObject().Key("documents").BeginArray();
  for (const std::string& name : names) writer.String(name);
  writer.EndArray();
  if (field != nullptr) {
    writer.Key("mask").BeginObject().Key("fieldPaths").BeginArray();
    writer.String(field->text()).EndArray().EndObject();
  }
  EncodeReadTime(writer, read_time);
  return writer.EndObject().Take();
}

}  // namespace shardline
