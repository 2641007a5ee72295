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

// `start` reads a call's arguments, a JSON object that `arguments` stands in front of, checks them,
// and returns the operation, ready to be driven; or says what is wrong, before anything is sent.
using StartOperation = Result<std::unique_ptr<Operation>> (*)(JsonScanner& arguments,
                                                              OperationContext& context);

// One kind of request that JavaScript may make, by name, and all that it takes. Names are unique.
struct ApiCall {
  std::string_view name;
  StartOperation start;
  std::span<const Parameter> parameters;
  const char* description;
};

// The part of a call that a module links. `start` checks with the same parameters.
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
