#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shardline {

// True if `text` is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most
// U+10FFFF).
bool IsUtf8(std::string_view text);

// True if `text` was UTF-16, and has been read as UTF-8 all the same.
bool WasUtf16(std::string_view text);

// The longest beginning of a UTF-8 text that has at most `size` bytes and ends between two
// characters.
std::string_view Utf8Prefix(std::string_view text, std::size_t size);

// Appends one code point (at most U+10FFFF) as UTF-8.
void AppendUtf8(std::string& out, std::uint32_t code_point);

}  // namespace shardline
