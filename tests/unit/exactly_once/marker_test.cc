#include "exactly_once/marker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "counter/places.h"
#include "unit/counter/builders.h"

namespace shardline::marker_test {
namespace {

using nlohmann::json;
using enum MarkerFate;

constexpr MarkerFate kAllFates[] = {kNone, kRefused, kNotWithdrawn, kTaken};
constexpr Marker kNotThere[] = {Marker::kMissing, Marker::kHidden};

// What the marker says is so, whatever else is known.
TEST(DecideBatch, TheMarkerIsThere) {
  for (const MarkerFate last : kAllFates) {
    for (unsigned flags = 0; flags < 16; ++flags) {
      const BatchFacts facts{.last = last,
                             .can_withdraw = (flags & 1U) != 0,
                             .may_arrive = (flags & 2U) != 0,
                             .is_too_old = (flags & 4U) != 0,
                             .clock_was_wrong = (flags & 8U) != 0};
      EXPECT_EQ(Decide(facts, Marker::kApplied), BatchStep::kCounted);
      EXPECT_EQ(Decide(facts, Marker::kWithdrawn), BatchStep::kRefused);
    }
  }
}

// The rows of the table in marker.h, from top to bottom.
TEST(DecideBatch, TheMarkerIsMissingOrHidden) {
  struct Row {
    BatchFacts facts;
    BatchStep next;
  };
  const Row rows[] = {
      {{.last = kTaken}, BatchStep::kUnknown},
      {{.last = kRefused, .clock_was_wrong = true}, BatchStep::kCommit},
      {{.last = kRefused, .can_withdraw = false, .clock_was_wrong = true}, BatchStep::kCommit},
      {{.last = kRefused}, BatchStep::kWithdraw},
      {{.last = kRefused, .may_arrive = true}, BatchStep::kWithdraw},
      {{.last = kRefused, .can_withdraw = false, .may_arrive = true}, BatchStep::kUnknown},
      {{.last = kRefused, .can_withdraw = false}, BatchStep::kRefused},
      {{.last = kNotWithdrawn, .clock_was_wrong = true}, BatchStep::kWithdraw},
      {{.last = kNotWithdrawn, .may_arrive = true}, BatchStep::kUnknown},
      {{.last = kNotWithdrawn}, BatchStep::kRefused},
  };
  for (const Row& row : rows) {
    for (const Marker marker : kNotThere) {
      EXPECT_EQ(Decide(row.facts, marker), row.next) << &row - rows;
      BatchFacts old = row.facts;
      old.is_too_old = true;
      EXPECT_EQ(Decide(old, marker), BatchStep::kUnknown) << "its marker may have expired";
    }
  }
}

// Nothing is called refused that an earlier request may still have applied.
TEST(DecideBatch, NothingIsRefusedThatMayArrive) {
  for (const MarkerFate last : kAllFates) {
    for (unsigned flags = 0; flags < 8; ++flags) {
      const BatchFacts facts{.last = last,
                             .can_withdraw = (flags & 1U) != 0,
                             .may_arrive = true,
                             .is_too_old = (flags & 2U) != 0,
                             .clock_was_wrong = (flags & 4U) != 0};
      for (const Marker marker : kNotThere) EXPECT_NE(Decide(facts, marker), BatchStep::kRefused);
    }
  }
}

const std::string kPath = "shardline_markers/b1";

TEST(DecodeMarker, SaysWhatHasBecomeOfTheBatch) {
  const auto read = [](const Reply& reply) {
    MarkerReading reading;
    EXPECT_TRUE(DecodeMarker(PaddedText(reply.body), Name(kPath), reading));
    EXPECT_EQ(reading.read_time.ToString(), "2026-01-01T00:00:01Z");
    return reading;
  };
  const auto marker = [](bool applied) {
    return FoundDocument(kPath, {{"applied", {{"booleanValue", applied}}}});
  };
  EXPECT_EQ(read(marker(true)).marker, Marker::kApplied);
  EXPECT_EQ(read(marker(true)).update_time, "2026-01-01T00:00:00.000001Z");
  EXPECT_EQ(read(marker(true)).change, "");
  EXPECT_EQ(read(marker(false)).marker, Marker::kWithdrawn);
  EXPECT_EQ(read(MissingDocument(kPath)).marker, Marker::kMissing);
  const json key = {{"applied", {{"booleanValue", true}}}, {"change", {{"stringValue", "c1"}}}};
  EXPECT_EQ(read(FoundDocument(kPath, key)).change, "c1");
}

// What is no marker must not be taken for one that says that the batch was not applied.
TEST(DecodeMarker, WhatIsNoMarker) {
  MarkerReading reading;
  for (const char* body : {"", "{}", "[]", "<html>", R"([{"missing": 1}])"}) {
    EXPECT_FALSE(DecodeMarker(PaddedText(body), Name(kPath), reading)) << body;
  }
  for (const json& fields : {json::object(), json({{"applied", {{"booleanValue", nullptr}}}}),
                             json({{"applied", {{"stringValue", "true"}}}}),
                             json({{"applied", {{"integerValue", "0"}}}})}) {
    const Reply reply = FoundDocument(kPath, fields);
    EXPECT_FALSE(DecodeMarker(PaddedText(reply.body), Name(kPath), reading)) << fields;
  }
  const Reply other = MissingDocument("shardline_markers/b2");
  EXPECT_FALSE(DecodeMarker(PaddedText(other.body), Name(kPath), reading));
}

TEST(MarkerWrite, RequiresThatTheMarkerIsNotThere) {
  const Timestamp time{1'800'000'000'000'000};
  const auto encoded = [](const Write& write) {
    return json::parse(EncodeCommit(write))["writes"][0];
  };
  json fields = {{"applied", {{"booleanValue", true}}},
                 {"expireAt", {{"timestampValue", "2027-01-15T08:00:00Z"}}}};
  const json marker = encoded(MarkerWrite(Name(kPath), true, time));
  EXPECT_EQ(marker["currentDocument"], json({{"exists", false}}));
  EXPECT_EQ(marker["update"]["fields"], fields);
  fields["change"] = {{"stringValue", "c1"}};
  EXPECT_EQ(encoded(MarkerWrite(Name(kPath), true, time, "c1"))["update"]["fields"], fields);
}

constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1'000'000;

TEST(MarkerExpiry, Is30To60DaysAhead) {
  const std::int64_t start = 1'767'225'600'000'000;
  for (const char* name : {"a", "b", "shardline_markers/abcdefghijABCDEFGHIJ"}) {
    for (int hours = 0; hours < 24 * 100; ++hours) {
      const std::int64_t now = start + hours * kDay / 24;
      const std::int64_t expiry = ExpiryOf(name, {now}).micros;
      EXPECT_GE(expiry, now + 30 * kDay);
      EXPECT_LT(expiry, now + 60 * kDay);
    }
  }
}

// No batch may be sent when its marker, which has been there since its first commit at the
// earliest, can have expired.
TEST(MarkerExpiry, IsLaterThanTheLifeOfABatch) {
  const std::int64_t life = std::chrono::microseconds(kBatchLife).count();
  for (int i = 0; i < 1000; ++i) {
    const Timestamp made{1'767'225'600'000'000 + i * kDay / 7};
    EXPECT_GE(ExpiryOf("m" + std::to_string(i), made).micros, made.micros + life + 2 * kDay);
  }
}

// At 1,000 commits a second, times that rise in step would be a hot range of an index.
TEST(MarkerExpiry, IsSpreadEvenly) {
  const Timestamp now{1'767'225'600'000'000};
  std::vector<int> days(30);
  for (int i = 0; i < 3'000; ++i) {
    const std::int64_t ahead = ExpiryOf("c/" + std::to_string(i), now).micros - now.micros;
    ++days[static_cast<std::size_t>(ahead / kDay - 30)];
  }
  for (const int count : days) {
    EXPECT_GT(count, 50);
    EXPECT_LT(count, 150);
  }
}

TEST(MarkerExpiry, StaysWithinTheCalendar) {
  for (const std::int64_t now : {INT64_MIN, std::int64_t{0}, Timestamp::kMaxMicros, INT64_MAX}) {
    EXPECT_GE(ExpiryOf("n", {now}).micros, 30 * kDay);
    EXPECT_LE(ExpiryOf("n", {now}).micros, Timestamp::kMaxMicros);
  }
}

}  // namespace
}  // namespace shardline::marker_test
