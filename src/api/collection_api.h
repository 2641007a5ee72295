#pragma once

#include "api/api.h"

namespace shardline {

// What JavaScript may ask of a sharded collection. Arguments are lists. The first of each is the
// collection, as ShardedCollection::Read takes it; documents and changes are as document_write.h
// has them, a query as QueryPlan::Read has it. What is in brackets may be left out.
//
//   collection.check   [collection, [start, [document, …]]]  → {}: refuses what is wrong, and ends
//   collection.add     [collection, start, [document, …]]    → [{"id", "shard"}, …]
//   collection.set     [collection, id, document]            → {"id", "shard"}
//   collection.update  [collection, id, changes]             → {"id", ["shard"]}
//   collection.delete  [collection, id]                      → {"id"}
//   collection.query   [collection, query]                   → see PageOperation
//   collection.count   [collection, query]                   → see CountOperation
//   collection.plan    [collection, query]                   → see QueryPlan::Describe; ends at
//   once
//
// collection.add adds as many of the documents, from the first on, as may stand in one commit, and
// answers for those only. `start` is the number of the first one, for messages, or null.
Result<std::unique_ptr<Operation>> StartCollectionCheck(JsonScanner& arguments,
                                                        OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionAdd(JsonScanner& arguments,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionSet(JsonScanner& arguments,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionUpdate(JsonScanner& arguments,
                                                         OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionDelete(JsonScanner& arguments,
                                                         OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionQuery(JsonScanner& arguments,
                                                        OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionCount(JsonScanner& arguments,
                                                        OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionPlan(JsonScanner& arguments,
                                                       OperationContext& context);

inline constexpr ApiEntry kCollectionApi[] = {
    {"collection.check", StartCollectionCheck},   {"collection.add", StartCollectionAdd},
    {"collection.set", StartCollectionSet},       {"collection.update", StartCollectionUpdate},
    {"collection.delete", StartCollectionDelete}, {"collection.query", StartCollectionQuery},
    {"collection.count", StartCollectionCount},   {"collection.plan", StartCollectionPlan},
};

}  // namespace shardline
