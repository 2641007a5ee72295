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
  // Texts must be UTF-8. Each method has three forms, because each conversion to a string_view
  // takes 20 bytes of code.
  JsonWriter& Key(std::string_view text);
  JsonWriter& Key(const std::string& text);
  // For literals, in which nothing needs an escape.
  JsonWriter& Key(const char* text);
  JsonWriter& String(std::string_view text);
  JsonWriter& String(const std::string& text);
  JsonWriter& String(const char* text);
  JsonWriter& Int(std::int64_t value);
  JsonWriter& Boolean(bool value) { return Raw(value ? "true" : "false"); }
  // A complete JSON value.
  JsonWriter& Raw(std::string_view json);
  JsonWriter& Raw(const std::string& json);
  JsonWriter& Raw(const char* json);
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
