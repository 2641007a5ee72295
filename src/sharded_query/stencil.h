#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_scanner.h"
#include "sharded_query/document_head.h"
#include "sharded_query/plain_text.h"

namespace shardline {

class PlainWriter;

// The form of a document in an answer: all that is not a value. The next one mostly has the same
// form, byte for byte, and then all that is left to do is to compare the bytes between the values,
// and to take the values: a fourth of what it takes to understand them.
//
// A form is recorded while a document is being read, value by value as they come. Documents with
// certain rare values have none.
class Stencil {
 public:
  enum class Kind : std::uint8_t {
    kText,  // Copied, quotes and all.
    kInteger,
    kNumber,
    kBoolean,
    kTimestamp,
    kArray,  // Without stand-ins.
    kName,
    kCreateTime,
    kUpdateTime,
    kReadTime,
    kEnd,  // No value: what follows the last one.
  };

  // Reads the element of an answer that the scanner is in front of. False, with all but the scanner
  // unspecified, if it is of another form, or has a value that needs a closer look.
  bool Read(JsonScanner& scanner, PlainWriter& writer, DocumentHead& head,
            std::string_view& read_time) const;

  // Recording: Begin(), then Add() for each value, and End(), which makes it the form that is read
  // from now on. The text must stay where it is meanwhile.
  void Begin(const char* position);
  // A value of the element or the document, without its quotes.
  void Add(Kind kind, std::string_view raw);
  // The fields come next; a document has them once.
  void BeginFields() {
    if (plain_at_ > 0) GiveUp();
  }
  // A value of the fields, which stands in `plain` from `start` on.
  void AddField(Kind kind, std::string_view raw, const PlainText& plain, std::size_t start,
                std::size_t depth = 0);
  // There is something that has no form.
  void GiveUp() { recording_ = false; }
  // Adds nothing until Resume() gets what this has returned.
  bool Pause() { return std::exchange(recording_, false); }
  void Resume(bool recording) { recording_ = recording; }
  void End(const char* position, const PlainFields& fields);

 private:
  struct Slot {
    Kind kind;
    std::int8_t key = -1;  // Which one it is of those that documents are sorted by.
    // How many bytes stand in front of it: on the wire, and in plain JSON.
    std::uint32_t wire;
    std::uint32_t plain = 0;
    // Of a key: what belongs to its value on the wire, before the text and behind it.
    std::uint32_t before = 0;
    std::uint32_t behind = 0;
    std::size_t depth = 0;  // Of an array.
  };
  struct Form {
    std::vector<Slot> slots;
    // What stands in front of them, all in a row; padded.
    std::string wire;
    std::string plain;
    std::size_t keys = 0;
    std::size_t shape = 0;
  };

  static bool ReadSlot(const Slot& slot, JsonScanner& scanner, PlainWriter& writer,
                       DocumentHead& head, std::string_view& read_time);
  // False if there is a key that is none of the values.
  bool FindKeys(const PlainFields& fields);

  Form form_;
  // Being recorded:
  Form next_;
  std::vector<std::string_view> values_;
  const char* at_ = nullptr;  // The end of the last value, here and in plain JSON.
  std::size_t plain_at_ = 0;
  bool recording_ = false;
};

}  // namespace shardline
