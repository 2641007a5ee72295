// Pages of a sharded query, one after the other, over the documentation's example collection.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "api/collection_api.h"
#include "experiment/workload.h"
#include "firestore/fields_writer.h"
#include "firestore/query.h"
#include "sharded_query/query_plan.h"

namespace shardline::experiment {
namespace {

constexpr std::array<std::string_view, 3> kExchanges = {"EXCHG1", "EXCHG2", "EXCHG3"};
constexpr std::array<std::string_view, 3> kTypes = {"commonstock", "etf", "bond"};
constexpr std::array<std::string_view, 3> kCurrencies = {"USD", "EUR", "JPY"};

template <std::size_t N>
std::string_view Pick(const std::array<std::string_view, N>& words, Random& random) {
  return words[static_cast<std::size_t>(random.Below(N))];
}

// Asks Firestore itself, without shards: for all documents, and for the documents of the users'
// pages.
class ReadUnsharded final : public Operation {
 public:
  ReadUnsharded(OperationContext& context, const Query& all, const Query& same)
      : Operation(context) {
    all_ = Ask(all);
    Ask(same);
  }

  // {"documents", "unsharded"}: the answers as they came.
  void WriteResult(JsonWriter& writer) const override {
    writer.BeginObject().Key("documents").Raw(documents_);
    writer.Key("unsharded").Raw(unsharded_).EndObject();
  }

 private:
  CallId Ask(const Query& query) {
    return Send({.path = database().UrlPath(":runQuery"), .body = EncodeRunQuery(query, {})});
  }

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override {
    (id == all_ ? documents_ : unsharded_) = body.view();
    if (!documents_.empty() && !unsharded_.empty()) Finish();
    return Billed{};
  }

  CallId all_ = 0;
  std::string documents_;
  std::string unsharded_;
};

class PagesWorkload final : public Workload {
 public:
  explicit PagesWorkload(const Options& options)
      : collection_(R"({"collection":{"path":"instruments","shards":)" +
                    std::to_string(options.shards) + "}"),
        query_(options.query),
        documents_(options.documents),
        pages_(options.pages),
        keeps_texts_(options.record_bodies) {}

  Started Prepare(OperationContext& context) override {
    SHARDLINE_TRY(const std::unique_ptr<Operation>& first, Page(context, {}));
    (void)first;
    JsonWriter writer;
    writer.BeginArray();
    // Some milliseconds apart, and now and then at the same one: such documents have no order but
    // that of their names.
    std::int64_t millis = 0;
    for (std::int64_t i = 0; i < documents_; ++i) {
      constexpr std::uint64_t kTies = 4;
      constexpr std::uint64_t kMostGap = 900;
      if (context.random.Below(kTies) != 0) {
        millis += static_cast<std::int64_t>(1 + context.random.Below(kMostGap));
      }
      writer.BeginObject().Key("fields");
      writer.Raw(Instrument(i, millis, context.random).json()).EndObject();
    }
    writer.EndArray();
    return Start(StartCollectionAdd,
                 PaddedText(collection_ + ",\"documents\":" + writer.text() + "}"), context);
  }

  Started Begin(const User& user) override { return Page(user.context, {}); }

  Started Continue(const User& user, int step, const Operation& done) override {
    const std::string next = NextOf(done);
    if (next.empty() || step + 1 >= pages_) return std::unique_ptr<Operation>();
    return Page(user.context, next);
  }

  // For the recording: all documents, and the result of the same query without shards.
  Started Verify(OperationContext& context) override {
    if (!keeps_texts_) return std::unique_ptr<Operation>();
    SHARDLINE_TRY(const CollectionPath& path, CollectionPath::Parse("instruments"));
    SHARDLINE_TRY(const Query& same, Unsharded());
    return std::make_unique<ReadUnsharded>(context, Query{.collection = path}, same);
  }
  void OnVerified(const Operation& done) override {
    JsonWriter writer;
    done.WriteResult(writer);
    verified_ = writer.Take();
  }

  void Report(JsonWriter& writer, const Outcomes&) const override {
    if (!verified_.empty()) writer.Key("collection").Raw(verified_);
  }

 private:
  static EncodedFields Instrument(std::int64_t number, std::int64_t millis, Random& random) {
    constexpr std::int64_t kFirst = 1'546'350'323'000'000;  // 2019-01-01T13:45:23Z
    constexpr std::uint64_t kMostPrice = 500'000;
    constexpr std::int64_t kMicros = 10'000;
    std::string symbol = "Index";
    symbol += std::to_string(number);
    FieldsWriter price;
    price.Text("currency", Pick(kCurrencies, random));
    const auto units = static_cast<std::int64_t>(1 + random.Below(kMostPrice));
    price.Number("micros", Amount::Integer(units * kMicros));
    FieldsWriter fields;
    fields.Text("symbol", symbol).Map("price", price.Take());
    fields.Text("exchange", Pick(kExchanges, random));
    fields.Text("instrumentType", Pick(kTypes, random));
    const Timestamp at{kFirst + millis * 1'000};
    return fields.Time("timestamp", at.ToString()).Take();
  }

  // The users' query on a collection without shards, for as many documents as all pages have.
  Result<Query> Unsharded() const {
    const PaddedText ordinary(std::string_view(R"({"path":"instruments","ordinary":true})"));
    SHARDLINE_TRY(std::shared_ptr<const ShardedCollection> && collection,
                  ShardedCollection::Read(ordinary.view()));
    // Without shards there is no order but the one that the query names.
    const bool has_order = query_.find("\"orders\"") != std::string::npos;
    const PaddedText query(QueryWith(has_order ? "" : R"(,"orders":[{"field":"timestamp"}])"));
    SHARDLINE_TRY(std::unique_ptr<QueryPlan> && plan,
                  QueryPlan::Read(std::move(collection), query.view()));
    std::optional<std::int32_t> limit = plan->limit();
    if (limit) limit = static_cast<std::int32_t>(*limit * pages_);
    return Query(plan->ChunkQuery(0, std::nullopt, limit));
  }

  // `more` are members of the query, or nothing.
  std::string QueryWith(std::string_view more) const {
    std::string query = query_.substr(0, query_.rfind('}'));
    if (query.find(':') == std::string::npos && !more.empty()) more.remove_prefix(1);
    return query.append(more).append("}");
  }

  // `token` is JSON; empty for the first page. A user's pages are one stream.
  Started Page(OperationContext& context, std::string_view token) {
    std::string more = R"(,"stream":"user")";
    if (!token.empty()) more.append(R"(,"continueFrom":)").append(token);
    return Start(StartCollectionQuery,
                 PaddedText(collection_ + ",\"query\":" + QueryWith(more) + "}"), context);
  }

  // The token of the next page, as JSON; empty if this was the last.
  static std::string NextOf(const Operation& done) {
    JsonWriter writer;
    done.WriteResult(writer);
    const PaddedText text(writer.text());
    JsonScanner scanner(text);
    std::string_view key;
    if (!scanner.BeginObject()) return {};
    while (scanner.NextKey(key)) {
      const std::string_view value = scanner.SkipValue();
      if (key == "nextToken") return value == "null" ? std::string() : std::string(value);
    }
    return {};
  }

  std::string collection_;  // The arguments of a call, from their beginning.
  std::string query_;
  std::int64_t documents_;
  std::int64_t pages_;
  bool keeps_texts_;
  std::string verified_;  // JSON; empty for nothing.
};

}  // namespace

std::unique_ptr<Workload> MakePagesWorkload(const Options& options) {
  return std::make_unique<PagesWorkload>(options);
}

}  // namespace shardline::experiment
