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

// An object of options, read member by member; an unread member is a typing error.
class CapacityOptions {
 public:
  // Reads JSON, [options].
  static Result<CapacityOptions> Read(const PaddedText& arguments);

  // A finite number from `least` to `most`. It must be given unless there is a usual one.
  Result<double> Number(const char* name, double least, double most,
                        std::optional<double> usual = std::nullopt);
  // One of the words; the first if it is not given.
  Result<std::string> Word(const char* name, std::initializer_list<const char*> words);
  // Any text, with a usual one.
  Result<std::string> Text(const char* name, const char* usual);
  // An object of further options; nullopt if it is not given.
  Result<std::optional<CapacityOptions>> Group(const char* name);
  // Refuses options that nothing above has asked for.
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
