#include "exactly_once/read_members.h"

#include "exactly_once/member.h"
#include "firestore/answers.h"

namespace shardline {

Status ReadMembers::Decode(const PaddedText& body, Found& found) const {
  DocumentsAnswer answer(body, StreamedAnswer::kBatchGet);
  while (answer.Next()) {
    const std::string choice = ChoiceOf(answer.document());
    JsonWriter member;
    if (choice.empty()) {
      member.Boolean(IsMember(answer.document()));
    } else {
      member.String(choice);
    }
    found[answer.document().name] = member.Take();
  }
  return answer.Finish();
}

void ReadMembers::WriteResult(JsonWriter& writer) const {
  writer.BeginObject();
  WriteValues(writer.Key("members"));
  writer.EndObject();
}

}  // namespace shardline
