#include "api/collection_api.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/ready_operation.h"
#include "base/number.h"
#include "documents/commit_operation.h"
#include "documents/document_commit.h"
#include "documents/document_write.h"
#include "sharded_query/count_operation.h"
#include "sharded_query/known_collection.h"
#include "sharded_query/page_operation.h"
#include "sharded_query/query_plan.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

// Of one commit. Firestore takes more, but a batch that is refused or lost is sent again as a
// whole.
constexpr std::size_t kMaxBatchWrites = 500;
constexpr std::size_t kMaxBatchBytes = 1'048'576;

// Reads the first of the arguments.
Result<std::shared_ptr<const ShardedCollection>> ReadCollection(JsonScanner& scanner,
                                                                OperationContext& context) {
  scanner.BeginArray();
  scanner.NextElement();
  return KnownCollection::Read(context, scanner);
}

Result<DocumentPath> ReadDocumentPath(JsonScanner& scanner, const ShardedCollection& collection) {
  scanner.NextElement();
  const std::string id = scanner.String();
  if (!scanner.ok()) return scanner.failure("the document id");
  SHARDLINE_CHECK(CheckId(id, "document id"));
  return collection.path().Document(id);
}

Result<std::unique_ptr<QueryPlan>> ReadPlan(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_TRY(std::shared_ptr<const ShardedCollection> && collection,
                ReadCollection(scanner, context));
  scanner.NextElement();
  return QueryPlan::Read(std::move(collection), scanner);
}

std::string IdAndShard(const DocumentPath& path, std::string_view shard) {
  JsonWriter writer;
  writer.BeginObject().Key("id").String(path.id());
  if (!shard.empty()) writer.Key("shard").Raw(shard);
  return writer.EndObject().Take();
}

// Roughly what the write adds to a commit, in bytes.
std::size_t EncodedSize(const Write& write) {
  constexpr std::size_t kFraming = 200;
  std::size_t size = write.name.size() + write.fields.size() + kFraming;
  for (const FieldTransform& transform : write.transforms) {
    size += transform.value.size() + kFraming;
  }
  return size;
}

// New documents of one commit.
struct Batch {
  std::vector<Write> writes;
  std::size_t size = 0;
  std::string added;  // What stands in the result, separated by commas.
};

// Reads as many documents as a commit may have, but at least one, or all of them to no other end
// than to check them.
Status ReadBatch(JsonScanner& scanner, OperationContext& context, bool all, Batch& batch) {
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(scanner, context));
  if (!scanner.NextElement()) return {};
  std::optional<std::int64_t> number = ParseInt64(scanner.SkipValue());
  scanner.NextElement();
  scanner.BeginArray();
  while (scanner.NextElement()) {
    const DocumentPath path = collection->path().Document(MakeAutoId(context.random));
    DocumentWrite document{{.name = path.Name(context.database)}};
    Status status = ReadDocument(scanner, *collection, path, context.random, document);
    if (!status && number) {
      std::string prefix = "Document ";
      AppendInt64(prefix, *number);
      status.error().message.insert(0, prefix + ": ");
    }
    SHARDLINE_CHECK(std::move(status));
    if (number) ++*number;
    if (all) continue;
    document.write.precondition.kind = Precondition::Kind::kMissing;
    batch.size += EncodedSize(document.write);
    const bool full = batch.writes.size() == kMaxBatchWrites || batch.size > kMaxBatchBytes;
    if (full && !batch.writes.empty()) break;
    if (!batch.added.empty()) batch.added += ',';
    batch.added += IdAndShard(path, document.shard);
    batch.writes.push_back(std::move(document.write));
  }
  return {};
}

}  // namespace

Started StartCollectionCheck(JsonScanner& arguments, OperationContext& context) {
  Batch batch;
  SHARDLINE_CHECK(ReadBatch(arguments, context, true, batch));
  return std::make_unique<ReadyOperation>(context, "{}");
}

Started StartCollectionAdd(JsonScanner& arguments, OperationContext& context) {
  Batch batch;
  SHARDLINE_CHECK(ReadBatch(arguments, context, false, batch));
  CommitRequest request{.body = EncodeCommit(batch.writes)};
  request.billed.writes = static_cast<std::int64_t>(batch.writes.size());
  request.result = "[" + batch.added + "]";
  return std::make_unique<CommitOperation>(context, std::move(request));
}

Started StartCollectionSet(JsonScanner& arguments, OperationContext& context) {
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  SHARDLINE_TRY(const DocumentPath& path, ReadDocumentPath(arguments, *collection));
  DocumentWrite document{{.name = path.Name(context.database)}};
  arguments.NextElement();
  SHARDLINE_CHECK(ReadDocument(arguments, *collection, path, context.random, document));
  return std::make_unique<DocumentCommit>(context, std::move(document.write),
                                          IdAndShard(path, document.shard));
}

Started StartCollectionUpdate(JsonScanner& arguments, OperationContext& context) {
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  SHARDLINE_TRY(const DocumentPath& path, ReadDocumentPath(arguments, *collection));
  DocumentWrite document{{.name = path.Name(context.database)}};
  arguments.NextElement();
  SHARDLINE_CHECK(ReadChanges(arguments, *collection, path, document));
  return std::make_unique<DocumentCommit>(context, std::move(document.write),
                                          IdAndShard(path, document.shard));
}

Started StartCollectionDelete(JsonScanner& arguments, OperationContext& context) {
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  SHARDLINE_TRY(const DocumentPath& path, ReadDocumentPath(arguments, *collection));
  return std::make_unique<DocumentCommit>(
      context, Write{.kind = Write::Kind::kDelete, .name = path.Name(context.database)},
      IdAndShard(path, ""));
}

Started StartCollectionQuery(JsonScanner& arguments, OperationContext& context) {
  SHARDLINE_TRY(std::unique_ptr<QueryPlan> && plan, ReadPlan(arguments, context));
  return std::make_unique<PageOperation>(context, std::move(plan));
}

Started StartCollectionCount(JsonScanner& arguments, OperationContext& context) {
  SHARDLINE_TRY(std::unique_ptr<QueryPlan> && plan, ReadPlan(arguments, context));
  return std::make_unique<CountOperation>(context, std::move(plan));
}

Started StartCollectionPlan(JsonScanner& arguments, OperationContext& context) {
  SHARDLINE_TRY(const std::unique_ptr<QueryPlan>& plan, ReadPlan(arguments, context));
  JsonWriter writer;
  plan->Describe(writer);
  return std::make_unique<ReadyOperation>(context, writer.Take());
}

}  // namespace shardline
