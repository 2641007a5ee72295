#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "firestore/field_path.h"
#include "firestore/value_codec.h"
#include "sharded_query/document_head.h"
#include "sharded_query/plain_text.h"

namespace shardline {

// A stand-in: plain JSON for a value that plain JSON cannot express. The numbers are known to
// web/library/revive.js.
enum class StandIn : std::uint8_t {
  kTimestamp,  // [seconds, nanoseconds]
  kBytes,      // base64
  kReference,  // the full name
  kGeoPoint,   // [latitude, longitude]
  kVector,     // an array of numbers, "Infinity" and "-Infinity"
  kBigInt,     // digits: an integer beyond 2^53
  kDouble,     // "NaN", "Infinity", "-Infinity", "-0"
};

// Turns the fields of documents from wire JSON into plain JSON ({"stringValue": "x"} becomes "x")
// in one pass, in which it also reads what the documents are sorted by. The writer copies the
// server's text if it can, and checks everything: JavaScript gets JSON in which no object has a
// name twice, and in which every stand-in is well-formed for its kind.
//
// A shape lists the stand-ins of a document, [[stand, key or index, …], …], by the path from its
// fields down. Documents of a collection mostly have the same one.
class PlainWriter {
 public:
  // Fields outside of `projection` are left out; nullopt lets everything pass. It must be sorted,
  // with no path inside another. Both must outlive the writer.
  PlainWriter(const std::vector<FieldPath>& key_fields,
              const std::optional<std::vector<FieldPath>>& projection)
      : key_fields_(key_fields), projection_(projection) {}

  // Reads the object of values that the scanner is in front of, and into `fields.keys` the values
  // of the key fields. Errors latch in the scanner, among them that one of these is missing.
  void Read(JsonScanner& scanner, PlainFields& fields);

  // All shapes so far, separated by commas.
  std::string Shapes() const;

 private:
  // The part of an object to write: everything, or the fields of a range of the projection, whose
  // paths all agree on the way down to here.
  struct Selection {
    const FieldPath* begin = nullptr;
    const FieldPath* end = nullptr;
    bool everything = true;
  };
  // The last step of the way down to a value: a key, or else an index.
  struct Step {
    std::string_view raw_key;
    std::int64_t index = -1;
  };

  // Each reads what the scanner stands in front of; errors latch there.
  // An object of values; returns how many of them it has written.
  std::size_t WriteFields(JsonScanner& scanner, Selection selection, std::size_t depth);
  static Selection Narrow(Selection selection, std::string_view raw_key, std::size_t depth);
  // The selected part of a map; false, with something written, if there is none.
  bool WriteSelectedMap(JsonScanner& scanner, Selection selection, Step step, std::size_t depth);
  void WriteValue(JsonScanner& scanner, Step step, std::size_t depth);
  void WriteKind(JsonScanner& scanner, WireKind kind, Step step, std::size_t depth);
  void WriteText(JsonScanner& scanner);
  void WriteBytes(JsonScanner& scanner);
  void WriteBoolean(JsonScanner& scanner);
  void WriteInteger(JsonScanner& scanner, Step step);
  void WriteDouble(JsonScanner& scanner, Step step);
  void WriteTimestamp(JsonScanner& scanner);
  void WriteGeoPoint(JsonScanner& scanner);
  void WriteArray(JsonScanner& scanner, Step step, std::size_t depth);
  void WriteMap(JsonScanner& scanner, Step step, std::size_t depth);
  // The name that a key with escapes stands for; lasts until the next document.
  std::string_view Unescape(JsonScanner& scanner, std::string_view raw_key);
  // Refuses an object that has a name twice, and forgets its names, which begin at `first`.
  void CheckNames(JsonScanner& scanner, std::size_t first);
  // Reads what is a key of this field, or inside of it. The scanner stays where it is. Returns the
  // key that is the whole value; null if none is, or it is malformed.
  const SortKey* ReadKeys(const JsonScanner& scanner, std::string_view raw_key);
  // Writes a value that has been read as a key, and goes past it. False, with nothing done, if it
  // is of a kind that keys do not keep.
  bool WriteKey(JsonScanner& scanner, const SortKey& key, Step step);

  // Turns what has been written since `start`, a map of two fields, into a vector if it is one.
  void FoldVector(JsonScanner& scanner, std::size_t start, std::size_t notes, Step step);
  void Note(JsonScanner& scanner, StandIn stand_in, Step step);
  static void AppendStep(std::string& path, Step step);
  std::size_t ShapeIndex();

  const std::vector<FieldPath>& key_fields_;
  const std::optional<std::vector<FieldPath>>& projection_;
  std::vector<std::string> shapes_;
  // While a document is being read:
  PlainFields* fields_ = nullptr;
  PlainText out_;
  // Its shape so far, and the way down to the map or array that is being written; each element and
  // each step with a comma in front.
  std::string shape_;
  std::string path_;
  // The names in the objects that are being written, the innermost object's last; and what those
  // with escapes stand for.
  std::vector<std::string_view> names_;
  std::forward_list<std::string> unescaped_;
};

}  // namespace shardline
