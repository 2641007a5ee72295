// Drives operations against a Simulator in virtual time: what a page does with fetch() and timers,
// without either. Minutes pass as fast as the processor goes, and the same seeds give the same run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "operation/operation.h"
#include "simulator/simulator.h"

namespace shardline::experiment {

// Requests by what became of them.
struct RequestCounts {
  std::int64_t sent = 0;
  // Refused because of others who write at the same time: ABORTED, or a precondition that does not
  // hold any more.
  std::int64_t conflicts = 0;
  // Refused, or failed on the server, for any other reason.
  std::int64_t errors = 0;
  // No answer came.
  std::int64_t lost = 0;
  // Failed requests behind which the operation went on.
  std::int64_t retries = 0;
};

class VirtualDriver {
 public:
  using ClientId = std::uint32_t;

  struct Event {
    ClientId client;
    // The operation that has ended; null: the time that SetTimer() named has come.
    std::unique_ptr<Operation> operation;
  };

  // The simulator must outlive the driver. Its clock starts at kStart.
  VirtualDriver(simulator::Simulator& simulator, std::size_t clients)
      : simulator_(simulator), clients_(clients) {}

  // What the simulator's clock shows at instant 0: 2026-01-01T00:00:00Z.
  static constexpr std::int64_t kStartMicros = 1'767'225'600'000'000;

  Instant now() const { return now_; }
  Timestamp server_now() const;

  // Gives the client's operation its first turn. Each client has one operation or timer at a time.
  void Run(ClientId client, std::unique_ptr<Operation> operation);
  void SetTimer(ClientId client, Instant at);

  // Lets time pass until something has come to its end. Nullopt if `steps`, which it counts down,
  // has reached 0, or if nothing more will happen: then operations that have not ended never will.
  std::optional<Event> Next(int& steps);

  // Operations that have not ended.
  std::size_t running() const { return running_; }
  const RequestCounts& requests() const { return requests_; }

 private:
  enum class Kind : std::uint8_t { kTimer, kWake, kAnswer };
  struct Entry {
    Instant at;
    std::uint64_t order;  // First scheduled, first served.
    ClientId client;
    Kind kind;
    std::uint32_t answer;  // kAnswer: its place in answers_.
  };
  static constexpr std::uint64_t kNobody = 0;
  struct PendingAnswer {
    ClientId client = 0;
    RequestId request = 0;
    std::uint64_t run = kNobody;  // The client's operation that has asked.
    bool lost = false;
    int status = 0;
    std::string body;
  };
  struct Client {
    std::unique_ptr<Operation> operation;
    std::uint64_t run = kNobody;  // Counts its operations.
    // The earliest entry in the queue that wakes it.
    std::optional<Instant> wake;
  };

  static bool Later(const Entry& a, const Entry& b);
  void Push(Instant at, ClientId client, Kind kind, std::uint32_t answer = 0);
  Entry Pop();
  void Send(ClientId client, const HttpRequest& request);
  std::int64_t GiveUp(ClientId client, const std::vector<RequestId>& requests);
  // Sends what the operation wants sent, and notes when to wake it.
  void Pump(ClientId client);
  void HandleAnswer(ClientId client, std::uint32_t index);
  void CountFailure(const PendingAnswer& answer, bool goes_on);
  void HandleWake(ClientId client, Instant at);

  simulator::Simulator& simulator_;
  Instant now_{};
  std::vector<Client> clients_;
  std::vector<Entry> queue_;  // A heap; the next one in front.
  std::uint64_t order_ = 0;
  std::vector<PendingAnswer> answers_;
  std::vector<std::uint32_t> free_answers_;
  std::size_t running_ = 0;
  // Has ended, and has not been handed out yet.
  std::vector<ClientId> ended_;
  RequestCounts requests_;
};

}  // namespace shardline::experiment
