#include "exactly_once/read_members.h"

#include "exactly_once/member.h"
#include "firestore/answers.h"

namespace shardline {

Status ReadMembers::Decode(const PaddedText& body, Found& found) const {
  DocumentsAnswer answer(body, StreamedAnswer::kBatchGet);
  while (answer.Next()) {
    found[answer.document().name] = IsMember(answer.document()) ? "true" : "false";
  }
  return answer.Finish();
}

void ReadMembers::WriteResult(JsonWriter& writer) const {
  writer.BeginObject();
  WriteValues(writer.Key("members"));
  writer.EndObject();
}

}  // namespace shardline
