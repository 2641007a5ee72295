#pragma once

#include "api/api.h"
#include "api/collection_api.h"
#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "api/delivery_api.h"
#include "api/ids_api.h"

namespace shardline {

// What a Runtime may be asked for. A module links what is in its tables, and no more: each of these
// is what some pages need and others would download for nothing.
inline constexpr ApiTable kCounterTables[] = {kCounterApi, kDeliveryApi, kCounterAdminApi, kIdsApi};
inline constexpr ApiTable kCollectionTables[] = {kCollectionApi};
inline constexpr ApiTable kAllTables[] = {kCounterApi, kDeliveryApi, kCounterAdminApi, kIdsApi,
                                          kCollectionApi};

}  // namespace shardline
