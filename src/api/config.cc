#include "api/config.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/arguments.h"
#include "base/json_scanner.h"
#include "base/number.h"

namespace shardline {
namespace {

// Milliseconds; eleven days: a longer pause is no retry.
constexpr std::int64_t kMaxMillis = 1'000'000'000;

constexpr Parameter kRetryParameters[] = {
    {.name = "maxAttempts",
     .type = ParameterType::kInteger,
     .least = 1,
     .most = 1'000,
     .description = "How often a request is sent at the most."},
    {.name = "initialDelayMs",
     .type = ParameterType::kNumber,
     .least = 0,
     .most = kMaxMillis,
     .description = "The first pause."},
    {.name = "multiplier",
     .type = ParameterType::kNumber,
     .least = 1,
     .most = 100,
     .description = "By how much each pause is longer than the last."},
    {.name = "maxDelayMs",
     .type = ParameterType::kNumber,
     .least = 0,
     .most = kMaxMillis,
     .description = "The longest pause."},
    {.name = "timeoutMs",
     .type = ParameterType::kNumber,
     .least = 1,
     .most = kMaxMillis,
     .description = "How long to wait for an answer."},
    {.name = "maxReadMs",
     .type = ParameterType::kNumber,
     .least = 0,
     .most = kMaxMillis,
     .description = "How long readings are sent again."},
};
constexpr Parameter kConfigParameters[] = {
    {.name = "projectId", .type = ParameterType::kText, .required = true},
    {.name = "databaseId", .type = ParameterType::kText, .fallback_text = "(default)"},
    {.name = "retry", .type = ParameterType::kObject, .members = kRetryParameters},
    {.name = "seed", .type = ParameterType::kList, .internal = true},
};

Duration ReadMillis(const Arguments& arguments, const char* name, Duration usual) {
  if (!arguments.Has(name)) return usual;
  return Duration(static_cast<Duration::rep>(arguments.Number(name) * 1000));
}

Status ReadRetry(std::string_view json, RetryPolicy& retry) {
  Arguments arguments(json, kChecks<kRetryParameters>, "retry.");
  if (!arguments.ok()) return arguments.TakeFailure();
  retry.initial_delay = ReadMillis(arguments, "initialDelayMs", retry.initial_delay);
  retry.max_delay = ReadMillis(arguments, "maxDelayMs", retry.max_delay);
  retry.timeout = ReadMillis(arguments, "timeoutMs", retry.timeout);
  if (arguments.Has("maxAttempts")) {
    retry.max_attempts = static_cast<int>(arguments.Integer("maxAttempts"));
    // A caller that says how often does not want to be cut short.
    retry.max_read = std::chrono::milliseconds(kMaxMillis);
  }
  retry.max_read = ReadMillis(arguments, "maxReadMs", retry.max_read);
  if (arguments.Has("multiplier")) retry.multiplier = arguments.Number("multiplier");
  return {};
}

// Eight 32-bit numbers make four of 64 bits.
std::array<std::uint64_t, 4> ReadSeed(JsonScanner scanner) {
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
  JsonScanner scanner(config);
  Arguments arguments(scanner, kChecks<kConfigParameters>);
  if (arguments.ok() && !scanner.Finish()) return scanner.failure("the options");
  const std::string project = arguments.Text("projectId");
  const std::string database = arguments.Text("databaseId");
  if (!arguments.ok()) return arguments.TakeFailure();
  RetryPolicy retry;
  if (arguments.Has("retry")) SHARDLINE_CHECK(ReadRetry(arguments.Raw("retry"), retry));
  SHARDLINE_TRY(DatabaseName && name, DatabaseName::Make(project, database));
  return OperationContext{std::move(name), retry, Random(ReadSeed(arguments.Scanner("seed")))};
}

}  // namespace shardline
