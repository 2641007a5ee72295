#include "delivery/delivery_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/reason.h"
#include "simulator/refusal.h"
#include "unit/support/status.h"

namespace shardline::delivery_queue_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = DeliveryOutcome::Kind;
using Limits = std::numeric_limits<std::int64_t>;

Amount Integer(std::int64_t value) { return Amount::Integer(value); }
Amount Number(double value) { return Amount::Double(value); }
DeliveryOutcome Applied(std::int64_t seq, const std::string& time) {
  return {.kind = Kind::kApplied, .ledger = LedgerState{seq, {"last"}, time}};
}
DeliveryOutcome Failed(Kind kind, Code code) {
  return {.kind = kind, .error = simulator::Refusal(code, "Made up.", 403)};
}

class DeliveryQueueTest : public ::testing::Test {
 protected:
  // Adds, through the storage.
  DeliveryQueue::Tickets Add(const Amount& delta, std::optional<Amount> most = std::nullopt) {
    const auto tickets = queue_.Add(delta, most);
    EXPECT_THAT(tickets, IsOk());
    Reload();
    return tickets.value_or(DeliveryQueue::Tickets{});
  }
  Batch Stage() {
    const std::optional<Batch> batch = queue_.Stage({now_}, random_);
    EXPECT_TRUE(batch.has_value());
    Reload();
    return batch.value_or(Batch{});
  }
  void Settle(const Batch& batch, const DeliveryOutcome& outcome) {
    queue_.Settle(batch.id, outcome, random_);
    Reload();
  }
  // As a new page does.
  void Reload() {
    const std::string text = queue_.Write();
    Result<DeliveryQueue> read = DeliveryQueue::Parse(text);
    ASSERT_THAT(read, IsOk()) << text;
    EXPECT_EQ(read->Write(), text);
    queue_ = std::move(*read);
  }

  Random random_{1};
  Timestamp now_{1'767'225'600'123'000};
  DeliveryQueue queue_{"", random_};
};

TEST_F(DeliveryQueueTest, CoalescesWhatWaits) {
  EXPECT_EQ(Add(Integer(1)).last, 1);
  EXPECT_EQ(Add(Integer(1)).last, 1);
  EXPECT_EQ(Add(Integer(-5)).last, 1);
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(-3)));
  const Batch batch = Stage();
  EXPECT_EQ(batch.delta, Integer(-3));
  EXPECT_EQ(batch.basis, LedgerState{});
  EXPECT_EQ(batch.now, now_);
  EXPECT_EQ(batch.age, 0);
  EXPECT_FALSE(batch.sent);
  EXPECT_EQ(batch.client.size(), 20U);
  EXPECT_EQ(batch.id.size(), 20U);
  EXPECT_EQ(Add(Integer(7)).first, 2) << "what is in flight stays as it is";
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(-3), Integer(7)));
}

TEST_F(DeliveryQueueTest, ABatchStaysTheSameUntilItIsSettled) {
  Add(Integer(1));
  const Batch first = Stage();
  Add(Integer(1));
  now_.micros += 1'000'000;
  const Batch again = Stage();
  EXPECT_TRUE(again.sent);
  EXPECT_EQ(again.id, first.id);
  EXPECT_EQ(again.basis, first.basis);
  EXPECT_EQ(again.delta, first.delta);
  EXPECT_EQ(again.age, 1'000'000);
  Settle(first, {.kind = Kind::kUnsettled});
  EXPECT_EQ(Stage().id, first.id);
  Settle(first, Applied(1, "2026-01-01T00:00:01Z"));
  EXPECT_EQ(queue_.settled(), 1);
  const Batch second = Stage();
  EXPECT_NE(second.id, first.id);
  EXPECT_EQ(second.client, first.client);
  EXPECT_EQ(second.basis.seq, 1);
  EXPECT_EQ(second.basis.update_time, "2026-01-01T00:00:01Z");
  EXPECT_FALSE(second.sent);
}

TEST_F(DeliveryQueueTest, TheServersClockAndAClockThatWasSetBack) {
  Add(Integer(1));
  Stage();
  const Timestamp server{1'800'000'000'000'000};
  const std::optional<Batch> batch = queue_.Stage({{now_.micros - 5'000'000}, server}, random_);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->now, server);
  EXPECT_EQ(batch->age, 5'000'000);
}

