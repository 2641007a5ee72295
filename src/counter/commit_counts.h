#pragma once

#include <cstdint>

#include "base/error.h"
#include "base/json_writer.h"

namespace shardline {

// Whether a commit was refused because of others who write at the same time.
inline bool IsContention(Code code) {
  return code == Code::kAborted || code == Code::kResourceExhausted;
}

// The commits that an operation has sent: Contention adds them up.
struct CommitCounts {
  std::int64_t attempts = 0;
  // The number of these that met contention.
  std::int64_t aborted = 0;

  void NoteSuccess() { ++attempts; }
  void NoteFailure(Code code) {
    ++attempts;
    if (IsContention(code)) ++aborted;
  }
  // "attempts": 3, "aborted": 2
  void Write(JsonWriter& writer) const {
    writer.Key("attempts").Int(attempts);
    writer.Key("aborted").Int(aborted);
  }
};

}  // namespace shardline
