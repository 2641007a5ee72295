#include "sharded_query/query_plan.h"

#include <algorithm>
#include <string_view>

#include "base/number.h"
#include "base/reason.h"
#include "firestore/limits_and_prices.h"
#include "sharded_query/fingerprint.h"
#include "sharded_query/page_token.h"
#include "sharded_query/user_filters.h"

namespace shardline {
namespace {

bool Covers(const std::vector<FieldPath>& paths, const FieldPath& field) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const FieldPath& path) { return path.IsPrefixOf(field); });
}

bool IsArrayOp(FilterOp op) {
  return op == FilterOp::kArrayContains || op == FilterOp::kArrayContainsAny;
}

// [{"field", "order"}, …], with `__name__` if its direction is not that of the field before it.
std::string DescribeFields(const QueryShape& shape) {
  JsonWriter writer;
  writer.BeginArray();
  constexpr std::string_view kModes[] = {"ASCENDING", "DESCENDING", "CONTAINS"};
  const auto describe = [&](std::string_view field, IndexMode mode) {
    writer.BeginObject().Key("field").String(field);
    writer.Key(mode == IndexMode::kContains ? "arrayConfig" : "order");
    writer.String(kModes[static_cast<std::size_t>(mode)]).EndObject();
  };
  for (const QueryShape::Field& field : shape.fields()) describe(field.path->text(), field.mode);
  const bool is_descending = shape.fields().back().mode == IndexMode::kDescending;
  if (shape.name_descending() != is_descending) {
    describe("__name__", is_descending ? IndexMode::kAscending : IndexMode::kDescending);
  }
  return writer.EndArray().Take();
}

// An inclusive start is before the documents with its values, an inclusive end behind them.
Status ReadPosition(const Arguments& query, const char* name, std::optional<Position>& position) {
  if (!query.Has(name)) return {};
  const bool is_start = name == std::string_view("start");
  Arguments arguments(query.Raw(name), kChecks<kPositionParameters>, is_start ? "start." : "end.");
  if (!arguments.ok()) return arguments.TakeFailure();
  position.emplace();
  position->before = arguments.Boolean("inclusive") == is_start;
  JsonScanner scanner = arguments.Scanner("values");
  scanner.BeginArray();
  while (scanner.NextElement()) {
    SHARDLINE_CHECK(position->values.Read(scanner.SkipValue(), "startAt() or endAt()"));
  }
  if (!scanner.ok()) return scanner.failure("the query");
  if (!position->values.empty()) return {};
  return Fail(kCursorNotAllowed, "startAt() or endAt() needs a value.");
}

}  // namespace

Result<std::unique_ptr<QueryPlan>> QueryPlan::Read(
    std::shared_ptr<const ShardedCollection> collection, std::string_view json) {
  std::unique_ptr<QueryPlan> made(new QueryPlan(std::move(collection)));
  QueryPlan& plan = *made;
  Arguments arguments(json, kChecks<kQueryParameters>);
  if (!arguments.ok()) return arguments.TakeFailure();
  plan.reads_whole_pages_ = arguments.Word("chunkReads") == 1;
  plan.consistent_read_ = arguments.Boolean("consistentRead");
  plan.stream_ = arguments.Text("stream");
  if (arguments.Has("limit")) plan.limit_ = static_cast<std::int32_t>(arguments.Integer("limit"));
  SHARDLINE_CHECK(plan.ReadFilters(arguments));
  SHARDLINE_CHECK(plan.ReadOrders(arguments));
  SHARDLINE_CHECK(plan.SetChunks());
  SHARDLINE_CHECK(plan.ReadSelect(arguments));
  SHARDLINE_CHECK(plan.ReadPositions(arguments));
  return made;
}

Status QueryPlan::ReadFilters(const Arguments& arguments) {
  if (!arguments.Has("filters")) return {};
  JsonScanner scanner = arguments.Scanner("filters");
  return user_.Read(scanner, is_sharded() ? &collection_->shard_field() : nullptr);
}

bool QueryPlan::is_by_name() const {
  return !query_.orders.empty() && query_.orders.back().field.IsDocumentName();
}

