// The parts that all methods with a query share.
#pragma once

#include <cstdint>
#include <optional>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "simulator/database.h"
#include "simulator/query_runner.h"
#include "simulator/refusal.h"

namespace shardline::simulator {

// Refuses a parent that is not a document.
Status CheckParent(const Call& call);

// Reads the member `structuredQuery`, and keeps a refusal until Take(), because the caller must
// read the rest of the body first.
class QueryMember {
 public:
  explicit QueryMember(const Call& call) : call_(call) {}

  void Read(JsonScanner& scanner) { query_ = ReadQuery(scanner, call_.database.name, call_.path); }
  Result<Query> Take() { return std::move(query_); }

 private:
  const Call& call_;
  Result<Query> query_ = InvalidArgument("only structured queries are supported");
};

// Checks the query, notes it for the snapshot's transaction, and completes its orders. Like the
// emulator, it notes the query even if no index can answer it.
Status PrepareQuery(const Call& call, Snapshot& snapshot, Query& query);

// Notes the indexes that a query lacks, and refuses it if the options say so. Like on the emulator,
// `findNearest` needs no index.
Status CheckIndexes(Call& call, const Query& query);

// Runs the query over the documents at the time `at`; nullopt: now.
QueryRows Run(const Call& call, const Query& query, std::optional<Timestamp> at);

// The reads that Firestore bills for the vectors that it compares
// (https://cloud.google.com/firestore/pricing).
std::int64_t ReadsOfVectors(std::int64_t vectors);

// Writes the element with the transaction that a read has begun, if it has begun one.
void WriteNewTransaction(JsonWriter& writer, const Snapshot& snapshot);

}  // namespace shardline::simulator
