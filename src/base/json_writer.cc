#include "base/json_writer.h"

#include <cassert>
#include <cstddef>

#include "base/number.h"
#include "base/utf8.h"

namespace shardline {

// A comma is due unless something has just been opened: no complete value ends in one of these.
void JsonWriter::Separate() {
  if (out_.empty()) return;
  const char last = out_.back();
  if (last != '{' && last != '[' && last != ':') out_ += ',';
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view text) {
  String(text);
  out_ += ':';
  return *this;
}

JsonWriter& JsonWriter::Key(const std::string& text) {
  return Key(static_cast<std::string_view>(text));
}

JsonWriter& JsonWriter::Key(const char* text) {
  RawString(text);
  out_ += ':';
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view text) {
  Separate();
  Quote(text);
  return *this;
}

JsonWriter& JsonWriter::String(const std::string& text) {
  return String(static_cast<std::string_view>(text));
}
JsonWriter& JsonWriter::String(const char* text) { return String(std::string_view(text)); }

JsonWriter& JsonWriter::Int(std::int64_t value) {
  Separate();
  AppendInt64(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::Raw(const std::string& json) {
  return Raw(static_cast<std::string_view>(json));
}
JsonWriter& JsonWriter::Raw(const char* json) { return Raw(std::string_view(json)); }

JsonWriter& JsonWriter::RawString(std::string_view raw) {
  Separate();
  out_ += '"';
  out_ += raw;
  out_ += '"';
  return *this;
}

void JsonWriter::Quote(std::string_view text) {
  assert(IsUtf8(text));
  constexpr std::string_view kHex = "0123456789abcdef";
  out_ += '"';
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out_ += text.substr(done, i - done);
    done = i + 1;
    out_ += '\\';
    if (byte >= 0x20) {
      out_ += text[i];
    } else {
      out_ += "u00";
      out_ += kHex[byte >> 4];
      out_ += kHex[byte & 15];
    }
  }
  out_ += text.substr(done);
  out_ += '"';
}

}  // namespace shardline
