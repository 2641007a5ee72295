#include "simulator/query_call.h"

#include "base/base64.h"
#include "indexes/missing_index.h"
#include "simulator/names.h"
#include "simulator/required_index.h"

namespace shardline::simulator {

Status CheckParent(const Call& call) {
  const auto parent = ParseParentName(DocumentName(call.database.name, call.path));
  if (!parent) return Fail(parent.error());
  return {};
}

Status PrepareQuery(const Call& call, Snapshot& snapshot, Query& query) {
  SHARDLINE_CHECK(CheckQuery(query, call.database.name));
  snapshot.NoteQuery(query.collection_id);
  SHARDLINE_CHECK(CompleteQuery(query));
  return CheckNameScan(query);
}

Status CheckIndexes(Call& call, const Query& query) {
  if (call.options.index_check == IndexCheck::kNone || query.nearest) return {};
  const std::vector<CompositeIndex> missing = MissingIndexes(query, call.options.indexes.get());
  for (const CompositeIndex& index : missing) {
    call.missing_indexes.push_back(WriteComposite(index).dump());
  }
  if (missing.empty() || call.options.index_check == IndexCheck::kNote) return {};
  // The link comes first: a client may cut a long message. The other dialects leave out the rest.
  return Fail(Code::kFailedPrecondition,
              std::string(kNeedsIndex) +
                  WriteMissingIndexLink(call.database.name, missing.front()) +
                  std::string(kNeededIndex) + call.missing_indexes.front());
}

QueryRows Run(const Call& call, const Query& query, std::optional<Timestamp> at) {
  QueryRows found = RunQuery(call.database.store, query, at);
  if (query.nearest) KeepNearest(*query.nearest, found);
  return found;
}

std::int64_t ReadsOfVectors(std::int64_t vectors) {
  constexpr std::int64_t kVectorsPerRead = 100;
  return (vectors + kVectorsPerRead - 1) / kVectorsPerRead;
}

void WriteNewTransaction(JsonWriter& writer, const Snapshot& snapshot) {
  if (snapshot.new_transaction().empty()) return;
  writer.BeginObject().Key("transaction").RawString(EncodeBase64(snapshot.new_transaction()));
  writer.EndObject();
}

}  // namespace shardline::simulator
