#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "firestore/amount.h"
#include "firestore/encoded_value.h"
#include "firestore/field_path.h"

namespace shardline {

// Firestore's write (google/firestore/v1/write.proto).

struct Precondition {
  enum class Kind : std::uint8_t { kNone, kExists, kMissing, kUpdateTime };
  Kind kind = Kind::kNone;
  std::string update_time = {};  // For kUpdateTime, as the server wrote it.

  // Requires that the document is as it was read: last written at `update_time`, or not there if
  // that is empty.
  static Precondition AsRead(std::string update_time);
};

struct FieldTransform {
  enum class Kind : std::uint8_t {
    kIncrement,
    kServerTimestamp,
    kAppendMissing,  // Firebase's arrayUnion
    kRemoveAll,      // Firebase's arrayRemove
    kMaximum,
    kMinimum,
  };
  FieldPath field;
  Kind kind;
  // The operand: EncodedValues::Elements() for kAppendMissing and kRemoveAll; empty for
  // kServerTimestamp.
  EncodedValue value = {};
};

// An amount that is added to a field.
struct FieldAmount {
  FieldPath field;
  Amount amount;
};

struct Write {
  enum class Kind : std::uint8_t { kUpdate, kDelete };
  Kind kind = Kind::kUpdate;
  std::string name;  // The document's full name.
  // For kUpdate. Without a mask the write replaces the document. With a mask it changes only the
  // named fields: it sets a field that has a value here, and removes one that has no value.
  EncodedFields fields = {};
  std::optional<std::vector<FieldPath>> mask = {};
  std::vector<FieldTransform> transforms = {};
  Precondition precondition = {};

  static Write Delete(std::string name, Precondition precondition);
  // The next four change the fields that they name, and leave the others. These two let the server
  // add to the fields, and make the document if it is not there.
  static Write Increment(std::string name, const std::vector<FieldAmount>& amounts);
  static Write Increment(std::string name, const FieldPath& field, const Amount& delta);
  static Write SetField(std::string name, const FieldPath& field, const Amount& value,
                        Precondition precondition);
  static Write RemoveField(std::string name, const FieldPath& field, Precondition precondition);
};

// The largest request that Firestore takes, and the largest document.
inline constexpr std::size_t kMaxRequestBytes = std::size_t{10} * 1024 * 1024;
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{1024} * 1024;

// Collects the writes of one :commit, which applies them all in one atomic step.
class CommitBody {
 public:
  CommitBody() { writer_.BeginObject().Key("writes").BeginArray(); }

  void Add(const Write& write);
  // Adds the write unless the request, with `reserved` bytes more, would exceed kMaxRequestBytes.
  // Returns whether it added the write.
  bool AddIfFits(const Write& write, std::size_t reserved = 0);

  // The number of writes.
  std::size_t size() const { return size_; }
  std::string Take() { return writer_.EndArray().EndObject().Take(); }

 private:
  JsonWriter writer_;
  std::size_t size_ = 0;
};
std::string EncodeCommit(const Write& write);
std::string EncodeCommit(const std::vector<Write>& writes);

}  // namespace shardline
