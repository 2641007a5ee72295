// The methods that read many documents: :batchGet, :runQuery, :runAggregationQuery.

#include <algorithm>
#include <cmath>
#include <set>

#include "base/base64.h"
#include "base/number.h"
#include "firestore/limits_and_prices.h"
#include "firestore/value_codec.h"
#include "indexes/missing_index.h"
#include "simulator/database.h"
#include "simulator/fields.h"
#include "simulator/names.h"
#include "simulator/query_runner.h"
#include "simulator/refusal.h"
#include "simulator/required_index.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxAggregations = 5;

__extension__ using Int128 = __int128;

void WriteNewTransaction(JsonWriter& writer, const Snapshot& snapshot) {
  if (snapshot.new_transaction().empty()) return;
  writer.BeginObject().Key("transaction").RawString(EncodeBase64(snapshot.new_transaction()));
  writer.EndObject();
}

Status CheckParent(const Call& call) {
  const auto parent = ParseParentName(DocumentName(call.database.name, call.path));
  if (!parent) return Fail(parent.error());
  return {};
}

Status CheckIndexes(Call& call, const Query& query) {
  if (call.options.index_check == IndexCheck::kNone) return {};
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

constexpr std::int64_t kNoBound = INT64_MIN;

struct Aggregation {
  enum class Kind : std::uint8_t { kCount, kSum, kAverage };
  Kind kind = Kind::kCount;
  std::string alias;
  std::optional<FieldPath> field;  // For the last two.
  std::int64_t up_to = kNoBound;
};

// Reads the inside of `count`, `sum` or `avg`.
bool ReadAggregate(JsonScanner& scanner, const std::string& member, Aggregation& aggregation) {
  if (member == "count") {
    aggregation.kind = Aggregation::Kind::kCount;
    ReadObject(scanner, [&](const std::string& inner) {
      if (inner != "upTo") return false;
      aggregation.up_to = ReadInt64(scanner, kNoBound);
      if (aggregation.up_to < 0 && aggregation.up_to != kNoBound) {
        scanner.Reject("up_to must not be negative");
      }
      return true;
    });
    return true;
  }
  if (member != "sum" && member != "avg") return false;
  aggregation.kind = member == "sum" ? Aggregation::Kind::kSum : Aggregation::Kind::kAverage;
  std::string path;
  ReadObject(scanner, [&](const std::string& inner) {
    if (inner != "field") return false;
    ReadObject(scanner, [&](const std::string& name) {
      if (name != "fieldPath") return false;
      path = ReadString(scanner);
      return true;
    });
    return true;
  });
  Result<FieldPath> field = ParseFieldPath(path);
  if (!field || field->IsDocumentName()) {
    scanner.Reject("an aggregation's field is malformed");
  } else {
    aggregation.field = std::move(*field);
  }
  return true;
}

Aggregation ReadAggregation(JsonScanner& scanner) {
  Aggregation aggregation;
  int kinds = 0;
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "alias") {
      aggregation.alias = ReadString(scanner);
      return true;
    }
    ++kinds;
    return ReadAggregate(scanner, member, aggregation);
  });
  if (kinds != 1) scanner.Reject("an aggregation must have exactly one operator");
  return aggregation;
}

bool IsOrdered(const Query& query, const FieldPath& field) {
  return std::any_of(query.orders.begin(), query.orders.end(),
                     [&](const OrderBy& order) { return order.field == field; });
}

Status CheckAggregations(std::vector<Aggregation>& aggregations, const Query& query) {
  if (aggregations.empty()) return InvalidArgument("Aggregations can not be empty.");
  if (aggregations.size() > kMaxAggregations) {
    return InvalidArgument("A request may have at most five aggregations.");
  }
  std::set<std::string> aliases;
  std::int64_t unnamed = 0;
  for (Aggregation& aggregation : aggregations) {
    if (aggregation.alias.empty()) {
      aggregation.alias = "field_";
      AppendInt64(aggregation.alias, ++unnamed);
    }
    if (IsReserved(aggregation.alias)) return InvalidArgument("An alias is reserved.");
    if (!aliases.insert(aggregation.alias).second) {
      return InvalidArgument("Two aggregations have the same alias.");
    }
    if (aggregation.field && query.select) {
      return InvalidArgument("Fields cannot be selected when fields are aggregated.");
    }
  }
  return {};
}

// Adds up the numbers among the values of a field.
struct Sum {
  Int128 integers = 0;
  double doubles = 0;
  bool any_double = false;
  std::int64_t count = 0;

  void Add(const Value& value) {
    if (const auto* integer = value.As<std::int64_t>()) {
      integers += *integer;
    } else if (const auto* number = value.As<double>()) {
      doubles += *number;
      any_double = true;
    } else {
      return;
    }
    ++count;
  }

  double AsDouble() const { return static_cast<double>(integers) + doubles; }

  Value Total() const {
    const bool fits = integers >= INT64_MIN && integers <= INT64_MAX;
    if (!any_double && fits) return {static_cast<std::int64_t>(integers)};
    return {AsDouble()};
  }

  Value Average() const {
    if (count == 0) return {};
    return {AsDouble() / static_cast<double>(count)};
  }
};

// The aggregation reads an index, which has its fields before the name: that is the order in which
// a limit takes documents, and the index has only documents with all of the fields.
Status OrderByAggregated(const std::vector<Aggregation>& aggregations, Query& query) {
  std::set<FieldPath> fields;
  for (const Aggregation& aggregation : aggregations) {
    if (aggregation.field && !IsOrdered(query, *aggregation.field)) {
      fields.insert(*aggregation.field);
    }
  }
  if (fields.empty()) return {};
  if (query.by_name) {
    return InvalidArgument("No index has the aggregated field after __name__: order by it.");
  }
  const OrderBy name = query.orders.back();
  query.orders.pop_back();
  for (const FieldPath& field : fields) query.orders.push_back({field, name.descending});
  query.orders.push_back(name);
  return {};
}

