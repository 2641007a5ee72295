#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace shardline {

// The path of a field in a document: the names of maps, and at last of the field, "price.currency".
class FieldPath {
 public:
  // Reads names separated by dots. A name may be in backticks, with \` and \\ inside, in
  // Firestore's syntax ("a.`b.c`"): a name with a dot needs them. Without backticks a name ends at
  // the next dot, and may have any other character. Refuses empty names, names of the form `__…__`
  // and paths over 1,500 bytes. "__name__" is the document's own name.
  static Result<FieldPath> Parse(std::string_view text);
  static FieldPath DocumentName();

  const std::vector<std::string>& segments() const { return segments_; }
  // The canonical form, which the protocol takes: backticks exactly around the names that need
  // them.
  const std::string& text() const { return text_; }
  bool IsDocumentName() const { return text_ == "__name__"; }
  // True if this path is `other`, or a map around it.
  bool IsPrefixOf(const FieldPath& other) const;
  // The path of the first `length` names. Requires 1 to segments().size().
  FieldPath Prefix(std::size_t length) const;

  bool operator==(const FieldPath& other) const { return text_ == other.text_; }
  // The order in which Firestore appends inequality fields: name by name, as UTF-8 bytes.
  bool operator<(const FieldPath& other) const { return segments_ < other.segments_; }

 private:
  explicit FieldPath(std::vector<std::string> segments);

  std::vector<std::string> segments_;
  std::string text_;
};

// Refuses impossible field names: empty, `__…__`, over 1,500 bytes, malformed UTF-8.
Status CheckFieldName(std::string_view name);

}  // namespace shardline
