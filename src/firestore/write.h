#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "firestore/field_path.h"

namespace shardline {

// A write as Firestore takes it (google/firestore/v1/write.proto). Values are wire JSON.

struct Precondition {
  enum class Kind : std::uint8_t { kNone, kExists, kMissing, kUpdateTime };
  Kind kind = Kind::kNone;
  std::string update_time = {};  // For kUpdateTime, as the server wrote it.
};

struct FieldTransform {
  enum class Kind : std::uint8_t {
    kIncrement,        // value: the operand
    kServerTimestamp,  // no value
    kAppendMissing,    // value: an arrayValue's inside, {"values":[…]}: Firebase's arrayUnion
    kRemoveAll,        // likewise: arrayRemove
    kMaximum,          // value: the operand
    kMinimum,
  };
  FieldPath field;
  Kind kind;
  std::string value = {};
};

struct Write {
  enum class Kind : std::uint8_t { kUpdate, kDelete };
  Kind kind = Kind::kUpdate;
  std::string name;  // The document's full name.
  // For kUpdate: an object of values; empty for none. Without a mask the document is replaced, with
  // one only what the mask names is changed: set to its value, or removed where there is none.
  std::string fields = {};
  std::optional<std::vector<FieldPath>> mask = {};
  std::vector<FieldTransform> transforms = {};
  Precondition precondition = {};
};

// The body of a :commit of all these, in one atomic step.
std::string EncodeCommit(const std::vector<Write>& writes);

// The largest request that Firestore takes, and the largest document.
inline constexpr std::size_t kMaxRequestBytes = std::size_t{10} * 1024 * 1024;
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{1024} * 1024;

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

}  // namespace shardline
