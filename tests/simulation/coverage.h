// States that matter, named where they happen. A run lists those that it has never reached.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace shardline::simulation {

enum class State : std::uint8_t {
  kLateCommitApplied,
  kLateCommitRefused,
  kDoubledCommitApplied,
  kDoubledCommitRefused,
  kCommitAppliedAnswerLost,
  kAnswerGarbled,
  kRulesRefusedCommit,
  kRulesRefusedLedger,
  kRulesRefusedSum,
  kContention,
  kServerError,
  kQuotaExceeded,
  kTokenExpired,
  kBreakdown,
  kDeviceSuspended,
  kHealedAll,
  kHealedOne,
  kHonest,
  kEmulatorDialect,
  kProductionDialect,
  kProxyDialect,
  kClockWrong,
  kClockJumped,
  kClockStopped,
  kLongPause,
  kLedgerExpired,
  kDiedBeforeStaging,
  kDiedBeforeSending,
  kDiedUnderWay,
  kDiedBeforeSettling,
  kSentWhenClosing,
  kDiedWhenClosing,
  kRevived,
  kSentByTwoTabs,
  kCameBackOlder,
  kCameBackEmpty,
  kBatchFoundInLedger,
  kBatchMadeAnew,
  kBatchUnknown,
  kBatchRefused,
  kBatchUnsettled,
  kSharedLedgerMoved,
  kIncrementDuringResize,
  kIncrementDuringDelete,
  kDeleted,
  kCreatedAgain,
  kCreatedByTwo,
  kResizeAborted,
  kGrownAtLeast,
  kCleanedUp,
  kShrunkBesideNeighbour,
  kDeletedBesideNeighbour,
  kNeighbourFieldKept,
  kSharedTotalFresh,
  kSharedTotalStale,
  kTotalListed,
  kMigrated,
  kPageAtSnapshot,
  kPageBehindToken,
  kPageRefilled,
  kPageOfManyChunks,
  kBackfilled,
  kBackfillResumed,
  kResharded,
  kReshardResumed,
  kPageInTransition,
  kMemberAdded,
  kMemberTakenBack,
  kMemberUnchanged,
  kKeyCounted,
  kKeyCountedBefore,
  kKeyInDoubt,
  kPublishedAgain,
  kIdsResized,
  kIdsTaken,
  kCount,
};

// Any thread may call it at any time.
void Reached(State state);
std::int64_t TimesReached(State state);
std::string_view Name(State state);

}  // namespace shardline::simulation
