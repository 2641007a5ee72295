// Faults that are planted on purpose: the checks of the simulation must find each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace shardline::simulation {

enum class Mutant : std::uint8_t {
  kNone,
  // The client's.
  kFoldWithoutUpdateTime,
  kDeleteWithoutUpdateTime,
  kLostAnswerIsAborted,
  kConflictIsSuccess,
  kRowIdReused,
  kNewIdWhenSentAgain,
  kRowAddedToAfterSent,
  kRowDeletedBeforeAnswer,
  kRowNotLookedAt,
  kOwnerTakenForSole,
  kDoubtForgotten,
  kAgeForgotten,
  kWithdrawnIsCounted,
  kRefusedWithoutReading,
  kPageOneShort,
  kPageRepeatsDocument,
  kRefillSkipped,
  kPieceLeftOut,
  kPieceRepeatsDocument,
  kPieceOutOfOrder,
  kReadTimeDropped,
  kSumMissesShard,
  kFoldLosesCount,
  kFoldDeletesNeighbour,
  kParentReplaced,
  kIdsRepeated,
  kStaleSharedTotal,
  kShardWithoutUpdateTime,
  kShardReplacesDocument,
  kTransitionTorn,
  kWalkSkipsDocument,
  kKeyPreconditionDropped,
  kKeyWriteLeftOut,
  kKeyReadFromCache,
  kMarkerPreconditionDropped,
  kMarkerLeftOut,
  kMarkerReadFromCache,
  kWithdrawalGoesAstray,
  kPublishedBlindly,
  kPublishedByHalf,
  // The server's.
  kIncrementsTwice,
  kExistsIgnored,
  kUpdateTimeIgnored,
  kCommitNotAtomic,
  kMarkersExpireEarly,
  kStaleSums,
  kMarkerUnreadable,
  kAlwaysConflicts,
};

struct MutantRow {
  Mutant mutant;
  std::string_view name;
  std::string_view what;
  // Finds it, with few operations. When changes have made it another one, a run of all planted
  // faults prints that.
  std::uint64_t seed = 1;
};

// All but kNone.
std::span<const MutantRow> Mutants();
std::optional<Mutant> MutantNamed(std::string_view name);

}  // namespace shardline::simulation
