#include "counter/total.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "counter/requests.h"

namespace shardline {
namespace {

// An aggregation is billed one read for every 1,000 index entries that it starts on.
std::int64_t AggregationReads(std::int64_t entries) {
  return entries <= 0 ? 1 : (entries - 1) / 1000 + 1;
}

// A sum of integers that leaves int64 comes back as a double; this cannot be told from a counter of
// doubles.
bool MayHaveOverflown(const Amount& sum) {
  return sum.is_double() && std::abs(sum.number()) >= 0x1.0p63;
}

}  // namespace

ReadTotal::ReadTotal(OperationContext& context, std::unique_ptr<const Counter> counter,
                     TotalSource source)
    : ReadTotal(context, std::move(counter)) {
  Begin(source);
}

void ReadTotal::Begin(TotalSource source) {
  source_ = source;
  if (source_ == TotalSource::kSum) {
    SendAggregation();
  } else {
    SendPage();
  }
}

void ReadTotal::SendAggregation() {
  const CollectionPath& shards = counter_->shard_collection();
  Send({.path = shards.QueryUrlPath(database(), ":runAggregationQuery"),
        .body = EncodeSumField(shards.id(), counter_->count_field(), {})});
}

void ReadTotal::SendPage() {
  source_ = TotalSource::kShards;
  Send(listing_.NextPage());
}

Result<Billed> ReadTotal::OnAnswer(CallId, PaddedText& body) {
  return source_ == TotalSource::kSum ? OnSum(body) : OnPage(body);
}

Result<Billed> ReadTotal::OnSum(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeSumAndCount(body, total_));
  const Billed billed{.reads = AggregationReads(total_.count)};
  if (MayHaveOverflown(total_.sum)) {
    SendPage();
  } else {
    OnTotal();
  }
  return billed;
}

Result<Billed> ReadTotal::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (listing_.complete()) {
    OnListed();
  } else {
    SendPage();
  }
  return billed;
}

void ReadTotal::OnListed() {
  Sum sum;
  total_.count = 0;
  for (const CountedDocument& shard : listing_.shards()) {
    if (shard.has_field) ++total_.count;
    if (shard.amount) sum.Add(*shard.amount);
  }
  const std::optional<Amount> total = sum.Total();
  if (!total) {
    return FinishWithError(
        {Code::kOutOfRange, "The counter's total is beyond what a 64-bit integer holds."});
  }
  total_.sum = *total;
  total_.read_time = listing_.read_time();
  OnTotal();
}

void ReadTotal::OnFailure(CallId, const CallFailure& failure) {
  // Listing works without aggregations and, by document name, without an index on the count.
  // NOT_FOUND is what servers say that have never heard of aggregations.
  const Code code = failure.error.code;
  const bool cannot_aggregate =
      code == Code::kUnimplemented || code == Code::kFailedPrecondition || code == Code::kNotFound;
  if (source_ != TotalSource::kSum || !cannot_aggregate) return FinishWithFailure(failure);
  SendPage();
}

void ReadTotal::WriteResult(JsonWriter& writer) const {
  const bool listed = source_ == TotalSource::kShards;
  writer.BeginObject().Key("value");
  total_.sum.Write(writer);
  writer.Key("readTime").String(total_.read_time);
  writer.Key("shards").Int(total_.count);
  writer.Key("source").String(listed ? "shards" : "sum");
  writer.Key("billed");
  WriteBilled(writer, billed());
  if (listed) {
    writer.Key("perShard").BeginObject();
    for (const CountedDocument& shard : listing_.shards()) {
      if (!shard.amount) continue;
      writer.Key(std::string_view(shard.name).substr(shard.name.rfind('/') + 1));
      shard.amount->Write(writer);
    }
    writer.EndObject();
  }
  writer.EndObject();
}

}  // namespace shardline
