#include "keyed/key_document.h"

#include <utility>

#include "firestore/answers.h"
#include "firestore/fields_writer.h"

namespace shardline {

Status DecodeKey(const PaddedText& body, std::string_view name, KeyKind kind, KeyState& state) {
  state = {};
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name);
  state.update_time = document.update_time;
  const std::optional<Amount> delta = document.fields["delta"].Read(Amount::Read);
  const bool is_taken_back = kind == KeyKind::kMember && delta && delta->number() < 0;
  state.counts = document.exists() && !is_taken_back;
  state.change = document.fields["change.stringValue"].String();
  state.before = document.fields["before.stringValue"].String();
  SHARDLINE_CHECK(answer.Finish());
  state.read_time = *Timestamp::Parse(answer.read_time());
  return {};
}

Write KeyWrite(std::string name, const KeyState& basis, const KeyChange& change) {
  FieldsWriter fields;
  fields.Number("delta", change.delta).Text("shard", change.shard);
  fields.Text("change", change.id).Text("before", basis.change);
  if (change.expire_at) fields.Time("expireAt", change.expire_at->ToString());
  Write write{.name = std::move(name), .fields = fields.Take()};
  write.precondition = Precondition::AsRead(basis.update_time);
  return write;
}

KeyStep DecideKey(const KeyState& state, bool should_count, std::string_view change) {
  if (state.counts == should_count) {
    return state.change == change ? KeyStep::kChanged : KeyStep::kUnchanged;
  }
  return state.before == change ? KeyStep::kChanged : KeyStep::kCommit;
}

}  // namespace shardline
