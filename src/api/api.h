#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/json_scanner.h"
#include "base/parameter.h"
#include "operation/operation.h"

namespace shardline {

// Reads and checks a call's arguments, the JSON object that comes next in `arguments`. Returns the
// operation, ready for its driver, or an error before any request is sent.
using StartOperation = Result<std::unique_ptr<Operation>> (*)(JsonScanner& arguments,
                                                              OperationContext& context);

// A call that JavaScript may make: its unique name, its arguments and its description.
struct ApiCall {
  std::string_view name;
  StartOperation start;
  std::span<const Parameter> parameters;
  const char* description;
};

// The part of a call that a module links. `start` checks the same parameters.
struct ApiEntry {
  std::string_view name;
  StartOperation start;
};

// The calls of one field that JavaScript may make: counters, collections, …
using ApiTable = std::span<const ApiEntry>;

template <std::size_t N>
constexpr std::array<ApiEntry, N> EntriesOf(const ApiCall (&calls)[N]) {
  std::array<ApiEntry, N> entries{};
  for (std::size_t i = 0; i < N; ++i) entries[i] = {calls[i].name, calls[i].start};
  return entries;
}

}  // namespace shardline
