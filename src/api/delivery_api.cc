#include "api/delivery_api.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/counter_arguments.h"
#include "api/ready_operation.h"
#include "delivery/deliver_increment.h"
#include "delivery/delivery_queue.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

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
  for (const Amount& entry : queue.entries()) writer.Raw(entry.Encode());
  writer.EndArray();
  if (queue.MayHaveBeenSent(page)) writer.Key("inDoubt").Boolean(true);
  if (batch) {
    writer.Key("batch");
    batch->Write(writer);
  }
  return writer;
}

Started Answer(OperationContext& context, JsonWriter writer) {
  writer.EndObject();
  return std::make_unique<ReadyOperation>(context, writer.Take());
}

// All that the queue's entries take.
struct QueueArguments {
  explicit QueueArguments(JsonScanner& scanner) : arguments(scanner) {
    arguments.Enter();
    while (arguments.Next()) {
      if (arguments.Is("state")) {
        state = arguments.TextOrNull();
      } else if (arguments.Is("clientId")) {
        client = ReadClientId(arguments);
      } else if (arguments.Is("deltas")) {
        ReadDeltas(scanner);
      } else if (arguments.Is("maxDelta")) {
        most = ReadMaxDelta(arguments);
      } else if (arguments.Is("now")) {
        clock.now.micros = ReadMillis() * 1000;
      } else if (arguments.Is("serverNow")) {
        clock.server_now = Timestamp{ReadMillis() * 1000};
      } else if (arguments.Is("page")) {
        page = arguments.Text();
      } else if (arguments.Is("revive")) {
        revive = arguments.Boolean();
      } else if (arguments.Is("batch")) {
        batch = arguments.Text();
      } else if (arguments.Is("outcome")) {
        outcome = DeliveryOutcome::Read(scanner);
      } else {
        arguments.RefuseUnknown(
            "state, clientId, deltas, maxDelta, now, serverNow, page, revive, batch and outcome");
      }
    }
  }

  // The queue as stored, or a new one.
  Result<DeliveryQueue> Queue(Random& random) {
    if (!arguments.ok()) return arguments.TakeFailure();
    if (state) {
      Result<DeliveryQueue> queue = DeliveryQueue::Parse(*state);
      if (queue && revive) queue->Revive();
      return queue;
    }
    return DeliveryQueue(client.value_or(""), random);
  }

  Arguments arguments;
  std::optional<std::string> state;
  std::optional<std::string> client;
  std::vector<Amount> deltas;
  std::optional<Amount> most;
  DeliveryQueue::Clock clock = {};
  std::string page;
  bool revive = false;
  std::string batch;
  DeliveryOutcome outcome;

 private:
  void ReadDeltas(JsonScanner& scanner) {
    if (!scanner.BeginArray()) return;
    while (scanner.NextElement()) {
      const std::optional<Amount> delta = Amount::Read(scanner);
      if (delta && std::isfinite(delta->number())) {
        deltas.push_back(*delta);
      } else {
        scanner.Reject("a delta is no finite number");
      }
    }
  }
  std::int64_t ReadMillis() {
    // Beyond what Firestore's timestamps hold, nothing needs to be told apart.
    constexpr std::int64_t kMost = Timestamp::kMaxMicros / 1000;
    const std::int64_t millis = arguments.Integer();
    return millis < 0 ? 0 : millis > kMost ? kMost : millis;
  }
};

}  // namespace

Started StartQueueAdd(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner);
  SHARDLINE_TRY(DeliveryQueue && queue, read.Queue(context.random));
  std::vector<DeliveryQueue::Tickets> tickets;
  if (!read.page.empty()) queue.Unprepare(read.page);
  for (const Amount& delta : read.deltas) {
    if (read.most && !delta.is_double() && read.most->number() < 1) {
      return InvalidArgument("With a `maxDelta` below 1 there can be no integers.");
    }
    SHARDLINE_TRY(const DeliveryQueue::Tickets& added, queue.Add(delta, read.most));
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

Started StartQueueStage(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner);
  SHARDLINE_TRY(DeliveryQueue && queue, read.Queue(context.random));
  const std::optional<Batch> batch = queue.Stage(read.clock, context.random, read.page);
  return Answer(context, BeginView(queue, read.page, batch));
}

Started StartQueueSettle(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner);
  SHARDLINE_TRY(DeliveryQueue && queue, read.Queue(context.random));
  queue.Settle(read.batch, read.outcome, context.random);
  std::optional<Batch> next;
  if (!read.page.empty()) next = queue.Prepare(read.clock, context.random, read.page);
  return Answer(context, BeginView(queue, read.page, next));
}

Started StartQueueView(JsonScanner& scanner, OperationContext& context) {
  QueueArguments read(scanner);
  SHARDLINE_TRY(const DeliveryQueue& queue, read.Queue(context.random));
  return Answer(context, BeginView(queue, read.page));
}

Started StartCounterDeliver(JsonScanner& scanner, OperationContext& context) {
  std::unique_ptr<const Counter> counter;
  std::optional<Batch> batch;
  Arguments arguments(scanner);
  arguments.Enter();
  while (arguments.Next()) {
    if (arguments.Is("counter")) {
      counter = ReadCounter(arguments, context.database);
    } else if (arguments.Is("batch")) {
      batch = Batch::Read(scanner);
    } else {
      arguments.RefuseUnknown("counter and batch");
    }
  }
  if (!counter) arguments.Refuse("counter", "given");
  if (!batch) arguments.Refuse("batch", "given");
  if (!arguments.ok()) return arguments.TakeFailure();
  SHARDLINE_CHECK(CheckId(batch->client, "client id"));
  if (!std::isfinite(batch->delta.number())) return InvalidArgument("The delta is not finite.");
  return DeliverIncrement::Start(context, std::move(counter), std::move(*batch));
}

}  // namespace shardline
