#pragma once

#include <cstdint>

namespace shardline {

// The documents that Firestore charges for (https://firebase.google.com/docs/firestore/pricing).
struct Billed {
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t deletes = 0;

  Billed& operator+=(const Billed& other) {
    reads += other.reads;
    writes += other.writes;
    deletes += other.deletes;
    return *this;
  }
  bool operator==(const Billed&) const = default;
};

}  // namespace shardline
