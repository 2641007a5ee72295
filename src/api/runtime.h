#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "base/padded_text.h"
#include "operation/operation.h"

namespace shardline {

// The facade of the core for JavaScript, with a handful of coarse calls. Connections and operations
// have handles (positive, never used twice), requests and results are JSON.
//
// An operation speaks to its driver in a *frame*: a JSON header and, behind it, the bodies of the
// requests to send.
//
//   {"requests": [[id, "POST", "/v1/…", bodyOffset, bodySize, refreshToken], …],  send these
//    "aborts": [id, …],                    their answers are no longer needed
//    "wake": 1234.5,                       call Poll() again then (ms, driver's clock)
//    "billed": [reads, writes, deletes],   by the answer just passed in
//    "progress": …,                        report this to the user, before the end
//    "outage": {"code", …},                why a request failed that is sent again later
//    "done": true,                         the handle is gone, and there is one of:
//    "result": …,
//    "error": {"code", "message", "status"}}
//
// Empty members are left out.
class Runtime {
 public:
  // `api` lists the calls, and must outlive it.
  explicit Runtime(std::span<const ApiTable> api) : api_(api) {}

  // `config`: {"projectId", "databaseId", "retry": {maxAttempts, initialDelayMs, multiplier,
  // maxDelayMs, timeoutMs}, "seed": [eight integers from 0 to 2^32 - 1]}. Returns a handle, or 0 if
  // the frame holds an error.
  int Connect(const PaddedText& config);
  // Ends all operations of the connection. Do not poll them any more.
  void Disconnect(int connection);

  // `request`: {"name": "counter.create", "arguments": {…}}. Returns a handle to poll at once, or 0
  // if the frame holds an error, or kNotInModule: another module may have a call of that name.
  int Start(int connection, const PaddedText& request);
  static constexpr int kNotInModule = -1;

  // Reports the answer, or the failure, of an operation's request. Ignores unknown handles and ids,
  // which belong to operations that have ended.
  void Respond(int operation, RequestId request, HttpResponse response, Instant now);
  void FailRequest(int operation, RequestId request, Instant now);
  void Cancel(int operation);

  // Lets the time pass, and writes the frame. Call it after Start() and after each method above,
  // and at the time that the last frame named. Returns false if the driver need only read "billed":
  // there is nothing to do, and the time of the earlier frame is still right.
  bool Poll(int operation, Instant now);

  // The frame: valid until the next call. Its first header_size() bytes are the header.
  std::string_view frame() const { return frame_; }
  std::size_t header_size() const { return header_size_; }

 private:
  struct Connection {
    int handle;
    std::unique_ptr<OperationContext> context;
  };
  struct Running {
    int handle;
    int connection;
    std::unique_ptr<Operation> operation;
    Billed just_billed = {};
    Instant told_wake = {};  // The "wake" of the last frame that the driver had to read.
  };

  // Null if there is no operation of that name.
  Result<std::unique_ptr<Operation>> TryStart(int connection, const PaddedText& request);
  OperationContext* FindContext(int connection);
  StartOperation FindEntry(std::string_view name) const;
  Running* Find(int operation);
  void WriteErrorFrame(const Error& error);
  bool WriteFrame(Running& running, Instant now);

  std::span<const ApiTable> api_;
  std::vector<Connection> connections_;
  std::vector<Running> running_;  // Sorted by handle.
  int last_handle_ = 0;
  std::string frame_;
  std::size_t header_size_ = 0;
};

}  // namespace shardline
