#include "sharded_query/chunk_answer.h"

#include <optional>
#include <utility>

#include "firestore/streamed_answer.h"

namespace shardline {
namespace {

// The latest of the read times in an answer, most of which are the same.
class LatestTime {
 public:
  // Errors latch in the scanner.
  void Read(JsonScanner& scanner) {
    const std::string_view text = scanner.RawString();
    if (text == last_) return;
    last_ = text;
    const std::optional<Timestamp> time = Timestamp::Parse(text);
    if (!time) return scanner.Reject("a readTime is no timestamp");
    if (!text_.empty() && *time <= time_) return;
    text_ = text;
    time_ = *time;
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view last_;
  std::string_view text_;
  Timestamp time_;
};

// In front of a document, passes over it, and over all further documents whose text in between is
// the same: the read time, and the start of the next element.
void SkipDocuments(JsonScanner& scanner, std::vector<std::string_view>& documents) {
  std::string_view between;
  if (!documents.empty()) {
    const std::string_view last = documents.back();
    const char* const end = last.data() + last.size();
    between = {end, static_cast<std::size_t>(scanner.position() - end)};
  }
  do {
    if (scanner.Peek() != JsonScanner::Kind::kObject) scanner.Reject("a document is no object");
    documents.push_back(scanner.SkipValue());
  } while (scanner.SkipText(between));
}

}  // namespace

Result<ChunkAnswer> ChunkAnswer::Take(PaddedText& body, std::size_t limit, bool needs_read_time) {
  ChunkAnswer made;
  LatestTime read_time;
  StreamedAnswer answer(body, StreamedAnswer::kQuery);
  JsonScanner& scanner = answer.scanner();
  bool done = false;
  while (answer.NextElement()) {
    const std::size_t before = made.documents_.size();
    while (answer.Next()) {
      if (answer.Is("document")) {
        if (made.documents_.size() > before) scanner.Reject("an element holds two documents");
        SkipDocuments(scanner, made.documents_);
      } else if (answer.Is("readTime")) {
        read_time.Read(scanner);
      } else if (answer.Is("done")) {
        done = scanner.Boolean();
      }
    }
  }
  if (made.documents_.empty() && read_time.text().empty() && !done) {
    scanner.Reject("it holds neither documents nor a read time");
  }
  if (needs_read_time && read_time.text().empty()) scanner.Reject("it names no read time");
  if (made.documents_.size() > limit) scanner.Reject("it holds more documents than were asked for");
  SHARDLINE_CHECK(answer.Finish("the answer to the query"));
  made.read_time_ = read_time.text();
  made.body_ = std::move(body);
  return made;
}

}  // namespace shardline
