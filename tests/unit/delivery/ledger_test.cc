#include "delivery/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/status.h"

namespace shardline::ledger_test {
namespace {

using nlohmann::json;

constexpr const char* kTime = "2026-01-01T00:00:00.5Z";

json Texts(const std::vector<std::string>& texts) {
  json values = json::array();
  for (const std::string& text : texts) values.push_back({{"stringValue", text}});
  return {{"arrayValue", {{"values", values}}}};
}

TEST(Ledger, IsWrittenOnCondition) {
  const auto written = [](const LedgerState& basis, const LedgerEntry& entry) {
    return json::parse(EncodeCommit(LedgerWrite("n", basis, entry))).at("writes").at(0);
  };
  const LedgerEntry entry{"abc", Amount::Integer(-3), "12", Timestamp{1'767'225'600'000'000}};
  json expected = {{"update",
                    {{"name", "n"},
                     {"fields",
                      {{"seq", IntegerValue(1)},
                       {"batches", Texts({"abc"})},
                       {"delta", IntegerValue(-3)},
                       {"shard", {{"stringValue", "12"}}},
                       {"expireAt", {{"timestampValue", "2026-01-01T00:00:00Z"}}}}}}},
                   {"currentDocument", {{"exists", false}}}};
  EXPECT_EQ(written({}, entry), expected);
  // What is not there any more is begun anew.
  EXPECT_EQ(written({7, {"x"}, ""}, entry), expected);
  expected["update"]["fields"]["seq"] = IntegerValue(8);
  expected["update"]["fields"]["batches"] = Texts({"x", "abc"});
  expected["currentDocument"] = {{"updateTime", kTime}};
  EXPECT_EQ(written({7, {"x"}, kTime}, entry), expected);
  expected["update"]["fields"].erase("expireAt");
  const LedgerEntry vote{"abc", Amount::Integer(-3), "12", std::nullopt};
  EXPECT_EQ(written({7, {"x"}, kTime}, vote), expected);
}

TEST(Ledger, RemembersTheLastTwenty) {
  LedgerState state;
  for (int i = 1; i <= 30; ++i) {
    state = state.After("b" + std::to_string(i));
    state.update_time = kTime;
    EXPECT_TRUE(state.IsSound());
  }
  EXPECT_EQ(state.seq, 30);
  ASSERT_EQ(state.batches.size(), 20U);
  EXPECT_EQ(state.batches.front(), "b11");
  EXPECT_EQ(state.batches.back(), "b30");
  EXPECT_TRUE(state.Names("b11"));
  EXPECT_FALSE(state.Names("b10"));
}

TEST(Ledger, CoversWhatItStillLists) {
  LedgerState ledger{30, {}, kTime};
  for (int i = 11; i <= 30; ++i) ledger.batches.push_back("b" + std::to_string(i));
  const auto at = [](std::int64_t seq, std::vector<std::string> batches) {
    return LedgerState{seq, std::move(batches), kTime};
  };
  EXPECT_TRUE(ledger.CoversAllSince(at(30, {"b30"})));
  EXPECT_TRUE(ledger.CoversAllSince(at(11, {"b10", "b11"})));
  EXPECT_FALSE(ledger.CoversAllSince(at(10, {"b10"})));
  EXPECT_FALSE(ledger.CoversAllSince(at(29, {"another"}))) << "begun anew since";
  EXPECT_TRUE(ledger.CoversAllSince(at(10, {}))) << "by its number alone";
  EXPECT_FALSE(ledger.CoversAllSince(at(9, {})));
  EXPECT_FALSE(ledger.CoversAllSince(at(31, {})));
  EXPECT_FALSE(ledger.CoversAllSince({})) << "more than the first 20";
  EXPECT_TRUE(at(2, {"a", "b"}).CoversAllSince({}));
  EXPECT_FALSE(LedgerState{}.CoversAllSince({}));
  EXPECT_FALSE(at(0, {}).CoversAllSince({})) << "no ledger";
  EXPECT_FALSE(at(1, {"a", "b"}).CoversAllSince({})) << "no ledger";
}

LedgerReading Read(const Reply& reply) {
  LedgerReading reading;
  EXPECT_THAT(DecodeLedger(PaddedText(reply.body), Name("x/l"), reading), IsOk());
  return reading;
}

TEST(Ledger, IsReadBack) {
  const LedgerReading found =
      Read(FoundDocument("x/l", {{"seq", IntegerValue(7)},
                                 {"batches", Texts({"abc", "def"})},
                                 {"expireAt", {{"timestampValue", "2026-02-01T00:00:00Z"}}}}));
  EXPECT_EQ(found.state.seq, 7);
  EXPECT_EQ(found.state.batches, std::vector<std::string>({"abc", "def"}));
  EXPECT_EQ(found.state.update_time, "2026-01-01T00:00:00.000001Z");
  EXPECT_EQ(found.expire_at->ToString(), "2026-02-01T00:00:00Z");
  EXPECT_EQ(found.read_time.ToString(), "2026-01-01T00:00:01Z");
  const LedgerReading missing = Read(MissingDocument("x/l"));
  EXPECT_FALSE(missing.state.exists());
  EXPECT_EQ(missing.read_time.ToString(), "2026-01-01T00:00:01Z");
}

TEST(Ledger, OtherTypesCountAsNothing) {
  for (const json& value :
       {json({{"stringValue", "7"}}), json({{"nullValue", nullptr}}),
        json({{"integerValue", "-1"}}), json({{"integerValue", "9223372036854775807"}}),
        json({{"integerValue", "9007199254740992"}}), json({{"arrayValue", json::object()}}),
        json({{"mapValue", json::object()}})}) {
    const LedgerReading reading =
        Read(FoundDocument("x/l", {{"seq", value}, {"batches", value}, {"expireAt", value}}));
    EXPECT_TRUE(reading.state.exists());
    EXPECT_EQ(reading.state.seq, 0) << value;
    EXPECT_TRUE(reading.state.batches.empty()) << value;
    EXPECT_FALSE(reading.expire_at);
    EXPECT_FALSE(reading.state.IsSound());
  }
  const json mixed = {
      {"arrayValue", {{"values", {{{"integerValue", "7"}}, {{"stringValue", "a"}}}}}}};
  EXPECT_EQ(Read(FoundDocument("x/l", {{"batches", mixed}})).state.batches,
            std::vector<std::string>({"", "a"}));
}

TEST(Ledger, WhatIsNoAnswerIsAnError) {
  LedgerReading reading;
  for (const char* body :
       {"", "[]", "{}", "[{}]", R"([{"missing":"n"}])", R"([{"readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"missing":"n","readTime":"now"}])", "<html>",
        R"([{"found":{"name":"n"},"readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"found":{"name":"n","updateTime":"x"},"readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"missing":"m","readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"found":{"updateTime":"2026-01-01T00:00:00Z"},"readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"missing":"n","readTime":"2026-01-01T00:00:00Z"},{"missing":"n"}])"}) {
    EXPECT_FALSE(DecodeLedger(PaddedText(std::string(body)), "n", reading)) << body;
  }
  for (const char* value : {R"({"integerValue":"x"})", R"({"arrayValue":7})",
                            R"({"arrayValue":{"values":7}})", R"({"timestampValue":7})", "7"}) {
    const std::string fields = std::string(R"({"seq":)") + value + R"(,"batches":)" + value +
                               R"(,"expireAt":)" + value + "}";
    const std::string body =
        R"([{"found":{"name":"n","updateTime":"2026-01-01T00:00:00Z","fields":)" + fields +
        R"(},"readTime":"2026-01-01T00:00:00Z"}])";
    EXPECT_FALSE(DecodeLedger(PaddedText(body), "n", reading)) << body;
  }
}

// ---- When it expires ----

constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1'000'000;

TEST(LedgerExpiry, Lies30To60DaysAheadAndOnlyGrows) {
  const std::int64_t start = 1'767'225'600'000'000;
  for (const char* name : {"a", "b", "posts/p1/shardline/shards.count/shardline_ledger/me"}) {
    std::int64_t last = 0;
    int changes = 0;
    for (int hours = 0; hours < 24 * 300; ++hours) {
      const std::int64_t now = start + hours * kDay / 24;
      const std::int64_t expiry = ExpiryOf(name, {now}).micros;
      EXPECT_GE(expiry, now + 30 * kDay);
      EXPECT_LT(expiry, now + 60 * kDay);
      EXPECT_GE(expiry, last);
      changes += expiry != last ? 1 : 0;
      last = expiry;
    }
    EXPECT_LE(changes, 11) << "it stays the same for 30 days";
  }
}

TEST(LedgerExpiry, IsSpreadEvenly) {
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

TEST(LedgerExpiry, StaysWithinTheCalendar) {
  for (const std::int64_t now : {INT64_MIN, std::int64_t{0}, Timestamp::kMaxMicros, INT64_MAX}) {
    EXPECT_GE(ExpiryOf("n", {now}).micros, kLedgerLifeMicros);
    EXPECT_LE(ExpiryOf("n", {now}).micros, Timestamp::kMaxMicros);
  }
}

}  // namespace
}  // namespace shardline::ledger_test
