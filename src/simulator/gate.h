// The interface through which a model of limits can delay or refuse a commit (admission control).
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "firestore/timestamp.h"
#include "firestore/value.h"

namespace shardline::simulator {

// The change of one document by a commit; null: the document is not there. Writes without an effect
// count, too.
struct Change {
  std::string_view path;
  const Map* before;
  const Map* after;
};

class Gate {
 public:
  virtual ~Gate() = default;
  // Admits the commit, or returns the error of its refusal.
  virtual Status Admit(const std::vector<Change>& changes, Timestamp now) = 0;
};

}  // namespace shardline::simulator