TEST_F(DeliveryQueueTest, TheServersClockSaysHowOldABatchIsWhereTheDevicesStandsStill) {
  constexpr std::int64_t kMonth = std::int64_t{30} * 24 * 3600 * 1'000'000;
  const Timestamp server{now_.micros + 7'000'000};
  Add(Integer(1));
  ASSERT_TRUE(queue_.Stage({now_, server}, random_));
  Reload();
  EXPECT_EQ(queue_.Stage({now_, Timestamp{server.micros + kMonth}}, random_)->age, kMonth);
  EXPECT_EQ(queue_.Stage({now_}, random_)->age, 0) << "nothing is known of the server's";
  EXPECT_EQ(queue_.Stage({now_, now_}, random_)->age, 0);
}

// The page that comes weeks later has not heard of the server's time yet, and the device's clock
// stands still: that of the page that made the batch holds.
TEST_F(DeliveryQueueTest, WhenABatchWasMadeByTheServersClockOutlivesThePage) {
  const Timestamp server{now_.micros + 1'000'000'000};
  Add(Integer(5));
  ASSERT_TRUE(queue_.Stage({now_, server}, random_));
  Reload();
  const Batch later = queue_.Stage({now_}, random_).value();
  EXPECT_TRUE(later.by_server);
  EXPECT_EQ(later.now.micros - later.age, server.micros);
  const Batch by_device = queue_.Stage({{now_.micros + 7'000'000}}, random_).value();
  EXPECT_EQ(by_device.age, 7'000'000);
  EXPECT_EQ(by_device.now.micros - by_device.age, server.micros);
}

TEST_F(DeliveryQueueTest, LateNewsOfThePastChangesNothing) {
  Add(Integer(1));
  const Batch first = Stage();
  Settle(first, Applied(1, "2026-01-01T00:00:01Z"));
  Add(Integer(2));
  const Batch second = Stage();
  Settle(first, Applied(1, "2026-01-01T00:00:01Z"));
  Settle(first, Failed(Kind::kUnknown, Code::kOutcomeUnknown));
  EXPECT_EQ(Stage().id, second.id);
  EXPECT_TRUE(queue_.failures().empty());
  EXPECT_EQ(queue_.settled(), 1);
}

TEST_F(DeliveryQueueTest, FailuresAreToldByTicketAndDoNotBlock) {
  Add(Integer(1));
  Settle(Stage(), Applied(1, "2026-01-01T00:00:01Z"));
  Add(Integer(2));
  Settle(Stage(), Failed(Kind::kRefused, Code::kPermissionDenied));
  EXPECT_TRUE(queue_.empty());
  ASSERT_EQ(queue_.failures().size(), 1U);
  EXPECT_EQ(queue_.failures()[0].ticket, 2);
  EXPECT_EQ(queue_.failures()[0].error.code, Code::kPermissionDenied);
  EXPECT_EQ(queue_.failures()[0].error.message, "Made up.");
  EXPECT_EQ(queue_.failures()[0].error.http_status, 403);
  Add(Integer(3));
  const Batch batch = Stage();
  EXPECT_EQ(batch.basis.seq, 1) << "nothing was written";
  EXPECT_EQ(batch.basis.update_time, "2026-01-01T00:00:01Z");
}

TEST_F(DeliveryQueueTest, ALedgerThatIsGoneIsBegunAnew) {
  Add(Integer(1));
  Settle(Stage(), Applied(1, "2026-01-01T00:00:01Z"));
  for (const Kind kind : {Kind::kRestart, Kind::kUnknown}) {
    Add(Integer(1));
    const Batch batch = Stage();
    Settle(batch, {.kind = kind, .ledger = LedgerState{}});
    EXPECT_EQ(queue_.empty(), kind == Kind::kUnknown);
    if (kind == Kind::kUnknown) Add(Integer(1));
    const Batch next = Stage();
    EXPECT_NE(next.id, batch.id);
    EXPECT_EQ(next.client, batch.client);
    EXPECT_FALSE(next.basis.exists());
    EXPECT_FALSE(next.sent);
    Settle(next, Applied(1, "2026-01-01T00:00:02Z"));
  }
}

// The other copy may have counted what this one has not sent.
TEST_F(DeliveryQueueTest, AfterAnotherCopyOfTheStorageNobodyKnows) {
  for (const Kind kind : {Kind::kApplied, Kind::kRestart, Kind::kUnknown}) {
    queue_ = DeliveryQueue("", random_);
    Add(Integer(1));
    const Batch batch = Stage();
    Add(Integer(2));
    DeliveryOutcome outcome = Applied(9, "2026-01-01T00:00:09Z");
    outcome.kind = kind;
    if (kind == Kind::kUnknown) outcome.error = Error(kIncrementInDoubt, "Made up.");
    Settle(batch, outcome);
    EXPECT_TRUE(queue_.empty());
    EXPECT_EQ(queue_.settled(), 2);
    EXPECT_EQ(queue_.failures().size(), kind == Kind::kApplied ? 1U : 2U);
    EXPECT_EQ(queue_.failures().back().ticket, 2);
    EXPECT_EQ(queue_.failures().back().error.code, Code::kOutcomeUnknown);
    Add(Integer(4));
    EXPECT_EQ(Stage().client == batch.client, kind == Kind::kApplied);
  }
}

// Its commit was applied, and nothing that said so could be read.
TEST_F(DeliveryQueueTest, ItsOwnBatchOfUnknownFateIsNoOtherCopy) {
  LedgerState ledger;
  const auto write = [&](const Batch& batch) {
    ledger = ledger.After(batch.id);
    ledger.update_time = "2026-01-01T00:00:0" + std::to_string(ledger.seq) + "Z";
    return ledger;
  };
  for (std::size_t failures = 1; failures <= 2; ++failures) {
    Add(Integer(2));
    const Batch unknown = Stage();
    Settle(unknown, Failed(Kind::kUnknown, Code::kOutcomeUnknown));
    Add(Integer(4));
    const Batch batch = Stage();
    Add(Integer(8));
    Settle(batch, {.kind = Kind::kRestart, .ledger = write(unknown)});
    EXPECT_THAT(queue_.entries(), ElementsAre(Integer(4), Integer(8)));
    EXPECT_EQ(queue_.failures().size(), failures);
    while (!queue_.empty()) {
      const Batch anew = Stage();
      EXPECT_EQ(anew.client, unknown.client);
      EXPECT_EQ(anew.basis, ledger);
      Settle(anew, {.kind = Kind::kApplied, .ledger = write(anew)});
    }
  }
}

// Somebody on the way said so, though the server had applied it.
TEST_F(DeliveryQueueTest, ItsOwnRefusedBatchIsNoOtherCopy) {
  Add(Integer(1));
  const Batch refused = Stage();
  Settle(refused, Failed(Kind::kRefused, Code::kUnimplemented));
  Add(Integer(2));
  const LedgerState ledger{1, {refused.id}, "2026-01-01T00:00:02Z"};
  Settle(Stage(), {.kind = Kind::kRestart, .ledger = ledger});
  EXPECT_EQ(Stage().basis, ledger);
  EXPECT_EQ(queue_.failures().size(), 1U);
}

// It was sent again, and the ledger then named both.
TEST_F(DeliveryQueueTest, ABatchThatIsAppliedBehindAnUnknownOneOfItsOwn) {
  Add(Integer(1));
  const Batch unknown = Stage();
  Settle(unknown, Failed(Kind::kUnknown, Code::kOutcomeUnknown));
  Add(Integer(2));
  const Batch batch = Stage();
  Add(Integer(4));
  Settle(batch, {.kind = Kind::kApplied,
                 .ledger = LedgerState{2, {unknown.id, batch.id}, "2026-01-01T00:00:02Z"}});
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(4)));
  EXPECT_EQ(queue_.failures().size(), 1U);
}

