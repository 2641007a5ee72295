#include "simulator/simulator.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/number.h"
#include "firestore/limits_and_prices.h"
#include "simulator/refusal.h"

namespace shardline::simulator {
namespace {

// How long the emulator, and about how long Firestore, waits for another transaction.
constexpr std::int64_t kLockWaitMicros = 2'000'000;

constexpr int kOk = 200;

// The path with which an embedded Firestore's own stream reports the documents that it has sent.
constexpr std::string_view kBill = "/stream/billed/";
constexpr std::int64_t kMostBilled = 1'000'000;

BackendOptions WithGate(BackendOptions options, std::uint64_t seed, Gate* gate) {
  options.seed = seed;
  options.gate = gate;
  return options;
}

// The standard edition's prices for a million.
constexpr StandardPrices kPrices = kStandardPrices[0];
constexpr double kPriceUnit = 1e6;

}  // namespace

Simulator::Simulator(SimulatorOptions options)
    : options_(std::move(options)),
      contention_(std::make_unique<Contention>(options_.limits, options_.backend.indexes)),
      backend_(WithGate(options_.backend, options_.seed, contention_.get())),
      random_(options_.seed),
      voice_(options_.seed) {}

Status Simulator::Configure(const PaddedText& json) {
  SHARDLINE_TRY(SimulatorOptions options, ReadSimulatorOptions(json, options_));
  options_.faults = options.faults;
  options_.dialect = options.dialect;
  options_.min_latency_micros = options.min_latency_micros;
  options_.max_latency_micros = options.max_latency_micros;
  if (options.limits != options_.limits) {
    options_.limits = options.limits;
    contention_->Reset(options_.limits);
  }
  return {};
}

std::int64_t Simulator::DrawLatency() {
  const std::int64_t span = options_.max_latency_micros - options_.min_latency_micros;
  if (options_.max_latency_micros == 0) return 0;
  const double dice = random_.Fraction();
  return options_.min_latency_micros +
         static_cast<std::int64_t>(dice * dice * static_cast<double>(span));
}

const Error* Simulator::DrawRefusal() {
  static const Error kInternal = Refusal(Code::kInternal, "An internal error occurred.", 500);
  static const Error kUnavailable = Refusal(Code::kUnavailable, "The service is unavailable.", 503);
  static const Error kExhausted = Refusal(Code::kResourceExhausted, "Quota exceeded.", 429);
  static const Error kUnauthenticated =
      Refusal(Code::kUnauthenticated, "The token has expired.", 401);
  const Faults& faults = options_.faults;
  if (Happens(faults.unauthenticated)) return &kUnauthenticated;
  if (Happens(faults.exhausted)) return &kExhausted;
  if (Happens(faults.unavailable)) return &kUnavailable;
  return Happens(faults.internal) ? &kInternal : nullptr;
}

void Simulator::Execute(const Request& request, const PaddedText& body, Timestamp now,
                        Delivery& delivery) {
  delivery.answer = backend_.Handle(request, body, now);
  delivery.wait = contention_->TakeWait();
  delivery.delay += delivery.wait;
  delivery.applied = delivery.answer.status == kOk;
  if (delivery.answer.blocked) delivery.delay += kLockWaitMicros;
  if (request.caller == Caller::kStream) return;
  billed_.reads += delivery.answer.billed.reads;
  billed_.writes += delivery.answer.billed.writes;
  billed_.deletes += delivery.answer.billed.deletes;
}

Delivery Simulator::Handle(const Request& request, const PaddedText& body, Timestamp now) {
  const Faults& faults = options_.faults;
  Delivery delivery;
  if (request.caller == Caller::kStream && request.target.starts_with(kBill)) {
    const std::int64_t reads = ParseInt64(request.target.substr(kBill.size())).value_or(0);
    billed_.reads += std::clamp<std::int64_t>(reads, 0, kMostBilled);
    return delivery;
  }
  ++requests_;
  delivery.delay = DrawLatency();
  if (Happens(faults.delay)) delivery.delay += faults.delay_micros;
  if (now.micros < faults.down_until_micros || Happens(faults.drop_request)) {
    delivery.lost = true;
    ++failed_;
    return delivery;
  }
  const Timestamp server_now{now.micros + faults.clock_skew_micros};
  const Error* refusal = DrawRefusal();
  const bool surely_not = refusal && refusal->http_status < 500;
  const bool executed = !refusal || (!surely_not && Happens(0.5));
  if (executed) Execute(request, body, server_now, delivery);
  Answer& answer = delivery.answer;
  if (refusal) {
    answer = voice_.SayError(options_.dialect, request, *refusal, executed ? &answer : nullptr);
    ++failed_;
  } else if (Happens(faults.drop_response)) {
    delivery.lost = true;
    ++failed_;
  } else {
    answer = voice_.Say(options_.dialect, request, std::move(answer));
  }
  return delivery;
}

std::string Simulator::Observation(Timestamp now) const {
  constexpr std::size_t kMost = 100;
  const double price = (static_cast<double>(billed_.reads) * kPrices.read +
                        static_cast<double>(billed_.writes) * kPrices.write +
                        static_cast<double>(billed_.deletes) * kPrices.remove) /
                       kPriceUnit;
  std::string dollars;
  AppendDouble(dollars, price);
  JsonWriter writer;
  writer.BeginObject().Key("documents").Int(static_cast<std::int64_t>(backend_.size()));
  writer.Key("requests").Int(requests_).Key("failed").Int(failed_);
  writer.Key("billed").BeginObject().Key("reads").Int(billed_.reads);
  writer.Key("writes").Int(billed_.writes).Key("deletes").Int(billed_.deletes);
  writer.Key("dollars").Raw(dollars).EndObject();
  writer.Key("contention").BeginObject().Key("aborted").Int(contention_->aborted());
  writer.Key("waited").Int(contention_->waited()).Key("documents");
  contention_->WriteDocuments(writer, kMost, now);
  writer.EndObject().Key("tablets");
  contention_->WriteTablets(writer, kMost, now);
  writer.Key("missingIndexes").BeginArray();
  for (const std::string& index : backend_.missing_indexes()) writer.Raw(index);
  writer.EndArray().EndObject();
  return writer.Take();
}

}  // namespace shardline::simulator
