#include "upkeep/publish_total.h"

#include <chrono>
#include <utility>

namespace shardline {

PublishTotal::PublishTotal(OperationContext& context, std::unique_ptr<const Counter> counter,
                           FieldPath field, Duration every)
    : ReadRollUp(context, std::move(counter), every, kPublishedId), field_(std::move(field)) {}

std::optional<Write> PublishTotal::AlsoWritten() const {
  return Write::SetField(counter().ParentName(), field_, total().sum,
                         {Precondition::Kind::kExists});
}

bool PublishTotal::DoesWithout(const Error& error) {
  // Others were faster, or nobody can tell: the next one publishes.
  return error.code != Code::kPermissionDenied && error.code != Code::kNotFound;
}

void PublishTotal::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("published").Boolean(published_);
  if (published_) total().sum.Write(writer.Key("value"));
  if (age()) {
    writer.Key("ageMs").Int(std::chrono::ceil<std::chrono::milliseconds>(*age()).count());
  }
  writer.EndObject();
}

}  // namespace shardline
