#pragma once

#include <string>

namespace shardline {

// All calls of the runtime, as JSON, for the reference and the command line's --help: [{"name",
// "module": "counters" | "collections" | "admin", "description", "arguments": [argument, …]}, …],
// with each argument as
//
//   {"name", "type": "text" | "integer" | "number" | "boolean" | "word" | "object" | "list" |
//    "value" | "signal", "required", "internal": whether the library itself passes it,
//    "range": the allowed values, in words, "default": a value, or null, "description"}
//
// and, if the argument has them, "least", "most", "words": ["keep", "error"] and "members":
// [argument, …].
std::string DescribeCalls();

}  // namespace shardline
