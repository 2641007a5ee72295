#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "api/arguments.h"
#include "counter/counter.h"
#include "firestore/amount.h"
#include "firestore/timestamp.h"
#include "operation/operation.h"

namespace shardline {

// Reads the options of a counter, which `arguments` stands in front of; see counter_api.h. Null if
// the arguments have latched an error.
std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, const DatabaseName& database);

// Read the options `clientId` and `maxDelta`, either of which may be null: a document id, and a
// positive finite number. Anything else is latched.
std::optional<std::string> ReadClientId(Arguments& arguments);
std::optional<Amount> ReadMaxDelta(Arguments& arguments);

// The arguments of one call about a counter: {"counter": …, and what the call takes besides}. Each
// call lists the names that it takes; a name that is not in its list is refused, whatever other
// calls take.
class CounterCall {
 public:
  // One argument besides the counter.
  struct Parameter {
    const char* name;
    // Reads the value, which the arguments stand in front of, into the members below.
    void (*read)(CounterCall& call);
  };

  // Reads all of them. `options` lists, for the message to a user who gives something else, what
  // the user may give: "ifExists and signal". (`signal` is JavaScript's own affair.)
  CounterCall(JsonScanner& scanner, const OperationContext& context,
              std::span<const Parameter> parameters, const char* options);

  // Starts the operation with what has been read; or says what was wrong with it.
  template <class Start>
  Result<std::unique_ptr<Operation>> Started(const Start& start) {
    if (!arguments.ok()) return arguments.TakeFailure();
    return start();
  }

  // Reads an option that may have two words, the first of which is the default, into `choice`.
  void ReadWord(const char* first, const char* second);

  Arguments arguments;
  const OperationContext& context;
  std::unique_ptr<const Counter> counter;
  std::unique_ptr<const Counter> to;
  std::int64_t shards = 0;
  std::int64_t max_age_ms = 0;
  bool at_least = false;
  std::string choice;
  std::optional<Amount> delta;
  std::optional<Timestamp> older_than;
};

}  // namespace shardline
