#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "firestore/timestamp.h"
#include "firestore/value_codec.h"

namespace shardline {

// Writes plain JSON to the start of a buffer, in copies of 16 bytes. It reserves kSlack characters
// before each value and behind each piece of text, so that brackets, commas and numbers need no
// check.
class PlainText {
 public:
  // Only this class may change the buffer from now on.
  void Begin(std::string& buffer);

  std::size_t size() const { return static_cast<std::size_t>(at_ - buffer_->data()); }
  // The text written since the buffer had this size. Valid until more is written.
  std::string_view From(std::size_t size) const {
    return {buffer_->data() + size, static_cast<std::size_t>(at_ - buffer_->data()) - size};
  }
  void Truncate(std::size_t size) { at_ = buffer_->data() + size; }

  void MakeRoom(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size + kSlack) Grow(size);
  }
  void Put(char c) { *at_++ = c; }
  // `text` must be padded as PaddedText is.
  void PutPadded(std::string_view text);
  void PutText(std::string_view text);
  void PutQuoted(std::string_view raw);
  // Moves a part of the written text. The old and the new place may overlap.
  void Move(std::string_view text);
  void PutInt(std::int64_t value);
  void PutTimestamp(Timestamp time);

 private:
  // More than brackets in a row, at the end of the deepest nesting, and one lane.
  static constexpr std::size_t kSlack = kMaxNesting + 64;

  void Grow(std::size_t size);

  std::string* buffer_ = nullptr;
  char* at_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace shardline