TEST_F(DeliveryQueueTest, AnotherCopyIsFoundBehindItsOwnUnknownBatchToo) {
  Add(Integer(1));
  const Batch unknown = Stage();
  Settle(unknown, Failed(Kind::kUnknown, Code::kOutcomeUnknown));
  Add(Integer(2));
  const Batch batch = Stage();
  Settle(batch, {.kind = Kind::kRestart,
                 .ledger = LedgerState{2, {unknown.id, "theirs"}, "2026-01-01T00:00:02Z"}});
  EXPECT_TRUE(queue_.empty()) << "the other copy may have counted it";
  EXPECT_EQ(queue_.failures().size(), 2U);
  Add(Integer(4));
  EXPECT_NE(Stage().client, unknown.client);
}

// Each relied on the same ledger, so one of them at most was counted.
TEST_F(DeliveryQueueTest, OneOfSeveralUnknownBatchesMayHaveBeenCounted) {
  std::vector<std::string> unknown;
  for (int i = 0; i < 30; ++i) {
    Add(Integer(1));
    const Batch batch = Stage();
    unknown.push_back(batch.id);
    Settle(batch, Failed(Kind::kUnknown, Code::kOutcomeUnknown));
  }
  Add(Integer(2));
  const LedgerState ledger{1, {unknown[15]}, "2026-01-01T00:00:02Z"};
  Settle(Stage(), {.kind = Kind::kRestart, .ledger = ledger});
  EXPECT_EQ(Stage().basis, ledger);
}

