#pragma once

#include <memory>
#include <utility>

#include "operation/operation.h"
#include "upkeep/total_document.h"

namespace shardline {

// Reads a total that may be out of date by so much, from a document that all readers share
// (total_document.h), and brings that document up to date when it is older. Readers who find it too
// old add up for themselves, so no caller ever gets an older total.
//
// The total that was published last (publish_total.h) can be read instead. A reader who finds that
// too old adds up, too, and leaves it to those who publish.
//
// Where security rules do not let the reader see the document, or write it, it is done without.
class ReadSharedTotal final : public Operation {
 public:
  ReadSharedTotal(OperationContext& context, std::unique_ptr<const Counter> counter,
                  Duration max_age, bool published = false);

  // As ReadTotal; "source": "shared" and "ageMs" if the document was new enough.
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
