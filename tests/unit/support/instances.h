// The templates of nlohmann/json and of strings that tests use, compiled once and optimised
// (instances.cc). Tests themselves are not optimised; and if a test and a room both have a copy of
// a template's function, the linker takes the test's for both.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#ifdef SHARDLINE_DEFINE_INSTANCES
#define SHARDLINE_EXTERN
#else
#define SHARDLINE_EXTERN extern
#endif

namespace shardline {
// What json::parse() makes of a string, and of a string_view.
using JsonFromString = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;
using JsonFromView = nlohmann::detail::iterator_input_adapter<const char*>;
}  // namespace shardline

SHARDLINE_EXTERN template class std::basic_string<char>;
SHARDLINE_EXTERN template class std::basic_string_view<char>;
SHARDLINE_EXTERN template class std::vector<char>;
SHARDLINE_EXTERN template class nlohmann::basic_json<>;
SHARDLINE_EXTERN template class std::map<std::string, nlohmann::json, std::less<>>;
SHARDLINE_EXTERN template class std::vector<nlohmann::json>;
SHARDLINE_EXTERN template class nlohmann::detail::serializer<nlohmann::json>;
SHARDLINE_EXTERN template class nlohmann::detail::lexer<nlohmann::json, shardline::JsonFromString>;
SHARDLINE_EXTERN template class nlohmann::detail::lexer<nlohmann::json, shardline::JsonFromView>;
SHARDLINE_EXTERN template class nlohmann::detail::parser<nlohmann::json, shardline::JsonFromString>;
SHARDLINE_EXTERN template class nlohmann::detail::parser<nlohmann::json, shardline::JsonFromView>;

#undef SHARDLINE_EXTERN
