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

// All that JavaScript can ask of the core, in a handful of coarse calls: connections and operations
// stand behind handles (positive, never used twice), requests and results are JSON.
//
// Whatever an operation wants its driver to know is written into a *frame*: a JSON header and,
// behind it, the bodies of the requests that are to be sent.
//
//   {"requests": [[id, "POST", "/v1/…", bodyOffset, bodySize, refreshToken], …],  to be sent
//    "aborts": [id, …],                    their answers are no longer needed
//    "wake": 1234.5,                       call Poll() again then (ms, driver's clock); may be
//    absent
//    "billed": [reads, writes, deletes],   by the answer just passed in
//    "progress": …,                        to be told to the user, before the end
//    "outage": {"code", …},                why a request failed that is sent again later
//    "done": true,                         the handle is gone, and there is one of:
//    "result": …,
//    "error": {"code", "message", "status"}}
//
// Empty members are left out.
class Runtime {
 public:
  // `api` is what can be asked for, and must outlive it.
  explicit Runtime(std::span<const ApiTable> api) : api_(api) {}

  // `config`: {"projectId", "databaseId", "retry": {maxAttempts, initialDelayMs, multiplier,
  // maxDelayMs, timeoutMs}, "seed": [eight integers from 0 to 2^32 - 1]}. Returns a handle; or 0,
  // and the frame holds an error.
  int Connect(const PaddedText& config);
  // Ends all operations of the connection; they are not to be polled any more.
  void Disconnect(int connection);

  // `request`: {"name": "counter.create", "arguments": {…}}. Returns a handle to poll at once; or
  // 0, and the frame holds an error; or kNotInModule: another module may have an operation of that
  // name.
  int Start(int connection, const PaddedText& request);
  static constexpr int kNotInModule = -1;

  // Reports the answer, or the failure, of an operation's request. Unknown handles and ids are
  // ignored: they are of the past.
  void Respond(int operation, RequestId request, HttpResponse response, Instant now);
  void FailRequest(int operation, RequestId request, Instant now);
  void Cancel(int operation);

  // Lets the time pass, and writes the frame. To be called after Start and each of the above, and
  // at the time that the last frame named. False if the frame need not be read except what was
  // billed: there is nothing to do, and the time named earlier still stands.
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
    Instant told_wake = {};  // The last one that a driver was told to read.
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
