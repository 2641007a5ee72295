#pragma once

#include "api/api.h"
#include "api/counter_arguments.h"
#include "stock/stock.h"

namespace shardline {

// The calls of a stock. Results are those of CreateStock, AddUnits, TakeUnits, ChangeTake and
// DeleteStock.
Result<std::unique_ptr<Operation>> StartStockCreate(JsonScanner& scanner,
                                                    OperationContext& context);
Result<std::unique_ptr<Operation>> StartStockAdd(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartStockTake(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartStockPutBack(JsonScanner& scanner,
                                                     OperationContext& context);
Result<std::unique_ptr<Operation>> StartStockConfirm(JsonScanner& scanner,
                                                     OperationContext& context);
Result<std::unique_ptr<Operation>> StartStockDelete(JsonScanner& scanner,
                                                    OperationContext& context);

inline constexpr const char* kHoldAllowed =
    "a number of milliseconds from 1,000 to 2,592,000,000, or a string such as '90 s', '10 min', "
    "'2 h' or '1 d'";

inline constexpr Parameter kStockPathParameter = {.name = "path",
                                                  .type = ParameterType::kText,
                                                  .required = true,
                                                  .internal = true,
                                                  .description = "The stock's document."};
inline constexpr Parameter kStockShardsParameter = {
    .name = "shards",
    .type = ParameterType::kInteger,
    .least = 1,
    .most = kMaxStockShards,
    .fallback = kDefaultStockShards,
    .description = "Over how many documents the stock is spread, 10 by default."};
inline constexpr Parameter kStockKeyParameter = {
    .name = "key",
    .type = ParameterType::kText,
    .description = "The key of the take, or of the units that are added: it serves once."};
inline constexpr Parameter kStockPutBackUnitsParameter = {
    .name = "units",
    .type = ParameterType::kInteger,
    .internal = true,
    .least = 1,
    .most = kMaxUnitsTaken,
    .fallback = 0,
    .description = "How many units of the take go back. Left out: all of them."};

inline constexpr Parameter kStockCreateParameters[] = {
    kStockPathParameter,
    kStockShardsParameter,
    {.name = "units",
     .type = ParameterType::kInteger,
     .required = true,
     .least = 0,
     .most = kMaxStockUnits,
     .description = "How many units there are to take."},
    kSignalParameter,
};
inline constexpr Parameter kStockAddParameters[] = {
    kStockPathParameter,
    kStockShardsParameter,
    {.name = "units",
     .type = ParameterType::kInteger,
     .required = true,
     .internal = true,
     .least = 1,
     .most = kMaxStockUnits,
     .description = "How many units to add."},
    kStockKeyParameter,
    kServerClockParameter,
    kSignalParameter,
};
inline constexpr Parameter kStockTakeParameters[] = {
    kStockPathParameter,
    kStockShardsParameter,
    {.name = "units",
     .type = ParameterType::kInteger,
     .required = true,
     .internal = true,
     .least = 1,
     .most = kMaxUnitsTaken,
     .description = "How many units to take, all or none of them."},
    kStockKeyParameter,
    {.name = "holdFor",
     .type = ParameterType::kValue,
     .allowed = kHoldAllowed,
     .description = "The units go back after this time unless confirm() is called."},
    kSignalParameter,
};
inline constexpr Parameter kStockPutBackParameters[] = {
    kStockPathParameter, kStockShardsParameter, kStockPutBackUnitsParameter,
    kStockKeyParameter,  kSignalParameter,
};
inline constexpr Parameter kStockConfirmParameters[] = {
    kStockPathParameter,
    kStockShardsParameter,
    kStockKeyParameter,
    kSignalParameter,
};
inline constexpr Parameter kStockDeleteParameters[] = {
    kStockPathParameter,
    kStockShardsParameter,
    kSignalParameter,
};

inline constexpr ApiCall kStockCalls[] = {
    {"stock.create", StartStockCreate, kStockCreateParameters,
     "Makes a stock. Never changes what is there."},
    {"stock.add", StartStockAdd, kStockAddParameters, "Adds units to a stock."},
    {"stock.take", StartStockTake, kStockTakeParameters,
     "Takes units of a stock, while it has some."},
    {"stock.putBack", StartStockPutBack, kStockPutBackParameters, "Puts units of a take back."},
    {"stock.confirm", StartStockConfirm, kStockConfirmParameters, "Makes a hold final."},
    {"stock.delete", StartStockDelete, kStockDeleteParameters,
     "Deletes a stock with its takes and holds."},
};
inline constexpr auto kStockApi = EntriesOf(kStockCalls);

}  // namespace shardline
