// Writes (google/firestore/v1/write.proto): read from JSON, checked, and applied to a store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "simulator/gate.h"
#include "simulator/store.h"

namespace shardline::simulator {

struct Precondition {
  std::optional<bool> exists;
  std::optional<Timestamp> update_time;
};

// Reads `currentDocument`.
Precondition ReadPrecondition(JsonScanner& scanner);

struct Transform {
  enum class Kind : std::uint8_t {
    kServerTimestamp,
    kIncrement,
    kMaximum,
    kMinimum,
    kAppendMissing,
    kRemoveAll,
  };
  FieldPath field;
  Kind kind = Kind::kIncrement;
  Value operand;  // An Array for the last two.
};

struct Write {
  // kVerify changes nothing: it is a precondition alone.
  enum class Kind : std::uint8_t { kUpdate, kTransform, kDelete, kVerify };
  Kind kind = Kind::kUpdate;
  std::string path;
  Map fields;
  // Without a mask, the write replaces the document.
  std::optional<std::vector<FieldPath>> mask;
  std::vector<Transform> transforms;
  Precondition precondition;
};

// Reads one Write of the database.
Write ReadWrite(JsonScanner& scanner, std::string_view database);
// Reads `{"fieldPaths": […]}`; nullopt for null.
std::optional<std::vector<FieldPath>> ReadMask(JsonScanner& scanner);

struct WriteOutcome {
  std::optional<Timestamp> update_time;  // nullopt for a delete.
  std::vector<Value> transform_results;
};

// kInvalidArgument if the writes of one commit to one document cannot all succeed for any state of
// the document.
Status CheckSequences(const std::vector<Write>& writes);

struct CommitTimes {
  Timestamp request;  // The value of server timestamps.
  Timestamp read;     // The update time of a verifying write to a document that never existed.
  Timestamp commit;   // Later than all changes before, and than `read`.
};

// Applies the writes atomically: all, or none if one of them fails. The writes must have passed
// CheckSequences().
Result<std::vector<WriteOutcome>> ApplyWrites(Store& store, const std::vector<Write>& writes,
                                              const CommitTimes& times, Gate* gate);

}  // namespace shardline::simulator
