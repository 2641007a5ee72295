#include "counter/requests.h"

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "base/json_writer.h"
#include "base/number.h"
#include "firestore/write.h"

namespace shardline {
namespace {

// The text with each `$` replaced by the next of the parts, which are JSON.
std::string Fill(const char* text, std::initializer_list<std::string_view> parts) {
  std::string_view pattern = text;
  std::string out;
  for (const std::string_view part : parts) {
    const std::size_t place = pattern.find('$');
    out += pattern.substr(0, place);
    out += part;
    pattern.remove_prefix(place + 1);
  }
  out += pattern;
  return out;
}

std::string Quote(std::string_view text) {
  JsonWriter writer;
  return writer.String(text).Take();
}

// A document's fields with this one alone, in the maps that it lies in.
std::string EncodeFields(const FieldPath& field, std::string value) {
  const std::vector<std::string>& names = field.segments();
  for (std::size_t i = names.size(); i-- > 0;) {
    value = Fill("{$:$}", {Quote(names[i]), value});
    if (i > 0) value = Fill(R"({"mapValue":{"fields":$}})", {value});
  }
  return value;
}

// That the document was last written then; or if `update_time` is empty, that it is not there.
std::string EncodeCondition(std::string_view update_time) {
  if (update_time.empty()) return R"("currentDocument":{"exists":false})";
  return Fill(R"("currentDocument":{"updateTime":$})", {Quote(update_time)});
}

// `condition` is empty or begins with a comma.
std::string EncodeIncrementIf(std::string_view name, const FieldPath& field, const Amount& delta,
                              std::string_view condition) {
  return Fill(R"({"update":{"name":$},"updateMask":{"fieldPaths":[]},)"
              R"("updateTransforms":[{"fieldPath":$,"increment":$}]$})",
              {Quote(name), Quote(field.text()), delta.Encode(), condition});
}

std::string EncodeReadTime(std::string_view read_time) {
  return read_time.empty() ? std::string() : Fill(R"(,"readTime":$)", {Quote(read_time)});
}

}  // namespace

std::string EncodeReadField(std::string_view name, const FieldPath& field,
                            std::string_view read_time) {
  return Fill(R"({"documents":[$],"mask":{"fieldPaths":[$]}$})",
              {Quote(name), Quote(field.text()), EncodeReadTime(read_time)});
}

std::string EncodeReadDocument(std::string_view name, std::string_view read_time) {
  return Fill(R"({"documents":[$]$})", {Quote(name), EncodeReadTime(read_time)});
}

std::string EncodeList(const ListQuery& query) {
  std::string parts;
  if (query.field != nullptr) {
    parts = Fill(R"("select":{"fields":[{"fieldPath":$}]},)", {Quote(query.field->text())});
  }
  const auto bound = [&](std::string_view name, std::string_view at, std::string_view before) {
    if (at.empty()) return;
    parts +=
        Fill(R"("$":{"values":[{"referenceValue":$}],"before":$},)", {name, Quote(at), before});
  };
  bound("startAt", query.after, "false");
  bound("endAt", query.before, "true");
  std::string digits;
  AppendInt64(digits, query.limit);
  return Fill(R"({"structuredQuery":{$"from":[{"collectionId":$}],)"
              R"("orderBy":[{"field":{"fieldPath":"__name__"},"direction":"ASCENDING"}],)"
              R"("limit":$}$})",
              {parts, Quote(query.collection_id), digits, EncodeReadTime(query.read_time)});
}

std::string EncodeSumField(std::string_view collection_id, const FieldPath& field,
                           std::string_view read_time) {
  return Fill(R"({"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":$}]},)"
              R"("aggregations":[{"alias":"sum","sum":{"field":{"fieldPath":$}}},)"
              R"({"alias":"count","count":{}}]}$})",
              {Quote(collection_id), Quote(field.text()), EncodeReadTime(read_time)});
}

std::string EncodeCommitOf(std::string_view writes) { return Fill(R"({"writes":[$]})", {writes}); }

void CommitWrites::Add(std::string_view write) {
  if (size_++ > 0) writes_ += ',';
  writes_ += write;
}

bool CommitWrites::HasRoomFor(std::string_view write) const {
  constexpr std::size_t kAround = 16;  // {"writes":[…]} and a comma.
  return writes_.size() + write.size() + kAround <= kMaxRequestBytes;
}

std::string EncodeIncrement(std::string_view name, const FieldPath& field, const Amount& delta) {
  return EncodeIncrementIf(name, field, delta, "");
}

std::string EncodeGuardedIncrement(std::string_view name, const FieldPath& field,
                                   const Amount& delta, std::string_view update_time) {
  return EncodeIncrementIf(name, field, delta, ',' + EncodeCondition(update_time));
}

std::string EncodeSetField(std::string_view name, const FieldPath& field, const Amount& value,
                           std::string_view update_time) {
  std::string mask;
  if (!update_time.empty()) {
    mask = Fill(R"("updateMask":{"fieldPaths":[$]},)", {Quote(field.text())});
  }
  return Fill(
      R"({"update":{"name":$,"fields":$},$$})",
      {Quote(name), EncodeFields(field, value.Encode()), mask, EncodeCondition(update_time)});
}

std::string EncodeRemoveField(std::string_view name, const FieldPath& field,
                              std::string_view update_time) {
  return Fill(
      R"({"update":{"name":$},"updateMask":{"fieldPaths":[$]},"currentDocument":{"updateTime":$}})",
      {Quote(name), Quote(field.text()), Quote(update_time)});
}

std::string EncodeAddToPartial(std::string_view name, const FieldPath& field, const Amount& delta,
                               std::string_view id, std::string_view update_time) {
  return Fill(R"({"update":{"name":$},"updateMask":{"fieldPaths":[]},)"
              R"("updateTransforms":[{"fieldPath":"_updates_","appendMissingElements":{"values":[)"
              R"({"mapValue":{"fields":{"_id_":{"stringValue":$},)"
              R"("_data_":{"mapValue":{"fields":$}}}}}]}}],"currentDocument":{"updateTime":$}})",
              {Quote(name), Quote(id), EncodeFields(field, delta.Encode()), Quote(update_time)});
}

std::string EncodeDelete(std::string_view name, std::string_view update_time) {
  return Fill(R"({"delete":$,"currentDocument":{"updateTime":$}})",
              {Quote(name), Quote(update_time)});
}

}  // namespace shardline
