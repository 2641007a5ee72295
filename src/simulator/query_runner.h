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
  // How many the offset passed over.
  std::int64_t skipped = 0;
  // How many vectors were compared.
  std::int64_t vectors = 0;
};

// Without `at`, over the documents as they are now.
QueryRows RunQuery(Store& store, const Query& query, std::optional<Timestamp> at);

// Keeps the nearest of the rows. Two at the same distance keep their order.
void KeepNearest(const Nearest& nearest, QueryRows& found);

}  // namespace shardline::simulator