bool QueryPlan::IsOrderedBy(const FieldPath& field) const {
  return std::any_of(query_.orders.begin(), query_.orders.end(),
                     [&](const Order& order) { return order.field == field; });
}

Status QueryPlan::ReadOrders(const Arguments& arguments) {
  std::vector<Order>& orders = query_.orders;
  if (arguments.Has("orders")) {
    JsonScanner scanner = arguments.Scanner("orders");
    scanner.BeginArray();
    while (scanner.NextElement()) SHARDLINE_CHECK(ReadOrder(scanner));
  }
  if (orders.empty() && is_sharded()) orders.push_back({collection_->order_field()});
  const Direction last = orders.empty() ? Direction::kAscending : orders.back().direction;
  const bool by_name = is_by_name();
  for (const FieldPath& field : user_.inequality_fields) {
    if (field.IsDocumentName() || IsOrderedBy(field)) continue;
    if (by_name) {
      return Fail(kFilterNotAllowed, "The filter on \"")
             << Param{"field", field.text()}
             << "\" sorts by its field, which nothing can behind __name__: order by the field "
                "before it.";
    }
    orders.push_back({field, last});
  }
  if (!by_name) orders.push_back({FieldPath::DocumentName(), last});
  return {};
}

Status QueryPlan::ReadOrder(JsonScanner& scanner) {
  Arguments arguments(scanner, kChecks<kOrderParameters>, "orders.");
  const std::string path = arguments.Text("field");
  const auto direction =
      arguments.Word("direction") == 1 ? Direction::kDescending : Direction::kAscending;
  if (!arguments.ok()) return arguments.TakeFailure();
  if (path.empty() && !arguments.Has("field") && !is_sharded()) {
    return Fail(kOrderNotAllowed,
                "This collection has no order field: name one, such as orderBy('name', 'desc').");
  }
  FieldPath field = collection_->order_field();
  if (arguments.Has("field")) {
    SHARDLINE_TRY(field, FieldPath::Parse(path));
  }
  if (is_by_name()) {
    return Fail(kOrderNotAllowed, "Behind __name__ there is nothing left to order by.");
  }
  if (IsOrderedBy(field)) {
    return Fail(kOrderNotAllowed, "The query is ordered by \"") << field.text() << "\" twice.";
  }
  if (is_sharded() && field == collection_->shard_field()) {
    return Fail(kOrderNotAllowed, "A query cannot be ordered by the shard field.");
  }
  query_.orders.push_back({std::move(field), direction});
  return {};
}

bool QueryPlan::has_usual_name_order() const {
  const std::vector<Order>& orders = query_.orders;
  const Direction usual =
      orders.size() > 1 ? orders[orders.size() - 2].direction : Direction::kAscending;
  return orders.back().direction == usual;
}

Status QueryPlan::SetChunks() {
  const std::size_t fixed = query_.orders.size() + (collection_->path().parent().empty() ? 0 : 1);
  const FilterSize& size = user_.size;
  // Each disjunction has the shard filter, too.
  const std::size_t own = is_sharded() ? 1 : 0;
  const std::size_t terms_per_shard = size.terms + own * size.disjunctions;
  if (size.disjunctions > kMaxDisjunctions || fixed + terms_per_shard > kMaxTerms) {
    const std::size_t terms = size.filters + own;
    SHARDLINE_CHECK(SetPieces(fixed < kMaxTerms ? (kMaxTerms - fixed) / terms : 0));
  } else {
    std::size_t shards = kMaxDisjunctions / size.disjunctions;
    if (terms_per_shard > 0) shards = std::min(shards, (kMaxTerms - fixed) / terms_per_shard);
    // Firestore takes no `in` beside a not-in, not even of one value.
    if (user_.has_not_in) shards = 1;
    chunk_count_ = (shard_count() + shards - 1) / shards;
  }
  query_.filters = std::move(user_.filters);
  // Makes room for the shard filter.
  if (is_sharded()) {
    query_.filters.insert(query_.filters.begin(),
                          {collection_->shard_field(), FilterOp::kEqual, {}});
  }
  return {};
}

