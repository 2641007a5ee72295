#include "exactly_once/member.h"

#include <utility>

#include "counter/places.h"
#include "firestore/amount.h"
#include "firestore/fields_writer.h"

namespace shardline {

std::string MemberName(const Counter& counter, std::string_view id) {
  return counter.OwnCollection(kMemberCollection).Document(id).Name(counter.database());
}

bool IsMember(const DocumentAnswer& document) {
  const std::optional<Amount> delta = document.fields["delta"].Read(Amount::Read);
  const bool is_taken_back = delta && delta->number() < 0;
  return document.exists() && !is_taken_back;
}

std::string ChoiceOf(const DocumentAnswer& document) {
  return IsMember(document) ? document.fields["choice.stringValue"].String() : std::string();
}

Status DecodeMember(const PaddedText& body, std::string_view name, MemberState& state) {
  state = {};
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name);
  state.update_time = document.update_time;
  state.is_member = IsMember(document);
  state.choice = ChoiceOf(document);
  state.change = document.fields["change.stringValue"].String();
  state.before = document.fields["before.stringValue"].String();
  SHARDLINE_CHECK(answer.Finish());
  state.read_time = *Timestamp::Parse(answer.read_time());
  return {};
}

Write MemberWrite(std::string name, const MemberState& basis, const MemberChange& change) {
  FieldsWriter fields;
  fields.Number("delta", Amount::Integer(change.delta)).Text("shard", change.shard);
  fields.Text("change", change.id).Text("before", basis.change);
  if (!change.choice.empty()) fields.Text("choice", change.choice);
  if (change.expire_at) fields.Time("expireAt", change.expire_at->ToString());
  Write write{.name = std::move(name), .fields = fields.Take()};
  write.precondition = Precondition::AsRead(basis.update_time);
  return write;
}

bool IsAsWished(const MemberState& state, const MemberWish& wish) {
  return state.is_member == wish.is_member && state.choice == wish.choice;
}

MemberStep DecideMember(const MemberState& state, const MemberWish& wish, std::string_view change) {
  if (IsAsWished(state, wish)) {
    return state.change == change ? MemberStep::kChanged : MemberStep::kUnchanged;
  }
  return state.before == change ? MemberStep::kChanged : MemberStep::kCommit;
}

}  // namespace shardline