// A duplicate of a first batch is applied when the ledger has been deleted meanwhile.
TEST_F(DeliveryQueueTest, ItsOwnFirstBatchThatArrivesAgainIsNoOtherCopy) {
  for (const bool was_applied : {true, false}) {
    queue_ = DeliveryQueue("", random_);
    Add(Integer(1));
    const Batch first = Stage();
    const LedgerState begun{1, {first.id}, "2026-01-01T00:00:01Z"};
    if (was_applied) {
      Settle(first, {.kind = Kind::kApplied, .ledger = begun});
    } else {
      Settle(first, Failed(Kind::kUnknown, Code::kOutcomeUnknown));
      Add(Integer(2));
      const Batch applied = Stage();
      Settle(applied, {.kind = Kind::kApplied,
                       .ledger = LedgerState{1, {applied.id}, "2026-01-01T00:00:02Z"}});
    }
    Add(Integer(4));
    Settle(Stage(), {.kind = Kind::kUnknown,
                     .error = Error(kIncrementInDoubt, "The ledger is gone."),
                     .ledger = LedgerState{}});
    const std::size_t failures = queue_.failures().size();
    Add(Integer(8));
    LedgerState again = begun;
    again.update_time = "2026-01-01T00:00:03Z";
    Settle(Stage(), {.kind = Kind::kRestart, .ledger = again});
    EXPECT_EQ(queue_.failures().size(), failures);
    EXPECT_EQ(Stage().client, first.client);
    EXPECT_EQ(Stage().basis, again);
  }
}

// A page whose storage has failed goes on in memory, and another one from what was stored after
// all: both from a ledger that an earlier record had settled.
TEST_F(DeliveryQueueTest, OfTwoCopiesThatGoOnFromASettledLedgerOneCountsAndTheOtherDoesNotKnow) {
  Add(Integer(1));
  Settle(Stage(), Applied(1, "2026-01-01T00:00:01Z"));
  Add(Integer(2));
  DeliveryQueue stored = DeliveryQueue::Parse(queue_.Write()).value();
  Add(Integer(3));
  const Batch batch = Stage();
  EXPECT_EQ(batch.delta, Integer(5));
  const Batch counted = stored.Stage({now_}, random_).value_or(Batch{});
  Settle(batch, {.kind = Kind::kRestart,
                 .ledger = LedgerState{2, {"1", counted.id}, "2026-01-01T00:00:02Z"}});
  EXPECT_TRUE(queue_.empty()) << "the stored copy has had 2 counted";
  EXPECT_EQ(queue_.failures().size(), 1U);
  Add(Integer(4));
  EXPECT_NE(Stage().client, batch.client);
}

