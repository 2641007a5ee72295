#pragma once

#include "api/api.h"

namespace shardline {

// What JavaScript may ask for about increments that are on their way. All but the last need no
// network, and end at once. "state" is a DeliveryQueue as text, to be stored as it is; null for a
// new one. An amount is {"integerValue": "5"} or {"doubleValue": 0.5}.
//
//   queue.add        {"state", "clientId": text | null, "deltas": [amount, …], "maxDelta": amount |
//                    null, "page", "now", "serverNow", "revive"} -> view and "tickets": [first,
//                    last, first, last, …], two for each delta. With "page", and if anything is to
//                    be sent, also "batch": what is prepared or in flight. "revive": see
//                    DeliveryQueue::Revive
//   queue.stage      {"state", "page", "now": ms since 1970 by the client's clock, "serverNow": by
//                    the server's; left out where it is not known} -> view and "batch", if anything
//                    is to be sent
//   queue.settle     {"state", "batch": its id, "outcome": what counter.deliver has returned,
//                    "page", "now", "serverNow"} -> view, and "batch" as in queue.add
//   queue.view       {"state", "page"} -> view
//   counter.deliver  {"counter", "batch"} -> see DeliverIncrement
//
// where a view is {"state", "settled": every ticket up to this one is, "failures": [{"ticket",
// "error"}, …], "entries": [amount, …]: all that is not settled, "inDoubt": true if any page may
// have sent the first of them}. A state that cannot be read is an error of the code data-loss.
Result<std::unique_ptr<Operation>> StartQueueAdd(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartQueueStage(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartQueueSettle(JsonScanner& scanner,
                                                    OperationContext& context);
Result<std::unique_ptr<Operation>> StartQueueView(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterDeliver(JsonScanner& scanner,
                                                       OperationContext& context);

inline constexpr ApiEntry kDeliveryApi[] = {
    {"queue.add", StartQueueAdd},
    {"queue.stage", StartQueueStage},
    {"queue.settle", StartQueueSettle},
    {"queue.view", StartQueueView},
    {"counter.deliver", StartCounterDeliver},
};

}  // namespace shardline
