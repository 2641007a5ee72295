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
#include "base/reason.h"
#include "documents/commit_operation.h"
#include "documents/document_commit.h"
#include "sharded_query/aggregate_operation.h"
#include "sharded_query/count_operation.h"
#include "sharded_query/get_document.h"
#include "sharded_query/known_collection.h"
#include "sharded_query/page_operation.h"
#include "sharded_query/query_plan.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

// Bounds one commit. Firestore takes more, but a batch that is refused or lost is sent again as a
// whole.
constexpr std::size_t kMaxBatchWrites = 500;
constexpr std::size_t kMaxBatchBytes = 1'048'576;

Result<std::shared_ptr<const ShardedCollection>> ReadCollection(Arguments& arguments,
                                                                OperationContext& context) {
  if (!arguments.ok()) return arguments.TakeFailure();
  return KnownCollection::Read(context, arguments.Raw("collection"));
}

Result<DocumentPath> ReadDocumentPath(Arguments& arguments, const ShardedCollection& collection) {
  const std::string id = arguments.Text("id");
  if (!arguments.ok()) return arguments.TakeFailure();
  SHARDLINE_CHECK(CheckId(id, "document id"));
  return collection.path().Document(id);
}

Result<std::unique_ptr<QueryPlan>> ReadPlan(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionQueryParameters>);
  SHARDLINE_TRY(std::shared_ptr<const ShardedCollection> && collection,
                ReadCollection(arguments, context));
  return QueryPlan::Read(std::move(collection), arguments.Raw("query"));
}

std::string IdAndShard(const DocumentPath& path, std::string_view shard) {
  JsonWriter writer;
  writer.BeginObject().Key("id").String(path.id());
  if (!shard.empty()) writer.Key("shard").Raw(shard);
  return writer.EndObject().Take();
}

DocumentCommit::Asked Asked(const DocumentPath& path, DocumentWrite document) {
  return {std::move(document.write), IdAndShard(path, document.shard)};
}

// About the bytes that the write adds to a commit.
std::size_t EncodedSize(const Write& write) {
  constexpr std::size_t kFraming = 200;
  std::size_t size = write.name.size() + write.fields.json().size() + kFraming;
  for (const FieldTransform& transform : write.transforms) {
    size += transform.value.json().size() + kFraming;
  }
  return size;
}

// Documents that one commit adds.
struct NewDocuments {
  std::vector<Write> writes;
  std::size_t size = 0;
  std::string added;  // The content of the result, separated by commas.
};

// Reads as many documents as a commit may have, but at least one; or all of them, to check them and
// to say how they would be added.
Status ReadBatch(Arguments& arguments, OperationContext& context, bool all, NewDocuments& batch) {
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  if (!arguments.Has("documents")) return {};
  std::int64_t number = arguments.Integer("start");
  JsonScanner scanner = arguments.Scanner("documents");
  scanner.BeginArray();
  while (scanner.NextElement()) {
    const DocumentPath path = collection->path().Document(MakeAutoId(context.random));
    DocumentWrite document{{.name = path.Name(context.database)}};
    Status status = ReadDocument(scanner, *collection, path, context.random, document);
    if (!status && arguments.Has("start")) {
      std::string prefix = "Document ";
      AppendInt64(prefix, number);
      status.error().message.insert(0, prefix + ": ");
    }
    SHARDLINE_CHECK(std::move(status));
    ++number;
    document.write.precondition.kind = Precondition::Kind::kMissing;
    batch.size += EncodedSize(document.write);
    const bool full = batch.writes.size() == kMaxBatchWrites || batch.size > kMaxBatchBytes;
    if (!all && full && !batch.writes.empty()) break;
    if (!batch.added.empty()) batch.added += ',';
    batch.added += IdAndShard(path, document.shard);
    if (all) continue;
    batch.writes.push_back(std::move(document.write));
  }
  if (!scanner.ok()) return scanner.failure("the documents");
  return {};
}

Start StartMerge(const Arguments& arguments, const ShardedCollection& collection,
                 const DocumentPath& path, OperationContext& context) {
  SHARDLINE_TRY(DocumentMerge && merge,
                ReadMerge(arguments.Raw("document"), collection, path, path.Name(context.database),
                          context.random, arguments.Boolean("move")));
  std::optional<DocumentCommit::Asked> if_missing;
  if (merge.if_missing) if_missing = Asked(path, std::move(*merge.if_missing));
  if (!merge.if_unsharded) {
    return std::make_unique<DocumentCommit>(context, Asked(path, std::move(merge.merge)),
                                            std::move(if_missing));
  }
  DocumentCommit::NamedShard named{collection.shard_field(), merge.merge.shard,
                                   std::move(*merge.if_unsharded)};
  return std::make_unique<DocumentCommit>(context, Asked(path, std::move(merge.merge)),
                                          std::move(*if_missing), std::move(named));
}

}  // namespace

