#include "api/delivery_api.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/counter_arguments.h"
#include "api/ready_operation.h"
#include "base/reason.h"
#include "delivery/deliver_increment.h"
#include "delivery/delivery_queue.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

// Begins an object that its caller ends.
JsonWriter BeginView(const DeliveryQueue& queue, std::string_view page,
                     const std::optional<Batch>& batch = {}) {
  JsonWriter writer;
  writer.BeginObject().Key("state").String(queue.Write());
  writer.Key("settled").Int(queue.settled());
  writer.Key("failures").BeginArray();
  for (const DeliveryQueue::Failure& failure : queue.failures()) {
    writer.BeginObject().Key("ticket").Int(failure.ticket).Key("error");
    WriteError(writer, failure.error);
    writer.EndObject();
  }
  writer.EndArray().Key("entries").BeginArray();
  for (const Amount& entry : queue.entries()) writer.Raw(entry.Encode().json());
  writer.EndArray();
  if (queue.MayHaveBeenSent(page)) writer.Key("inDoubt").Boolean(true);
  if (batch) {
    writer.Key("batch");
    batch->Write(writer);
  }
  return writer;
}

Start Answer(OperationContext& context, JsonWriter writer) {
  writer.EndObject();
  return std::make_unique<ReadyOperation>(context, writer.Take());
}

// What the queue's calls have in common.
struct QueueArguments {
  QueueArguments(JsonScanner& scanner, std::span<const ParameterCheck> parameters)
      : arguments(scanner, parameters) {}

  // The queue as stored, or a new one of this client.
  Result<DeliveryQueue> Queue(Random& random, const std::string& client = {}) {
    const std::optional<std::string> state = arguments.OptionalText("state");
    page = arguments.Text("page");
    clock.now = Time("now");
    if (arguments.Has("serverNow")) clock.server_now = Time("serverNow");
    if (!arguments.ok()) return arguments.TakeFailure();
    if (!state) return DeliveryQueue(client, random);
    return DeliveryQueue::Parse(*state);
  }

  Arguments arguments;
  std::string page;
  DeliveryQueue::Clock clock = {};

 private:
  Timestamp Time(std::string_view name) const {
    // Beyond what Firestore's timestamps hold, nothing needs to be told apart.
    constexpr std::int64_t kMost = Timestamp::kMaxMicros / 1000;
    return {std::clamp(arguments.Integer(name), std::int64_t{0}, kMost) * 1000};
  }
};

std::vector<Amount> ReadDeltas(Arguments& arguments) {
  std::vector<Amount> deltas;
  if (!arguments.Has("deltas")) return deltas;
  JsonScanner scanner = arguments.Scanner("deltas");
  scanner.BeginArray();
  while (scanner.NextElement()) {
    const std::optional<Amount> delta = Amount::Read(scanner);
    if (delta && std::isfinite(delta->number())) {
      deltas.push_back(*delta);
    } else {
      scanner.Reject("a delta is no finite number");
    }
  }
  if (!scanner.ok()) arguments.Latch(scanner.failure("the arguments"));
  return deltas;
}

}  // namespace

Start StartQueueAdd(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner, kChecks<kQueueAddParameters>);
  const std::optional<std::string> client = ReadClientId(read.arguments);
  const std::optional<Amount> most = ReadMaxDelta(read.arguments);
  const std::vector<Amount> deltas = ReadDeltas(read.arguments);
  SHARDLINE_TRY(DeliveryQueue && queue, read.Queue(context.random, client.value_or("")));
  std::vector<DeliveryQueue::Tickets> tickets;
  if (!read.page.empty()) queue.Unprepare(read.page);
  for (const Amount& delta : deltas) {
    if (most && !delta.is_double() && most->number() < 1) {
      return Conflict("maxDelta", "delta", "With a `maxDelta` below 1 there can be no integers.");
    }
    SHARDLINE_TRY(const DeliveryQueue::Tickets& added, queue.Add(delta, most));
    tickets.push_back(added);
  }
  std::optional<Batch> batch;
  if (!read.page.empty()) batch = queue.Prepare(read.clock, context.random, read.page);
  JsonWriter writer = BeginView(queue, read.page, batch);
  writer.Key("tickets").BeginArray();
  for (const DeliveryQueue::Tickets& each : tickets) writer.Int(each.first).Int(each.last);
  writer.EndArray();
  return Answer(context, std::move(writer));
}

Start StartQueueStage(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner, kChecks<kQueueParameters>);
  SHARDLINE_TRY(DeliveryQueue && queue, read.Queue(context.random));
  const std::optional<Batch> batch = queue.Stage(read.clock, context.random, read.page);
  return Answer(context, BeginView(queue, read.page, batch));
}

Start StartQueueSettle(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner, kChecks<kQueueSettleParameters>);
  Arguments& arguments = read.arguments;
  DeliveryOutcome outcome;
  if (arguments.Has("outcome")) {
    JsonScanner text = arguments.Scanner("outcome");
    outcome = DeliveryOutcome::Read(text);
    if (!text.ok()) arguments.Latch(text.failure("the outcome"));
  }
  const std::string batch = arguments.Text("batch");
  SHARDLINE_TRY(DeliveryQueue && queue, read.Queue(context.random));
  queue.Settle(batch, outcome, context.random);
  std::optional<Batch> next;
  if (!read.page.empty()) next = queue.Prepare(read.clock, context.random, read.page);
  return Answer(context, BeginView(queue, read.page, next));
}

Start StartQueueView(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner, kChecks<kQueueParameters>);
  SHARDLINE_TRY(const DeliveryQueue& queue, read.Queue(context.random));
  return Answer(context, BeginView(queue, read.page));
}

Start StartCounterDeliver(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterDeliverParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  if (!arguments.ok()) return arguments.TakeFailure();
  JsonScanner text = arguments.Scanner("batch");
  Batch batch = Batch::Read(text);
  if (!text.ok()) return text.failure("the batch");
  SHARDLINE_CHECK(CheckId(batch.client, "client id"));
  if (!std::isfinite(batch.delta.number())) {
    return RefuseArgument(kArgumentNotAllowed, "delta", "a finite number",
                          "The delta is not finite.");
  }
  return DeliverIncrement::Start(context, std::move(counter), std::move(batch));
}

}  // namespace shardline
