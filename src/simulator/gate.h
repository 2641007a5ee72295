// Where a model of limits stands between a commit that could succeed and its happening.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "firestore/timestamp.h"
#include "firestore/value.h"

namespace shardline::simulator {

// The change of one document by a commit; null: it is not there. Writes that change nothing count,
// too.
struct Change {
  std::string_view path;
  const Map* before;
  const Map* after;
};

class Gate {
 public:
  virtual ~Gate() = default;
  // Lets the commit happen, or says why not.
  virtual Status Admit(const std::vector<Change>& changes, Timestamp now) = 0;
};

}  // namespace shardline::simulator
