#include "experiment/workload.h"

#include <algorithm>

#include "base/number.h"

namespace shardline::experiment {

std::unique_ptr<Workload> Workload::Make(const Options& options) {
  switch (options.kind) {
    case Kind::kCounter:
      return MakeIncrementWorkload(options);
    case Kind::kInserts:
      return MakeInsertWorkload(options);
    case Kind::kIds:
      return MakeIdWorkload(options);
    case Kind::kTotals:
      return MakeTotalsWorkload(options);
    case Kind::kPages:
      return MakePagesWorkload(options);
    case Kind::kStock:
      return MakeStockWorkload(options);
    case Kind::kRatings:
    case Kind::kRatingsByTransaction:
      return MakeRatingsWorkload(options);
  }
  return nullptr;
}

Started Workload::Continue(const User&, int, const Operation&) {
  return std::unique_ptr<Operation>();
}

bool Workload::IsDone(std::size_t) const { return false; }

std::optional<std::int64_t> Workload::ShardOf(const HttpRequest&) const { return std::nullopt; }

std::optional<std::int64_t> Workload::TakeValue() { return std::nullopt; }

std::string Workload::CountDocument(std::int64_t) const { return {}; }

std::string CounterShard(std::int64_t shard) {
  return std::string(kShardsFolder) + std::to_string(shard);
}

std::optional<std::int64_t> NumberBehind(const HttpRequest& request, std::string_view mark) {
  const std::string_view body = request.body;
  const std::size_t at = body.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = body.substr(at + mark.size());
  return ParseInt64(rest.substr(0, rest.find_first_not_of("0123456789")));
}

Started Start(Started (*start)(JsonScanner&, OperationContext&), const PaddedText& arguments,
              OperationContext& context) {
  JsonScanner scanner(arguments);
  return start(scanner, context);
}

PaddedText CounterArguments(const Options& options, std::string_view delivery,
                            std::string_view more) {
  JsonWriter writer;
  writer.BeginObject().Key("counter").BeginObject().Key("path").String(kCounterPath);
  writer.Key("shards").Int(options.shards);
  writer.Key("delivery").String(delivery);
  std::string text = writer.EndObject().Take();
  text.append(more).append("}");
  return PaddedText(text);
}

std::string ResultMember(const Operation& done, std::string_view member) {
  JsonWriter writer;
  done.WriteResult(writer);
  const PaddedText text(writer.text());
  JsonScanner scanner(text);
  std::string_view key;
  std::string found;
  if (!scanner.BeginObject()) return found;
  while (scanner.NextKey(key)) {
    const bool is_asked_for = key == member;
    const std::string_view value = scanner.SkipValue();
    if (is_asked_for) found = value;
  }
  return found;
}

std::int64_t ResultInteger(const Operation& done, std::string_view member) {
  const std::string text = ResultMember(done, member);
  std::string_view value = text;
  if (value.size() > 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
  return ParseInt64(value).value_or(0);
}

void WriteCount(JsonWriter& writer, std::optional<std::int64_t> found, const Outcomes& outcomes) {
  if (!found) return;
  const std::int64_t most = outcomes.acknowledged + outcomes.unknown;
  writer.Key("count").BeginObject().Key("found").Int(*found);
  writer.Key("lost").Int(std::max<std::int64_t>(outcomes.acknowledged - *found, 0));
  writer.Key("extra").Int(std::max<std::int64_t>(*found - most, 0)).EndObject();
}

}  // namespace shardline::experiment
