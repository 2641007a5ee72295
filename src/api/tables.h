#pragma once

#include "api/api.h"
#include "api/batch_api.h"
#include "api/choices_api.h"
#include "api/collection_api.h"
#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "api/exactly_once_api.h"
#include "api/field_totals_api.h"
#include "api/ids_api.h"
#include "api/resharding_api.h"
#include "api/stock_api.h"

namespace shardline {

// The calls of each module, and so the code that it links. Whatever a page runs at every load is in
// the first module that it downloads, whose name is that of its entry; the rest is in the module
// `admin`, which is fetched when something is asked that the first one has not. Nothing else says
// which operation is where.
// kChoicesApi and kFieldTotalsApi are in the module of all alone, because the other entries have no
// ratings and no counters with fields.
inline constexpr ApiTable kCounterTables[] = {kCounterApi, kExactlyOnceApi, kIdsApi};
inline constexpr ApiTable kCollectionTables[] = {kCollectionApi};
inline constexpr ApiTable kCounterAndCollectionTables[] = {
    kCounterApi, kExactlyOnceApi, kIdsApi, kCollectionApi, kChoicesApi, kFieldTotalsApi};
inline constexpr ApiTable kAdminTables[] = {kCounterAdminApi, kIdsAdminApi, kBatchApi,
                                            kReshardingApi, kStockApi};

// For tests: all at once.
inline constexpr ApiTable kAllTables[] = {
    kCounterApi,      kExactlyOnceApi, kIdsApi,   kCollectionApi, kChoicesApi, kFieldTotalsApi,
    kCounterAdminApi, kIdsAdminApi,    kBatchApi, kReshardingApi, kStockApi};

// All of them, with what they take, by the first module that has them.
struct ModuleCalls {
  const char* name;
  std::span<const ApiCall> calls;
};
inline constexpr ModuleCalls kModuleCalls[] = {
    {"counters", kCounterCalls},   {"counters", kExactlyOnceCalls},
    {"counters", kIdsCalls},       {"collections", kCollectionCalls},
    {"shardline", kChoicesCalls},  {"shardline", kFieldTotalsCalls},
    {"admin", kCounterAdminCalls}, {"admin", kIdsAdminCalls},
    {"admin", kBatchCalls},        {"admin", kReshardingCalls},
    {"admin", kStockCalls},
};

}  // namespace shardline
