#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// A pull parser: a forward-only reader of JSON (RFC 8259). It builds no values, and hands out
// slices of its input.
//
// The first unexpected byte latches an error. From then on every call returns false or an empty
// slice, so callers walk to the end and ask ok() once.
//
//   JsonScanner scanner(text);
//   std::string_view key;
//   if (scanner.BeginObject()) {
//     while (scanner.NextKey(key)) {
//       if (key == "name") name = scanner.RawString(); else scanner.SkipValue();
//     }
//   }
//   if (!scanner.Finish()) return scanner.failure("the answer");
//
// Slices point into the input, which must outlive them. Strings are handed out raw, with their
// escapes; every escape in them has been checked. SkipValue() checks the inside of an object or
// array only for balance and for well-formed strings. A number of more than 1,000 characters is
// refused: no server writes one, and to read it would take long.
class JsonScanner {
 public:
  enum class Kind : std::uint8_t { kObject, kArray, kString, kNumber, kBoolean, kNull, kInvalid };

  explicit JsonScanner(const PaddedText& text) : JsonScanner(text.view()) {}

  // Reads one value that a scanner has handed out before, as a slice of a PaddedText. The empty
  // slice of a read that failed is read as an empty text.
  static JsonScanner Within(std::string_view slice) {
    static constexpr char kNothing[PaddedText::kGuard] = {};
    return JsonScanner(slice.data() == nullptr ? std::string_view(kNothing) : slice);
  }

  // The same for a slice of this text; errors name the position in the whole text.
  static JsonScanner Within(const PaddedText& text, std::string_view slice) {
    JsonScanner scanner(text);
    scanner.at_ = slice.data();
    return scanner;
  }

  // Refuses a text that is no UTF-8, or that begins with a byte order mark, which RFC 8259 forbids.
  void RequireUtf8();

  // The kind of the next value; consumes nothing but white space.
  Kind Peek();

  // Every key must be followed by reading or skipping its value. NextKey and NextElement return
  // false at the end of the object or array, which they consume.
  bool BeginObject();
  bool NextKey(std::string_view& raw_key);
  bool BeginArray();
  bool NextElement();

  std::string_view RawString();
  std::string_view RawNumber();
  bool Boolean();
  void Null();
  // Any value; returns its text.
  std::string_view SkipValue();
  // Skips this text and returns true if it comes next. Requires that the scanner has read the same
  // text before in this input, at a place of the same kind: then the text means the same here.
  bool SkipText(std::string_view text);
  // Skips a value that a copy of this scanner has read from this position.
  void SkipRead(std::string_view value) {
    at_ = value.data() + value.size();
    fresh_ = false;
  }
  // A string with its escapes resolved: always valid UTF-8, whatever the input is.
  std::string String();
  // Whether the key or string that was read last has escapes.
  bool has_escapes() const { return has_escapes_; }

  // Latches an error of the caller's: the JSON is well-formed, but not the expected one. The first
  // error stays. `why` must be a literal.
  void Reject(const char* why);

  bool ok() const { return why_ == nullptr; }
  // True if all is well and nothing but white space is left.
  bool Finish();
  // The scanner's position: before the next value or, in an object or array, behind the last one.
  const char* position() const { return at_; }
  // Moves to an earlier position() of this scanner: in front of a value, or behind one. `fresh`:
  // directly behind the bracket that opens an object or array.
  void Seek(const char* position, bool fresh = false) {
    at_ = position;
    fresh_ = fresh;
  }

  // "Cannot read <what>: <why> at position <bytes before it>." Requires !ok().
  Failure failure(const char* what) const;

 private:
  explicit JsonScanner(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  // Latches an error of the JSON's.
  [[gnu::cold]] void Refuse(const char* why);
  // Returns the character behind white space, if there is any.
  char SkipSpace();
  [[gnu::noinline]] char SkipBlanks();
  bool Open(char bracket, const char* why);
  bool Separator(char close);
  bool SkipString();
  [[gnu::noinline]] bool SkipEscape();
  // How deep in a container that is skipped.
  struct Nesting {
    std::int64_t depth = 0;
    bool in_string = false;
  };
  bool SkipContainer();
  void SkipBlock(Nesting& nesting);
  void SkipBytes(const char* end, Nesting& nesting);

  const char* begin_;
  const char* at_;
  const char* end_;
  // True directly behind an opening bracket: no comma comes next.
  bool fresh_ = false;
  bool has_escapes_ = false;
  const char* why_ = nullptr;
  const char* error_at_ = nullptr;
};

// Resolves the escapes of a raw string that a scanner handed out; false, with `out` unspecified, if
// it is no Unicode text: half a surrogate pair, or malformed UTF-8.
bool AppendUnescaped(std::string& out, std::string_view raw);

// True if the raw string, its escapes resolved, is `text`.
bool RawEquals(std::string_view raw, std::string_view text);

}  // namespace shardline
