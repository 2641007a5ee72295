#include "capacity/options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number.h"
#include "base/reason.h"

namespace shardline {

using nlohmann::json;

Result<CapacityOptions> CapacityOptions::Read(const PaddedText& arguments) {
  json parsed = json::parse(arguments.view(), nullptr, false);
  if (!parsed.is_array() || parsed.empty() || !parsed[0].is_object()) {
    return MustBe("The options", "an object");
  }
  return CapacityOptions(std::move(parsed[0]), "");
}

json* CapacityOptions::Find(const char* name) {
  known_.emplace_back(name);
  const auto member = members_.find(name);
  return member == members_.end() ? nullptr : &*member;
}

Result<double> CapacityOptions::Number(const char* name, double least, double most,
                                       std::optional<double> usual) {
  const json* const member = Find(name);
  if (member == nullptr && usual) return *usual;
  const double number =
      member != nullptr && member->is_number() ? member->get<double>() : std::nan("");
  if (number >= least && number <= most) return number;
  std::string range = "a number from ";
  AppendDouble(range, least);
  range += " to ";
  AppendDouble(range, most);
  return MustBe(prefix_ + name, range);
}

Result<std::string> CapacityOptions::Word(const char* name,
                                          std::initializer_list<const char*> words) {
  const json* const member = Find(name);
  if (member == nullptr) return std::string(*words.begin());
  std::string list;
  for (const char* word : words) {
    if (*member == word) return std::string(word);
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  return MustBe(prefix_ + name, "one of " + list);
}

Result<std::string> CapacityOptions::Text(const char* name, const char* usual) {
  const json* const member = Find(name);
  if (member == nullptr) return std::string(usual);
  if (!member->is_string()) return MustBe(prefix_ + name, "a text");
  return member->get<std::string>();
}

Result<std::optional<CapacityOptions>> CapacityOptions::Group(const char* name) {
  json* const member = Find(name);
  if (member == nullptr) return std::optional<CapacityOptions>();
  if (!member->is_object()) return MustBe(prefix_ + name, "an object");
  return std::optional<CapacityOptions>(CapacityOptions(std::move(*member), prefix_ + name + "."));
}

Status CapacityOptions::Finish() const {
  for (const auto& [key, value] : members_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    std::string list;
    for (const std::string& name : known_) list += (list.empty() ? "" : ", ") + name;
    return UnknownOption(prefix_ + key.substr(0, 100), list);
  }
  return {};
}

}  // namespace shardline
