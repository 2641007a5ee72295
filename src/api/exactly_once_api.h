#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/api.h"
#include "api/counter_arguments.h"
#include "exactly_once/commit_batch.h"
#include "firestore/field_path.h"

namespace shardline {

// The calls of the outbox: increments, and the members of counted sets. The result of
// counter.commit is CommitIncrement's; those of key.add and key.remove are ChangeMember's; that of
// keys.has is ReadMembers'.
Result<std::unique_ptr<Operation>> StartCounterCommit(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartKeyAdd(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartKeyRemove(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartKeysHas(JsonScanner& scanner, OperationContext& context);

inline constexpr Parameter kBatchIdParameter = {
    .name = "id",
    .type = ParameterType::kText,
    .required = true,
    .internal = true,
    .description = "Tells the batch from all others: 20 letters and digits, drawn once."};
inline constexpr std::int64_t kMaxBatchAgeMillis = 1'000'000'000'000;  // Thirty years.
inline constexpr Parameter kBatchAgeParameter = {
    .name = "ageMs",
    .type = ParameterType::kInteger,
    .internal = true,
    .least = 0,
    .most = kMaxBatchAgeMillis,
    .fallback = 0,
    .description = "How many milliseconds ago the batch was made."};
inline constexpr Parameter kSentBeforeParameter = {
    .name = "sentBefore",
    .type = ParameterType::kBoolean,
    .required = true,
    .internal = true,
    .description =
        "Whether an earlier call, or another page, may have sent the batch: its outcome is not "
        "known."};

inline constexpr Parameter kCounterCommitParameters[] = {
    kCounterParameter,  kDeltaParameter,      kFieldsParameter,      kBatchIdParameter,
    kBatchAgeParameter, kSentBeforeParameter, kServerClockParameter, kSignalParameter,
};

inline constexpr Parameter kKeyParameter = {.name = "key",
                                            .type = ParameterType::kText,
                                            .required = true,
                                            .internal = true,
                                            .description = "What counts once: a user's id."};
inline constexpr Parameter kChoicesParameter = {
    .name = "choices",
    .type = ParameterType::kList,
    .internal = true,
    .description = "The choices of which each member has one: names of fields, without dots."};
inline constexpr Parameter kKeyAddParameters[] = {
    kCounterParameter,
    kKeyParameter,
    kChoicesParameter,
    {.name = "choice",
     .type = ParameterType::kText,
     .internal = true,
     .description = "The choice of the key, one of `choices`."},
    kSignalParameter,
};
inline constexpr Parameter kKeyRemoveParameters[] = {kCounterParameter, kKeyParameter,
                                                     kChoicesParameter, kSignalParameter};
inline constexpr Parameter kKeysHasParameters[] = {
    {.name = "counter",
     .type = ParameterType::kObject,
     .internal = true,
     .members = kCounterParameters,
     .description = "The counted set, with `keys`."},
    {.name = "keys",
     .type = ParameterType::kList,
     .internal = true,
     .description = "The keys that may be members."},
    {.name = "counters",
     .type = ParameterType::kList,
     .internal = true,
     .members = kCounterParameters,
     .description = "The counted sets, with `key`."},
    {.name = "key",
     .type = ParameterType::kText,
     .internal = true,
     .description = "The key that may be a member of each of them."},
    kSignalParameter,
};

inline constexpr ApiCall kExactlyOnceCalls[] = {
    {"counter.commit", StartCounterCommit, kCounterCommitParameters,
     "Adds to a counter, exactly once or at least once."},
    {"key.add", StartKeyAdd, kKeyAddParameters,
     "Makes a key a member of a counted set, which goes up by 1 if it was none; or changes its "
     "choice."},
    {"key.remove", StartKeyRemove, kKeyRemoveParameters,
     "Takes a key out of a counted set, which goes down by 1 if it was a member."},
    {"keys.has", StartKeysHas, kKeysHasParameters,
     "Which keys are members of a counted set, or of which sets a key is a member."},
};
inline constexpr auto kExactlyOnceApi = EntriesOf(kExactlyOnceCalls);

// Reads the arguments `id`, `ageMs`, `sentBefore` and `serverNow`.
BatchRequest ReadBatchRequest(Arguments& arguments, const DatabaseName& database);
// Reads the argument `key`: the id of its document.
std::string ReadKeyId(Arguments& arguments);
// Reads the argument `choices`: see ReadFieldNames().
inline std::vector<FieldPath> ReadChoiceFields(Arguments& arguments) {
  return ReadFieldNames(arguments, "choices");
}

}  // namespace shardline
