#pragma once

#include "api/api.h"

namespace shardline {

// What is asked about counters now and then, mostly by those who look after them; "counter" is as
// in counter_api.h.
//
//   counter.create     {"counter", "ifExists": "keep" | "error"} -> see CreateCounter
//   counter.increment  {"counter", "delta": {"integerValue": "5"} | {"doubleValue": 0.5}} -> see
//                      Increment; not for "exactly-once", and in pages only for "transaction",
//                      which few use
//   counter.delete     {"counter"} -> see DeleteCounter
//   counter.resize     {"counter", "shards", "atLeast": false} -> see ResizeCounter
//   counter.migrate    {"counter", "to": another counter, "shards"} -> see MigrateCounter
//   counter.cleanUp    {"counter", "olderThan": "2026-01-01T00:00:00Z", or left out} -> see
//                      CleanUpCounter
//   contention         {"shards", "attempts", "aborted", "perSecond"} -> {"suggestedShards"}: ends
//                      at once
Result<std::unique_ptr<Operation>> StartCounterCreate(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterIncrement(JsonScanner& scanner,
                                                         OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterDelete(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterResize(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterMigrate(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterCleanUp(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartContention(JsonScanner& scanner, OperationContext& context);

inline constexpr ApiEntry kCounterAdminApi[] = {
    {"counter.create", StartCounterCreate},   {"counter.increment", StartCounterIncrement},
    {"counter.delete", StartCounterDelete},   {"counter.resize", StartCounterResize},
    {"counter.migrate", StartCounterMigrate}, {"counter.cleanUp", StartCounterCleanUp},
    {"contention", StartContention},
};

}  // namespace shardline
