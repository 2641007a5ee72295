#include "api/batch_api.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/reason.h"
#include "batch/commit_batch.h"
#include "documents/document_write.h"
#include "sharded_query/known_collection.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

// In the order of the words.
enum class WriteKind : std::uint8_t { kSet, kMerge, kCreate, kUpdate, kDelete };

// Says in front of what is wrong with a write which one it is.
Failure Of(const std::string& path, Failure failure) {
  failure.error().message.insert(0, path + ": ");
  return failure;
}

// The collection that a document is in: the one that was given, or an ordinary one.
Result<std::shared_ptr<const ShardedCollection>> ReadCollection(Arguments& arguments,
                                                                const DocumentPath& document,
                                                                OperationContext& context) {
  if (arguments.Has("collection")) {
    return KnownCollection::Read(context, arguments.Raw("collection"));
  }
  const std::string_view text = document.text();
  JsonWriter writer;
  writer.BeginObject().Key("path").String(text.substr(0, text.rfind('/')));
  writer.Key("ordinary").Boolean(true).EndObject();
  return KnownCollection::Read(context, writer.Take());
}

Result<Write> ReadDocumentWrite(Arguments& arguments, WriteKind kind,
                                const ShardedCollection& collection, const DocumentPath& path,
                                OperationContext& context) {
  const std::string name = path.Name(context.database);
  DocumentWrite document{{.name = name}};
  JsonScanner text = arguments.Scanner("document");
  switch (kind) {
    case WriteKind::kDelete:
      document.write.kind = Write::Kind::kDelete;
      break;
    case WriteKind::kMerge: {
      // A batch reads nothing first: a shard that is named is written as it is.
      SHARDLINE_TRY(DocumentMerge && merge, ReadMerge(arguments.Raw("document"), collection, path,
                                                      name, context.random, true));
      document = std::move(merge.merge);
      break;
    }
    case WriteKind::kUpdate:
      SHARDLINE_CHECK(ReadChanges(text, collection, path, document));
      break;
    case WriteKind::kCreate:
      document.write.precondition.kind = Precondition::Kind::kMissing;
      [[fallthrough]];
    case WriteKind::kSet:
      SHARDLINE_CHECK(ReadDocument(text, collection, path, context.random, document));
      break;
  }
  return std::move(document.write);
}

Result<Write> ReadWrite(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kBatchWriteParameters>, "writes.");
  const auto kind = static_cast<WriteKind>(arguments.Word("kind"));
  const std::string text = arguments.Text("path");
  if (kind != WriteKind::kDelete && !arguments.Has("document")) arguments.Refuse("document");
  if (!arguments.ok()) return arguments.TakeFailure();
  SHARDLINE_TRY(const DocumentPath& path, DocumentPath::Parse(text));
  SHARDLINE_TRY(const std::shared_ptr<const ShardedCollection>& collection,
                ReadCollection(arguments, path, context));
  Result<Write> write = ReadDocumentWrite(arguments, kind, *collection, path, context);
  if (!write) return Of(text, write.TakeFailure());
  return write;
}

// A commit takes the same document twice, but what is meant by that is rarely what comes of it.
Status CheckNames(const std::vector<Write>& writes, const DatabaseName& database) {
  std::vector<std::string_view> names;
  names.reserve(writes.size());
  for (const Write& write : writes) names.emplace_back(write.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return {};
  return Fail(kDocumentWrittenTwice, "")
         << Param{"document", twice->substr(database.documents().size() + 1)}
         << " is written twice in this batch: write all of its changes in one call.";
}

bool AreTheSame(const Counter& a, const Counter& b) {
  return a.shard_collection().text() == b.shard_collection().text() &&
         a.count_field() == b.count_field();
}

// What is added to the same counter goes together.
Status AddTo(std::vector<BatchIncrement>& increments, BatchIncrement added) {
  const auto same = std::find_if(
      increments.begin(), increments.end(),
      [&](const BatchIncrement& other) { return AreTheSame(*other.counter, *added.counter); });
  const std::string path = added.counter->path();
  const std::optional<Amount> sum =
      same == increments.end() ? added.delta : Add(same->delta, added.delta);
  if (!sum) {
    return Fail(kBatchIncrementTooLarge, "")
           << Param{"path", path} << ": what the batch adds is more than a 64-bit integer holds.";
  }
  if (same == increments.end()) {
    increments.push_back(std::move(added));
    return {};
  }
  same->delta = *sum;
  same->places.insert(same->places.end(), added.places.begin(), added.places.end());
  if (added.most && (!same->most || added.most->number() < same->most->number())) {
    same->most = added.most;
  }
  return {};
}

// When all are known: what goes up and down again is within bounds.
Status CheckSums(const std::vector<BatchIncrement>& increments) {
  for (const BatchIncrement& increment : increments) {
    if (!increment.most || std::abs(increment.delta.number()) <= increment.most->number()) continue;
    return Fail(kBatchIncrementTooLarge, "")
           << Param{"path", increment.counter->path()}
           << ": the batch adds more than the counter's `maxDelta`, and cannot be divided.";
  }
  return {};
}

Status ReadIncrement(JsonScanner& scanner, std::size_t place, OperationContext& context,
                     BatchRequest& request) {
  Arguments arguments(scanner, kChecks<kBatchIncrementParameters>, "increments.");
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const Amount delta = ReadDelta(arguments);
  const std::optional<Amount> most = ReadMaxDelta(arguments);
  if (!arguments.ok()) return arguments.TakeFailure();
  if (counter->has_votes()) {
    return Fail(kCounterNotForBatch, "")
           << Param{"path", counter->path()}
           << ": a voter's increment is kept with the vote, which a batch does not write.";
  }
  return AddTo(request.increments, {std::move(counter), delta, {place}, most});
}

void ReadBatch(Arguments& arguments, BatchRequest& request) {
  request.id = arguments.Text("id");
  request.server_now = ReadServerNow(arguments);
  if (arguments.Has("sentBeforeMs")) {
    request.sent_before = std::chrono::milliseconds(arguments.Integer("sentBeforeMs"));
  }
  Status valid = CheckId(request.id, "batch id");
  if (!valid) arguments.Latch(valid.TakeFailure());
}

}  // namespace

Start StartBatchCommit(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kBatchCommitParameters>);
  BatchRequest request;
  ReadBatch(arguments, request);
  if (!arguments.ok()) return arguments.TakeFailure();
  JsonScanner writes = arguments.Scanner("writes");
  writes.BeginArray();
  while (writes.NextElement()) {
    SHARDLINE_TRY(Write && write, ReadWrite(writes, context));
    request.writes.push_back(std::move(write));
  }
  if (!writes.ok()) return writes.failure("the writes");
  SHARDLINE_CHECK(CheckNames(request.writes, context.database));
  JsonScanner increments = arguments.Scanner("increments");
  increments.BeginArray();
  for (std::size_t place = 0; increments.NextElement(); ++place) {
    SHARDLINE_CHECK(ReadIncrement(increments, place, context, request));
  }
  if (!increments.ok()) return increments.failure("the increments");
  SHARDLINE_CHECK(CheckSums(request.increments));
  return CommitBatch::Start(context, std::move(request));
}

Start StartBatchWithdraw(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kBatchWithdrawParameters>);
  BatchRequest request;
  ReadBatch(arguments, request);
  if (!arguments.ok()) return arguments.TakeFailure();
  request.withdraws = true;
  return CommitBatch::Start(context, std::move(request));
}

}  // namespace shardline
