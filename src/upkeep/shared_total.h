#pragma once

#include <memory>
#include <utility>

#include "operation/operation.h"
#include "upkeep/total_document.h"

namespace shardline {

// A shared cache with bounded staleness: reads a total that may be up to `max_age` old, from a
// document that all readers share (total_document.h), and renews a document that is older. A reader
// who finds the document too old adds up the shards itself, so no caller ever gets an older total.
//
// With `published` it reads the last published total (publish_total.h) instead. A reader who finds
// that too old adds up, too, and leaves the renewal to publishers.
//
// If security rules do not let the reader read or write the document, the operation goes on without
// it.
class ReadSharedTotal final : public Operation {
 public:
  ReadSharedTotal(OperationContext& context, std::unique_ptr<const Counter> counter,
                  Duration max_age, bool published = false);

  // Like ReadTotal, but "source": "shared" and "ageMs" if the document was new enough.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnAllRead();

  std::unique_ptr<const Counter> counter_;
  TotalDocument kept_;
  bool published_;
};

}  // namespace shardline
