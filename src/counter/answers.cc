#include "counter/answers.h"

#include <algorithm>
#include <utility>

namespace shardline {
namespace {

// The map that `depth` names of the field lead to holds a value that is not the counter's.
void NoteOther(CountedDocument& document, std::size_t depth) {
  document.own_names = std::max(document.own_names, depth + 1);
}

// True if the value may hold a number somewhere; the text of a string may look like one.
bool MayHoldNumbers(std::string_view value) {
  return value.find("\"integerValue\"") != std::string_view::npos ||
         value.find("\"doubleValue\"") != std::string_view::npos;
}

// The list of the amounts that were added to a partial.
constexpr std::string_view kUpdates = "_updates_";

// Reads the field that `names` lead to in an object of values. `without`: a member of the object
// that is passed over.
void ReadField(JsonScanner& scanner, JsonView fields, const std::vector<std::string>& names,
               std::string_view without, CountedDocument& document) {
  for (std::size_t depth = 0; depth < names.size(); ++depth) {
    JsonView value;
    for (JsonItems members(fields, JsonItems::Of::kObject); members.Next();) {
      if (members.Is(names[depth])) {
        if (value) scanner.Reject("a field stands in a document twice");
        value = members.value();
      } else if (depth > 0 || !members.Is(without)) {
        NoteOther(document, depth);
        if (MayHoldNumbers(members.value().Raw())) document.counts_for_others = true;
      }
    }
    if (!value) return;
    if (depth + 1 == names.size()) {
      document.has_field = true;
      document.amount = value.Read(Amount::Read);
    } else {
      fields = value["mapValue.fields"];
      if (!fields) NoteOther(document, depth);
    }
  }
}

// Adds up the list, each element of which is {_id_: "…", _data_: {visits: 7}}.
void ReadUpdates(JsonScanner& scanner, const JsonView& updates,
                 const std::vector<std::string>& names, CountedDocument& document) {
  Sum sum;
  bool has_amount = false;
  for (JsonItems list(updates["arrayValue.values"]); list.Next();) {
    CountedDocument update;
    ReadField(scanner, list.value()["mapValue.fields._data_.mapValue.fields"], names, {}, update);
    if (!update.has_field || update.has_others()) NoteOther(document, 0);
    document.counts_for_others = document.counts_for_others || update.counts_for_others;
    if (!update.amount) continue;
    sum.Add(*update.amount);
    has_amount = true;
  }
  if (!has_amount) return;
  if (document.amount) sum.Add(*document.amount);
  document.amount = sum.Total();
  if (!document.amount) scanner.Reject("a partial holds more than a 64-bit integer");
}

CountedDocument Count(JsonScanner& scanner, const DocumentAnswer& answer, const FieldPath& field) {
  CountedDocument document;
  document.name = answer.name;
  document.update_time = answer.update_time;
  const bool is_partial = IsPartial(answer.name);
  ReadField(scanner, answer.fields, field.segments(), is_partial ? kUpdates : "", document);
  if (is_partial) {
    ReadUpdates(scanner, answer.fields.Member(kUpdates), field.segments(), document);
  }
  return document;
}

}  // namespace

bool IsPartial(std::string_view name) {
  return name.substr(name.rfind('/') + 1).substr(0, 1) == "\t";
}

Status DecodeCounts(const PaddedText& body, const FieldPath& field, CountedDocuments& counts,
                    StreamedAnswer::Asked asked) {
  DocumentsAnswer answer(body, asked);
  while (answer.Next()) {
    counts.documents.push_back(Count(answer.scanner(), answer.document(), field));
  }
  SHARDLINE_CHECK(answer.Finish());
  counts.read_time = answer.read_time();
  return {};
}

Status DecodeCount(const PaddedText& body, std::string_view name, const FieldPath& field,
                   CountedDocument& document) {
  DocumentsAnswer answer(body);
  document = Count(answer.scanner(), answer.ReadOnly(name), field);
  return answer.Finish();
}

}  // namespace shardline
