#pragma once

#include "api/api.h"
#include "api/counter_arguments.h"

namespace shardline {

// What JavaScript may ask for about increments that are on their way. All but the last need no
// network, and end at once, with a view:
//
//   {"state", "settled": every ticket up to this one is, "failures": [{"ticket", "error"}, …],
//    "entries": [amount, …]: all that is not settled, "inDoubt": true if any page may have sent the
//    first of them}
//
// queue.add adds "tickets": [first, last, first, last, …], two for each delta. With "page", and if
// anything is to be sent, queue.add and queue.settle add "batch": what is prepared or in flight;
// queue.stage adds it without. To the outcome of a queue that was put back from what a page
// remembers queue.settle takes "putBack": true (DeliveryOutcome). An amount is {"integerValue":
// "5"} or {"doubleValue": 0.5}. A state that cannot be read is an error of the code data-loss.
// counter.deliver: see DeliverIncrement.
Result<std::unique_ptr<Operation>> StartQueueAdd(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartQueueStage(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartQueueSettle(JsonScanner& scanner,
                                                    OperationContext& context);
Result<std::unique_ptr<Operation>> StartQueueView(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterDeliver(JsonScanner& scanner,
                                                       OperationContext& context);

inline constexpr Parameter kStateParameter = {
    .name = "state",
    .type = ParameterType::kText,
    .nullable = true,
    .description = "A DeliveryQueue as text, to be stored as it is. Null: a new one."};
inline constexpr Parameter kPageParameter = {
    .name = "page",
    .type = ParameterType::kText,
    .description = "The page that is going to send, which prepares a batch."};
inline constexpr Parameter kNowParameter = {
    .name = "now",
    .type = ParameterType::kInteger,
    .fallback = 0,
    .description = "Milliseconds since 1970 by the client's clock."};

inline constexpr Parameter kQueueParameters[] = {
    kStateParameter,
    kPageParameter,
    kNowParameter,
    kServerClockParameter,
};
inline constexpr Parameter kQueueAddParameters[] = {
    kStateParameter,
    kPageParameter,
    kNowParameter,
    kServerClockParameter,
    kClientIdParameter,
    kMaxDeltaParameter,
    {.name = "deltas", .type = ParameterType::kList, .description = "The amounts to add."},
};
inline constexpr Parameter kQueueSettleParameters[] = {
    kStateParameter,
    kPageParameter,
    kNowParameter,
    kServerClockParameter,
    {.name = "batch", .type = ParameterType::kText, .description = "The id of a batch."},
    {.name = "outcome",
     .type = ParameterType::kObject,
     .description = "What counter.deliver has returned for it."},
};
inline constexpr Parameter kCounterDeliverParameters[] = {
    kCounterParameter,
    {.name = "batch",
     .type = ParameterType::kObject,
     .required = true,
     .description = "What queue.stage has returned."},
};

inline constexpr ApiCall kDeliveryCalls[] = {
    {"queue.add", StartQueueAdd, kQueueAddParameters, "Adds increments to a queue."},
    {"queue.stage", StartQueueStage, kQueueParameters, "Makes a batch of what waits in a queue."},
    {"queue.settle", StartQueueSettle, kQueueSettleParameters,
     "Takes what became of a batch into account."},
    {"queue.view", StartQueueView, kQueueParameters, "Reads a queue."},
    {"counter.deliver", StartCounterDeliver, kCounterDeliverParameters,
     "Sends a batch, which is counted exactly once."},
};
inline constexpr auto kDeliveryApi = EntriesOf(kDeliveryCalls);

}  // namespace shardline
