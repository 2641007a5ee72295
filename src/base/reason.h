// All reasons of the core. web/library/reasons.js says when each one occurs and names its
// parameters; tests compare both. A module holds only the reasons that it uses. reason.cc names the
// parameters.
//
// A reason is never renamed, and none of its parameters is removed: apps compare with them.
#pragma once

#include "base/error.h"

namespace shardline {

// clang-format off

// ---- The arguments of a call ----
inline constexpr Reason kArgumentNotAllowed{"argument-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kArgumentMissing{"argument-missing", Code::kInvalidArgument};
inline constexpr Reason kArgumentUnknown{"argument-unknown", Code::kInvalidArgument};
inline constexpr Reason kArgumentUnreadable{"argument-unreadable", Code::kInvalidArgument};
inline constexpr Reason kArgumentsConflict{"arguments-conflict", Code::kInvalidArgument};
inline constexpr Reason kPathNotAllowed{"path-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kFieldNotAllowed{"field-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kValueNotAllowed{"value-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kDocumentTooLarge{"document-too-large", Code::kInvalidArgument};
inline constexpr Reason kRequestTooLarge{"request-too-large", Code::kInvalidArgument};
inline constexpr Reason kShardFieldChanged{"shard-field-changed", Code::kInvalidArgument};
inline constexpr Reason kResumeFromElsewhere{"resume-from-elsewhere", Code::kInvalidArgument};
inline constexpr Reason kFilterNotAllowed{"query-filter-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kOrderNotAllowed{"query-order-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kCursorNotAllowed{"query-cursor-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kAggregationNotAllowed{"query-aggregation-not-allowed", Code::kInvalidArgument};
inline constexpr Reason kQueryTooLarge{"query-too-large", Code::kInvalidArgument};
inline constexpr Reason kTokenOfAnotherQuery{"token-of-another-query", Code::kInvalidArgument};
inline constexpr Reason kIndexFileUnreadable{"index-file-unreadable", Code::kInvalidArgument};
inline constexpr Reason kRulesFileUnreadable{"rules-file-unreadable", Code::kInvalidArgument};
inline constexpr Reason kIndexLinkUnreadable{"index-link-unreadable", Code::kInvalidArgument};

inline constexpr Reason kDocumentWrittenTwice{"document-written-twice", Code::kInvalidArgument};
inline constexpr Reason kBatchIncrementTooLarge{"batch-increment-too-large", Code::kInvalidArgument};

// ---- The data in the database ----
inline constexpr Reason kCounterNotFound{"counter-not-found", Code::kNotFound};
inline constexpr Reason kCounterExists{"counter-exists", Code::kAlreadyExists};
inline constexpr Reason kCounterOfAnotherLayout{"counter-of-another-layout", Code::kFailedPrecondition};
inline constexpr Reason kCounterFull{"counter-full", Code::kOutOfRange};
inline constexpr Reason kTotalTooLarge{"total-too-large", Code::kOutOfRange};
inline constexpr Reason kResizeOverruled{"resize-overruled", Code::kAborted};
inline constexpr Reason kTooMuchContention{"too-much-contention", Code::kAborted};
inline constexpr Reason kDocumentNotFound{"document-not-found", Code::kNotFound};
inline constexpr Reason kIdsNotFound{"ids-not-found", Code::kNotFound};
inline constexpr Reason kIdsPathTaken{"ids-path-taken", Code::kFailedPrecondition};
inline constexpr Reason kIdsTooManyShards{"ids-too-many-shards", Code::kFailedPrecondition};
inline constexpr Reason kIdsDamaged{"ids-damaged", Code::kFailedPrecondition};
inline constexpr Reason kIdsUsedUp{"ids-used-up", Code::kOutOfRange};
inline constexpr Reason kStockNotFound{"stock-not-found", Code::kNotFound};
inline constexpr Reason kStockNotTaken{"stock-not-taken", Code::kNotFound};
inline constexpr Reason kStockKeyUsed{"stock-key-used", Code::kFailedPrecondition};

// ---- The server's answer, or a missing answer ----
// Its code is the server's.
inline constexpr Reason kServerRefused{"server-refused", Code::kUnknown};
inline constexpr Reason kAnswerUnreadable{"answer-unreadable", Code::kInternal};
inline constexpr Reason kAnswersContradict{"answers-contradict", Code::kInternal};
inline constexpr Reason kNoNetwork{"no-network", Code::kUnavailable};
inline constexpr Reason kTimedOut{"timed-out", Code::kDeadlineExceeded};
inline constexpr Reason kIdsPerhapsLost{"ids-perhaps-lost", Code::kUnavailable};
inline constexpr Reason kWriteInDoubt{"write-in-doubt", Code::kOutcomeUnknown};
inline constexpr Reason kIncrementInDoubt{"increment-in-doubt", Code::kOutcomeUnknown};
inline constexpr Reason kStockTakeInDoubt{"stock-take-in-doubt", Code::kOutcomeUnknown};

// ---- The outcome of the call ----
inline constexpr Reason kCancelled{"cancelled", Code::kCancelled};
inline constexpr Reason kCancelledInDoubt{"cancelled-in-doubt", Code::kCancelled};
inline constexpr Reason kBatchWithdrawn{"batch-withdrawn", Code::kFailedPrecondition};
inline constexpr Reason kClosed{"closed", Code::kFailedPrecondition};
inline constexpr Reason kInternalFault{"internal-fault", Code::kInternal};

// clang-format on

}  // namespace shardline
