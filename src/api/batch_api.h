#pragma once

#include "api/api.h"
#include "api/collection_api.h"
#include "api/counter_arguments.h"
#include "api/exactly_once_api.h"

namespace shardline {

// The calls of batches: a user's writes to several documents and counters, in one atomic commit.
// Each has an idempotency key. Results are ApplyBatch's; that of key.increment, a batch whose
// marker the user names, is IncrementOnce's.
Result<std::unique_ptr<Operation>> StartBatchCommit(JsonScanner& scanner,
                                                    OperationContext& context);
Result<std::unique_ptr<Operation>> StartBatchWithdraw(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartKeyIncrement(JsonScanner& scanner,
                                                     OperationContext& context);

inline constexpr Parameter kBatchWriteParameters[] = {
    {.name = "kind",
     .type = ParameterType::kWord,
     .required = true,
     .allowed = "set|merge|create|update|delete",
     .description = "What is done with the document."},
    {.name = "path",
     .type = ParameterType::kText,
     .required = true,
     .description = "The document's path: orders/1."},
    {.name = "collection",
     .type = ParameterType::kObject,
     .members = kCollectionParameters,
     .description =
         "The collection that a new document is added to. Left out, it is an ordinary one."},
    {.name = "document",
     .type = ParameterType::kObject,
     .members = kDocumentParameters,
     .description = "What is written, unless the document is deleted."},
};
inline constexpr Parameter kBatchIncrementParameters[] = {
    kCounterParameter,
    {.name = "delta",
     .type = ParameterType::kValue,
     .required = true,
     .allowed = kAmountAllowed,
     .description = "What to add."},
    kMaxDeltaParameter,
};
inline constexpr Parameter kBatchCommitParameters[] = {
    kBatchIdParameter,
    {.name = "writes",
     .type = ParameterType::kList,
     .required = true,
     .internal = true,
     .members = kBatchWriteParameters,
     .description = "The documents that are written, each once."},
    {.name = "increments",
     .type = ParameterType::kList,
     .required = true,
     .internal = true,
     .members = kBatchIncrementParameters,
     .description = "What is added to counters."},
    kBatchAgeParameter,
    kSentBeforeParameter,
    kServerClockParameter,
    kSignalParameter,
};
inline constexpr Parameter kBatchWithdrawParameters[] = {kBatchIdParameter, kBatchAgeParameter,
                                                         kSentBeforeParameter,
                                                         kServerClockParameter, kSignalParameter};
inline constexpr Parameter kKeyIncrementParameters[] = {
    kCounterParameter,
    {.name = "key",
     .type = ParameterType::kText,
     .required = true,
     .description = "What counts once: the id of an event."},
    kDeltaParameter,
    kServerClockParameter,
    kSignalParameter,
};

inline constexpr ApiCall kBatchCalls[] = {
    {"batch.commit", StartBatchCommit, kBatchCommitParameters,
     "Applies writes to documents and counters in one atomic commit, exactly once."},
    {"batch.withdraw", StartBatchWithdraw, kBatchWithdrawParameters,
     "Makes sure that a batch is not applied any more, and says whether it was."},
    {"key.increment", StartKeyIncrement, kKeyIncrementParameters,
     "Adds to a counter unless the same key has done so before."},
};
inline constexpr auto kBatchApi = EntriesOf(kBatchCalls);

}  // namespace shardline