TEST_F(DeliveryQueueTest, WhatAPageHasPreparedIsItsOwnUntilItIsStaged) {
  Add(Integer(1));
  const Batch prepared = queue_.Prepare({now_}, random_, "one").value_or(Batch{});
  EXPECT_FALSE(prepared.sent);
  Reload();
  EXPECT_TRUE(queue_.Prepare({now_}, random_, "two").value_or(Batch{}).sent);
  queue_.Unprepare("two");
  Add(Integer(2));
  EXPECT_EQ(queue_.entries().size(), 2U) << "another page must not change it";
  queue_.Unprepare("one");
  queue_ = DeliveryQueue("", random_);
  Add(Integer(1));
  const Batch first = queue_.Prepare({now_}, random_, "one").value_or(Batch{});
  queue_.Unprepare("one");
  Add(Integer(2));
  const Batch more = queue_.Prepare({now_}, random_, "one").value_or(Batch{});
  EXPECT_NE(more.id, first.id);
  EXPECT_EQ(more.delta, Integer(3));
  EXPECT_FALSE(queue_.Stage({now_}, random_, "one").value_or(Batch{}).sent);
  Reload();
  queue_.Unprepare("one");
  EXPECT_EQ(queue_.Stage({now_}, random_, "one").value_or(Batch{}).id, more.id);
  EXPECT_TRUE(queue_.Stage({now_}, random_, "one").value_or(Batch{}).sent);
}

TEST_F(DeliveryQueueTest, WhatAnotherPageHasPreparedMayHaveBeenSent) {
  Add(Integer(1));
  queue_.Prepare({now_}, random_, "one");
  EXPECT_TRUE(queue_.Stage({now_}, random_, "two").value_or(Batch{}).sent);
}

TEST_F(DeliveryQueueTest, AChosenClientGoesOnFromTheLedger) {
  queue_ = DeliveryQueue("user", random_);
  Add(Integer(1));
  const Batch batch = Stage();
  EXPECT_EQ(batch.client, "user");
  EXPECT_TRUE(batch.shared);
  DeliveryOutcome outcome = Applied(9, "2026-01-01T00:00:09Z");
  outcome.kind = Kind::kRestart;
  Settle(batch, outcome);
  const Batch next = Stage();
  EXPECT_EQ(next.client, "user");
  EXPECT_NE(next.id, batch.id);
  EXPECT_FALSE(next.sent);
  EXPECT_EQ(next.restarts, 1);
  EXPECT_EQ(next.basis, *outcome.ledger);
}

TEST_F(DeliveryQueueTest, OnAChosenClientACopyIsKnownByItsBatches) {
  for (const Kind kind : {Kind::kApplied, Kind::kRestart}) {
    queue_ = DeliveryQueue("user", random_);
    Add(Integer(1));
    DeliveryQueue copy = DeliveryQueue::Parse(queue_.Write()).value();
    Add(Integer(2));
    const Batch batch = Stage();
    Add(Integer(4));
    const Batch counted = copy.Stage({now_}, random_).value_or(Batch{});
    EXPECT_EQ(counted.id.substr(0, kLineLength), batch.id.substr(0, kLineLength));
    Settle(batch, {.kind = kind,
                   .ledger = LedgerState{5, {"x", counted.id, batch.id}, "2026-01-01T00:00:05Z"}});
    EXPECT_TRUE(queue_.empty()) << "the copy has had 1 counted";
    EXPECT_EQ(queue_.failures().size(), kind == Kind::kApplied ? 1U : 2U);
    Add(Integer(8));
    const Batch next = Stage();
    EXPECT_EQ(next.client, "user");
    EXPECT_EQ(next.id.size(), 20U);
    EXPECT_NE(next.id.substr(0, kLineLength), batch.id.substr(0, kLineLength));
  }
}

// The list is full, and none of those that it names is known.
TEST_F(DeliveryQueueTest, OnAChosenClientWhatWasPutBackIsUnknownWhereTheLedgerHasForgotten) {
  LedgerState moved{100, {}, "2026-01-01T00:00:05Z"};
  while (moved.batches.size() < kLedgerBatches) moved.batches.push_back("x");
  for (const bool put_back : {false, true}) {
    for (const bool covers : {false, true}) {
      queue_ = DeliveryQueue("user", random_);
      Add(Integer(1));
      const Batch batch = Stage();
      Add(Integer(2));
      moved.seq = covers ? kLedgerBatches : kLedgerBatches + 1;
      Settle(batch, {.kind = Kind::kRestart, .ledger = moved, .put_back = put_back});
      const bool goes_on = covers || !put_back;
      EXPECT_EQ(queue_.entries().size(), goes_on ? 2U : 0U);
      EXPECT_EQ(queue_.failures().size(), goes_on ? 0U : 2U);
    }
  }
}

