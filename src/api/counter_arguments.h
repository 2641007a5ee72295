#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arguments.h"
#include "counter/counter.h"
#include "firestore/amount.h"
#include "firestore/field_path.h"
#include "firestore/timestamp.h"
#include "operation/operation.h"

namespace shardline {

inline constexpr const char* kAmountAllowed = "an integer of 64 bits or a finite number";

inline constexpr Parameter kLayoutParameters[] = {
    {.name = "shardCollection",
     .type = ParameterType::kText,
     .required = true,
     .nullable = true,
     .description = "The subcollection that holds the shards. Null: the path is itself the "
                    "collection of shards."},
    {.name = "countField",
     .type = ParameterType::kText,
     .required = true,
     .description = "The field of each shard that holds its part of the count."},
    {.name = "shardCountField",
     .type = ParameterType::kText,
     .nullable = true,
     .description = "The field of the counter's document that says how many shards there are. "
                    "Null: no document says so."},
    {.name = "parent",
     .type = ParameterType::kBoolean,
     .description = "Whether the counter has a document of its own. Follows from "
                    "`shardCountField`."},
};

// The options of a counter: `db.counter(path, options)`.
inline constexpr Parameter kCounterParameters[] = {
    {.name = "path",
     .type = ParameterType::kText,
     .required = true,
     .internal = true,
     .description = "The counter's document; in some layouts the collection of its shards."},
    {.name = "layout",
     .type = ParameterType::kValue,
     .fallback_text = "web-sample",
     .allowed = "the name of a layout or an object",
     .members = kLayoutParameters,
     .description = "How the counter lies in the database: web-sample, mobile-sample, "
                    "node-sample, go-sample, php-sample, ruby-sample, collection, extension, or an "
                    "object that says it."},
    {.name = "countField",
     .type = ParameterType::kText,
     .description = "For the layout extension: the field that the extension's clients are given."},
    {.name = "shards",
     .type = ParameterType::kInteger,
     .least = 1,
     .most = kMaxShards,
     .description = "How many shards create() makes, 10 by default; and how many there are, in "
                    "layouts where no document says so."},
    {.name = "delivery",
     .type = ParameterType::kWord,
     .allowed = "exactly-once|at-least-once|transaction",
     .description = "What becomes of an increment whose answer is lost."},
};

inline constexpr Parameter kCounterParameter = {.name = "counter",
                                                .type = ParameterType::kObject,
                                                .required = true,
                                                .internal = true,
                                                .members = kCounterParameters,
                                                .description = "The counter."};
inline constexpr Parameter kMaxDeltaParameter = {
    .name = "maxDelta",
    .type = ParameterType::kValue,
    .nullable = true,
    .allowed = "a positive number",
    .description = "What one commit may add at the most, for security rules."};

inline constexpr Parameter kPublishParameter = {
    .name = "publish",
    .type = ParameterType::kText,
    .nullable = true,
    .description = "The field of the counter's document into which totals are published."};

// The longest time is a day. 0 says that it was left out.
constexpr Parameter EveryParameter(bool is_required) {
  return {.name = "everyMs",
          .type = ParameterType::kInteger,
          .required = is_required,
          .least = 1000,
          .most = 86'400'000,
          .fallback = 0,
          .description = "How many milliseconds lie between two publications at least."};
}

inline constexpr Parameter kDeltaParameter = {.name = "delta",
                                              .type = ParameterType::kValue,
                                              .required = true,
                                              .internal = true,
                                              .allowed = kAmountAllowed,
                                              .description = "What to add."};

inline constexpr Parameter kFieldsParameter = {
    .name = "fields",
    .type = ParameterType::kList,
    .internal = true,
    .description = "The fields of a counter with fields: names without dots."};

inline constexpr Parameter kServerClockParameter = {
    .name = "serverNow",
    .type = ParameterType::kInteger,
    .required = true,
    .internal = true,
    .least = 0,
    .description =
        "Milliseconds since 1970 by the server's clock, or by the device's where that is "
        "not known."};

// Reads an object with kCounterParameters.
Result<std::unique_ptr<const Counter>> ReadCounter(JsonScanner& scanner,
                                                   const DatabaseName& database);
// The same for the argument `name`. Null if `arguments` has latched an error.
std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, std::string_view name,
                                           const DatabaseName& database);
// The same for the argument `counter`, which all calls about counters have.
std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, const DatabaseName& database);

// Reads the argument `counters`, a list of such objects.
Result<std::vector<std::unique_ptr<const Counter>>> ReadCounters(Arguments& arguments,
                                                                 const DatabaseName& database);

// Reads the argument `maxDelta`: a positive finite number, or null. Latches an error for anything
// else.
std::optional<Amount> ReadMaxDelta(Arguments& arguments);
// The same for `publish`, or another option with that meaning: see Counter::CheckPublishedField().
// `counter` may be null if `arguments` has latched an error.
std::optional<FieldPath> ReadPublish(Arguments& arguments, const Counter* counter,
                                     const char* option = "publish");

// Reads the argument `delta`, a finite amount. Latches an error for anything else.
Amount ReadDelta(Arguments& arguments);
// Reads the argument `name`, a list of up to kMaxFields names of fields without dots. Empty if it
// was left out.
inline constexpr std::size_t kMaxFields = 20;
std::vector<FieldPath> ReadFieldNames(Arguments& arguments, const char* name);
// Reads the argument `serverNow`.
Timestamp ReadServerNow(const Arguments& arguments);

// Starts the operation with the arguments that were read, or returns their first error.
template <class Start>
Result<std::unique_ptr<Operation>> Started(Arguments& arguments, const Start& start) {
  if (!arguments.ok()) return arguments.TakeFailure();
  return start();
}

}  // namespace shardline
