#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace shardline {

// Writes compact JSON, and puts the commas. It does not check that brackets match.
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }
  JsonWriter& Key(std::string_view text);
  // For literals, in which nothing needs an escape.
  JsonWriter& Key(const char* text);
  // `text` must be UTF-8.
  JsonWriter& String(std::string_view text);
  JsonWriter& Int(std::int64_t value);
  JsonWriter& Boolean(bool value) { return Raw(value ? "true" : "false"); }
  // A complete JSON value.
  JsonWriter& Raw(std::string_view json);
  // The inside of a JSON string with its escapes, as a scanner hands it out.
  JsonWriter& RawString(std::string_view raw);

  const std::string& text() const { return out_; }
  std::string Take() { return std::move(out_); }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  void Separate();
  void Quote(std::string_view text);

  std::string out_;
};

}  // namespace shardline
