#include "counter/answers.h"

#include <string_view>
#include <utility>

#include "base/json_scanner.h"
#include "firestore/streamed_answer.h"

namespace shardline {
namespace {

// In an object that has been begun, goes on to the next member of that name.
bool SeekKey(JsonScanner& scanner, std::string_view name) {
  std::string_view key;
  while (scanner.NextKey(key)) {
    if (RawEquals(key, name)) return true;
    scanner.SkipValue();
  }
  return false;
}

// Reads an object of values down to the field that `names`, from `depth` on, leads to.
void ReadField(JsonScanner& scanner, const std::vector<std::string>& names, std::size_t depth,
               CountedDocument& document) {
  if (!scanner.BeginObject()) return;
  while (SeekKey(scanner, names[depth])) {
    if (depth + 1 == names.size()) {
      document.has_field = true;
      document.amount = Amount::Read(scanner);
    } else if (scanner.BeginObject()) {
      while (SeekKey(scanner, "mapValue")) {
        if (!scanner.BeginObject()) return;
        while (SeekKey(scanner, "fields")) ReadField(scanner, names, depth + 1, document);
      }
    }
  }
}

CountedDocument ReadDocument(JsonScanner& scanner, const FieldPath& field) {
  CountedDocument document;
  std::string_view key;
  if (!scanner.BeginObject()) return document;
  while (scanner.NextKey(key)) {
    if (key == "name") {
      document.name = scanner.String();
    } else if (key == "updateTime") {
      document.update_time = scanner.String();
    } else if (key == "fields") {
      ReadField(scanner, field.segments(), 0, document);
    } else {
      scanner.SkipValue();
    }
  }
  if (document.name.empty()) scanner.Reject("a document lacks its name");
  return document;
}

}  // namespace

Status DecodeCounts(const PaddedText& body, const FieldPath& field, CountedDocuments& counts) {
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  std::string_view key;
  while (answer.NextElement()) {
    while (answer.NextKey(key)) {
      if (key == "readTime") {
        counts.read_time = scanner.String();
      } else if (key == "missing") {
        counts.documents.emplace_back();
        counts.documents.back().name = scanner.String();
      } else if (key == "found" || key == "document") {
        counts.documents.push_back(ReadDocument(scanner, field));
      } else {
        scanner.SkipValue();
      }
    }
  }
  if (counts.read_time.empty()) scanner.Reject("the read time is missing");
  return answer.Finish("the documents");
}

Status DecodeCount(const PaddedText& body, const FieldPath& field, CountedDocument& document) {
  CountedDocuments counts;
  SHARDLINE_CHECK(DecodeCounts(body, field, counts));
  if (counts.documents.size() != 1) return Fail(InvalidArgument("One document was asked for."));
  document = std::move(counts.documents[0]);
  return {};
}

Status DecodeSumAndCount(const PaddedText& body, SumAndCount& result) {
  std::optional<Amount> sum;
  std::optional<Amount> count;
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  std::string_view key;
  while (answer.NextElement()) {
    while (answer.NextKey(key)) {
      if (key == "readTime") {
        result.read_time = scanner.String();
      } else if (key == "result" && scanner.BeginObject()) {
        while (SeekKey(scanner, "aggregateFields")) {
          if (!scanner.BeginObject()) break;
          while (scanner.NextKey(key)) (key == "sum" ? sum : count) = Amount::Read(scanner);
        }
      } else {
        scanner.SkipValue();
      }
    }
  }
  if (sum && count && !result.read_time.empty()) {
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
  std::string_view key;
  std::string first;
  if (scanner.BeginObject()) {
    while (SeekKey(scanner, "writeResults")) {
      if (!scanner.BeginArray()) break;
      for (; scanner.NextElement(); --writes) {
        if (!scanner.BeginObject()) break;
        while (scanner.NextKey(key)) {
          if (key == "transformResults" && scanner.BeginArray()) {
            while (scanner.NextElement()) amount = Amount::Read(scanner);
          } else if (key == "updateTime" && first.empty()) {
            first = scanner.String();
          } else {
            scanner.SkipValue();
          }
        }
      }
    }
  }
  if (writes != 0) scanner.Reject("there is not one result for each write");
  if (update_time != nullptr && first.empty()) scanner.Reject("an update time is missing");
  if (!scanner.Finish()) return Fail(scanner.error("the answer to the commit"));
  if (update_time != nullptr) *update_time = std::move(first);
  return {};
}

}  // namespace shardline