// Nobody could say what became of it, and now the ledger names it.
TEST_F(DeliveryQueueTest, OnAChosenClientItsOwnBatchOfUnknownFateIsNoCopys) {
  queue_ = DeliveryQueue("user", random_);
  Add(Integer(1));
  const Batch unknown = Stage();
  Settle(unknown, Failed(Kind::kUnknown, Code::kOutcomeUnknown));
  Add(Integer(2));
  const LedgerState ledger{1, {unknown.id}, "2026-01-01T00:00:01Z"};
  Settle(Stage(), {.kind = Kind::kRestart, .ledger = ledger});
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(2)));
  EXPECT_EQ(Stage().basis, ledger);
}

TEST_F(DeliveryQueueTest, OnAChosenClientAnotherPageMayHaveSentIt) {
  queue_ = DeliveryQueue("user", random_);
  Add(Integer(1));
  Stage();
  const Batch batch = Stage();
  EXPECT_TRUE(batch.sent);
  Settle(batch, {.kind = Kind::kRestart,
                 .error = Error(kIncrementInDoubt, "Made up."),
                 .ledger = LedgerState{90, {"x"}, "2026-01-01T00:00:09Z"}});
  EXPECT_TRUE(queue_.empty());
  ASSERT_EQ(queue_.failures().size(), 1U);
  EXPECT_EQ(queue_.failures()[0].error.code, Code::kOutcomeUnknown);
}

TEST_F(DeliveryQueueTest, WhatIsUnsettledGoesOnFromTheSharedLedger) {
  for (const char* chosen : {"", "user"}) {
    queue_ = DeliveryQueue(chosen, random_);
    Add(Integer(1));
    const Batch batch = Stage();
    const LedgerState ledger{9, {"x"}, "2026-01-01T00:00:09Z"};
    Settle(batch, {.kind = Kind::kUnsettled, .ledger = ledger});
    const Batch again = Stage();
    EXPECT_EQ(again.id, batch.id);
    EXPECT_TRUE(again.sent);
    EXPECT_EQ(again.basis, batch.shared ? ledger : LedgerState{});
  }
}

TEST_F(DeliveryQueueTest, SumsThatNoIntegerHoldsAreNotMade) {
  Add(Integer(Limits::max()));
  EXPECT_EQ(Add(Integer(1)).last, 2);
  Add(Integer(Limits::min()));
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(Limits::max()), Integer(Limits::min() + 1)));
}

TEST_F(DeliveryQueueTest, IntegersAndDoublesStayApart) {
  Add(Integer(9007199254740993));
  Add(Number(0.5));
  Add(Number(0.25));
  Add(Integer(1));
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(9007199254740993), Number(0.75), Integer(1)));
  Add(Number(1e308));
  Add(Number(1e308));
  EXPECT_EQ(queue_.entries().size(), 5U) << "a sum must stay finite";
}

TEST_F(DeliveryQueueTest, EntriesStayWithinTheBound) {
  const auto first = Add(Integer(25), Integer(10));
  EXPECT_EQ(first.first, 1);
  EXPECT_EQ(first.last, 3);
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(10), Integer(10), Integer(5)));
  EXPECT_EQ(Add(Integer(5), Integer(10)).last, 3);
  EXPECT_EQ(Add(Integer(1), Integer(10)).first, 4);
  EXPECT_EQ(Add(Integer(-11), Integer(10)).last, 4) << "the sum is what is bounded";
  EXPECT_EQ(Add(Integer(-1), Integer(10)).last, 5);
  EXPECT_THAT(queue_.entries(),
              ElementsAre(Integer(10), Integer(10), Integer(10), Integer(-10), Integer(-1)));
}

TEST_F(DeliveryQueueTest, BoundsOfTheOtherType) {
  Add(Integer(-5), Number(2.5));
  EXPECT_THAT(queue_.entries(), ElementsAre(Integer(-2), Integer(-2), Integer(-1)));
  Add(Number(-2.5), Integer(1));
  EXPECT_EQ(queue_.entries().size(), 6U);
  EXPECT_EQ(queue_.entries()[5], Number(-0.5));
  Add(Integer(Limits::min()), Number(1e300));
  EXPECT_EQ(queue_.entries().back(), Integer(Limits::min())) << "larger than any is no bound";
}

