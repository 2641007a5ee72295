#include "api/config.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_members.h"
#include "base/json_scanner.h"
#include "base/number.h"

namespace shardline {
namespace {

Failure BadRetry(std::string_view name, const char* what) {
  return InvalidArgument("retry.") << name << " must be " << what;
}

constexpr double kMaxMillis = 1e9;  // Eleven days: whoever wants more does not want a retry.

// Reads a duration in milliseconds.
Result<Duration> ParseMillis(JsonScanner& scanner, std::string_view name, double least) {
  const std::optional<double> millis = ParseDouble(scanner.SkipValue());
  if (!millis || *millis < least || *millis > kMaxMillis) {
    return BadRetry(name, least > 0 ? "a number of milliseconds from 1 to 10^9."
                                    : "a number of milliseconds from 0 to 10^9.");
  }
  return Duration(static_cast<Duration::rep>(*millis * 1000));
}

Status ParseRetry(JsonScanner& scanner, RetryPolicy& retry) {
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("initialDelayMs")) {
      SHARDLINE_TRY(retry.initial_delay, ParseMillis(scanner, members.raw_key(), 0));
    } else if (members.Is("maxDelayMs")) {
      SHARDLINE_TRY(retry.max_delay, ParseMillis(scanner, members.raw_key(), 0));
    } else if (members.Is("timeoutMs")) {
      SHARDLINE_TRY(retry.timeout, ParseMillis(scanner, members.raw_key(), 1));
    } else if (members.Is("maxAttempts")) {
      const std::optional<std::int64_t> attempts = ParseInt64(scanner.SkipValue());
      if (!attempts || *attempts < 1 || *attempts > 1000) {
        return BadRetry(members.raw_key(), "an integer from 1 to 1,000.");
      }
      retry.max_attempts = static_cast<int>(*attempts);
    } else if (members.Is("multiplier")) {
      const std::optional<double> multiplier = ParseDouble(scanner.SkipValue());
      if (!multiplier || *multiplier < 1 || *multiplier > 100) {
        return BadRetry(members.raw_key(), "a number from 1 to 100.");
      }
      retry.multiplier = *multiplier;
    } else {
      return BadRetry(members.raw_key(), "left out: there is no such option.");
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
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("projectId")) {
      project = scanner.String();
    } else if (members.Is("databaseId")) {
      database = scanner.String();
    } else if (members.Is("retry")) {
      SHARDLINE_CHECK(ParseRetry(scanner, retry));
    } else if (members.Is("seed")) {
      seed = ParseSeed(scanner);
    }
  }
  if (!scanner.Finish()) return scanner.failure("the options");
  SHARDLINE_TRY(DatabaseName && name, DatabaseName::Make(project, database));
  return OperationContext{std::move(name), retry, Random(seed)};
}

}  // namespace shardline
