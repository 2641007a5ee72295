#include "sharded_query/plain_text.h"

#include <cstring>

#include "base/number.h"

namespace shardline {

void PlainText::Begin(std::string& buffer) {
  buffer_ = &buffer;
  at_ = buffer.data();
  end_ = at_ + buffer.size();
  MakeRoom(0);
}

void PlainText::Grow(std::size_t size) {
  const std::size_t written = this->size();
  buffer_->resize(2 * (buffer_->size() + size + kSlack));
  at_ = buffer_->data() + written;
  end_ = buffer_->data() + buffer_->size();
}

void PlainText::PutPadded(std::string_view text) {
  MakeRoom(text.size());
  for (std::size_t i = 0; i < text.size(); i += 16) std::memcpy(at_ + i, text.data() + i, 16);
  at_ += text.size();
}

void PlainText::PutText(std::string_view text) {
  MakeRoom(text.size());
  Move(text);
}

void PlainText::PutQuoted(std::string_view raw) {
  Put('"');
  PutPadded(raw);
  Put('"');
}

void PlainText::Move(std::string_view text) {
  std::memmove(at_, text.data(), text.size());
  at_ += text.size();
}

void PlainText::PutInt(std::int64_t value) {
  Int64Buffer buffer;
  const std::string_view digits = FormatInt64(value, buffer);
  std::memcpy(at_, digits.data(), digits.size());
  at_ += digits.size();
}

void PlainText::PutTimestamp(Timestamp time) {
  Put('[');
  PutInt(time.seconds());
  Put(',');
  PutInt(time.nanoseconds());
  Put(']');
}

}  // namespace shardline
