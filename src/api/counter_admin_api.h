#pragma once

#include "api/api.h"

namespace shardline {

// What JavaScript may ask for about counters as a whole; "counter" is as in counter_api.h.
//
//   counter.delete  {"counter"} -> see DeleteCounter
//   counter.resize  {"counter", "shards", "atLeast": false} -> see ResizeCounter
//   counter.migrate {"counter", "to": another counter, "shards"} -> see MigrateCounter
//   counter.rollUp  {"counter", "maxAgeMs"} -> see ReadRollUp
//   counter.cleanUp {"counter", "olderThan": "2026-01-01T00:00:00Z", or left out} -> see
//                   CleanUpCounter
Result<std::unique_ptr<Operation>> StartCounterDelete(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterResize(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterMigrate(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterRollUp(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterCleanUp(JsonScanner& scanner,
                                                       OperationContext& context);

inline constexpr ApiEntry kCounterAdminApi[] = {
    {"counter.delete", StartCounterDelete},   {"counter.resize", StartCounterResize},
    {"counter.migrate", StartCounterMigrate}, {"counter.rollUp", StartCounterRollUp},
    {"counter.cleanUp", StartCounterCleanUp},
};

}  // namespace shardline
