#include "simulation/mutant.h"

#include <array>

namespace shardline::simulation {
namespace {

using enum Mutant;

constexpr auto kRows = std::to_array<MutantRow>({
    {kFoldWithoutUpdateTime, "fold-without-update-time", "a surplus shard is emptied blindly", 198},
    {kDeleteWithoutUpdateTime, "delete-without-update-time", "documents are deleted blindly", 55},
    {kLostAnswerIsAborted, "lost-answer-is-aborted", "what is in doubt is said to be refused", 55},
    {kConflictIsSuccess, "conflict-is-success", "ALREADY_EXISTS is taken for a success", 58},
    {kRowIdReused, "row-id-reused", "a page that restarts uses the last row's id again", 236},
    {kNewIdWhenSentAgain, "new-id-when-sent-again", "a row gets a new id when it is sent again",
     131},
    {kRowAddedToAfterSent, "row-added-to-after-sent", "a row that was sent is added to", 156},
    {kRowDeletedBeforeAnswer, "row-deleted-before-answer", "a row is deleted when it is sent", 136},
    {kRowNotLookedAt, "row-not-looked-at", "a row is settled that another page has taken over", 11},
    {kOwnerTakenForSole, "owner-taken-for-sole", "another page's requests are not reckoned with",
     169},
    {kDoubtForgotten, "doubt-forgotten", "an earlier call's lost answer is forgotten", 284},
    {kAgeForgotten, "age-forgotten", "a row is sent when its marker may have expired", 132},
    {kWithdrawnIsCounted, "withdrawn-is-counted", "a withdrawn batch is taken for a counted one",
     58},
    {kRefusedWithoutReading, "refused-without-reading",
     "403 is taken for refused: no marker is read, and none written", 48},
    {kPageOneShort, "page-one-short", "the last document of an answer is lost", 48},
    {kPageRepeatsDocument, "page-repeats-document", "a document is there twice", 48},
    {kRefillSkipped, "refill-skipped", "a chunk that needs more is taken to be at its end", 168},
    {kPieceLeftOut, "piece-left-out", "a piece of a query's filters is not asked for", 48},
    {kPieceRepeatsDocument, "piece-repeats-document",
     "a piece begins with what another one has ended the page with", 219},
    {kPieceOutOfOrder, "piece-out-of-order", "a piece's documents are not sorted among the others'",
     136},
    {kReadTimeDropped, "read-time-dropped", "reads that belong together are of several times", 48},
    {kSumMissesShard, "sum-misses-shard", "a sum leaves out the first shard", 48},
    {kFoldLosesCount, "fold-loses-count", "a surplus shard's count goes nowhere", 122},
    {kFoldDeletesNeighbour, "fold-deletes-neighbour", "a shard is deleted with all that is in it",
     48},
    {kParentReplaced, "parent-replaced", "a write to the parent takes all other fields away", 48},
    {kIdsRepeated, "ids-repeated", "an answer about ids is that of the request before", 48},
    {kStaleSharedTotal, "stale-shared-total", "a shared total is never too old", 187},
    {kShardWithoutUpdateTime, "shard-without-update-time", "a document gets its shard blindly",
     116},
    {kShardReplacesDocument, "shard-replaces-document", "a shard takes all other fields away", 48},
    {kTransitionTorn, "transition-torn", "chunks say that they are of one time, and are not", 9},
    {kWalkSkipsDocument, "walk-skips-document", "the first document of a page by name is lost", 58},
    {kKeyPreconditionDropped, "key-precondition-dropped", "a key's document is written blindly",
     48},
    {kKeyWriteLeftOut, "key-write-left-out", "a key counts without its document", 48},
    {kKeyReadFromCache, "key-read-from-cache", "a key's document is as it was when first read",
     136},
    {kMarkerPreconditionDropped, "marker-precondition-dropped",
     "a batch's marker is written blindly", 48},
    {kMarkerLeftOut, "marker-left-out", "a batch goes without its marker", 48},
    {kMarkerReadFromCache, "marker-read-from-cache",
     "a batch's marker is as it was when first read", 156},
    {kWithdrawalGoesAstray, "withdrawal-goes-astray", "another batch is withdrawn than was meant",
     48},
    {kPublishedBlindly, "published-blindly", "a total is published over whatever is there", 276},
    {kPublishedByHalf, "published-by-half", "what says that a total was published goes alone", 192},
    {kIncrementsTwice, "increments-twice", "one increment of a hundred is applied twice", 48},
    {kExistsIgnored, "exists-ignored", "`exists: false` is not looked at", 48},
    {kUpdateTimeIgnored, "update-time-ignored", "`updateTime` is not looked at", 272},
    {kCommitNotAtomic, "commit-not-atomic", "the last write of a commit may be left out", 48},
    {kMarkersExpireEarly, "markers-expire-early", "markers are deleted within minutes", 48},
    {kStaleSums, "stale-sums", "sums are as of a minute ago", 48},
    {kMarkerUnreadable, "marker-unreadable", "markers cannot be read, ever", 48},
    {kAlwaysConflicts, "always-conflicts", "every commit of a marker meets ALREADY_EXISTS", 48},
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
