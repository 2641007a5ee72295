#include "batch/batch_marker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "unit/counter/builders.h"

namespace shardline::batch_marker_test {
namespace {

using nlohmann::json;
using enum MarkerFate;

constexpr MarkerFate kAllFates[] = {kNone, kLost, kRefused, kNotWithdrawn};

// What the marker says stands, whatever else is known.
TEST(DecideBatch, TheMarkerIsThere) {
  for (const MarkerFate last : kAllFates) {
    for (int flags = 0; flags < 16; ++flags) {
      const BatchFacts facts{.last = last,
                             .withdraws = (flags & 1) != 0,
                             .maybe_applied = (flags & 2) != 0,
                             .may_have_expired = (flags & 4) != 0,
                             .clock_was_wrong = (flags & 8) != 0};
      EXPECT_EQ(Decide(facts, Marker::kApplied), BatchStep::kApplied);
      EXPECT_EQ(Decide(facts, Marker::kWithdrawn), BatchStep::kWithdrawn);
    }
  }
}

TEST(DecideBatch, TheMarkerIsMissing) {
  const auto next = [](BatchFacts facts) { return Decide(facts, Marker::kMissing); };
  EXPECT_EQ(next({}), BatchStep::kCommit);
  EXPECT_EQ(next({.last = kLost, .maybe_applied = true}), BatchStep::kCommit);
  EXPECT_EQ(next({.last = kRefused}), BatchStep::kRefused);
  EXPECT_EQ(next({.last = kRefused, .clock_was_wrong = true}), BatchStep::kCommit);
  EXPECT_EQ(next({.last = kRefused, .maybe_applied = true}), BatchStep::kWithdraw);
  EXPECT_EQ(next({.last = kNotWithdrawn}), BatchStep::kUnknown);
  EXPECT_EQ(next({.last = kNotWithdrawn, .maybe_applied = true}), BatchStep::kUnknown);
  EXPECT_EQ(next({.withdraws = true}), BatchStep::kWithdraw);
  EXPECT_EQ(next({.withdraws = true, .maybe_applied = true}), BatchStep::kWithdraw);
  EXPECT_EQ(next({.last = kNotWithdrawn, .withdraws = true}), BatchStep::kUnknown);
}

// What would have said that the batch was applied may be gone.
TEST(DecideBatch, TheMarkerMayHaveExpired) {
  for (const MarkerFate last : kAllFates) {
    for (const bool withdraws : {false, true}) {
      const BatchFacts facts{
          .last = last, .withdraws = withdraws, .maybe_applied = true, .may_have_expired = true};
      EXPECT_EQ(Decide(facts, Marker::kMissing), BatchStep::kUnknown);
    }
  }
  EXPECT_EQ(Decide({.may_have_expired = true}, Marker::kMissing), BatchStep::kCommit);
}

const std::string kPath = "shardline_batches/b1";

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
  EXPECT_EQ(read(marker(false)).marker, Marker::kWithdrawn);
  EXPECT_EQ(read(MissingDocument(kPath)).marker, Marker::kMissing);
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
  const Reply other = MissingDocument("shardline_batches/b2");
  EXPECT_FALSE(DecodeMarker(PaddedText(other.body), Name(kPath), reading));
}

TEST(MarkerWrite, RequiresThatTheMarkerIsNotThere) {
  const Write write = MarkerWrite(Name(kPath), true, Timestamp{1'800'000'000'000'000});
  const json encoded = json::parse(EncodeCommit(write))["writes"][0];
  EXPECT_EQ(encoded["currentDocument"], json({{"exists", false}}));
  EXPECT_EQ(encoded["update"]["fields"],
            json({{"applied", {{"booleanValue", true}}},
                  {"expireAt", {{"timestampValue", "2027-01-15T08:00:00Z"}}}}));
}

}  // namespace
}  // namespace shardline::batch_marker_test
