#pragma once

#include <string>
#include <string_view>

#include "base/json_scanner.h"

namespace shardline {

// A value in a small JSON text, found by its path. A view builds nothing, so each question reads
// the text again. Read large answers with JsonMembers instead.
//
//   JsonScanner scanner(text);
//   const JsonView document(scanner);
//   name = document["name"].String();
//   for (JsonItems values(document["fields.tags.arrayValue.values"]); values.Next();) {
//     tags.push_back(values.value()["stringValue"].String());
//   }
//
// An absent value has no members and no items, and its text is empty. The scanner's error latches
// for malformed JSON, for a value of another kind than the caller asked for, and for a name that
// occurs twice in one object. The scanner must outlive the view, which does not move it.
class JsonView {
 public:
  // Absent.
  JsonView() = default;
  // The value that comes next in the scanner.
  explicit JsonView(JsonScanner& scanner);

  // Whether it is there.
  explicit operator bool() const { return scanner_ != nullptr; }

  // The member at a path of names with dots between them, from object to object.
  JsonView operator[](std::string_view path) const;
  // The member of that name, which may have dots in it.
  JsonView Member(std::string_view name) const;

  std::string String() const { return Read(&JsonScanner::String); }
  // The value's JSON text.
  std::string_view Raw() const { return Read(&JsonScanner::SkipValue); }

  // The result of `read` for the value: a function or a method of the scanner, which it leaves
  // behind the value. An absent value gives a T made without arguments.
  template <class T>
  T Read(T (*read)(JsonScanner& scanner)) const {
    if (!*this) return T();
    const Visit visit(*this);
    return read(*scanner_);
  }
  template <class T>
  T Read(T (JsonScanner::*read)()) const {
    if (!*this) return T();
    const Visit visit(*this);
    return (scanner_->*read)();
  }

 private:
  friend class JsonItems;

  // Puts the scanner in front of the value, and then back.
  class Visit {
   public:
    explicit Visit(const JsonView& view);
    ~Visit() { scanner_.Seek(back_); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    JsonScanner& scanner_;
    const char* back_;
  };

  JsonView(JsonScanner* scanner, const char* at) : scanner_(scanner), at_(at) {}

  // Null: absent.
  JsonScanner* scanner_ = nullptr;
  const char* at_ = nullptr;
};

// Goes through the members of an object, or through the elements of an array. Views may be asked in
// between.
class JsonItems {
 public:
  enum class Of : bool { kArray, kObject };

  explicit JsonItems(const JsonView& container, Of kind = Of::kArray);

  bool Next();
  // The value of this member, or this element.
  JsonView value() const { return {scanner_, value_}; }
  // Whether this is the name of the member, its escapes resolved.
  bool Is(std::string_view name) const { return RawEquals(raw_key_, name); }

 private:
  JsonScanner* scanner_;
  // Behind the opening bracket, or behind the last item. Null: there is no further item.
  const char* next_;
  bool is_first_ = true;
  Of kind_;
  std::string_view raw_key_;
  const char* value_ = nullptr;
};

}  // namespace shardline
