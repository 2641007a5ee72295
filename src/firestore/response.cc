#include "firestore/response.h"

#include <string_view>
#include <utility>

#include "base/json_scanner.h"
#include "firestore/server_error.h"
#include "firestore/streamed_answer.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

// Of answers that turn out to hold an error all the same.
constexpr int kHttpOk = 200;

// Calls `member(key)` for each member of the object that comes next; it must read or skip the
// value.
template <class Member>
void ForEachMember(JsonScanner& scanner, Member member) {
  std::string_view key;
  if (!scanner.BeginObject()) return;
  while (scanner.NextKey(key)) member(key);
}

template <class Element>
void ForEachElement(JsonScanner& scanner, Element element) {
  if (!scanner.BeginArray()) return;
  while (scanner.NextElement()) element();
}

// Calls `member` for each member of the objects in a streamed answer, and `end` behind each object.
template <class Member, class End>
Status ForEachStreamed(const PaddedText& body, std::string_view what, Member member, End end) {
  StreamedAnswer answer(body);
  std::string_view key;
  while (answer.NextElement()) {
    while (answer.NextKey(key)) member(answer.scanner(), key);
    end();
  }
  return answer.Finish(what);
}

void DecodeDocument(JsonScanner& scanner, DocumentAnswer& document) {
  document.exists = true;
  ForEachMember(scanner, [&](std::string_view key) {
    if (key == "name") {
      document.name = scanner.String();
    } else if (key == "fields") {
      document.fields = DecodeFields(scanner);
    } else if (key == "createTime") {
      document.create_time = scanner.String();
    } else if (key == "updateTime") {
      document.update_time = scanner.String();
    } else {
      scanner.SkipValue();
    }
  });
  if (document.name.empty()) scanner.Reject("a document has no name");
}

WriteResult DecodeWriteResult(JsonScanner& scanner) {
  WriteResult result;
  ForEachMember(scanner, [&](std::string_view key) {
    if (key == "updateTime") {
      result.update_time = scanner.String();
    } else if (key == "transformResults") {
      ForEachElement(scanner, [&] { result.transform_results.push_back(DecodeValue(scanner)); });
    } else {
      scanner.SkipValue();
    }
  });
  return result;
}

}  // namespace

Result<CommitAnswer> DecodeCommit(const PaddedText& body) {
  JsonScanner scanner(body);
  CommitAnswer answer;
  bool failed = false;
  ForEachMember(scanner, [&](std::string_view key) {
    if (key == "writeResults") {
      ForEachElement(scanner, [&] { answer.write_results.push_back(DecodeWriteResult(scanner)); });
    } else if (key == "commitTime") {
      answer.commit_time = scanner.String();
    } else {
      failed = failed || key == "error";
      scanner.SkipValue();
    }
  });
  if (failed) return Fail(DecodeServerError(kHttpOk, body));
  if (!scanner.Finish()) return Fail(scanner.error("the answer to the commit"));
  return answer;
}

Result<std::vector<DocumentAnswer>> DecodeBatchGet(const PaddedText& body) {
  std::vector<DocumentAnswer> documents;
  DocumentAnswer document;  // Members come in any order: readTime may stand first.
  const auto member = [&](JsonScanner& scanner, std::string_view key) {
    if (key == "found") {
      DecodeDocument(scanner, document);
    } else if (key == "missing") {
      document.name = scanner.String();
    } else if (key == "readTime") {
      document.read_time = scanner.String();
    } else {
      scanner.SkipValue();
    }
  };
  const auto end = [&] {
    DocumentAnswer complete = std::exchange(document, {});
    // An element may also hold a transaction or a read time alone.
    if (!complete.name.empty()) documents.push_back(std::move(complete));
  };
  SHARDLINE_CHECK(ForEachStreamed(body, "the documents", member, end));
  return documents;
}

Result<QueryAnswer> DecodeRunQuery(const PaddedText& body) {
  QueryAnswer answer;
  const auto member = [&](JsonScanner& scanner, std::string_view key) {
    if (key == "document") {
      answer.documents.emplace_back();
      DecodeDocument(scanner, answer.documents.back());
    } else if (key == "readTime") {
      answer.read_time = scanner.String();
    } else {
      scanner.SkipValue();
    }
  };
  SHARDLINE_CHECK(ForEachStreamed(body, "the answer to the query", member, [] {}));
  return answer;
}

Result<AggregationAnswer> DecodeAggregation(const PaddedText& body) {
  AggregationAnswer answer;
  const auto member = [&](JsonScanner& scanner, std::string_view key) {
    if (key == "result") {
      ForEachMember(scanner, [&](std::string_view inner) {
        if (inner == "aggregateFields") {
          answer.values = DecodeFields(scanner);
        } else {
          scanner.SkipValue();
        }
      });
    } else if (key == "readTime") {
      answer.read_time = scanner.String();
    } else {
      scanner.SkipValue();
    }
  };
  SHARDLINE_CHECK(ForEachStreamed(body, "the aggregation", member, [] {}));
  return answer;
}

}  // namespace shardline
