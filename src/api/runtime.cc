#include "api/runtime.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "api/config.h"
#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/reason.h"
#include "base/utf8.h"

namespace shardline {
namespace {

void WriteFailure(JsonWriter& writer, const Error& error) {
  assert(HasItsParameters(error));
  writer.Key("done").Boolean(true).Key("error");
  WriteError(writer, error);
}

// The driver's clock counts milliseconds. Rounded up: woken too early, nothing would be due yet.
std::int64_t WakeMillis(Instant instant) {
  return std::chrono::ceil<std::chrono::milliseconds>(instant.time_since_epoch()).count();
}

}  // namespace

// Null if there is none.
StartOperation Runtime::FindEntry(std::string_view name) const {
  for (const ApiTable& table : api_) {
    for (const ApiEntry& entry : table) {
      if (entry.name == name) return entry.start;
    }
  }
  return nullptr;
}

int Runtime::Connect(const PaddedText& config) {
  if (!IsUtf8(config.view())) {
    WriteErrorFrame(
        (Fail(kArgumentUnreadable, "The options are not UTF-8.").With("argument", "the options"))
            .error());
    return 0;
  }
  Result<OperationContext> context = ParseConfig(config);
  if (!context) {
    WriteErrorFrame(context.error());
    return 0;
  }
  connections_.push_back({++last_handle_, std::make_unique<OperationContext>(std::move(*context))});
  return last_handle_;
}

void Runtime::Disconnect(int connection) {
  std::erase_if(running_, [&](const Running& r) { return r.connection == connection; });
  std::erase_if(connections_, [&](const Connection& c) { return c.handle == connection; });
}

// Null if it is closed.
OperationContext* Runtime::FindContext(int connection) {
  const auto found = std::find_if(connections_.begin(), connections_.end(),
                                  [&](const Connection& c) { return c.handle == connection; });
  return found == connections_.end() ? nullptr : found->context.get();
}

Result<std::unique_ptr<Operation>> Runtime::TryStart(int connection, const PaddedText& request) {
  OperationContext* context = FindContext(connection);
  if (context == nullptr) {
    return Fail(kClosed, "The connection is closed: call connect() again.");
  }
  if (!IsUtf8(request.view())) {
    return Fail(kArgumentUnreadable, "The request is not UTF-8.").With("argument", "the request");
  }
  JsonScanner scanner(request);
  StartOperation start = nullptr;
  std::string_view key;
  if (scanner.BeginObject()) {
    while (scanner.NextKey(key)) {
      if (key == "name") {
        start = FindEntry(scanner.RawString());
        if (scanner.ok() && start == nullptr) return nullptr;
      } else if (key == "arguments" && start != nullptr) {
        return start(scanner, *context);
      } else {
        scanner.SkipValue();
      }
    }
  }
  scanner.Reject("a name and arguments were expected, in this order");
  return scanner.failure("the request");
}

int Runtime::Start(int connection, const PaddedText& request) {
  Result<std::unique_ptr<Operation>> operation = TryStart(connection, request);
  if (!operation) {
    WriteErrorFrame(operation.error());
    return 0;
  }
  if (*operation == nullptr) return kNotInModule;
  running_.push_back({++last_handle_, connection, std::move(*operation)});
  return last_handle_;
}

Runtime::Running* Runtime::Find(int operation) {
  const auto at = std::lower_bound(running_.begin(), running_.end(), operation,
                                   [](const Running& r, int handle) { return r.handle < handle; });
  return at != running_.end() && at->handle == operation ? &*at : nullptr;
}

void Runtime::Respond(int operation, RequestId request, HttpResponse response, Instant now) {
  Running* running = Find(operation);
  if (running == nullptr) return;
  running->just_billed += running->operation->HandleResponse(request, std::move(response), now);
}

void Runtime::FailRequest(int operation, RequestId request, Instant now) {
  Running* running = Find(operation);
  if (running != nullptr) running->operation->HandleNetworkFailure(request, now);
}

void Runtime::Cancel(int operation) {
  Running* running = Find(operation);
  if (running != nullptr) running->operation->Cancel();
}

bool Runtime::Poll(int operation, Instant now) {
  Running* running = Find(operation);
  if (running == nullptr) {
    WriteErrorFrame(Error(kInternalFault, "This operation has ended."));
    return true;
  }
  running->operation->HandleTime(now);
  const bool has_output = WriteFrame(*running, now);
  if (running->operation->done()) running_.erase(running_.begin() + (running - running_.data()));
  return has_output;
}

void Runtime::WriteErrorFrame(const Error& error) {
  JsonWriter writer;
  writer.BeginObject();
  WriteFailure(writer, error);
  writer.EndObject();
  frame_ = writer.Take();
  header_size_ = frame_.size();
}

bool Runtime::WriteFrame(Running& running, Instant now) {
  Operation& operation = *running.operation;
  const std::vector<HttpRequest> requests = operation.TakeRequests(now);
  const std::vector<RequestId> aborts = operation.TakeAborts();
  const std::string progress = operation.TakeProgress();
  const std::optional<Error> outage = operation.TakeOutage();
  bool has_output = operation.done() || !requests.empty() || !aborts.empty() || !progress.empty() ||
                    outage.has_value();
  JsonWriter writer;
  writer.BeginObject();
  if (!requests.empty()) {
    std::size_t offset = 0;
    writer.Key("requests").BeginArray();
    for (const HttpRequest& request : requests) {
      writer.BeginArray().Int(request.id).String(request.method).String(request.path);
      writer.Int(static_cast<std::int64_t>(offset));
      writer.Int(static_cast<std::int64_t>(request.body.size()));
      writer.Boolean(request.refresh_token).EndArray();
      offset += request.body.size();
    }
    writer.EndArray();
  }
  if (!aborts.empty()) {
    writer.Key("aborts").BeginArray();
    for (const RequestId id : aborts) writer.Int(id);
    writer.EndArray();
  }
  const Billed billed = std::exchange(running.just_billed, {});
  if (billed != Billed{}) {
    writer.Key("billed").BeginArray();
    writer.Int(billed.reads).Int(billed.writes).Int(billed.deletes).EndArray();
  }
  if (!progress.empty()) writer.Key("progress").Raw(progress);
  if (outage) {
    writer.Key("outage");
    WriteError(writer, *outage);
  }
  if (!operation.done()) {
    const std::optional<Instant> wake = operation.NextWake();
    if (wake) writer.Key("wake").Int(WakeMillis(*wake));
    if (wake && (*wake < running.told_wake || running.told_wake <= now)) has_output = true;
    if (wake && has_output) running.told_wake = *wake;
  } else if (operation.error()) {
    WriteFailure(writer, *operation.error());
  } else {
    writer.Key("done").Boolean(true).Key("result");
    operation.WriteResult(writer);
  }
  writer.EndObject();
  frame_ = writer.Take();
  header_size_ = frame_.size();
  for (const HttpRequest& request : requests) frame_ += request.body;
  return has_output;
}

}  // namespace shardline
