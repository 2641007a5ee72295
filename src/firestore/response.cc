#include "firestore/response.h"

#include <utility>

#include "base/json_members.h"
#include "base/json_scanner.h"
#include "firestore/server_error.h"
#include "firestore/streamed_answer.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

// Of answers that turn out to hold an error all the same.
constexpr int kHttpOk = 200;

void DecodeDocument(JsonScanner& scanner, DocumentAnswer& document) {
  document.exists = true;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("name")) {
      document.name = scanner.String();
    } else if (members.Is("fields")) {
      document.fields = DecodeFields(scanner);
    } else if (members.Is("createTime")) {
      document.create_time = DecodeTime(scanner);
    } else if (members.Is("updateTime")) {
      document.update_time = DecodeTime(scanner);
    }
  }
  if (document.name.empty()) scanner.Reject("a document has no name");
  if (document.update_time.empty()) scanner.Reject("a document has no update time");
}

WriteResult DecodeWriteResult(JsonScanner& scanner) {
  WriteResult result;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("updateTime")) {
      result.update_time = DecodeTime(scanner);
    } else if (members.Is("transformResults") && scanner.BeginArray()) {
      while (scanner.NextElement()) result.transform_results.push_back(DecodeValue(scanner));
    }
  }
  return result;
}

}  // namespace

std::string DecodeTime(JsonScanner& scanner) {
  std::string text = scanner.String();
  if (!Timestamp::Parse(text)) scanner.Reject("a time is malformed");
  return text;
}

Result<CommitAnswer> DecodeCommit(const PaddedText& body) {
  JsonScanner scanner(body);
  scanner.RequireUtf8();
  CommitAnswer answer;
  bool failed = false;
  bool has_results = false;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("writeResults") && scanner.BeginArray()) {
      has_results = true;
      while (scanner.NextElement()) answer.write_results.push_back(DecodeWriteResult(scanner));
    } else if (members.Is("commitTime")) {
      answer.commit_time = DecodeTime(scanner);
    } else if (members.Is("error")) {
      failed = true;
    }
  }
  if (failed) return Fail(DecodeServerError(kHttpOk, body));
  if (!has_results && answer.commit_time.empty()) scanner.Reject("it tells of no commit");
  if (!scanner.Finish()) return scanner.failure("the answer to the commit");
  return answer;
}

Result<std::vector<DocumentAnswer>> DecodeBatchGet(const PaddedText& body) {
  std::vector<DocumentAnswer> documents;
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  while (answer.NextElement()) {
    DocumentAnswer document;  // Members come in any order: readTime may stand first.
    while (answer.Next()) {
      if (answer.Is("found")) {
        DecodeDocument(scanner, document);
      } else if (answer.Is("missing")) {
        document.name = scanner.String();
      } else if (answer.Is("readTime")) {
        document.read_time = DecodeTime(scanner);
      }
    }
    // An element may also hold a transaction or a read time alone.
    if (!document.name.empty()) documents.push_back(std::move(document));
  }
  if (documents.empty()) scanner.Reject("no element names a document");
  SHARDLINE_CHECK(answer.Finish("the documents"));
  return documents;
}

Result<QueryAnswer> DecodeRunQuery(const PaddedText& body) {
  QueryAnswer query;
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  while (answer.NextElement()) {
    while (answer.Next()) {
      if (answer.Is("document")) {
        query.documents.emplace_back();
        DecodeDocument(scanner, query.documents.back());
      } else if (answer.Is("readTime")) {
        query.read_time = DecodeTime(scanner);
      }
    }
  }
  if (query.documents.empty() && query.read_time.empty()) {
    scanner.Reject("it holds neither documents nor a read time");
  }
  SHARDLINE_CHECK(answer.Finish("the answer to the query"));
  return query;
}

Result<AggregationAnswer> DecodeAggregation(const PaddedText& body) {
  AggregationAnswer aggregation;
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  while (answer.NextElement()) {
    while (answer.Next()) {
      if (answer.Is("result")) {
        JsonMembers result(scanner);
        while (result.Next()) {
          if (result.Is("aggregateFields")) aggregation.values = DecodeFields(scanner);
        }
      } else if (answer.Is("readTime")) {
        aggregation.read_time = DecodeTime(scanner);
      }
    }
  }
  if (aggregation.values.fields.empty()) scanner.Reject("it holds no result");
  SHARDLINE_CHECK(answer.Finish("the aggregation"));
  return aggregation;
}

}  // namespace shardline
