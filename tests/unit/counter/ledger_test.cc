#include "counter/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "unit/counter/builders.h"
#include "unit/support/status.h"

namespace shardline {
namespace {

using nlohmann::json;

TEST(Ledger, IsWrittenOnCondition) {
  const LedgerEntry entry{7, "abc", Amount::Integer(-3), "12", {1'767'225'600'000'000}};
  json expected = json::parse(R"({
    "update": {"name": "n", "fields": {
      "seq": {"integerValue": "7"}, "batch": {"stringValue": "abc"}, "delta": {"integerValue": "-3"},
      "shard": {"stringValue": "12"}, "expireAt": {"timestampValue": "2026-01-01T00:00:00Z"}}},
    "currentDocument": {"exists": false}})");
  EXPECT_EQ(json::parse(EncodeLedgerWrite("n", entry, "")), expected);
  expected["currentDocument"] = {{"updateTime", "2026-01-01T00:00:00.5Z"}};
  EXPECT_EQ(json::parse(EncodeLedgerWrite("n", entry, "2026-01-01T00:00:00.5Z")), expected);
}

LedgerReading Read(const Reply& reply) {
  LedgerReading reading;
  EXPECT_THAT(DecodeLedger(PaddedText(reply.body), reading), IsOk());
  return reading;
}

TEST(Ledger, IsReadBack) {
  const LedgerReading found =
      Read(FoundDocument("x/l", {{"seq", IntegerValue(7)}, {"batch", {{"stringValue", "abc"}}}}));
  EXPECT_EQ(found.seq, 7);
  EXPECT_EQ(found.batch, "abc");
  EXPECT_EQ(found.update_time, "2026-01-01T00:00:00.000001Z");
  EXPECT_EQ(found.read_time.ToString(), "2026-01-01T00:00:01Z");
  const LedgerReading missing = Read(MissingDocument("x/l"));
  EXPECT_FALSE(missing.exists());
  EXPECT_EQ(missing.read_time.ToString(), "2026-01-01T00:00:01Z");
}

TEST(Ledger, OtherTypesCountAsNothing) {
  for (const json& value : {json({{"stringValue", "7"}}), json({{"nullValue", nullptr}}),
                            json({{"integerValue", "x"}}), json({{"mapValue", json::object()}})}) {
    const LedgerReading reading = Read(FoundDocument("x/l", {{"seq", value}, {"batch", value}}));
    EXPECT_TRUE(reading.exists());
    EXPECT_EQ(reading.seq, 0) << value;
  }
}

TEST(Ledger, WhatIsNoAnswerIsAnError) {
  LedgerReading reading;
  for (const char* body :
       {"", "[]", "{}", "[{}]", R"([{"missing":"n"}])", R"([{"readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"missing":"n","readTime":"now"}])", "<html>",
        R"([{"found":{"name":"n"},"readTime":"2026-01-01T00:00:00Z"}])"}) {
    EXPECT_FALSE(DecodeLedger(PaddedText(std::string(body)), reading)) << body;
  }
}

TEST(Ledger, ExpiryStaysWithinTheCalendar) {
  EXPECT_EQ(ExpiryOf({0}).micros, kLedgerLifeMicros);
  EXPECT_EQ(ExpiryOf({INT64_MAX}).micros, Timestamp::kMaxMicros);
  EXPECT_GE(ExpiryOf({INT64_MIN}).micros, Timestamp::kMinMicros);
}

}  // namespace
}  // namespace shardline
