#include "simulation/coverage.h"

#include <atomic>

namespace shardline::simulation {
namespace {

constexpr auto kStates = static_cast<std::size_t>(State::kCount);

// In the order of State.
constexpr std::array<std::string_view, kStates> kNames = {
    "a commit was applied after its sender had given up",
    "a commit arrived after its sender had given up, and was refused",
    "a commit that arrived twice was applied by the second arrival",
    "a commit that arrived twice was refused the second time",
    "a commit was applied, and its answer was lost",
    "an answer was garbled",
    "the rules refused a commit",
    "the rules refused to read a marker",
    "the rules refused a sum",
    "a commit met contention",
    "the server failed",
    "the quota was exceeded",
    "a token had expired",
    "the server was gone for a while",
    "a device was suspended",
    "all of the world healed",
    "one client's network healed",
    "the network was honest",
    "the dialect was the emulator's",
    "the dialect was production's",
    "the dialect was a proxy's",
    "a clock was minutes wrong",
    "a clock jumped",
    "a clock stood still",
    "a clock was years off",
    "the rules refused a marker that would expire too soon, or too late",
    "weeks went by",
    "a marker expired and was deleted",
    "a page died between storing and sending",
    "a page died with requests under way",
    "a page died before it stored an outcome",
    "a row was added to",
    "a row was taken over from another page",
    "two tabs sent the same row",
    "three tabs sent the same row",
    "two copies of one storage sent the same row",
    "a page came back with an older copy of its outbox",
    "a page came back with nothing",
    "a row was found to be counted already",
    "a row was found to be withdrawn already",
    "a row was withdrawn",
    "a row was refused",
    "a row was refused, and so was its withdrawal",
    "a row was refused to a page that had lost it to another",
    "the outcome of a row stayed unknown",
    "a row waited to be sent again",
    "an increment ran beside a resize",
    "an increment ran beside a delete",
    "a counter was deleted",
    "a counter was created again after a delete",
    "two clients created a counter at once",
    "a resize gave up to others who kept writing",
    "a counter was given at least so many shards",
    "markers were cleaned up",
    "a counter shrank beside a neighbour in its shards",
    "a counter was deleted beside a neighbour in its shards",
    "a user's field was kept through deletes and resizes",
    "a shared total was new enough",
    "a shared total was too old",
    "a total was listed shard by shard",
    "a counter of the extension was migrated",
    "a page was read at one snapshot",
    "a page was read behind a token",
    "a page took more requests than chunks",
    "a page was merged from several chunks",
    "a page was merged from pieces of its filters",
    "a collection was given its shard field",
    "a backfill went on where another had ended",
    "a collection was given other shard values",
    "a reshard went on where another had ended",
    "a page was read while documents move",
    "a key became a member",
    "a member was taken back",
    "a key was as it was to be",
    "an increment with a key counted",
    "an increment with a key had counted before",
    "the outcome of a key's change stayed unknown",
    "a newer total was published",
    "a user's batch was applied",
    "a user's batch was refused",
    "the outcome of a user's batch stayed unknown",
    "a user's batch in doubt was asked for again",
    "a user's batch in doubt had been applied",
    "a user's batch was withdrawn",
    "a sequence of ids was resized",
    "ids were taken",
};

std::array<std::atomic<std::int64_t>, kStates> counts;

}  // namespace

void Reached(State state) {
  counts[static_cast<std::size_t>(state)].fetch_add(1, std::memory_order_relaxed);
}

std::int64_t TimesReached(State state) { return counts[static_cast<std::size_t>(state)]; }

std::string_view Name(State state) { return kNames[static_cast<std::size_t>(state)]; }

}  // namespace shardline::simulation
