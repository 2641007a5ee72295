#include "api/batch_api.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/reason.h"
#include "documents/document_write.h"
#include "exactly_once/apply_batch.h"
#include "exactly_once/increment_once.h"
#include "sharded_query/known_collection.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

// In the order of the words.
enum class WriteKind : std::uint8_t { kSet, kMerge, kCreate, kUpdate, kDelete };

// Puts the number of the wrong write in front of the error.
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

// A commit accepts the same document twice, but the outcome is rarely the intended one.
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

// The amount that a batch adds to one counter, and the bound that the counter's rules set to one
// commit, up or down.
struct CounterSum {
  BatchIncrement increment;
  std::optional<Amount> most = {};
};

bool AreTheSame(const Counter& a, const Counter& b) {
  return a.shard_collection().text() == b.shard_collection().text() &&
         a.count_field() == b.count_field();
}

// Amounts for the same counter go together. `places`: see ApplyBatch.
Status AddTo(std::vector<CounterSum>& sums, std::vector<std::size_t>& places, CounterSum added) {
  const auto same = std::find_if(sums.begin(), sums.end(), [&](const CounterSum& other) {
    return AreTheSame(*other.increment.counter, *added.increment.counter);
  });
  places.push_back(static_cast<std::size_t>(same - sums.begin()));
  if (same == sums.end()) {
    sums.push_back(std::move(added));
    return {};
  }
  const std::optional<Amount> delta = Add(same->increment.delta, added.increment.delta);
  if (!delta) {
    return Fail(kBatchIncrementTooLarge, "")
           << Param{"path", added.increment.counter->path()}
           << ": what the batch adds is more than a 64-bit integer holds.";
  }
  same->increment.delta = *delta;
  if (added.most && (!same->most || added.most->number() < same->most->number())) {
    same->most = added.most;
  }
  return {};
}

// Only when all are known, because increments and decrements may cancel out.
Status CheckSums(const std::vector<CounterSum>& sums) {
  for (const auto& [increment, most] : sums) {
    if (!most || std::abs(increment.delta.number()) <= most->number()) continue;
    return Fail(kBatchIncrementTooLarge, "")
           << Param{"path", increment.counter->path()}
           << ": the batch adds more than the counter's `maxDelta`, and cannot be divided.";
  }
  return {};
}

Result<CounterSum> ReadIncrement(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kBatchIncrementParameters>, "increments.");
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const Amount delta = ReadDelta(arguments);
  const std::optional<Amount> most = ReadMaxDelta(arguments);
  if (!arguments.ok()) return arguments.TakeFailure();
  return CounterSum{{std::move(counter), delta}, most};
}

// The age matters only if something may have been sent: a batch is not stored.
BatchRequest ReadBatch(Arguments& arguments, const DatabaseName& database) {
  BatchRequest request = ReadBatchRequest(arguments, database);
  if (!request.sent_before) request.age = {};
  return request;
}

}  // namespace

Start StartBatchCommit(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kBatchCommitParameters>);
  BatchRequest request = ReadBatch(arguments, context.database);
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
  std::vector<CounterSum> sums;
  std::vector<std::size_t> places;
  while (increments.NextElement()) {
    SHARDLINE_TRY(CounterSum && sum, ReadIncrement(increments, context));
    SHARDLINE_CHECK(AddTo(sums, places, std::move(sum)));
  }
  if (!increments.ok()) return increments.failure("the increments");
  SHARDLINE_CHECK(CheckSums(sums));
  for (CounterSum& sum : sums) request.increments.push_back(std::move(sum.increment));
  return ApplyBatch::Start(context, std::move(request), std::move(places));
}

Start StartBatchWithdraw(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kBatchWithdrawParameters>);
  BatchRequest request = ReadBatch(arguments, context.database);
  if (!arguments.ok()) return arguments.TakeFailure();
  request.withdraws = true;
  return ApplyBatch::Start(context, std::move(request));
}

Start StartKeyIncrement(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kKeyIncrementParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const std::string id = ReadKeyId(arguments);
  const Amount delta = ReadDelta(arguments);
  const Timestamp now = ReadServerNow(arguments);
  return Started(arguments,
                 [&] { return IncrementOnce::Start(context, std::move(counter), id, delta, now); });
}

}  // namespace shardline
