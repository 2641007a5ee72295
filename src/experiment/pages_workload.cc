// Pages of a sharded query, one after the other, over the documentation's example collection.

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "api/collection_api.h"
#include "experiment/workload.h"

namespace shardline::experiment {
namespace {

constexpr std::array<std::string_view, 3> kExchanges = {"EXCHG1", "EXCHG2", "EXCHG3"};
constexpr std::array<std::string_view, 3> kTypes = {"commonstock", "etf", "bond"};
constexpr std::array<std::string_view, 3> kCurrencies = {"USD", "EUR", "JPY"};

template <std::size_t N>
std::string_view Pick(const std::array<std::string_view, N>& words, Random& random) {
  return words[static_cast<std::size_t>(random.Below(N))];
}

void WriteText(JsonWriter& writer, const char* name, std::string_view text) {
  writer.Key(name).BeginObject().Key("stringValue").String(text).EndObject();
}

class PagesWorkload final : public Workload {
 public:
  explicit PagesWorkload(const Options& options)
      : collection_(R"({"collection":{"path":"instruments","shards":)" +
                    std::to_string(options.shards) + "}"),
        query_(options.query),
        documents_(options.documents),
        pages_(options.pages) {}

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
      WriteInstrument(writer, i, millis, context.random);
      writer.EndObject();
    }
    writer.EndArray();
    return Start(StartCollectionAdd,
                 PaddedText(collection_ + ",\"documents\":" + writer.text() + "}"), context);
  }

  Started Begin(const User& user) override { return Page(user.context, {}); }

  Started Continue(const User& user, int step, const Operation& done) override {
    const std::string next = NextOf(done);
    if (next.empty() || step + 1 >= pages_) return std::unique_ptr<Operation>();
    return Page(user.context, ",\"after\":" + next);
  }

  Started Verify(OperationContext&) override { return std::unique_ptr<Operation>(); }
  void OnVerified(const Operation&) override {}
  void Report(JsonWriter&, const Outcomes&) const override {}

 private:
  static void WriteInstrument(JsonWriter& writer, std::int64_t number, std::int64_t millis,
                              Random& random) {
    constexpr std::int64_t kFirst = 1'546'350'323'000'000;  // 2019-01-01T13:45:23Z
    constexpr std::uint64_t kMostPrice = 500'000;
    constexpr std::int64_t kMicros = 10'000;
    std::string symbol = "Index";
    symbol += std::to_string(number);
    writer.BeginObject();
    WriteText(writer, "symbol", symbol);
    writer.Key("price").BeginObject().Key("mapValue").BeginObject().Key("fields").BeginObject();
    WriteText(writer, "currency", Pick(kCurrencies, random));
    const auto price = static_cast<std::int64_t>(1 + random.Below(kMostPrice));
    writer.Key("micros").BeginObject().Key("integerValue").String(std::to_string(price * kMicros));
    writer.EndObject().EndObject().EndObject().EndObject();
    WriteText(writer, "exchange", Pick(kExchanges, random));
    WriteText(writer, "instrumentType", Pick(kTypes, random));
    const Timestamp at{kFirst + millis * 1'000};
    writer.Key("timestamp").BeginObject().Key("timestampValue").String(at.ToString());
    writer.EndObject().EndObject();
  }

  // `more` are members of the query.
  Started Page(OperationContext& context, std::string_view more) {
    std::string query = query_.substr(0, query_.rfind('}'));
    if (query.find(':') == std::string::npos && !more.empty()) more.remove_prefix(1);
    query.append(more).append("}");
    return Start(StartCollectionQuery, PaddedText(collection_ + ",\"query\":" + query + "}"),
                 context);
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
      if (key == "next") return value == "null" ? std::string() : std::string(value);
    }
    return {};
  }

  std::string collection_;  // The arguments of a call, from their beginning.
  std::string query_;
  std::int64_t documents_;
  std::int64_t pages_;
};

}  // namespace

std::unique_ptr<Workload> MakePagesWorkload(const Options& options) {
  return std::make_unique<PagesWorkload>(options);
}

}  // namespace shardline::experiment
