// Deterministic simulation: a discrete-event loop drives operations over a Network in virtual time,
// in place of a page's fetch() and timers. Minutes pass as fast as the processor runs, and the same
// seeds give the same run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "experiment/network.h"
#include "operation/operation.h"

namespace shardline::experiment {

// The numbers of requests, by their ends.
struct RequestCounts {
  std::int64_t sent = 0;
  // Refused because of others who write at the same time: ABORTED, or a precondition that does not
  // hold any more.
  std::int64_t conflicts = 0;
  // Refused, or failed on the server, for any other reason.
  std::int64_t errors = 0;
  // No answer came.
  std::int64_t lost = 0;
  // Failed requests after which the operation went on.
  std::int64_t retries = 0;
  // Arrived after their sender had given them up.
  std::int64_t late = 0;
  // Arrived twice.
  std::int64_t doubled = 0;
};

// An observer of each request. `number` counts all requests of a driver, from 1.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  virtual void OnSent(std::int64_t number, ClientId sender, const HttpRequest& request,
                      Instant now) = 0;
  // Called once for each arrival, with the reply that will come back.
  virtual void OnArrived(std::int64_t number, const HttpRequest& request, const Reply& reply,
                         Instant now) = 0;
  // Called when the sender has the reply, or has given the request up: then there is no reply.
  virtual void OnSettled(std::int64_t number, const Reply* reply, Instant now) = 0;
};

class VirtualDriver {
 public:
  using ClientId = experiment::ClientId;

  struct Event {
    ClientId client;
    // The operation that has ended; null: the time of SetTimer() has come.
    std::unique_ptr<Operation> operation;
  };

  // The network must outlive the driver. The server's clock starts at kStart.
  VirtualDriver(Network& network, std::size_t clients) : network_(network), clients_(clients) {}

  // The server's clock at instant 0: 2026-01-01T00:00:00Z.
  static constexpr std::int64_t kStartMicros = 1'767'225'600'000'000;

  Instant now() const { return now_; }
  Timestamp server_now() const;

  // Gives the client's operation its first turn, or sets a time that Next() reports. A client has
  // one operation or one timer at a time, and no other may be under way.
  void Run(ClientId client, std::unique_ptr<Operation> operation);
  void SetTimer(ClientId client, Instant at);

  // Closes the page: its operation ends, and its requests may still arrive. Returns the operation;
  // null if none is under way.
  std::unique_ptr<Operation> Kill(ClientId client);
  // Suspends the client until then: its answers wait, and its timers are late.
  void Suspend(ClientId client, Instant until);

  // Lets time pass until an operation or a timer has ended. Returns nullopt if `steps`, which it
  // counts down, has reached 0, or if no event is left: then the running operations will never end.
  std::optional<Event> Next(int& steps);

  // The number of operations that have not ended.
  std::size_t running() const { return running_; }
  // The operation that a client has under way; null for none.
  const Operation* operation(ClientId client) const { return clients_[client].operation.get(); }
  // The time of its Run(), and the number of requests that it has sent since.
  Instant begun(ClientId client) const { return clients_[client].begun; }
  std::int64_t sent(ClientId client) const { return clients_[client].sent; }
  // The last progress report of the client, as JSON; empty if there is none. It stays when the page
  // closes.
  const std::string& progress(ClientId client) const { return clients_[client].progress; }
  const RequestCounts& requests() const { return requests_; }

  // Null for no observer. The observer must outlive the driver, unless it is replaced.
  void set_observer(RequestObserver* observer) { observer_ = observer; }

 private:
  enum class Kind : std::uint8_t { kTimer, kWake, kArrival, kSecondArrival, kReply, kBreak };
  struct Entry {
    Instant at;
    std::uint64_t order;  // First scheduled, first served.
    ClientId client;
    Kind kind;
    std::uint32_t place;  // kReply: in replies_; requests' kinds: in sent_.
  };
  static constexpr std::uint64_t kNobody = 0;
  // A request that may still arrive, or whose answer may still come back.
  struct SentRequest {
    ClientId client = 0;
    std::uint64_t run = kNobody;  // The client's operation that waits for the answer.
    HttpRequest request;
    std::int64_t number = 0;
    bool loses_first_answer = false;
    int entries = 0;  // In the queue.
  };
  struct PendingReply {
    std::uint32_t sent = 0;
    Reply reply;
  };
  struct Client {
    std::unique_ptr<Operation> operation;
    std::uint64_t run = kNobody;  // The number of its operations.
    Instant begun{};
    std::int64_t sent = 0;
    std::string progress;
    Instant suspended_until{};
    // The earliest entry in the queue that wakes it.
    std::optional<Instant> wake;
  };
  // Objects that keep their place until they are released.
  template <class T>
  class Pool {
   public:
    std::uint32_t Take();
    void Release(std::uint32_t place);
    T& operator[](std::uint32_t place) { return objects_[place]; }
    std::vector<T>& objects() { return objects_; }

   private:
    std::vector<T> objects_;
    std::vector<std::uint32_t> free_;
  };

  static bool Later(const Entry& a, const Entry& b);
  void Push(Instant at, ClientId client, Kind kind, std::uint32_t place = 0);
  Entry Pop();
  void Handle(const Entry& entry);
  void Send(ClientId client, HttpRequest request);
  void PushRequest(std::uint32_t place, Kind kind, Duration after);
  void HandleRequestEntry(const Entry& entry);
  void Arrive(std::uint32_t place, bool is_second, bool expects_answer);
  bool IsAwaited(const SentRequest& sent) const;
  std::int64_t GiveUp(ClientId client, const std::vector<RequestId>& requests);
  // Sends the operation's requests, and notes the time to wake it.
  void Pump(ClientId client);
  void HandleReply(std::uint32_t place);
  // Passes the reply of a request to the operation that waits for it.
  void Settle(SentRequest& sent, const Reply& reply);
  void CountFailure(const Reply& reply, bool goes_on);
  void HandleWake(ClientId client, Instant at);

  Network& network_;
  Instant now_{};
  std::vector<Client> clients_;
  std::vector<Entry> queue_;  // A heap; the next one in front.
  std::uint64_t order_ = 0;
  Pool<SentRequest> sent_;
  Pool<PendingReply> replies_;
  std::size_t running_ = 0;
  // The clients whose ended operation Next() has not returned yet.
  std::vector<ClientId> ended_;
  RequestCounts requests_;
  RequestObserver* observer_ = nullptr;
};

}  // namespace shardline::experiment
