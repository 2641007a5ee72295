#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shardline {

// RFC 4648 base64. Like Firestore, decoding takes both alphabets (`+/` and `-_`), with all, some or
// none of the padding. It returns nullopt for anything else.
std::optional<std::string> DecodeBase64(std::string_view text);

// The standard alphabet with padding, which `bytesValue` uses.
std::string EncodeBase64(std::string_view bytes);

// The URL-safe alphabet without padding.
std::string EncodeBase64Url(std::string_view bytes);

}  // namespace shardline
