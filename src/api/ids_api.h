#pragma once

#include "api/api.h"

namespace shardline {

// What JavaScript may ask of a sequence of ids. Arguments are lists: the sequence's path, its
// number of shards or 0 for as many as there are, and another number.
//
//   ids.check   [path, shards, block]      → {}: refuses what is wrong, and ends at once
//   ids.create  [path, shards, maxShards]  → see SetUpSequence; 0 for the usual maxShards
//   ids.resize  [path, 0, new number]      → see SetUpSequence
//   ids.take    [path, shards, count]      → see TakeIds
Result<std::unique_ptr<Operation>> StartIdsCheck(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartIdsCreate(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartIdsResize(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartIdsTake(JsonScanner& scanner, OperationContext& context);

inline constexpr ApiEntry kIdsApi[] = {
    {"ids.check", StartIdsCheck},
    {"ids.take", StartIdsTake},
};
inline constexpr ApiEntry kIdsAdminApi[] = {
    {"ids.create", StartIdsCreate},
    {"ids.resize", StartIdsResize},
};

}  // namespace shardline
