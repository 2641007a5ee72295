#pragma once

#include "api/api.h"

namespace shardline {

// What pages ask about counters all the time. Arguments and results are JSON.
//
//   counter.check   {"counter", "clientId", "maxDelta"} -> {"layout"}: refuses bad options, and ends
//                   at once. The last two as in queue.add.
//   counter.total   {"counter", "source": "sum" | "shards"} -> see ReadTotal
//   counter.rollUp  {"counter", "maxAgeMs"} -> see ReadRollUp
//
// where "counter" is {"path", "layout": a preset's name | {"shardCollection", "countField",
// "shardCountField", "parent"}, "shards", "delivery": "exactly-once" | "at-least-once" |
// "transaction"}. Only the path must be given. Unknown members are refused by name: they are slips
// of the pen.
Result<std::unique_ptr<Operation>> StartCounterCheck(JsonScanner& scanner,
                                                     OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterTotal(JsonScanner& scanner,
                                                     OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterRollUp(JsonScanner& scanner,
                                                      OperationContext& context);

inline constexpr ApiEntry kCounterApi[] = {
    {"counter.check", StartCounterCheck},
    {"counter.total", StartCounterTotal},
    {"counter.rollUp", StartCounterRollUp},
};

}  // namespace shardline