// `terms`: the most combinations of shard values and of the filters' alternatives in a chunk, by
// the number of conditions that they have together.
Status QueryPlan::SetPieces(std::size_t terms) {
  const std::size_t most = std::min(terms, kMaxDisjunctions);
  if (most == 0) {
    return Fail(kQueryTooLarge,
                "The query is too large for Firestore, which takes 100 filters and orders, those "
                "of the library included: use fewer of them.");
  }
  pieces_ = FilterPieces(user_, most);
  std::size_t best = 0;
  for (std::size_t shards = 1; shards <= std::min(most, shard_count()); ++shards) {
    pieces_.Cut(most / shards);
    const std::size_t chunks = (shard_count() + shards - 1) / shards * pieces_.size();
    if (chunks == 0 || (best > 0 && chunks >= chunk_count_)) continue;
    chunk_count_ = chunks;
    best = shards;
  }
  pieces_.Cut(most / best);
  constexpr std::size_t kMaxChunks = 10'000;
  if (chunk_count_ <= kMaxChunks) return {};
  return Fail(kQueryTooLarge,
              "The query would take more than 10,000 requests: ask for fewer values at a time.");
}

// The answers must contain the fields that sort them, and the shard value, by which they are
// checked, whether the user wants to see it or not.
Status QueryPlan::ReadSelect(const Arguments& arguments) {
  if (!arguments.Has("select")) return {};
  std::vector<FieldPath> select;
  JsonScanner scanner = arguments.Scanner("select");
  scanner.BeginArray();
  while (scanner.NextElement()) {
    SHARDLINE_TRY(FieldPath && field, FieldPath::Parse(scanner.String()));
    if (!field.IsDocumentName()) select.push_back(std::move(field));
  }
  if (!scanner.ok()) return scanner.failure("the query");
  SortPaths(select);
  const auto covers = [](const FieldPath& a, const FieldPath& b) { return a.IsPrefixOf(b); };
  select.erase(std::unique(select.begin(), select.end(), covers), select.end());
  query_.select = select;
  const auto ask_for = [&](const FieldPath& field) {
    if (Covers(select, field)) return;
    query_.select.push_back(field);
    projection_ = select;
  };
  for (const Order& order : query_.orders) {
    if (!order.field.IsDocumentName()) ask_for(order.field);
  }
  if (is_sharded()) ask_for(collection_->shard_field());
  // Without fields, it would ask for all of them.
  if (query_.select.empty()) query_.select.push_back(FieldPath::DocumentName());
  return {};
}

Status QueryPlan::ReadPositions(Arguments& arguments) {
  SHARDLINE_CHECK(ReadPosition(arguments, "start", query_.start));
  SHARDLINE_CHECK(ReadPosition(arguments, "end", query_.end));
  const std::size_t most = query_.orders.size();
  if ((query_.start && query_.start->values.size() > most) ||
      (query_.end && query_.end->values.size() > most)) {
    return Fail(
        kCursorNotAllowed,
        "startAt() or endAt() has too many values: there may be one for each order, one for each "
        "other field with an inequality, and a reference to the document.");
  }
  for (const auto& position : {query_.start, query_.end}) {
    if (position && position->values.size() == most && IsText(position->values.json(most - 1))) {
      return Fail(kCursorNotAllowed,
                  "startAt() or endAt() needs a reference to a document, such as "
                  "db.doc('posts/p1'), and no id, where documents are sorted by their names.");
    }
  }
  std::vector<FieldPath> select = std::exchange(query_.select, {});
  Fingerprint fingerprint;
  fingerprint.Add(collection_->path().text()).Add(EncodeRunQuery(query_, ""));
  for (const std::string& shard : collection_->shards()) fingerprint.Add(shard);
  fingerprint_ = fingerprint.value();
  query_.select = std::move(select);
  start_ = query_.start;
  if (!arguments.Has("continueFrom")) return {};
  continue_from_ = arguments.Text("continueFrom");
  SHARDLINE_TRY(PageToken && token, PageToken::Decode(continue_from_, fingerprint_, most));
  start_ = Position{std::move(token.values), false};
  read_time_ = std::move(token.read_time);
  return {};
}

bool QueryPlan::has_name_in_position() const {
  const std::size_t names = query_.orders.size();
  return (start_ && start_->values.size() == names) ||
         (query_.end && query_.end->values.size() == names);
}