Value Aggregate(const Aggregation& aggregation, const std::vector<Row>& rows) {
  if (aggregation.kind == Aggregation::Kind::kCount) {
    const auto count = static_cast<std::int64_t>(rows.size());
    return {aggregation.up_to == kNoBound ? count : std::min(count, aggregation.up_to)};
  }
  Sum sum;
  for (const Row& row : rows) sum.Add(*FindField(row.content->fields, *aggregation.field));
  return aggregation.kind == Aggregation::Kind::kSum ? sum.Total() : sum.Average();
}

// Reads `structuredQuery` when it comes; what is refused is kept, as the rest must be read first.
class QueryMember {
 public:
  explicit QueryMember(const Call& call) : call_(call) {}

  void Read(JsonScanner& scanner) { query_ = ReadQuery(scanner, call_.database.name, call_.path); }
  Result<Query> Take() { return std::move(query_); }

 private:
  const Call& call_;
  Result<Query> query_ = InvalidArgument("only structured queries are supported");
};

}  // namespace

Result<std::string> BatchGet(Call& call) {
  if (!call.path.empty()) return InvalidArgument("This method is the database's.");
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
  Snapshot::Selector selector;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "structuredQuery") {
      query_member.Read(scanner);
    } else if (member == "explainOptions") {
      scanner.SkipValue();
    } else {
      return selector.Read(scanner, member);
    }
    return true;
  }));
  SHARDLINE_TRY(Query query, query_member.Take());
  SHARDLINE_TRY(Snapshot snapshot, Snapshot::Open(call, selector));
  SHARDLINE_CHECK(CheckQuery(query, call.database.name));
  // As on the emulator, also if it is refused because no index can answer it.
  snapshot.NoteQuery(query.collection_id);
  SHARDLINE_CHECK(CompleteQuery(query));
  SHARDLINE_CHECK(CheckNameScan(query));
  SHARDLINE_CHECK(CheckIndexes(call, query));
  const QueryRows found = RunQuery(call.database.store, query, snapshot.at());
  const auto count = static_cast<std::int64_t>(found.rows.size());
  // Documents that an offset passes over are billed, too; an empty answer costs one read.
  call.billed.reads += std::max<std::int64_t>(count + found.skipped, 1);
  call.read.skipped = found.skipped;
  JsonWriter writer;
  writer.BeginArray();
  WriteNewTransaction(writer, snapshot);
  for (const Row& row : found.rows) {
    const bool last = &row == &found.rows.back();
    writer.BeginObject().Key("document");
    WriteDocument(writer, call.database.name, row.document->path(), *row.content, query.select);
    WriteTime(writer, "readTime", snapshot.read_time());
    if (found.skipped > 0 && !last) {
      writer.Key("skippedResults").Int(found.skipped);
    }
    if (last) writer.Key("done").Boolean(true);
    writer.EndObject();
  }
  if (found.rows.empty()) {
    writer.BeginObject();
    WriteTime(writer, "readTime", snapshot.read_time());
    writer.Key("done").Boolean(true).EndObject();
  }
  writer.EndArray();
  return writer.Take();
}

Result<std::string> RunAggregationQuery(Call& call) {
  SHARDLINE_CHECK(CheckParent(call));
  QueryMember query_member(call);
  Snapshot::Selector selector;
  std::vector<Aggregation> aggregations;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "explainOptions") {
      scanner.SkipValue();
      return true;
    }
    if (member != "structuredAggregationQuery") return selector.Read(scanner, member);
    ReadObject(scanner, [&](const std::string& inner) {
      if (inner == "structuredQuery") {
        query_member.Read(scanner);
      } else if (inner == "aggregations") {
        ReadArray(scanner, [&] { aggregations.push_back(ReadAggregation(scanner)); });
      } else {
        return false;
      }
      return true;
    });
    return true;
  }));
  SHARDLINE_TRY(Query query, query_member.Take());
  SHARDLINE_TRY(Snapshot snapshot, Snapshot::Open(call, selector));
  SHARDLINE_CHECK(CheckAggregations(aggregations, query));
  SHARDLINE_CHECK(CheckQuery(query, call.database.name));
  // As on the emulator, also if it is refused because no index can answer it.
  snapshot.NoteQuery(query.collection_id);
  SHARDLINE_CHECK(CompleteQuery(query));
  SHARDLINE_CHECK(CheckNameScan(query));
  SHARDLINE_CHECK(OrderByAggregated(aggregations, query));
  SHARDLINE_CHECK(CheckIndexes(call, query));
  const QueryRows found = RunQuery(call.database.store, query, snapshot.at());
  const std::int64_t entries = static_cast<std::int64_t>(found.rows.size()) + found.skipped;
  call.billed.reads += std::max<std::int64_t>((entries + kEntriesPerRead - 1) / kEntriesPerRead, 1);
  JsonWriter writer;
  writer.BeginArray();
  WriteNewTransaction(writer, snapshot);
  writer.BeginObject().Key("result").BeginObject().Key("aggregateFields").BeginObject();
  for (const Aggregation& aggregation : aggregations) {
    writer.Key(aggregation.alias);
    EncodeValue(writer, Aggregate(aggregation, found.rows));
  }
  writer.EndObject().EndObject();
  WriteTime(writer, "readTime", snapshot.read_time());
  writer.Key("done").Boolean(true).EndObject().EndArray();
  return writer.Take();
}

}  // namespace shardline::simulator
