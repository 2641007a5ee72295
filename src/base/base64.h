#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shardline {

// RFC 4648 base64. Decoding takes both alphabets (`+/` and `-_`), padded, half padded or not, as
// Firestore does; nullopt for anything else.
std::optional<std::string> DecodeBase64(std::string_view text);

// The standard alphabet with padding, which is what `bytesValue` holds.
std::string EncodeBase64(std::string_view bytes);

// The URL-safe alphabet without padding.
std::string EncodeBase64Url(std::string_view bytes);

}  // namespace shardline