bool QueryPlan::HasShard(std::size_t chunk, const SortKey& shard) const {
  // Mostly a string, which is copied from the answer.
  std::optional<std::size_t> index = collection_->IndexOfShard(shard.plain_json());
  if (!index) index = collection_->IndexOfShard(ShardedCollection::ShardJson(shard.ToValue()));
  const Range shards = Shards(chunk);
  return index && *index >= shards.begin && *index < shards.end;
}

double QueryPlan::Share(std::size_t chunk) const {
  const double shards =
      static_cast<double>(Shards(chunk).size()) / static_cast<double>(shard_count());
  return shards / static_cast<double>(piece_count());
}

const Query& QueryPlan::ChunkQuery(std::size_t chunk, const std::optional<Position>& after,
                                   std::optional<std::int32_t> limit) {
  if (is_sharded()) SetShards(query_.filters.front(), Shards(chunk));
  if (pieces_.size() > 0) {
    query_.filters.erase(query_.filters.begin() + (is_sharded() ? 1 : 0), query_.filters.end());
    pieces_.Append(chunk % pieces_.size(), query_.filters);
  }
  query_.start = after ? after : start_;
  query_.limit = limit;
  return query_;
}

void QueryPlan::SetShards(Filter& filter, const Range& shards) const {
  filter.op = shards.size() == 1 ? FilterOp::kEqual : FilterOp::kIn;
  if (shards.size() == 1) {
    filter.value = EncodedValue::OfPlain(collection_->shards()[shards.begin]);
    return;
  }
  EncodedValues values;
  for (std::size_t i = shards.begin; i < shards.end; ++i) {
    values.Add(EncodedValue::OfPlain(collection_->shards()[i]));
  }
  filter.value = values.List();
}

void QueryPlan::Describe(JsonWriter& writer) const {
  writer.BeginObject().Key("chunks").BeginArray();
  for (std::size_t chunk = 0; chunk < chunk_count_; ++chunk) {
    writer.BeginArray();
    const Range shards = Shards(chunk);
    for (std::size_t i = shards.begin; is_sharded() && i < shards.end; ++i) {
      writer.Raw(collection_->shards()[i]);
    }
    writer.EndArray();
  }
  const auto requests = static_cast<std::int64_t>(chunk_count_);
  writer.EndArray().Key("requests").Int(requests).Key("worstCaseReads");
  if (limit_ && user_.inequality_fields.size() < 2) {
    writer.Int(requests * *limit_);
  } else {
    writer.Raw("null");  // As many as there are documents, or index entries to scan.
  }
  std::string first = "[]";
  std::vector<std::string> indexes;
  for (const Conjunction& filters : Disjunctions(query_.filters)) {
    const QueryShape shape = ShapeOf(filters);
    if (!shape.NeedsComposite()) continue;
    std::string fields = DescribeFields(shape);
    if (indexes.empty()) first = fields;
    JsonWriter index;
    index.BeginObject().Key("fields").Raw(fields).Key("fixed");
    index.Int(static_cast<std::int64_t>(shape.fixed_size())).EndObject();
    if (std::find(indexes.begin(), indexes.end(), index.text()) == indexes.end()) {
      indexes.push_back(index.Take());
    }
  }
  writer.Key("index").Raw(first).Key("indexes").BeginArray();
  for (const std::string& index : indexes) writer.Raw(index);
  writer.EndArray().Key("orders").BeginArray();
  for (const Order& order : query_.orders) writer.String(order.field.text());
  writer.EndArray().EndObject();
}

QueryShape QueryPlan::ShapeOf(const Conjunction& filters) const {
  QueryShape shape;
  for (const Filter* filter : filters) {
    if (IsArrayOp(filter->op)) {
      shape.AddFixed(filter->field, IndexMode::kContains);
    } else if (!IsInequality(filter->op)) {
      shape.AddFixed(filter->field, IndexMode::kAscending);
    }
  }
  for (const Order& order : query_.orders) {
    shape.AddOrder(order.field, order.direction == Direction::kDescending);
  }
  return shape;
}

}  // namespace shardline
