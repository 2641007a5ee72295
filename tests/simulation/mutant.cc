#include "simulation/mutant.h"

#include <array>

namespace shardline::simulation {
namespace {

using enum Mutant;

constexpr auto kRows = std::to_array<MutantRow>({
    {kFoldWithoutUpdateTime, "fold-without-update-time", "a surplus shard is emptied blindly"},
    {kDeleteWithoutUpdateTime, "delete-without-update-time", "documents are deleted blindly"},
    {kLostAnswerIsAborted, "lost-answer-is-aborted", "what is in doubt is said to be refused"},
    {kConflictIsSuccess, "conflict-is-success", "ALREADY_EXISTS is taken for a success"},
    {kRowIdReused, "row-id-reused", "a page that restarts uses the last row's id again"},
    {kNewIdWhenSentAgain, "new-id-when-sent-again", "a row gets a new id when it is sent again"},
    {kRowAddedToAfterSent, "row-added-to-after-sent", "a row that was sent is added to"},
    {kRowDeletedBeforeAnswer, "row-deleted-before-answer", "a row is deleted when it is sent"},
    {kRowNotLookedAt, "row-not-looked-at", "a row is settled that another page has taken over"},
    {kOwnerTakenForSole, "owner-taken-for-sole", "another page's requests are not reckoned with"},
    {kDoubtForgotten, "doubt-forgotten", "an earlier call's lost answer is forgotten"},
    {kAgeForgotten, "age-forgotten", "a row is sent when its marker may have expired"},
    {kWithdrawnIsCounted, "withdrawn-is-counted", "a withdrawn batch is taken for a counted one"},
    {kRefusedWithoutReading, "refused-without-reading",
     "403 is taken for refused: no marker is read, and none written"},
    {kPageOneShort, "page-one-short", "the last document of an answer is lost"},
    {kPageRepeatsDocument, "page-repeats-document", "a document is there twice"},
    {kRefillSkipped, "refill-skipped", "a chunk that needs more is taken to be at its end"},
    {kPieceLeftOut, "piece-left-out", "a piece of a query's filters is not asked for"},
    {kPieceRepeatsDocument, "piece-repeats-document",
     "a piece begins with what another one has ended the page with"},
    {kPieceOutOfOrder, "piece-out-of-order",
     "a piece's documents are not sorted among the others'"},
    {kReadTimeDropped, "read-time-dropped", "reads that belong together are of several times"},
    {kSumMissesShard, "sum-misses-shard", "a sum leaves out the first shard"},
    {kFoldLosesCount, "fold-loses-count", "a surplus shard's count goes nowhere"},
    {kFoldDeletesNeighbour, "fold-deletes-neighbour", "a shard is deleted with all that is in it"},
    {kParentReplaced, "parent-replaced", "a write to the parent takes all other fields away"},
    {kIdsRepeated, "ids-repeated", "an answer about ids is that of the request before"},
    {kStaleSharedTotal, "stale-shared-total", "a shared total is never too old"},
    {kShardWithoutUpdateTime, "shard-without-update-time", "a document gets its shard blindly"},
    {kShardReplacesDocument, "shard-replaces-document", "a shard takes all other fields away"},
    {kTransitionTorn, "transition-torn", "chunks say that they are of one time, and are not"},
    {kWalkSkipsDocument, "walk-skips-document", "the first document of a page by name is lost"},
    {kKeyPreconditionDropped, "key-precondition-dropped", "a key's document is written blindly"},
    {kKeyWriteLeftOut, "key-write-left-out", "a key counts without its document"},
    {kKeyReadFromCache, "key-read-from-cache", "a key's document is as it was when first read"},
    {kMarkerPreconditionDropped, "marker-precondition-dropped",
     "a batch's marker is written blindly"},
    {kMarkerLeftOut, "marker-left-out", "a batch goes without its marker"},
    {kMarkerReadFromCache, "marker-read-from-cache",
     "a batch's marker is as it was when first read"},
    {kWithdrawalGoesAstray, "withdrawal-goes-astray", "another batch is withdrawn than was meant"},
    {kPublishedBlindly, "published-blindly", "a total is published over whatever is there"},
    {kPublishedByHalf, "published-by-half", "what says that a total was published goes alone"},
    {kIncrementsTwice, "increments-twice", "one increment of a hundred is applied twice"},
    {kExistsIgnored, "exists-ignored", "`exists: false` is not looked at"},
    {kUpdateTimeIgnored, "update-time-ignored", "`updateTime` is not looked at"},
    {kCommitNotAtomic, "commit-not-atomic", "the last write of a commit may be left out"},
    {kMarkersExpireEarly, "markers-expire-early", "markers are deleted within minutes"},
    {kStaleSums, "stale-sums", "sums are as of a minute ago"},
    {kMarkerUnreadable, "marker-unreadable", "markers cannot be read, ever"},
    {kAlwaysConflicts, "always-conflicts", "every commit of a marker meets ALREADY_EXISTS"},
});

}  // namespace

std::span<const MutantRow> Mutants() { return kRows; }

std::optional<Mutant> MutantNamed(std::string_view name) {
  for (const MutantRow& row : kRows) {
    if (row.name == name) return row.mutant;
  }
  return std::nullopt;
}

}  // namespace shardline::simulation
