#pragma once

#include <memory>

#include "api/arguments.h"
#include "counter/counter.h"

namespace shardline {

// Reads the options of a counter, which `arguments` stands in front of; see counter_api.h. Null if
// the arguments have latched an error.
std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, const DatabaseName& database);

}  // namespace shardline
