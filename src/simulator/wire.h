// The server's side of Firestore's REST bodies: protobuf's JSON mapping, read strictly, and the
// server's rules for names and values. Its readers are independent of the runtime's on purpose (a
// test oracle): they check the runtime's encoders and CheckFields(), and do not share their
// mistakes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "firestore/field_path.h"
#include "firestore/value.h"

namespace shardline::simulator {

// ---- Requests. Any fault latches the scanner's error; null means an absent member. ----

// The member's name in protobuf's JSON form, "fieldPath", also for "field_path".
std::string MemberName(std::string_view raw_key);

// Reads an object: `on_member(name)` must read the member's value and return true, or return false
// if there is no such member. Returns false for null.
template <class OnMember>
bool ReadObject(JsonScanner& scanner, OnMember on_member) {
  if (scanner.Peek() == JsonScanner::Kind::kNull) {
    scanner.Null();
    return false;
  }
  std::string_view key;
  if (!scanner.BeginObject()) return false;
  while (scanner.NextKey(key)) {
    if (!on_member(MemberName(key))) scanner.Reject("there is no such member");
  }
  return scanner.ok();
}

// Reads an array, `on_element()` once for each element. Null is an empty array.
template <class OnElement>
void ReadArray(JsonScanner& scanner, OnElement on_element) {
  if (scanner.Peek() == JsonScanner::Kind::kNull) {
    scanner.Null();
    return;
  }
  if (!scanner.BeginArray()) return;
  while (scanner.NextElement()) on_element();
}

std::string ReadString(JsonScanner& scanner);
bool ReadBool(JsonScanner& scanner);
// A number or a string that holds one; `fallback` for null.
std::int64_t ReadInt64(JsonScanner& scanner, std::int64_t fallback = 0);
std::int32_t ReadInt32(JsonScanner& scanner, std::int32_t fallback = 0);
std::string ReadBase64(JsonScanner& scanner);
// The number of an enumerator, sent as its name, as its number or as a string that holds the
// number; 0 for null. `names` lists all enumerators by their numbers.
std::size_t ReadEnum(JsonScanner& scanner, std::initializer_list<std::string_view> names);
// The time of a version, in whole microseconds.
std::optional<Timestamp> ReadVersionTime(JsonScanner& scanner);

// Reads a value, an object of values, and the inside of an `arrayValue`, with the server's checks
// of names of fields, nesting, vectors, coordinates and references.
Value ReadValue(JsonScanner& scanner);
// The operand of a filter: a list of alternatives may hold arrays.
Value ReadOperand(JsonScanner& scanner);
Map ReadFields(JsonScanner& scanner);
// The same for fields that this file has written, with any depth of nesting.
Map ReadStoredFields(JsonScanner& scanner);
Array ReadArrayValue(JsonScanner& scanner);

// Parses a time in whole microseconds; otherwise nullopt.
std::optional<Timestamp> ParseVersionTime(std::string_view text);

// A path of a mask, filter, order or transform: unquoted names must be [a-zA-Z_][a-zA-Z_0-9]*.
Result<FieldPath> ParseFieldPath(std::string_view text);

// The size of a document in Firestore's billing, in bytes
// (https://firebase.google.com/docs/firestore/storage-size).
std::size_t DocumentBytes(std::string_view path, const Map& fields);
inline constexpr std::size_t kMaxDocumentBytes = 1'048'576;
inline constexpr std::size_t kMaxFieldNameBytes = 1'500;

// ---- Answers ----

// A document's member `fields`; left out if there are none. (For one value: EncodeValue().)
void WriteFieldsMember(JsonWriter& writer, const Map& fields);

}  // namespace shardline::simulator
