#include "counter/answers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/json_members.h"
#include "base/json_scanner.h"
#include "firestore/response.h"
#include "firestore/streamed_answer.h"

namespace shardline {
namespace {

// In an object that has been begun, goes on to the next member of that name.
bool SeekKey(JsonScanner& scanner, const char* name) {
  std::string_view key;
  while (scanner.NextKey(key)) {
    if (RawEquals(key, name)) return true;
    scanner.SkipValue();
  }
  return false;
}

using Names = std::vector<std::string>;

// In front of a value, hands over to `read` what is inside a map or an array: "mapValue" and
// "fields", or "arrayValue" and "values". Returns false if the value is something else, or empty.
template <class Read>
bool ReadInside(JsonScanner& scanner, const char* kind, const char* inside, const Read& read) {
  bool found = false;
  if (!scanner.BeginObject()) return false;
  while (SeekKey(scanner, kind)) {
    if (!scanner.BeginObject()) return false;
    while (SeekKey(scanner, inside)) {
      found = true;
      read();
    }
  }
  return found;
}

// The list of what was added to a partial.
struct Updates {
  bool is_there = false;
  bool has_amount = false;
  Sum sum;
};

// Something that is not the counter's stands in the map that `depth` names of the field lead to.
void NoteOther(CountedDocument& document, std::size_t depth) {
  document.own_names = std::max(document.own_names, depth + 1);
}

// Reads an object of values down to the field that `names`, from `depth` on, leads to; and
// `_updates_` beside it, if they are asked for.
void ReadFields(JsonScanner& scanner, const Names& names, std::size_t depth,
                CountedDocument& document, Updates* updates);

// One element of the list: {_id_: "…", _data_: {visits: 7}}.
void ReadUpdate(JsonScanner& scanner, const Names& names, CountedDocument& document,
                Updates& updates) {
  if (!scanner.BeginObject()) return;
  bool has_data = false;
  while (SeekKey(scanner, "_data_")) {
    ReadInside(scanner, "mapValue", "fields", [&] {
      CountedDocument update;
      ReadFields(scanner, names, 0, update, nullptr);
      has_data = update.has_field;
      if (update.has_others()) NoteOther(document, 0);
      document.counts_for_others = document.counts_for_others || update.counts_for_others;
      if (!update.amount) return;
      updates.sum.Add(*update.amount);
      updates.has_amount = true;
    });
  }
  if (!has_data) NoteOther(document, 0);
}

void ReadUpdates(JsonScanner& scanner, const Names& names, CountedDocument& document,
                 Updates& updates) {
  ReadInside(scanner, "arrayValue", "values", [&] {
    if (!scanner.BeginArray()) return;
    while (scanner.NextElement()) {
      if (!ReadInside(scanner, "mapValue", "fields",
                      [&] { ReadUpdate(scanner, names, document, updates); })) {
        NoteOther(document, 0);
      }
    }
  });
}

// True if a number stands in the value somewhere; the text of a string may look like one.
bool MayHoldNumbers(std::string_view value) {
  return value.find("\"integerValue\"") != std::string_view::npos ||
         value.find("\"doubleValue\"") != std::string_view::npos;
}

void ReadFields(JsonScanner& scanner, const Names& names, std::size_t depth,
                CountedDocument& document, Updates* updates) {
  std::string_view key;
  if (!scanner.BeginObject()) return;
  while (scanner.NextKey(key)) {
    if (RawEquals(key, names[depth])) {
      if (document.has_field) scanner.Reject("a field stands in a document twice");
      if (depth + 1 == names.size()) {
        document.has_field = true;
        document.amount = Amount::Read(scanner);
      } else if (!ReadInside(scanner, "mapValue", "fields",
                             [&] { ReadFields(scanner, names, depth + 1, document, nullptr); })) {
        NoteOther(document, depth);
      }
    } else if (updates != nullptr && RawEquals(key, "_updates_")) {
      updates->is_there = true;
      ReadUpdates(scanner, names, document, *updates);
    } else {
      NoteOther(document, depth);
      if (MayHoldNumbers(scanner.SkipValue())) document.counts_for_others = true;
    }
  }
}

CountedDocument ReadDocument(JsonScanner& scanner, const FieldPath& field) {
  CountedDocument document;
  Updates updates;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("name")) {
      document.name = scanner.String();
    } else if (members.Is("updateTime")) {
      document.update_time = DecodeTime(scanner);
    } else if (members.Is("fields")) {
      ReadFields(scanner, field.segments(), 0, document, &updates);
    }
  }
  if (document.name.empty()) scanner.Reject("a document lacks its name");
  if (document.update_time.empty()) scanner.Reject("a document lacks its update time");
  if (!IsPartial(document.name)) {
    if (updates.is_there) NoteOther(document, 0);
  } else if (updates.has_amount) {
    if (document.amount) updates.sum.Add(*document.amount);
    document.amount = updates.sum.Total();
    if (!document.amount) scanner.Reject("a partial holds more than a 64-bit integer");
  }
  return document;
}

}  // namespace

