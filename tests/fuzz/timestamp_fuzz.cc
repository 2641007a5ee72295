// Timestamps from any text, and from any number.

#include <cstring>

#include "firestore/timestamp.h"
#include "fuzz/fuzz.h"

namespace shardline {
namespace {

void RequireRoundTrip(Timestamp timestamp) {
  Require(timestamp.micros >= Timestamp::kMinMicros && timestamp.micros <= Timestamp::kMaxMicros,
          "it is in the range");
  Require(timestamp.seconds() * 1'000'000 + timestamp.nanoseconds() / 1000 == timestamp.micros,
          "its parts add up");
  Require(Timestamp::Parse(timestamp.ToString()) == timestamp, "it reads back");
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using shardline::Timestamp;
  if (const auto timestamp = Timestamp::Parse(shardline::Input(data, size))) {
    shardline::RequireRoundTrip(*timestamp);
  }
  if (size >= sizeof(std::uint64_t)) {
    std::uint64_t number;
    std::memcpy(&number, data, sizeof number);
    constexpr auto kRange =
        static_cast<std::uint64_t>(Timestamp::kMaxMicros - Timestamp::kMinMicros) + 1;
    shardline::RequireRoundTrip(
        {Timestamp::kMinMicros + static_cast<std::int64_t>(number % kRange)});
  }
  return 0;
}
