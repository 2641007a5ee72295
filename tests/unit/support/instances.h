// nlohmann/json for the types that tests use, compiled once and optimised (json_instances.cc).
// Tests themselves are not optimised, and spent half of their time in a parser that was not either.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#ifdef SHARDLINE_DEFINE_JSON_INSTANCES
#define SHARDLINE_EXTERN
#else
#define SHARDLINE_EXTERN extern
#endif

namespace shardline {
// What json::parse() makes of a string, and of a string_view.
using JsonFromString = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;
using JsonFromView = nlohmann::detail::iterator_input_adapter<const char*>;
}  // namespace shardline

SHARDLINE_EXTERN template class nlohmann::basic_json<>;
SHARDLINE_EXTERN template class std::map<std::string, nlohmann::json, std::less<>>;
SHARDLINE_EXTERN template class std::vector<nlohmann::json>;
SHARDLINE_EXTERN template class nlohmann::detail::serializer<nlohmann::json>;
SHARDLINE_EXTERN template class nlohmann::detail::lexer<nlohmann::json, shardline::JsonFromString>;
SHARDLINE_EXTERN template class nlohmann::detail::lexer<nlohmann::json, shardline::JsonFromView>;
SHARDLINE_EXTERN template class nlohmann::detail::parser<nlohmann::json, shardline::JsonFromString>;
SHARDLINE_EXTERN template class nlohmann::detail::parser<nlohmann::json, shardline::JsonFromView>;

#undef SHARDLINE_EXTERN
