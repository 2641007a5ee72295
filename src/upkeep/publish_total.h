#pragma once

#include <memory>
#include <optional>

#include "firestore/field_path.h"
#include "upkeep/roll_up.h"

namespace shardline {

// Writes a counter's total into a field of its document, at most once in `every` among all clients,
// and never an older total over a newer one.
//
//   <the counter's own document>/shardline_rollup/published   {value, shards, readTime}
//
// says what was published last. It is read first, and written in the same commit as the field, on
// the condition that nobody else has written it since. So each total that is published was added up
// after the one before it had been, and no request that arrives late or twice changes anything. The
// counter's document must exist.
class PublishTotal final : public ReadRollUp {
 public:
  // Requires a field that Counter::CheckPublishedField() has let pass.
  PublishTotal(OperationContext& context, std::unique_ptr<const Counter> counter, FieldPath field,
               Duration every);

  // {"published": true, "value": "42"}; or {"published": false, "ageMs": 700} if somebody has
  // published in time, so long ago; without "ageMs" if others were faster, or no answer came.
  void WriteResult(JsonWriter& writer) const override;

 private:
  std::optional<Write> AlsoWritten() const override;
  bool DoesWithout(const Error& error) override;
  void NoteWritten() override { published_ = true; }

  FieldPath field_;
  bool published_ = false;
};

}  // namespace shardline
