#include "base/reason.h"

#include <cstddef>
#include <string_view>

#include "base/json_scanner.h"
#include "base/padded_text.h"

namespace shardline {
namespace {

struct Row {
  const Reason& reason;
  std::string_view params;  // With a space between their names.
};

// clang-format off
constexpr Row kRows[] = {
    {kArgumentNotAllowed, "argument allowed"},
    {kArgumentMissing, "argument allowed"},
    {kArgumentUnknown, "argument known"},
    {kArgumentUnreadable, "argument"},
    {kArgumentsConflict, "argument other"},
    {kPathNotAllowed, "path"},
    {kFieldNotAllowed, "field"},
    {kValueNotAllowed, "field"},
    {kDocumentTooLarge, ""},
    {kRequestTooLarge, ""},
    {kShardFieldChanged, "field"},
    {kResumeFromElsewhere, ""},
    {kFilterNotAllowed, "field"},
    {kOrderNotAllowed, ""},
    {kCursorNotAllowed, ""},
    {kAggregationNotAllowed, ""},
    {kQueryTooLarge, ""},
    {kTokenOfAnotherQuery, ""},
    {kIndexFileUnreadable, "where"},
    {kRulesFileUnreadable, "where"},
    {kIndexLinkUnreadable, ""},
    {kDocumentWrittenTwice, "document"},
    {kBatchIncrementTooLarge, "path"},
    {kCounterNotFound, "path"},
    {kCounterExists, "path"},
    {kCounterOfAnotherLayout, "path field"},
    {kCounterFull, ""},
    {kTotalTooLarge, ""},
    {kResizeOverruled, ""},
    {kTooMuchContention, ""},
    {kDocumentNotFound, "document"},
    {kIdsNotFound, "path"},
    {kIdsPathTaken, "path"},
    {kIdsTooManyShards, ""},
    {kIdsDamaged, "document"},
    {kIdsUsedUp, "path"},
    {kStockNotFound, "path"},
    {kStockNotTaken, "key path"},
    {kStockKeyUsed, "key"},
    {kServerRefused, "status http"},
    {kAnswerUnreadable, "http"},
    {kAnswersContradict, "document"},
    {kNoNetwork, ""},
    {kTimedOut, ""},
    {kIdsPerhapsLost, ""},
    {kWriteInDoubt, ""},
    {kIncrementInDoubt, ""},
    {kStockTakeInDoubt, "key"},
    {kCancelled, ""},
    {kCancelledInDoubt, ""},
    {kBatchWithdrawn, ""},
    {kClosed, ""},
    {kInternalFault, ""},
};
// clang-format on

// Takes the first of the names that spaces divide.
std::string_view TakeName(std::string_view& names) {
  const std::size_t end = names.find(' ');
  const std::string_view name = names.substr(0, end);
  names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
  return name;
}

bool HaveNames(const std::string& members, std::string_view names) {
  const PaddedText object('{' + members + '}');
  JsonScanner scanner(object);
  std::string_view name;
  if (!scanner.BeginObject()) return false;
  while (scanner.NextKey(name)) {
    if (name != TakeName(names)) return false;
    scanner.SkipValue();
  }
  return scanner.ok() && names.empty();
}

}  // namespace

bool HasItsParameters(const Error& error) {
  for (const Row& row : kRows) {
    if (error.reason == row.reason.name) return HaveNames(error.params, row.params);
  }
  // A later version of this library can have stored an unknown reason.
  return !error.reason.empty();
}

}  // namespace shardline
