#pragma once

#include <cstddef>
#include <string_view>

#include "base/json_scanner.h"
#include "base/result.h"

namespace shardline {

// Checks an object of values in wire JSON before a client sends it. An error names the field that
// Firestore cannot hold: a bad field name, an array or vector directly inside an array, more than
// 20 levels of maps and arrays, a value out of range.
//
// Returns the fields' size in bytes by Firestore's rules
// (https://firebase.google.com/docs/firestore/storage-size). The document's size is that, plus the
// size of its name and 32 bytes. `scanner` must be in front of the object, and is behind it
// afterwards.
Result<std::size_t> CheckFields(JsonScanner& scanner);

// The same for one value; `where` names it in messages.
Result<std::size_t> CheckValue(JsonScanner& scanner, std::string_view where);

// Whether a text is one value that passes CheckValue(). For assertions.
bool IsValue(std::string_view wire);

}  // namespace shardline
