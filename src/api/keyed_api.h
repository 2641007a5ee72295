#pragma once

#include "api/api.h"
#include "api/counter_arguments.h"

namespace shardline {

// What is asked about keys that count once. Results are those of ChangeKey and ReadKey.
Result<std::unique_ptr<Operation>> StartKeyAdd(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartKeyRemove(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartKeyHas(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartKeyIncrement(JsonScanner& scanner,
                                                     OperationContext& context);

inline constexpr Parameter kKeyParameter = {.name = "key",
                                            .type = ParameterType::kText,
                                            .required = true,
                                            .internal = true,
                                            .description = "What counts once: a user's id."};
inline constexpr Parameter kKeyParameters[] = {kCounterParameter, kKeyParameter, kSignalParameter};
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

inline constexpr ApiCall kKeyedCalls[] = {
    {"key.add", StartKeyAdd, kKeyParameters,
     "Makes a key a member of a counted set, which goes up by 1 if it was none."},
    {"key.remove", StartKeyRemove, kKeyParameters,
     "Takes a key out of a counted set, which goes down by 1 if it was a member."},
    {"key.has", StartKeyHas, kKeyParameters, "Whether a key is a member of a counted set."},
    {"key.increment", StartKeyIncrement, kKeyIncrementParameters,
     "Adds to a counter unless the same key has done so before."},
};
inline constexpr auto kKeyedApi = EntriesOf(kKeyedCalls);

}  // namespace shardline
