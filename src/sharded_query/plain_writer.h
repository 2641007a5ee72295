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

// A stand-in: plain JSON for a value that plain JSON cannot express. web/library/revive.js uses the
// same numbers.
enum class StandIn : std::uint8_t {
  kTimestamp,  // [seconds, nanoseconds]
  kBytes,      // base64
  kReference,  // the full name
  kGeoPoint,   // [latitude, longitude]
  kVector,     // an array of numbers, "Infinity" and "-Infinity"
  kBigInt,     // digits: an integer beyond 2^53
  kDouble,     // "NaN", "Infinity", "-Infinity", "-0"
};

// A streaming transcoder: turns the fields of documents from wire JSON into plain JSON
// ({"stringValue": "x"} becomes "x") in one pass, which also reads the values of the query's order.
// The writer copies the server's text if it can, and checks everything: in the JSON for JavaScript
// no object has a name twice, and every stand-in is well-formed for its kind.
//
// A shape lists the stand-ins of a document, [[stand, key or index, …], …], by the path from its
// fields down. Documents of a collection mostly have the same one.
class PlainWriter {
 public:
  // The writer leaves out fields outside of `projection`; nullopt lets everything pass. The
  // projection must be sorted, with no path inside another. Both must outlive the writer.
  PlainWriter(const std::vector<FieldPath>& key_fields,
              const std::optional<std::vector<FieldPath>>& projection)
      : key_fields_(key_fields), projection_(projection) {}

  // Reads the object of values that comes next in the scanner, and puts the values of the key
  // fields into `fields.keys`. Errors latch in the scanner, also for a missing key field.
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

  // Each method reads the scanner's next value; errors latch in the scanner. An object of values;
  // returns the number of values that it has written.
  std::size_t WriteFields(JsonScanner& scanner, Selection selection, std::size_t depth);
  static Selection Narrow(Selection selection, std::string_view raw_key, std::size_t depth);
  // The selected part of a map. If no field of it is selected, returns false, and may have written
  // text.
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
  // Refuses an object that has a name twice, and drops its names, which begin at `first`.
  void CheckNames(JsonScanner& scanner, std::size_t first);
  // Reads the keys that are this field, or inside it. The scanner does not move. Returns the key
  // that is the whole value; null if no key is, or if the value is malformed.
  const SortKey* ReadKeys(const JsonScanner& scanner, std::string_view raw_key);
  // Writes a value that was read as a key, and skips it. Returns false, and does nothing, if keys
  // do not keep values of its kind.
  bool WriteKey(JsonScanner& scanner, const SortKey& key, Step step);

  // Turns the map of two fields that was written since `start` into a vector if it is one.
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
  // Its shape so far, and the path of the current map or array; each element and each step has a
  // comma in front.
  std::string shape_;
  std::string path_;
  // The names in the open objects, the innermost object's last; and the unescaped names.
  std::vector<std::string_view> names_;
  std::forward_list<std::string> unescaped_;
};

}  // namespace shardline
