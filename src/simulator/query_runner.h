// Runs a query over a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/query.h"
#include "simulator/store.h"

namespace shardline::simulator {

struct Row {
  const Document* document;
  ContentPtr content;
};

struct QueryRows {
  std::vector<Row> rows;
  // The number of rows that the offset skipped.
  std::int64_t skipped = 0;
  // The number of vectors that were compared.
  std::int64_t vectors = 0;
};

// Runs the query over the documents at the time `at`; nullopt: now.
QueryRows RunQuery(Store& store, const Query& query, std::optional<Timestamp> at);

// Keeps the nearest rows (an exact nearest-neighbor search). Rows at the same distance keep their
// order.
void KeepNearest(const Nearest& nearest, QueryRows& found);

}  // namespace shardline::simulator
