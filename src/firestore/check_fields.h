#pragma once

#include <cstddef>
#include <string_view>

#include "base/json_scanner.h"
#include "base/result.h"

namespace shardline {

// Walks an object of values in wire JSON, as a client is about to send it, and refuses by name of
// the field what Firestore cannot hold: bad field names, an array or vector directly inside an
// array, more than 20 levels of maps and arrays, values out of range.
//
// Returns the fields' size by Firestore's rules
// (https://firebase.google.com/docs/firestore/storage-size), in bytes; to the document's size its
// name and 32 bytes are to be added. `scanner` must be in front of the object, and is behind it
// afterwards.
Result<std::size_t> CheckFields(JsonScanner& scanner);

// The same for one value; `where` names it in messages.
Result<std::size_t> CheckValue(JsonScanner& scanner, std::string_view where);

// Whether a text is one value that CheckValue() does not refuse. For assertions.
bool IsValue(std::string_view wire);

}  // namespace shardline
