#pragma once

#include "api/api.h"

namespace shardline {

// What JavaScript may ask for about counters as a whole; "counter" is as in counter_api.h.
//
//   counter.delete  {"counter"} -> see DeleteCounter
Result<std::unique_ptr<Operation>> StartCounterDelete(JsonScanner& arguments,
                                                      OperationContext& context);

inline constexpr ApiEntry kCounterAdminApi[] = {
    {"counter.delete", StartCounterDelete},
};

}  // namespace shardline