TEST_F(DeliveryQueueTest, TooManyEntriesAreRefused) {
  EXPECT_EQ(Add(Integer(1000), Integer(1)).last, 1000);
  const std::string before = queue_.Write();
  EXPECT_THAT(queue_.Add(Integer(1002), Integer(1)), IsRefused(HasSubstr("maxDelta")));
  EXPECT_THAT(queue_.Add(Integer(Limits::min()), Integer(1)), IsRefused(HasSubstr("maxDelta")));
  EXPECT_THAT(queue_.Add(Number(1e300), Number(1e-300)), IsRefused(HasSubstr("maxDelta")));
  EXPECT_EQ(queue_.Write(), before);
}

TEST_F(DeliveryQueueTest, NothingIsNotSent) {
  Add(Integer(2));
  Add(Integer(-2));
  EXPECT_FALSE(queue_.Stage({now_}, random_).has_value());
  EXPECT_EQ(queue_.settled(), 1);
  Add(Integer(1));
  const Batch batch = Stage();
  Add(Integer(2));
  Add(Integer(-2));
  Settle(batch, Applied(1, "2026-01-01T00:00:01Z"));
  EXPECT_TRUE(queue_.empty());
  EXPECT_EQ(queue_.settled(), 3);
}

TEST_F(DeliveryQueueTest, OldFailuresAreForgotten) {
  for (int i = 0; i < 150; ++i) {
    Add(Integer(1));
    Settle(Stage(), Failed(Kind::kRefused, Code::kPermissionDenied));
  }
  EXPECT_EQ(queue_.failures().size(), 100U);
  EXPECT_EQ(queue_.failures().back().ticket, 150);
}

TEST_F(DeliveryQueueTest, WhatCannotBeReadIsATypedError) {
  Add(Integer(5));
  Stage();
  Add(Number(0.5));
  const std::string good = queue_.Write();
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THAT(DeliveryQueue::Parse(good.substr(0, size)),
                Fails(Code::kDataLoss, HasSubstr("stored increments")))
        << size;
  }
  const auto with = [&](const char* key, const json& value) {
    json changed = json::parse(good);
    changed[key] = value;
    return DeliveryQueue::Parse(changed.dump());
  };
  EXPECT_THAT(with("version", 2), Fails(Code::kDataLoss, HasSubstr("version")));
  for (const auto& [key, value] : std::vector<std::pair<const char*, json>>{
           {"client", ""},
           {"client", "a/b"},
           {"client", 7},
           {"line", "0123abcdefghijklmnop"},  // The ledger is nobody else's.
           {"ledger", {{"seq", -1}}},
           {"ledger", {{"seq", Limits::max()}}},
           {"ledger", {{"batches", {7}}}},
           {"ledger", {{"updateTime", "yesterday"}}},
           {"ledger", 7},
           {"own", 7},
           {"own", {7}},
           {"nextTicket", 0},
           {"nextTicket", 1},
           {"nextTicket", Limits::max()},
           {"entries", json::array()},
           {"entries", json::array({7})},
           {"entries", json::array({{{"stringValue", "7"}}})},
           {"entries", json::array({{{"doubleValue", "NaN"}}})},
           {"staged", json::object()},
           {"staged", {{"id", "x"}, {"at", Limits::max()}}},
           {"failures", {{"ticket", 1}}}}) {
    EXPECT_THAT(with(key, value), Fails(Code::kDataLoss, HasSubstr("stored"))) << key << value;
  }
  EXPECT_THAT(with("newer", "members are passed over"), IsOk());
}

TEST_F(DeliveryQueueTest, ALineIsLettersAndDigits) {
  const DeliveryQueue shared("chosen", random_);
  const auto with_line = [&](const std::string& line) {
    json changed = json::parse(shared.Write());
    changed["line"] = line;
    return DeliveryQueue::Parse(changed.dump());
  };
  EXPECT_THAT(with_line("0123abcXYZ"), IsOk());
  // As it was stored before there were lines.
  EXPECT_THAT(with_line(""), IsOk());
  // Cut after eight bytes, the last one would end in half a letter.
  for (const char* line : {"0123abc", "0123/abc", "0123abc\u00e9", "0123 abc"}) {
    EXPECT_THAT(with_line(line), Fails(Code::kDataLoss, HasSubstr("contradicts itself"))) << line;
  }
}

}  // namespace
}  // namespace shardline::delivery_queue_test
