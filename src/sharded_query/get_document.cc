#include "sharded_query/get_document.h"

#include "firestore/answers.h"
#include "firestore/query.h"
#include "firestore/streamed_answer.h"

namespace shardline {

GetDocument::GetDocument(OperationContext& context, const DocumentPath& document, Reads reads)
    : Operation(context, Patience::kShort),
      name_(document.Name(context.database)),
      reader_(name_.substr(0, name_.size() - document.id().size()), no_keys_, everything_) {
  const FieldPath name = FieldPath::DocumentName();
  const FieldPath* mask = reads == Reads::kNameOnly ? &name : nullptr;
  Send({.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_}, mask)});
}

Result<Billed> GetDocument::OnAnswer(CallId, PaddedText& body) {
  StreamedAnswer answer(body, StreamedAnswer::kBatchGet);
  JsonScanner& scanner = answer.scanner();
  DocumentHead head;
  int documents = 0;
  bool is_found = false;
  std::string read_time;
  while (answer.NextElement()) {
    while (answer.Next()) {
      if (answer.Is("found")) {
        ++documents;
        is_found = true;
        reader_.Read(scanner, head);
      } else if (answer.Is("missing")) {
        ++documents;
        if (scanner.String() != name_) documents = 2;
      } else if (answer.Is("readTime")) {
        read_time = DecodeTime(scanner);
      }
    }
  }
  const bool is_other = is_found && reader_.prefix().size() + head.id().size() != name_.size();
  if (documents != 1 || is_other || (is_found && !name_.ends_with(head.id()))) {
    scanner.Reject("it does not hold the one document that was asked for");
  }
  if (read_time.empty()) scanner.Reject("the read time is missing");
  SHARDLINE_CHECK(answer.Finish("the document"));
  read_time_ = Timestamp::Parse(read_time).value_or(Timestamp{});
  if (is_found) {
    std::string buffer;
    PlainText text;
    text.Begin(buffer);
    WriteDocument(text, head);
    document_ = text.From(0);
  }
  Finish();
  return Billed{.reads = 1};
}

void GetDocument::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("prefix").String(reader_.prefix());
  writer.Key("docs").BeginArray();
  if (!document_.empty()) writer.Raw(document_);
  writer.EndArray().Key("shapes").BeginArray();
  if (!document_.empty()) writer.Raw(reader_.Shapes());
  writer.EndArray().Key("readTime").BeginArray();
  writer.Int(read_time_.seconds()).Int(read_time_.nanoseconds()).EndArray();
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