Start StartCollectionCheck(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionCheckParameters>);
  NewDocuments batch;
  SHARDLINE_CHECK(ReadBatch(arguments, context, true, batch));
  return std::make_unique<ReadyOperation>(context, "[" + batch.added + "]");
}

Start StartCollectionAdd(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionAddParameters>);
  NewDocuments batch;
  SHARDLINE_CHECK(ReadBatch(arguments, context, false, batch));
  CommitRequest request{.body = EncodeCommit(batch.writes)};
  request.billed.writes = static_cast<std::int64_t>(batch.writes.size());
  request.result = "[" + batch.added + "]";
  return std::make_unique<CommitOperation>(context, std::move(request));
}

Start StartCollectionSet(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionSetParameters>);
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  SHARDLINE_TRY(const DocumentPath& path, ReadDocumentPath(arguments, *collection));
  if (arguments.Boolean("merge")) return StartMerge(arguments, *collection, path, context);
  if (arguments.Has("move")) {
    return Conflict("move", "merge", "The option `move` needs `merge: true`.");
  }
  DocumentWrite document{{.name = path.Name(context.database)}};
  JsonScanner text = arguments.Scanner("document");
  SHARDLINE_CHECK(ReadDocument(text, *collection, path, context.random, document));
  return std::make_unique<DocumentCommit>(context, Asked(path, std::move(document)));
}

Start StartCollectionUpdate(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionUpdateParameters>);
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  SHARDLINE_TRY(const DocumentPath& path, ReadDocumentPath(arguments, *collection));
  DocumentWrite document{{.name = path.Name(context.database)}};
  JsonScanner text = arguments.Scanner("changes");
  SHARDLINE_CHECK(ReadChanges(text, *collection, path, document));
  if (!document.shard.empty() && !arguments.Boolean("move")) {
    return RefuseMove(collection->shard_field());
  }
  return std::make_unique<DocumentCommit>(context, Asked(path, std::move(document)));
}

Start StartCollectionGet(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionGetParameters>);
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  SHARDLINE_TRY(const DocumentPath& path, ReadDocumentPath(arguments, *collection));
  const bool name_only = arguments.Boolean("nameOnly");
  return std::make_unique<GetDocument>(
      context, path, name_only ? GetDocument::Reads::kNameOnly : GetDocument::Reads::kAll);
}

Start StartCollectionDelete(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionDeleteParameters>);
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, context));
  SHARDLINE_TRY(const DocumentPath& path, ReadDocumentPath(arguments, *collection));
  DocumentWrite document{{.kind = Write::Kind::kDelete, .name = path.Name(context.database)}};
  return std::make_unique<DocumentCommit>(context, Asked(path, std::move(document)));
}

Start StartCollectionQuery(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_TRY(std::unique_ptr<QueryPlan> && plan, ReadPlan(scanner, context));
  return std::make_unique<PageOperation>(context, std::move(plan));
}

Start StartCollectionCount(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_TRY(std::unique_ptr<QueryPlan> && plan, ReadPlan(scanner, context));
  return CountOperation::Start(context, std::move(plan));
}

Start StartCollectionAggregate(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionAggregateParameters>);
  SHARDLINE_TRY(std::shared_ptr<const ShardedCollection> && collection,
                ReadCollection(arguments, context));
  const std::string field = arguments.Text("field");
  if (!arguments.ok()) return arguments.TakeFailure();
  SHARDLINE_TRY(FieldPath && path, FieldPath::Parse(field));
  SHARDLINE_TRY(std::unique_ptr<QueryPlan> && plan,
                QueryPlan::Read(std::move(collection), arguments.Raw("query")));
  using Kind = AggregateOperation::Kind;
  return AggregateOperation::Start(context, std::move(plan), std::move(path),
                                   arguments.Word("kind") == 0 ? Kind::kSum : Kind::kAverage);
}

Start StartCollectionPlan(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_TRY(const std::unique_ptr<QueryPlan>& plan, ReadPlan(scanner, context));
  JsonWriter writer;
  plan->Describe(writer);
  return std::make_unique<ReadyOperation>(context, writer.Take());
}

}  // namespace shardline
