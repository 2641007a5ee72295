#include "counter/total_reading.h"

#include <cassert>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/reason.h"
#include "firestore/limits_and_prices.h"
#include "firestore/query.h"
#include "operation/operation.h"

namespace shardline {

bool MayHaveOverflown(const Amount& sum) {
  return sum.is_double() && std::abs(sum.number()) >= 0x1.0p63;
}

bool CannotAggregate(Code code) {
  // NOT_FOUND is what servers say that have never heard of aggregations.
  return code == Code::kUnimplemented || code == Code::kFailedPrecondition ||
         code == Code::kNotFound;
}

void TotalReading::Start(TotalSource source) {
  assert(!started_);
  started_ = true;
  source_ = source;
  if (source_ == TotalSource::kShards) return AskForPage();
  if (!counter_.is_extension()) return AskForSum();
  listing_ = ShardListing::OfPartials(counter_);
  AskForPage();
}

CallId TotalReading::Ask(Call call) {
  ++awaited_;
  return executor_.Send(std::move(call));
}

void TotalReading::AskForSum() { sum_call_ = Ask(counter_.ReadSum(listing_.read_time())); }

void TotalReading::ListInstead() {
  source_ = TotalSource::kShards;
  listing_ = ShardListing(counter_, ShardListing::Reads::kField, listing_.read_time());
  AskForPage();
}

Result<Billed> TotalReading::HandleAnswer(CallId id, const PaddedText& body) {
  assert(awaited_ > 0);
  Result<Billed> billed = OnPart(id, body);
  if (billed) --awaited_;
  return billed;
}

Result<Billed> TotalReading::OnPart(CallId id, const PaddedText& body) {
  if (id == sum_call_) return OnSum(body);
  return id == document_call_ ? OnDocument(body) : OnPage(body);
}

Result<Billed> TotalReading::OnSum(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeAggregation(body, true, sum_));
  const Billed billed{.reads = AggregationReads(sum_.count)};
  if (MayHaveOverflown(sum_.sum)) ListInstead();
  return billed;
}

Result<Billed> TotalReading::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed& billed, listing_.AddPage(body));
  if (listing_.complete()) {
    OnListed();
  } else {
    AskForPage();
  }
  return billed;
}

void TotalReading::OnListed() {
  if (!counter_.is_extension()) return;
  if (document_call_ == 0) document_call_ = Ask(counter_.ReadParent(listing_.read_time()));
  if (source_ == TotalSource::kSum) AskForSum();
}

Result<Billed> TotalReading::OnDocument(const PaddedText& body) {
  CountedDocument document;
  SHARDLINE_CHECK(DecodeCount(body, counter_.ParentName(), counter_.parent_field(), document));
  main_ = document.amount.value_or(main_);
  return Billed{.reads = 1};
}

Status TotalReading::AddUp(SumAndCount& total) const {
  assert(complete());
  Sum sum;
  sum.Add(main_);
  if (source_ == TotalSource::kSum) {
    sum.Add(sum_.sum);
    total = sum_;
  } else {
    total.count = 0;
    total.read_time = listing_.read_time();
  }
  for (const CountedDocument& shard : listing_.shards()) {
    if (shard.has_field && source_ == TotalSource::kShards) ++total.count;
    if (shard.amount) sum.Add(*shard.amount);
  }
  const std::optional<Amount> value = sum.Total();
  if (!value) {
    return Fail(kTotalTooLarge, "The counter's total does not fit into a 64-bit integer.");
  }
  total.sum = *value;
  return {};
}

bool TotalReading::HandleFailure(CallId id, const CallFailure& failure) {
  if (id != sum_call_ || !CannotAggregate(failure.error.code)) return false;
  --awaited_;
  ListInstead();
  return true;
}

void BeginTotal(JsonWriter& writer, const SumAndCount& total, std::string_view source,
                const Billed& billed) {
  total.sum.Write(writer.BeginObject().Key("value"));
  writer.Key("readTime").String(total.read_time);
  writer.Key("shards").Int(total.count);
  writer.Key("source").String(source);
  WriteBilled(writer.Key("billed"), billed);
}

void TotalReading::Write(JsonWriter& writer, const SumAndCount& total, const Billed& billed) const {
  const bool listed = source_ == TotalSource::kShards;
  BeginTotal(writer, total, listed ? "shards" : "sum", billed);
  if (listed) {
    writer.Key("perShard").BeginObject();
    for (const CountedDocument& shard : listing_.shards()) {
      if (!shard.amount) continue;
      writer.Key(std::string_view{shard.name}.substr(shard.name.rfind('/') + 1));
      shard.amount->Write(writer);
    }
    writer.EndObject();
    if (counter_.is_extension()) main_.Write(writer.Key("main"));
  }
  writer.EndObject();
}

}  // namespace shardline
