// The methods that read many documents: :batchGet and :runQuery.

#include <algorithm>

#include "simulator/database.h"
#include "simulator/explain.h"
#include "simulator/names.h"
#include "simulator/query_call.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
// ---- Methods that are not there ----

Result<std::string> PartitionQuery(Call& call) {
  constexpr std::string_view kMembers[] = {"structuredQuery", "partitionCount", "pageToken",
                                           "pageSize", "readTime"};
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    scanner.SkipValue();
    return std::find(std::begin(kMembers), std::end(kMembers), member) != std::end(kMembers);
  }));
  return Fail(Code::kUnimplemented,
              "Method google.firestore.v1.Firestore/PartitionQuery is unimplemented");
}

Result<std::string> ExecutePipeline(Call& call) {
  constexpr std::string_view kMembers[] = {"structuredPipeline", "transaction", "newTransaction",
                                           "readTime"};
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    scanner.SkipValue();
    return std::find(std::begin(kMembers), std::end(kMembers), member) != std::end(kMembers);
  }));
  return Fail(Code::kUnknown, "Pipelines are not served.");
}

// ---- Methods that are served ----

Result<std::string> BatchGet(Call& call) {
  std::vector<std::string> paths;
  std::optional<std::vector<FieldPath>> mask;
  Snapshot::Selector selector;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "documents") {
      ReadArray(scanner, [&] {
        Result<ResourcePath> name = ParseDocumentName(ReadString(scanner));
        if (!name || name->database != call.database.name) {
          scanner.Reject("the name of a document is malformed");
        } else if (std::find(paths.begin(), paths.end(), name->path) == paths.end()) {
          paths.push_back(std::move(name->path));
        }
      });
    } else if (member == "mask") {
      mask = ReadMask(scanner);
    } else {
      return selector.Read(scanner, member);
    }
    return true;
  }));
  SHARDLINE_TRY(Snapshot snapshot, Snapshot::Open(call, selector));
  JsonWriter writer;
  writer.BeginArray();
  WriteNewTransaction(writer, snapshot);
  for (const std::string& path : paths) {
    const ContentPtr content = call.database.store.Get(path, snapshot.at());
    snapshot.NoteRead(path);
    ++call.billed.reads;
    writer.BeginObject();
    if (content) {
      writer.Key("found");
      WriteDocument(writer, call.database.name, path, *content, mask);
    } else {
      writer.Key("missing").String(DocumentName(call.database.name, path));
    }
    WriteTime(writer, "readTime", snapshot.read_time());
    writer.EndObject();
  }
  writer.EndArray();
  return writer.Take();
}

Result<std::string> RunQueryMethod(Call& call) {
  SHARDLINE_CHECK(CheckParent(call));
  QueryMember query_member(call);
  Explain explain = Explain::kNo;
  Snapshot::Selector selector;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "structuredQuery") {
      query_member.Read(scanner);
    } else if (member == "explainOptions") {
      explain = ReadExplain(scanner);
    } else {
      return selector.Read(scanner, member);
    }
    return true;
  }));
  SHARDLINE_TRY(Query query, query_member.Take());
  SHARDLINE_TRY(Snapshot snapshot, Snapshot::Open(call, selector));
  SHARDLINE_CHECK(PrepareQuery(call, snapshot, query));
  SHARDLINE_CHECK(CheckIndexes(call, query));
  JsonWriter writer;
  writer.BeginArray();
  WriteNewTransaction(writer, snapshot);
  if (explain == Explain::kPlan) return WritePlan(writer, query);
  const QueryRows found = Run(call, query, snapshot.at());
  const auto count = static_cast<std::int64_t>(found.rows.size());
  // Documents that an offset passes over are billed, too; an empty answer costs one read.
  const std::int64_t reads =
      std::max<std::int64_t>(count + found.skipped + ReadsOfVectors(found.vectors), 1);
  call.billed.reads += reads;
  call.read.skipped = found.skipped;
  const bool analyze = explain == Explain::kAnalyze;
  for (const Row& row : found.rows) {
    const bool last = !analyze && &row == &found.rows.back();
    writer.BeginObject().Key("document");
    WriteDocument(writer, call.database.name, row.document->path(), *row.content, query.select);
    WriteTime(writer, "readTime", snapshot.read_time());
    if (found.skipped > 0 && !last) {
      writer.Key("skippedResults").Int(found.skipped);
    }
    if (last) writer.Key("done").Boolean(true);
    writer.EndObject();
  }
  if (analyze || found.rows.empty()) {
    writer.BeginObject();
    if (analyze) WriteExplainMetrics(writer, query, Executed{count, reads});
    WriteTime(writer, "readTime", snapshot.read_time());
    writer.Key("done").Boolean(true).EndObject();
  }
  writer.EndArray();
  return writer.Take();
}

}  // namespace shardline::simulator
