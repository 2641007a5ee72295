#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "firestore/field_path.h"
#include "firestore/value_codec.h"
#include "sharded_query/answer_reader.h"

namespace shardline {

// What stands in plain JSON for a value that plain JSON cannot say. The numbers are known to
// web/library/revive.js.
enum class Stand : std::uint8_t {
  kTimestamp,  // [seconds, nanoseconds]
  kBytes,      // base64
  kReference,  // the full name
  kGeoPoint,   // [latitude, longitude]
  kVector,     // an array of numbers
  kBigInt,     // digits: an integer beyond 2^53
  kDouble,     // "NaN", "Infinity", "-Infinity", "-0"
};

// Writes documents as plain JSON ({"stringValue": "x"} becomes "x"), straight from the bytes of the
// answers: nothing is decoded that can be copied. One document is
//
//   ["id", {data}, createSeconds, createNanos, updateSeconds, updateNanos, shape]
//
// where `shape` is an index into a list of shapes. A shape says which values of the document are
// stand-ins: [[stand, key or index, …], …], the path from `data` down. Documents of a collection
// mostly have the same one.
class PlainWriter {
 public:
  // Fields outside of `projection` are left out; nullopt lets everything pass. It must be sorted,
  // with no path inside another, and outlive the writer.
  explicit PlainWriter(const std::optional<std::vector<FieldPath>>& projection)
      : projection_(projection) {}

  // kInvalidArgument, with the writer in no good state, if the document is not as a server writes
  // it. A slice of a PaddedText.
  Status Add(const DocumentHead& document);

  // The documents, and the shapes, separated by commas.
  const std::string& documents() const { return out_; }
  std::string Shapes() const;

 private:
  // A range of the projection whose paths all agree on the way down to here.
  struct Selection {
    const FieldPath* begin;
    const FieldPath* end;
  };
  // The last step of the way down to a value: a key, or else an index.
  struct Step {
    std::string_view raw_key;
    std::int64_t index = -1;
  };
  // What can be taken back.
  struct Mark {
    std::size_t out;
    std::size_t shape;
    std::size_t path;
  };

  Mark Here() const { return {out_.size(), shape_.size(), path_.size()}; }
  void Enter(Step step) { AppendStep(path_, step); }
  static void AppendStep(std::string& path, Step step);

  // Each reads what the scanner stands in front of; errors latch there.
  // An object of values; returns how many.
  std::size_t WriteFields(JsonScanner& scanner, int depth);
  // Its selected part; false, with nothing written, if there is none.
  bool WriteSelected(JsonScanner& scanner, Selection selection, std::size_t depth);
  bool WriteSelectedMap(JsonScanner& scanner, Selection selection, Step step, std::size_t depth);
  void WriteValue(JsonScanner& scanner, Step step, int depth);
  void WriteKind(JsonScanner& scanner, WireKind kind, Step step, int depth);
  void WriteInteger(JsonScanner& scanner, Step step);
  void WriteDouble(JsonScanner& scanner, Step step);
  void WriteGeoPoint(JsonScanner& scanner);
  void WriteArray(JsonScanner& scanner, Step step, int depth);
  void WriteMap(JsonScanner& scanner, Step step, int depth);

  // Turns what has been written since `mark`, a map of two fields, into a vector if it is one.
  void FoldVector(Mark mark, Step step);
  // "seconds,nanoseconds"
  void WriteTime(JsonScanner& scanner, std::string_view text);
  void WriteQuoted(std::string_view raw);
  void Note(Stand stand, Step step);
  std::size_t ShapeIndex();

  const std::optional<std::vector<FieldPath>>& projection_;
  std::string out_;
  // Of the document that is being written: its shape so far, and the way down to the map or array
  // that is being written; each element and each step with a comma in front.
  std::string shape_;
  std::string path_;
  std::vector<std::string> shapes_;
};

}  // namespace shardline
