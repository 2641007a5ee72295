#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// The library's limit for a counter or a collection.
inline constexpr double kMaxShards = 10'000;

// An object of options, read member by member. A member that no caller has read is a typing error.
class CapacityOptions {
 public:
  // Reads JSON, [options].
  static Result<CapacityOptions> Read(const PaddedText& arguments);

  // A finite number from `least` to `most`. Required unless there is a default.
  Result<double> Number(const char* name, double least, double most,
                        std::optional<double> usual = std::nullopt);
  // One of the words; the default is the first.
  Result<std::string> Word(const char* name, std::initializer_list<const char*> words);
  // Any text, with a default.
  Result<std::string> Text(const char* name, const char* usual);
  // An object of further options; nullopt if it was left out.
  Result<std::optional<CapacityOptions>> Group(const char* name);
  // Refuses options that the methods above have not read.
  Status Finish() const;

 private:
  CapacityOptions(nlohmann::json members, std::string prefix)
      : members_(std::move(members)), prefix_(std::move(prefix)) {}

  nlohmann::json* Find(const char* name);

  nlohmann::json members_;
  std::string prefix_;  // "queries."
  std::vector<std::string> known_;
};

}  // namespace shardline
