// One test for each group of rows of the tables in delivery_decision.h.
#include "delivery/delivery_decision.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace shardline::delivery_decision_test {
namespace {

using Fate = CommitFate;
using Next = NextStep;

constexpr Fate kFates[] = {Fate::kNone, Fate::kLost, Fate::kConflict, Fate::kDenied,
                           Fate::kRefused};
constexpr const char* kTime1 = "2026-01-01T00:00:01Z";
constexpr const char* kTime2 = "2026-01-01T00:00:02Z";

const LedgerState kNothing;
const LedgerState kBasis{3, {"a", "b", "c"}, kTime1};
const LedgerState kOneMore{4, {"a", "b", "c", "d"}, kTime2};
const LedgerState kFarAhead{90, {"x", "y", "z"}, kTime2};
const LedgerState kAnew{2, {"x", "y"}, kTime2};
const LedgerState kSpoilt{0, {}, kTime2};

std::string Row(Fate fate, bool maybe) {
  return "last " + std::to_string(static_cast<int>(fate)) + (maybe ? ", maybe counted" : "");
}

Next DecideMine(const DeliveryFacts& facts, const LedgerState& basis, const LedgerState& ledger) {
  return Decide(facts, "mine", basis, ledger);
}

TEST(DeliveryDecision, TheLedgerNamesTheBatch) {
  for (const Fate fate : kFates) {
    for (const bool maybe : {false, true}) {
      for (const LedgerState& ledger :
           {LedgerState{4, {"c", "mine"}, kTime2}, LedgerState{9, {"mine", "other"}, kTime2},
            LedgerState{0, {"mine"}, kTime1}}) {
        EXPECT_EQ(DecideMine({fate, maybe}, kBasis, ledger), Next::kApplied) << Row(fate, maybe);
        EXPECT_EQ(DecideMine({fate, maybe}, kNothing, ledger), Next::kApplied) << Row(fate, maybe);
      }
    }
  }
}

TEST(DeliveryDecision, TheLedgerIsTheBasis) {
  for (const LedgerState& basis : {kBasis, kNothing}) {
    for (const bool maybe : {false, true}) {
      // Of the first batch that may be counted, "not there" says less: see below.
      if (maybe && !basis.exists()) continue;
      for (const Fate fate : {Fate::kNone, Fate::kLost, Fate::kConflict}) {
        if (fate == Fate::kConflict && !basis.exists()) continue;
        EXPECT_EQ(DecideMine({fate, maybe}, basis, basis), Next::kCommit) << Row(fate, maybe);
      }
      const Next end = maybe ? Next::kUnknown : Next::kRefused;
      for (const Fate fate : {Fate::kDenied, Fate::kRefused}) {
        EXPECT_EQ(DecideMine({fate, maybe}, basis, basis), end) << Row(fate, maybe);
      }
      for (const Fate fate : {Fate::kDenied, Fate::kRefused}) {
        DeliveryFacts clock{fate, maybe};
        clock.clock_was_wrong = true;
        EXPECT_EQ(DecideMine(clock, basis, basis), fate == Fate::kDenied ? Next::kCommit : end);
      }
      if (!basis.exists()) continue;
      DeliveryFacts conflicts{Fate::kConflict, maybe};
      conflicts.idle_conflicts = kMaxIdleConflicts - 1;
      EXPECT_EQ(DecideMine(conflicts, basis, basis), Next::kCommit);
      conflicts.idle_conflicts = kMaxIdleConflicts;
      EXPECT_EQ(DecideMine(conflicts, basis, basis), end);
    }
  }
}

TEST(DeliveryDecision, TheLedgerHasMovedOnAndListsAllSince) {
  const LedgerState first{2, {"x", "y"}, kTime2};
  for (const bool maybe : {false, true}) {
    for (const Fate fate : kFates) {
      for (const bool shared : {false, true}) {
        DeliveryFacts facts{fate, maybe};
        facts.shared = shared;
        const Next next = shared ? Next::kCommit : Next::kRestart;
        EXPECT_EQ(DecideMine(facts, kBasis, kOneMore), next) << Row(fate, maybe);
        EXPECT_EQ(DecideMine(facts, kNothing, first), next) << Row(fate, maybe);
      }
    }
  }
}

// The first eight letters are those of the queue.
TEST(DeliveryDecision, ACopyOfTheQueueHasMovedOnTheSharedLedger) {
  const LedgerState known{3, {"a", "queue000before", "c"}, kTime1};
  LedgerState moved{4, {"a", "queue000before", "c", "queue000copy"}, kTime2};
  for (const Fate fate : kFates) {
    DeliveryFacts facts{fate, true};
    facts.shared = true;
    EXPECT_EQ(Decide(facts, "queue000mine", known, moved), Next::kRestart);
    EXPECT_EQ(Decide(facts, "queue111mine", known, moved), Next::kCommit);
  }
}

TEST(DeliveryDecision, TheLedgerWasTouchedOnly) {
  LedgerState touched = kBasis;
  touched.update_time = kTime2;
  for (const Fate fate : kFates) {
    for (const bool maybe : {false, true}) {
      EXPECT_EQ(DecideMine({fate, maybe}, kBasis, touched), Next::kCommit) << Row(fate, maybe);
    }
  }
}

TEST(DeliveryDecision, TheLedgerHasMovedOnFurtherOrWasBegunAnew) {
  for (const Fate fate : kFates) {
    for (const LedgerState& ledger : {kFarAhead, kAnew}) {
      const Next next = fate == Fate::kNone ? Next::kRestart : Next::kUnknown;
      EXPECT_EQ(DecideMine({fate, false}, kBasis, ledger), next) << Row(fate, false);
      EXPECT_EQ(DecideMine({fate, true}, kBasis, ledger), Next::kUnknown) << Row(fate, true);
    }
    EXPECT_EQ(DecideMine({fate, true}, kNothing, kFarAhead), Next::kUnknown) << Row(fate, true);
  }
}

TEST(DeliveryDecision, ThereIsNoLedger) {
  for (const LedgerState& ledger : {kNothing, kSpoilt}) {
    for (const Fate fate : kFates) {
      const Next next = fate == Fate::kNone ? Next::kCommit : Next::kSearch;
      EXPECT_EQ(DecideMine({fate, false}, kBasis, ledger), next) << Row(fate, false);
      EXPECT_EQ(DecideMine({fate, true}, kBasis, ledger), Next::kSearch) << Row(fate, true);
      EXPECT_EQ(DecideMine({fate, true}, kNothing, ledger), Next::kSearch) << Row(fate, true);
    }
  }
}

TEST(DeliveryDecision, NobodySaysHowManyShardsThereAre) {
  LedgerState touched = kBasis;
  touched.update_time = kTime2;
  for (const bool maybe : {false, true}) {
    for (const bool shared : {false, true}) {
      DeliveryFacts facts{Fate::kRefused, maybe};
      facts.no_shards = true;
      facts.shared = shared;
      EXPECT_EQ(DecideMine(facts, kBasis, touched), Next::kRefused);
      EXPECT_EQ(DecideMine(facts, kBasis, kOneMore), shared ? Next::kRefused : Next::kRestart);
    }
  }
}

// What the last commit was refused for may have been that an earlier arrival of it was applied.
TEST(DeliveryDecision, ThereMayHaveBeenALedgerWhichTheFirstBatchHasBegun) {
  for (const LedgerState& ledger : {kNothing, kSpoilt}) {
    EXPECT_EQ(DecideMine({Fate::kConflict, false}, kNothing, ledger), Next::kSearch);
    for (const Fate fate : kFates) {
      DeliveryFacts facts{fate, false};
      facts.may_have_expired = true;
      const Next next = fate == Fate::kNone ? Next::kCommit : Next::kUnknown;
      EXPECT_EQ(DecideMine(facts, kNothing, ledger), next) << Row(fate, false);
      EXPECT_EQ(DecideMine(facts, kBasis, ledger), next) << Row(fate, false);
      facts.maybe_counted = true;
      EXPECT_EQ(DecideMine(facts, kNothing, ledger), Next::kUnknown) << Row(fate, true);
      EXPECT_EQ(DecideMine(facts, kBasis, ledger), Next::kUnknown) << Row(fate, true);
    }
  }
}

// It lists all of its own batches, but not those of the one that was there before it.
TEST(DeliveryDecision, OthersMayHaveBegunTheLedgerAnew) {
  const LedgerState first{2, {"x", "y"}, kTime2};
  for (const Fate fate : kFates) {
    DeliveryFacts facts{fate, false};
    facts.may_have_expired = true;
    const bool was_sent = fate != Fate::kNone;
    for (const bool shared : {false, true}) {
      facts.shared = shared;
      facts.maybe_counted = false;
      EXPECT_EQ(DecideMine(facts, kNothing, first), was_sent ? Next::kUnknown : Next::kRestart);
      facts.maybe_counted = true;
      EXPECT_EQ(DecideMine(facts, kNothing, first), Next::kUnknown);
    }
    EXPECT_EQ(DecideMine(facts, kBasis, kOneMore), Next::kCommit) << "it names the basis";
  }
}

TEST(DeliveryDecision, ThereIsNoCounterEither) {
  for (const bool maybe : {false, true}) {
    DeliveryFacts facts{Fate::kRefused, maybe};
    facts.no_counter = true;
    EXPECT_EQ(DecideMine(facts, kNothing, kNothing), Next::kRefused);
    EXPECT_EQ(DecideMine(facts, kBasis, kNothing), Next::kRefused);
    EXPECT_EQ(DecideMine(facts, kBasis, {4, {"c", "mine"}, kTime2}), Next::kApplied);
  }
}

TEST(DeliveryDecision, WhatTheSearchHasFound) {
  for (const Fate fate : kFates) {
    const DeliveryFacts facts{fate, true};
    const bool final = fate == Fate::kDenied || fate == Fate::kRefused;
    for (const bool had_ledger : {false, true}) {
      EXPECT_EQ(DecideGone(SearchResult::kCounted, facts, had_ledger), Next::kApplied);
    }
    for (const SearchResult result : {SearchResult::kNotCounted, SearchResult::kNotFoundOut}) {
      EXPECT_EQ(DecideGone(result, facts, false), final ? Next::kUnknown : Next::kCommit);
    }
    EXPECT_EQ(DecideGone(SearchResult::kNotCounted, facts, true), Next::kCommit);
    EXPECT_EQ(DecideGone(SearchResult::kNotFoundOut, facts, true), Next::kUnknown);
  }
}

}  // namespace
}  // namespace shardline::delivery_decision_test
