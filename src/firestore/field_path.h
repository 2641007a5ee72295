#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace shardline {

// Where a field stands in a document: names of maps and at last of the field, "price.currency".
class FieldPath {
 public:
  // Reads names separated by dots. A name that has a dot or a backtick in it, or anything else that
  // is not a letter, digit or underscore, may be put in backticks, with \` and \\ inside, as
  // Firestore writes it ("a.`b.c`"); without backticks such a name is taken as it stands, up to the
  // next dot. Refuses empty names, names of the form `__…__` and paths over 1,500 bytes. "__name__"
  // is the document's own name.
  static Result<FieldPath> Parse(std::string_view text);
  static FieldPath DocumentName();

  const std::vector<std::string>& segments() const { return segments_; }
  // The canonical form, which is what the protocol takes: backticks exactly where they are needed.
  const std::string& text() const { return text_; }
  bool IsDocumentName() const { return text_ == "__name__"; }
  // True if this is `other` or a map around it.
  bool IsPrefixOf(const FieldPath& other) const;
  // The first `length` names of it. Requires 1 to segments().size().
  FieldPath Prefix(std::size_t length) const;

  bool operator==(const FieldPath& other) const { return text_ == other.text_; }
  // The order in which Firestore appends inequality fields: name by name, as UTF-8 bytes.
  bool operator<(const FieldPath& other) const { return segments_ < other.segments_; }

 private:
  explicit FieldPath(std::vector<std::string> segments);

  std::vector<std::string> segments_;
  std::string text_;
};

// Refuses what can be no field name: empty, `__…__`, over 1,500 bytes, malformed UTF-8.
Status CheckFieldName(std::string_view name);

}  // namespace shardline
