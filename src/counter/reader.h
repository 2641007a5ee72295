#pragma once

#include <string>
#include <string_view>

namespace shardline {

// Separates the arguments of ReadRequest(). No UTF-8 text holds this byte.
inline constexpr char kReaderSeparator = '\xFF';

// The one question of the module `reader`, which shows a first total and links nothing else: is
// this a counter, and how does one ask for its total? The arguments are texts: project, database,
// path, name of the layout (without one, the layout is spelled out), count field, shard collection,
// shard count field, published field. An optional text is empty, or begins with a `+`;
// all but the first three and the count field are optional.
//
// Returns {"layout": {…}, "path": "/v1/…", "body": "…"} or {"error": {…}}. A counter of the layout
// `extension` has no path and no body, because its total takes more than one request.
std::string ReadRequest(std::string_view arguments);

}  // namespace shardline
