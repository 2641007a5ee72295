#include "firestore/answers.h"

#include <utility>

#include "firestore/server_error.h"
#include "firestore/timestamp.h"

namespace shardline {
namespace {

DocumentAnswer ReadDocument(JsonScanner& scanner) {
  const JsonView document(scanner);
  DocumentAnswer answer{document["name"].String(), document["updateTime"].Read(DecodeTime),
                        document["fields"]};
  if (answer.name.empty()) scanner.Reject("a document has no name");
  if (!answer.exists()) scanner.Reject("a document has no update time");
  return answer;
}

}  // namespace

std::string DecodeTime(JsonScanner& scanner) {
  std::string text = scanner.String();
  if (!Timestamp::Parse(text)) scanner.Reject("a time is malformed");
  return text;
}

bool DocumentsAnswer::Next() {
  while (answer_.NextElement()) {
    document_ = {};
    while (answer_.Next()) {
      if (answer_.Is("found") || answer_.Is("document")) {
        document_ = ReadDocument(answer_.scanner());
      } else if (answer_.Is("missing")) {
        document_.name = answer_.scanner().String();
      } else if (answer_.Is("readTime")) {
        read_time_ = DecodeTime(answer_.scanner());
      }
    }
    // An element may also hold a transaction or a read time alone.
    if (!document_.name.empty()) return true;
  }
  return false;
}

DocumentAnswer DocumentsAnswer::ReadOnly(std::string_view name) {
  answer_.Expect(StreamedAnswer::kBatchGet);
  const bool found = Next() && document_.name == name;
  DocumentAnswer only = document_;
  if (!found || Next()) scanner().Reject("it does not hold the one document that was asked for");
  return only;
}

Status DocumentsAnswer::Finish() {
  if (read_time_.empty()) scanner().Reject("the read time is missing");
  return answer_.Finish("the documents");
}

namespace {

// Reads the answer to an aggregation, up to its end: `read` gets the fields.
template <typename Read>
void ReadAggregation(StreamedAnswer& answer, std::string& read_time, const Read& read) {
  while (answer.NextElement()) {
    while (answer.Next()) {
      if (answer.Is("readTime")) {
        read_time = DecodeTime(answer.scanner());
      } else if (answer.Is("result")) {
        read(JsonView(answer.scanner())["aggregateFields"]);
      }
    }
  }
}

std::optional<std::int64_t> CountIn(const JsonView& fields) {
  const std::optional<Amount> count = fields["count"].Read(Amount::Read);
  if (!count || count->is_double() || count->integer() < 0) return std::nullopt;
  return count->integer();
}

}  // namespace

Status DecodeAggregation(const PaddedText& body, bool has_sum, SumAndCount& result) {
  std::optional<Amount> sum;
  std::optional<std::int64_t> count;
  StreamedAnswer answer(body, StreamedAnswer::kAggregation);
  ReadAggregation(answer, result.read_time, [&](const JsonView& fields) {
    sum = fields["sum"].Read(Amount::Read);
    count = CountIn(fields);
    result.average = fields["avg"].Read(Amount::Read);
  });
  if (count && (sum || !has_sum) && !result.read_time.empty()) {
    result.sum = sum.value_or(Amount::Integer(0));
    result.count = *count;
  } else {
    answer.scanner().Reject("the sum, the count or the read time is missing or no such thing");
  }
  return answer.Finish("the aggregation");
}

Status DecodeSums(const PaddedText& body, std::size_t fields, bool counts, SumsAndCount& result) {
  std::optional<std::int64_t> count;
  StreamedAnswer answer(body, StreamedAnswer::kAggregation);
  ReadAggregation(answer, result.read_time, [&](const JsonView& found) {
    for (std::size_t i = 0; i < fields; ++i) {
      const auto sum = found.Member("c" + std::to_string(i)).Read(Amount::Read);
      if (sum) result.sums.push_back(*sum);
    }
    count = CountIn(found);
  });
  if (counts) result.count = count;
  if (result.sums.size() != fields || count.has_value() != counts || result.read_time.empty()) {
    answer.scanner().Reject("a sum, the count or the read time is missing or no such thing");
  }
  return answer.Finish("the aggregation");
}

Status DecodeCommit(const PaddedText& body, std::size_t writes, CommitAnswer* answer) {
  JsonScanner scanner(body);
  scanner.RequireUtf8();
  const JsonView commit(scanner);
  // Answers with this status can hold an error all the same.
  constexpr int kHttpOk = 200;
  if (commit["error"]) return Fail(DecodeServerError(kHttpOk, body));
  bool is_first = true;
  for (JsonItems results(commit["writeResults"]); results.Next(); --writes) {
    const JsonView result = results.value();
    std::string update_time = result["updateTime"].Read(DecodeTime);
    if (answer == nullptr) continue;
    if (std::exchange(is_first, false)) answer->update_time = std::move(update_time);
    for (JsonItems transforms(result["transformResults"]); transforms.Next();) {
      answer->results.push_back(transforms.value().Read(Amount::Read));
    }
  }
  if (writes != 0) scanner.Reject("there is not one result for each write");
  scanner.SkipValue();
  if (!scanner.Finish()) return scanner.failure("the answer to the commit");
  return {};
}

}  // namespace shardline
