#include "simulator/normal_form.h"

#include <optional>
#include <set>
#include <string>

#include "base/json_writer.h"
#include "firestore/value_codec.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

// A set of conditions, each serialized to text. 1 and 1.0 are two values here.
using Conjunction = std::set<std::string>;
using NormalForm = std::set<Conjunction>;

std::string Condition(const Filter& filter, Op op, const Value& value) {
  JsonWriter writer;
  writer.BeginArray().String(filter.field.text()).Int(static_cast<int>(op));
  EncodeValue(writer, value);
  return writer.EndArray().Take();
}

NormalForm OfField(const Filter& filter) {
  const Array* list = filter.value.As<Array>();
  const bool any = filter.op == Op::kIn || filter.op == Op::kArrayContainsAny;
  if (!any || list == nullptr) return {{Condition(filter, filter.op, filter.value)}};
  const Op op = filter.op == Op::kIn ? Op::kEqual : Op::kArrayContains;
  NormalForm form;
  for (const Value& value : list->elements) form.insert({Condition(filter, op, value)});
  return form;
}

// nullopt: endless.
std::optional<NormalForm> Normalize(const Filter& filter) {
  if (filter.kind == Filter::Kind::kField) return OfField(filter);
  const bool either = filter.kind == Filter::Kind::kOr;
  NormalForm form;
  if (!either) form.insert(Conjunction());
  for (const Filter& child : filter.children) {
    std::optional<NormalForm> more = Normalize(child);
    if (!more) return std::nullopt;
    if (either) {
      form.merge(*more);
    } else {
      if (form.size() * more->size() > kEndless) return std::nullopt;
      NormalForm joined;
      for (const Conjunction& left : form) {
        for (Conjunction both : *more) {
          both.insert(left.begin(), left.end());
          joined.insert(std::move(both));
        }
      }
      form = std::move(joined);
    }
  }
  return form;
}

}  // namespace

std::size_t CountDisjunctions(const Filter& filter) {
  const std::optional<NormalForm> form = Normalize(filter);
  return form ? form->size() : kEndless;
}

}  // namespace shardline::simulator