bool IsPartial(std::string_view name) {
  return name.substr(name.rfind('/') + 1).substr(0, 1) == "\t";
}

Status DecodeCounts(const PaddedText& body, const FieldPath& field, CountedDocuments& counts) {
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  while (answer.NextElement()) {
    while (answer.Next()) {
      if (answer.Is("readTime")) {
        counts.read_time = DecodeTime(scanner);
      } else if (answer.Is("missing")) {
        counts.documents.emplace_back();
        counts.documents.back().name = scanner.String();
      } else if (answer.Is("found") || answer.Is("document")) {
        counts.documents.push_back(ReadDocument(scanner, field));
      }
    }
  }
  if (counts.read_time.empty()) scanner.Reject("the read time is missing");
  return answer.Finish("the documents");
}

Status DecodeCount(const PaddedText& body, std::string_view name, const FieldPath& field,
                   CountedDocument& document) {
  CountedDocuments counts;
  SHARDLINE_CHECK(DecodeCounts(body, field, counts));
  if (counts.documents.size() != 1 || counts.documents[0].name != name) {
    return Fail(Code::kInternal, "it does not hold the one document that was asked for");
  }
  document = std::move(counts.documents[0]);
  return {};
}

Status DecodeSumAndCount(const PaddedText& body, SumAndCount& result) {
  std::optional<Amount> sum;
  std::optional<Amount> count;
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  while (answer.NextElement()) {
    while (answer.Next()) {
      if (answer.Is("readTime")) {
        result.read_time = DecodeTime(scanner);
      } else if (answer.Is("result") && scanner.BeginObject()) {
        while (SeekKey(scanner, "aggregateFields")) {
          JsonMembers fields(scanner);
          while (fields.Next()) {
            if (fields.Is("sum")) sum = Amount::Read(scanner);
            if (fields.Is("count")) count = Amount::Read(scanner);
          }
        }
      }
    }
  }
  if (sum && count && !count->is_double() && count->integer() >= 0 && !result.read_time.empty()) {
    result.sum = *sum;
    result.count = count->integer();
  } else {
    scanner.Reject("the sum, the count or the read time is missing");
  }
  return answer.Finish("the sum");
}

Status DecodeCommitOf(std::size_t writes, const PaddedText& body, std::optional<Amount>& amount,
                      std::string* update_time) {
  JsonScanner scanner(body);
  scanner.RequireUtf8();
  std::string first;
  if (scanner.BeginObject()) {
    while (SeekKey(scanner, "writeResults")) {
      if (!scanner.BeginArray()) break;
      for (; scanner.NextElement(); --writes) {
        JsonMembers members(scanner);
        while (members.Next()) {
          if (members.Is("transformResults") && scanner.BeginArray()) {
            while (scanner.NextElement()) amount = Amount::Read(scanner);
          } else if (members.Is("updateTime") && first.empty()) {
            first = DecodeTime(scanner);
          }
        }
      }
    }
  }
  if (writes != 0) scanner.Reject("there is not one result for each write");
  if (update_time != nullptr && first.empty()) scanner.Reject("an update time is missing");
  if (!scanner.Finish()) return scanner.failure("the answer to the commit");
  if (update_time != nullptr) *update_time = std::move(first);
  return {};
}

}  // namespace shardline
