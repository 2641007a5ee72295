// Evaluates filters: which documents match, and their normal form.

#include <algorithm>
#include <utility>

#include "simulator/fields.h"
#include "simulator/query.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

// Null and NaN equal nothing, themselves included.
bool Incomparable(const Value& value) { return value.IsNull() || IsNan(value); }

bool SameType(const Value& a, const Value& b) {
  const auto is_number = [](const Value& v) { return v.As<std::int64_t>() || v.As<double>(); };
  return a.data.index() == b.data.index() || (is_number(a) && is_number(b));
}

bool Equals(const Value& a, const Value& b) {
  return !Incomparable(b) && SameType(a, b) && CompareValues(a, b) == 0;
}

const std::vector<Value>& Elements(const Value& value) {
  static const std::vector<Value> kNone;
  const Array* array = value.As<Array>();
  return array ? array->elements : kNone;
}

bool ContainsEqual(const std::vector<Value>& values, const Value& value) {
  return std::any_of(values.begin(), values.end(),
                     [&](const Value& other) { return Equals(value, other); });
}

bool InequalityHolds(Op op, const Value& value, const Value& operand) {
  if (Incomparable(operand) || IsNan(value) || !SameType(value, operand)) return false;
  const std::weak_ordering order = CompareValues(value, operand);
  switch (op) {
    case Op::kLess:
      return order < 0;
    case Op::kLessOrEqual:
      return order <= 0;
    case Op::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool ValueMatches(const Filter& filter, const Value& value) {
  const std::vector<Value>& operands = Elements(filter.value);
  switch (filter.op) {
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
      return InequalityHolds(filter.op, value, filter.value);
    case Op::kEqual:
      return Equals(value, filter.value);
    case Op::kNotEqual:
      return !value.IsNull() && !filter.value.IsNull() && !Equals(value, filter.value);
    case Op::kArrayContains:
      return ContainsEqual(Elements(value), filter.value) && !Incomparable(filter.value);
    case Op::kIn:
      return ContainsEqual(operands, value);
    case Op::kArrayContainsAny:
      return std::any_of(operands.begin(), operands.end(), [&](const Value& operand) {
        return !Incomparable(operand) && ContainsEqual(Elements(value), operand);
      });
    case Op::kNotIn:
      return !value.IsNull() && !ContainsEqual(operands, value) &&
             std::none_of(operands.begin(), operands.end(),
                          [](const Value& operand) { return operand.IsNull(); });
    case Op::kIsNan:
      return IsNan(value);
    case Op::kIsNull:
      return value.IsNull();
    case Op::kIsNotNan:
      return !value.IsNull() && !IsNan(value);
    case Op::kIsNotNull:
      return !value.IsNull();
  }
  return false;
}

std::vector<Filter> Alternatives(const Filter& filter, Op single) {
  std::vector<Filter> alternatives;
  for (const Value& value : Elements(filter.value)) {
    Filter one;
    one.kind = Filter::Kind::kField;
    one.field = filter.field;
    one.op = single;
    one.value = value;
    alternatives.push_back(std::move(one));
  }
  return alternatives;
}

using Conjunctions = std::vector<std::vector<Filter>>;

Conjunctions Multiply(const Conjunctions& left, const Conjunctions& right) {
  Conjunctions product;
  for (const std::vector<Filter>& a : left) {
    for (const std::vector<Filter>& b : right) {
      product.push_back(a);
      product.back().insert(product.back().end(), b.begin(), b.end());
    }
  }
  return product;
}

}  // namespace

bool IsInequality(Op op) {
  switch (op) {
    case Op::kEqual:
    case Op::kIn:
    case Op::kArrayContains:
    case Op::kArrayContainsAny:
    case Op::kIsNull:
    case Op::kIsNan:
      return false;
    default:
      return true;
  }
}

bool Matches(const Filter& filter, const Content& content, std::string_view path) {
  const auto matches = [&](const Filter& child) { return Matches(child, content, path); };
  switch (filter.kind) {
    case Filter::Kind::kAnd:
      return std::all_of(filter.children.begin(), filter.children.end(), matches);
    case Filter::Kind::kOr:
      return std::any_of(filter.children.begin(), filter.children.end(), matches);
    case Filter::Kind::kField:
      break;
  }
  if (filter.field.IsDocumentName()) {
    return ValueMatches(filter, Value{Reference{std::string(path)}});
  }
  const Value* value = FindField(content.fields, filter.field);
  return value && ValueMatches(filter, *value);
}

Conjunctions Disjunctions(const Filter& filter) {
  Conjunctions alternatives;
  switch (filter.kind) {
    case Filter::Kind::kAnd:
      alternatives = {{}};
      for (const Filter& child : filter.children) {
        alternatives = Multiply(alternatives, Disjunctions(child));
      }
      return alternatives;
    case Filter::Kind::kOr:
      for (const Filter& child : filter.children) {
        Conjunctions more = Disjunctions(child);
        alternatives.insert(alternatives.end(), more.begin(), more.end());
      }
      return alternatives;
    case Filter::Kind::kField:
      break;
  }
  if (filter.op != Op::kIn && filter.op != Op::kArrayContainsAny) return {{filter}};
  const Op single = filter.op == Op::kIn ? Op::kEqual : Op::kArrayContains;
  for (Filter& one : Alternatives(filter, single)) alternatives.push_back({std::move(one)});
  return alternatives;
}

}  // namespace shardline::simulator
