#include "api/config.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_scanner.h"
#include "base/number.h"

namespace shardline {
namespace {

Error BadRetry(std::string_view name, std::string_view what) {
  std::string message = "retry.";
  message += name;
  message += " must be ";
  message += what;
  return InvalidArgument(std::move(message));
}

constexpr double kMaxMillis = 1e9;  // Eleven days: whoever wants more does not want a retry.

// Reads a duration in milliseconds.
Result<Duration> ParseMillis(JsonScanner& scanner, std::string_view name, double least) {
  const std::optional<double> millis = ParseDouble(scanner.SkipValue());
  if (!millis || *millis < least || *millis > kMaxMillis) {
    return Fail(BadRetry(name, least > 0 ? "a number of milliseconds from 1 to 10^9."
                                         : "a number of milliseconds from 0 to 10^9."));
  }
  return Duration(static_cast<Duration::rep>(*millis * 1000));
}

Status ParseRetry(JsonScanner& scanner, RetryPolicy& retry) {
  std::string_view key;
  if (!scanner.BeginObject()) return {};
  while (scanner.NextKey(key)) {
    if (key == "initialDelayMs") {
      SHARDLINE_TRY(retry.initial_delay, ParseMillis(scanner, key, 0));
    } else if (key == "maxDelayMs") {
      SHARDLINE_TRY(retry.max_delay, ParseMillis(scanner, key, 0));
    } else if (key == "timeoutMs") {
      SHARDLINE_TRY(retry.timeout, ParseMillis(scanner, key, 1));
    } else if (key == "maxAttempts") {
      const std::optional<std::int64_t> attempts = ParseInt64(scanner.SkipValue());
      if (!attempts || *attempts < 1 || *attempts > 1000) {
        return Fail(BadRetry(key, "an integer from 1 to 1,000."));
      }
      retry.max_attempts = static_cast<int>(*attempts);
    } else if (key == "multiplier") {
      const std::optional<double> multiplier = ParseDouble(scanner.SkipValue());
      if (!multiplier || *multiplier < 1 || *multiplier > 100) {
        return Fail(BadRetry(key, "a number from 1 to 100."));
      }
      retry.multiplier = *multiplier;
    } else {
      return Fail(BadRetry(key, "left out: there is no such option."));
    }
  }
  return {};
}

// Eight 32-bit numbers make four of 64 bits.
std::array<std::uint64_t, 4> ParseSeed(JsonScanner& scanner) {
  std::array<std::uint64_t, 4> seed{};
  if (!scanner.BeginArray()) return seed;
  for (std::size_t i = 0; scanner.NextElement(); ++i) {
    const auto word = static_cast<std::uint32_t>(ParseInt64(scanner.RawNumber()).value_or(0));
    if (i < 8) seed[i / 2] = seed[i / 2] << 32 | word;
  }
  return seed;
}

}  // namespace

Result<OperationContext> ParseConfig(const PaddedText& config) {
  std::string project;
  std::string database;
  RetryPolicy retry;
  std::array<std::uint64_t, 4> seed{};
  JsonScanner scanner(config);
  std::string_view key;
  if (scanner.BeginObject()) {
    while (scanner.NextKey(key)) {
      if (key == "projectId") {
        project = scanner.String();
      } else if (key == "databaseId") {
        database = scanner.String();
      } else if (key == "retry") {
        SHARDLINE_CHECK(ParseRetry(scanner, retry));
      } else if (key == "seed") {
        seed = ParseSeed(scanner);
      } else {
        scanner.SkipValue();
      }
    }
  }
  if (!scanner.Finish()) return Fail(scanner.error("the options"));
  SHARDLINE_TRY(DatabaseName name, DatabaseName::Make(project, database));
  return OperationContext{std::move(name), retry, Random(seed)};
}

}  // namespace shardline
