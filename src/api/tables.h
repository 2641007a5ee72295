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

// The calls of each module, which decide the code that it links (code splitting). The first module
// of a page has the name of its entry, and the calls that a page makes at every load. All other
// calls are in the module `admin`, which a page fetches when it makes the first of them. Only these
// tables assign calls to modules. kChoicesApi and kFieldTotalsApi are in the module of all alone,
// because the other entries have no ratings and no counters with fields.
inline constexpr ApiTable kCounterTables[] = {kCounterApi, kExactlyOnceApi, kIdsApi};
inline constexpr ApiTable kCollectionTables[] = {kCollectionApi};
inline constexpr ApiTable kCounterAndCollectionTables[] = {
    kCounterApi, kExactlyOnceApi, kIdsApi, kCollectionApi, kChoicesApi, kFieldTotalsApi};
inline constexpr ApiTable kAdminTables[] = {kCounterAdminApi, kIdsAdminApi, kBatchApi,
                                            kReshardingApi,   kStockApi,    kChoicesAdminApi};

// For tests: all at once.
inline constexpr ApiTable kAllTables[] = {
    kCounterApi,      kExactlyOnceApi, kIdsApi,   kCollectionApi, kChoicesApi, kFieldTotalsApi,
    kCounterAdminApi, kIdsAdminApi,    kBatchApi, kReshardingApi, kStockApi,   kChoicesAdminApi};

// All calls with their arguments, by the first module that has them.
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
    {"admin", kStockCalls},        {"admin", kChoicesAdminCalls},
};

}  // namespace shardline
