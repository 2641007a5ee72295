#include "api/stock_api.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "api/exactly_once_api.h"
#include "base/number.h"
#include "stock/change_take.h"
#include "stock/delete_stock.h"
#include "stock/supply.h"
#include "stock/take_units.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;
using std::chrono::milliseconds;

constexpr milliseconds kShortestHold = std::chrono::seconds(1);
constexpr milliseconds kLongestHold = std::chrono::hours(30 * 24);

Result<Stock> ReadStock(Arguments& arguments, const OperationContext& context) {
  const std::string path = arguments.Text("path");
  if (!arguments.ok()) return arguments.TakeFailure();
  return Stock::Make(context.database, path, arguments.Integer("shards"));
}

// Empty if none is given, or if `arguments` has latched an error.
std::string ReadOptionalKey(Arguments& arguments) {
  return arguments.Has("key") ? ReadKeyId(arguments) : std::string();
}

// "10 min"; nullopt for anything else.
std::optional<milliseconds> ParseHold(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::int64_t> number = ParseInt64(text.substr(0, digits));
  if (!number || digits > kMostDigits) return std::nullopt;
  std::string_view unit = text.substr(digits);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit == "s") return std::chrono::seconds(*number);
  if (unit == "min") return std::chrono::minutes(*number);
  if (unit == "h") return std::chrono::hours(*number);
  if (unit == "d") return std::chrono::hours(24 * *number);
  return std::nullopt;
}

std::optional<Duration> ReadHold(Arguments& arguments) {
  if (!arguments.Has("holdFor")) return std::nullopt;
  std::optional<milliseconds> hold;
  if (const std::optional<std::string> text = arguments.OptionalText("holdFor")) {
    hold = ParseHold(*text);
  } else if (const std::optional<std::int64_t> number = ParseInt64(arguments.Raw("holdFor"))) {
    hold = milliseconds(*number);
  }
  if (!hold || *hold < kShortestHold || *hold > kLongestHold) {
    arguments.Refuse("holdFor");
    return std::nullopt;
  }
  return Duration(*hold);
}

Start StartTakeChange(Arguments& arguments, OperationContext& context, TakeWish wish,
                      std::int64_t units) {
  SHARDLINE_TRY(Stock && stock, ReadStock(arguments, context));
  const std::string key = ReadKeyId(arguments);
  return Started(arguments, [&]() -> Start {
    return std::make_unique<ChangeTake>(context, std::move(stock), wish, key, units);
  });
}

}  // namespace

Start StartStockCreate(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kStockCreateParameters>);
  SHARDLINE_TRY(const Stock& stock, ReadStock(arguments, context));
  return CreateStock::Start(context, stock, arguments.Integer("units"));
}

Start StartStockAdd(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kStockAddParameters>);
  SHARDLINE_TRY(Stock && stock, ReadStock(arguments, context));
  std::string key = ReadOptionalKey(arguments);
  return Started(arguments, [&]() -> Start {
    return std::make_unique<AddUnits>(context, std::move(stock), key, arguments.Integer("units"),
                                      ReadServerNow(arguments));
  });
}

Start StartStockTake(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kStockTakeParameters>);
  SHARDLINE_TRY(Stock && stock, ReadStock(arguments, context));
  std::string key = ReadOptionalKey(arguments);
  const std::optional<Duration> hold = ReadHold(arguments);
  return Started(arguments, [&]() -> Start {
    return std::make_unique<TakeUnits>(context, std::move(stock), std::move(key),
                                       arguments.Integer("units"), hold);
  });
}

Start StartStockPutBack(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kStockPutBackParameters>);
  return StartTakeChange(arguments, context, TakeWish::kPutBack, arguments.Integer("units"));
}

Start StartStockConfirm(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kStockConfirmParameters>);
  return StartTakeChange(arguments, context, TakeWish::kConfirm, 0);
}

Start StartStockDelete(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kStockDeleteParameters>);
  SHARDLINE_TRY(Stock && stock, ReadStock(arguments, context));
  return Started(arguments,
                 [&]() -> Start { return DeleteStock::Start(context, std::move(stock)); });
}

}  // namespace shardline
