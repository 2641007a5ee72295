// :runAggregationQuery.

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/number.h"
#include "firestore/limits_and_prices.h"
#include "firestore/value_codec.h"
#include "simulator/explain.h"
#include "simulator/fields.h"
#include "simulator/names.h"
#include "simulator/query_call.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxAggregations = 5;

__extension__ using Int128 = __int128;

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
    std::string message =
        "The maximum number of aggregations allowed in an aggregation query is 5. Received: ";
    AppendInt64(message, static_cast<std::int64_t>(aggregations.size()));
    return InvalidArgument(std::move(message));
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
      return InvalidArgument("Aggregation aliases contain duplicate alias: " + aggregation.alias +
                             '.');
    }
    if (aggregation.field && query.select) {
      return InvalidArgument("Cannot apply property masks when aggregation fields are present.");
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

// Firestore reads the aggregated fields from an index, which has them before the name. A limit
// takes documents in this order, and only documents with all of the fields are in it.
Status OrderByAggregated(const std::vector<Aggregation>& aggregations, Query& query) {
  std::set<FieldPath> fields;
  for (const Aggregation& aggregation : aggregations) {
    if (aggregation.field && !IsOrdered(query, *aggregation.field)) {
      fields.insert(*aggregation.field);
    }
  }
  if (fields.empty()) return {};
  if (query.by_name) {
    std::string names;
    for (const FieldPath& field : fields) names += (names.empty() ? "" : ", ") + field.text();
    return InvalidArgument("This query requires an index that has fields [" + names +
                           "] after __name__ and Firestore does not currently support such an "
                           "index. Please try the query again with additional ordering on those "
                           "fields.");
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

}  // namespace

Result<std::string> RunAggregationQuery(Call& call) {
  SHARDLINE_CHECK(CheckParent(call));
  QueryMember query_member(call);
  Snapshot::Selector selector;
  std::vector<Aggregation> aggregations;
  Explain explain = Explain::kNo;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "explainOptions") {
      explain = ReadExplain(scanner);
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
  SHARDLINE_CHECK(PrepareQuery(call, snapshot, query));
  SHARDLINE_CHECK(OrderByAggregated(aggregations, query));
  SHARDLINE_CHECK(CheckIndexes(call, query));
  JsonWriter writer;
  writer.BeginArray();
  WriteNewTransaction(writer, snapshot);
  if (explain == Explain::kPlan) return WritePlan(writer, query);
  const QueryRows found = Run(call, query, snapshot.at());
  const std::int64_t entries = static_cast<std::int64_t>(found.rows.size()) + found.skipped;
  const std::int64_t reads = std::max<std::int64_t>(
      (entries + kEntriesPerRead - 1) / kEntriesPerRead + ReadsOfVectors(found.vectors), 1);
  call.billed.reads += reads;
  writer.BeginObject().Key("result").BeginObject().Key("aggregateFields").BeginObject();
  for (const Aggregation& aggregation : aggregations) {
    writer.Key(aggregation.alias);
    EncodeValue(writer, Aggregate(aggregation, found.rows));
  }
  writer.EndObject().EndObject();
  if (explain == Explain::kAnalyze) WriteExplainMetrics(writer, query, Executed{1, reads});
  WriteTime(writer, "readTime", snapshot.read_time());
  writer.Key("done").Boolean(true).EndObject().EndArray();
  return writer.Take();
}

}  // namespace shardline::simulator
