#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/json_scanner.h"
#include "operation/operation.h"

namespace shardline {

// One kind of request that JavaScript may make, by name. `start` reads the request's arguments, a
// JSON object that `arguments` stands in front of, checks them, and returns the operation, ready to
// be driven; or says what is wrong, before anything is sent.
using StartOperation = Result<std::unique_ptr<Operation>> (*)(JsonScanner& arguments,
                                                              OperationContext& context);
struct ApiEntry {
  std::string_view name;
  StartOperation start;
};

// What JavaScript may ask for in one field: counters, collections, …
using ApiTable = std::span<const ApiEntry>;

}  // namespace shardline
