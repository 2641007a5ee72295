// Record and replay: records an experiment, request by request, so that a player can show it again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/json_writer.h"
#include "experiment/options.h"
#include "experiment/virtual_driver.h"
#include "experiment/workload.h"
#include "firestore/timestamp.h"
#include "simulator/simulator.h"

namespace shardline::experiment {

// The end of a request or a piece of work. The recording contains these numbers.
enum class RecordedEnd : std::uint8_t {
  kUnderWay,  // It has not ended.
  kDone,      // Acknowledged.
  kConflict,  // A request: refused because of others who write at the same time.
  kFailed,    // Refused, or failed on the server, for any other reason.
  kNoAnswer,  // No answer came, so the request, or one of the work, may have been carried out.
};

// Keeps the first `record_requests` requests and pieces of work of a load, and looks at the server
// at most kMostSamples times. Recording does not change the load.
class Recorder final : public RequestObserver {
 public:
  static constexpr std::size_t kMostSamples = 1'000;
  // Bounds bodies and results together, in bytes.
  static constexpr std::size_t kMostText = 4'000'000;

  // Database, workload and simulator must outlive it. Times count from `begun`. It leaves out the
  // `sent` requests that the driver has sent before.
  Recorder(const Options& options, const DatabaseName& database, const Workload& workload,
           simulator::Simulator& simulator, Instant begun, std::int64_t sent);

  // ---- Pieces of work. A user has one at a time. ----
  void BeginWork(ClientId user, Instant now);
  // Takes the bill of an ended operation of the user's work.
  void CountBilled(ClientId user, const Billed& billed);
  // Keeps the result of the operation, as JSON.
  void KeepResult(ClientId user, std::string result, Instant now);
  // `value`: an id, or a total; nullopt for none.
  void EndWork(ClientId user, RecordedEnd end, std::optional<std::int64_t> value, Instant now);

  // Takes a sample of the server, if the time for it has come.
  void Sample(Instant now);

  void OnSent(std::int64_t number, ClientId sender, const HttpRequest& request,
              Instant now) override;
  void OnArrived(std::int64_t number, const HttpRequest& request, const Reply& reply,
                 Instant now) override;
  void OnSettled(std::int64_t number, const Reply* reply, Instant now) override;

  // Writes an object. Its lists have one number for each request, or piece of work, in the order of
  // their beginnings. Times are milliseconds since the load has begun; -1 stands for never, or
  // none.
  //
  //   requests   {"user", "work": which one it belongs to, "shard": the shard it is for, "write": 1
  //              for commits, "sentMs", "arrivedMs": half of the latency later, "doneMs": when the
  //              server has waited for whatever is in the way, "answeredMs": when the sender knows,
  //              or gives up, "end", "applied": 1 if it was carried out, "count": what the shard
  //              holds after it; and of a second arrival "againMs", when it was done,
  //              "againApplied" and "againCount"}
  //   works      {"user", "beganMs", "endedMs", "end", "value", "reads", "writes"}
  //   leftOut    how many requests and pieces of work were beyond the bound
  //   samples    [{"atMs", "reads", "writes": billed so far, "tablets": see Observation}]
  //   bodies     [{"request", "body", "answer"}], if asked for; the texts are JSON
  //   results    [{"work", "atMs", "result"}], if asked for
  //   endMs      when the last thing happened
  void Write(JsonWriter& writer) const;

 private:
  struct Request {
    ClientId user = 0;
    std::int64_t work = -1;
    std::int64_t shard = -1;
    bool is_write = false;
    std::int64_t sent = 0;
    std::int64_t arrived = -1;
    std::int64_t done = -1;
    std::int64_t answered = -1;
    RecordedEnd end = RecordedEnd::kUnderWay;
    bool applied = false;
    std::int64_t count = -1;
    std::int64_t again = -1;
    bool again_applied = false;
    std::int64_t again_count = -1;
  };
  struct Work {
    ClientId user = 0;
    std::int64_t began = 0;
    std::int64_t ended = -1;
    RecordedEnd end = RecordedEnd::kUnderWay;
    std::int64_t value = -1;
    Billed billed;
  };
  struct ServerSample {
    std::int64_t at = 0;
    std::int64_t reads = 0;
    std::int64_t writes = 0;
    std::string tablets;
  };
  struct Text {
    std::int64_t of = 0;  // A request, or a piece of work.
    std::int64_t at = 0;
    std::string first;   // The request's body, or the result,
    std::string second;  // and the answer's body.
  };

  // Null for a request that was left out.
  Request* Find(std::int64_t number);
  Work* WorkOf(ClientId user);
  std::int64_t Millis(Instant at) const;
  // The shard's count; -1 if the experiment counts nothing.
  std::int64_t CountOf(std::int64_t shard, Instant now);
  // Notes the time of an event.
  void Note(Instant at) { end_ = std::max(end_, at); }
  // True if there is room for it.
  bool MayKeep(std::size_t size);

  const DatabaseName& database_;
  const Workload& workload_;
  simulator::Simulator& simulator_;
  Instant begun_;
  std::int64_t sent_before_;
  std::size_t most_;
  bool keeps_texts_;
  Duration sample_every_;
  Instant next_sample_;

  std::vector<Request> requests_;
  std::vector<Work> works_;
  std::vector<std::int64_t> work_of_;  // By user; -1 for none.
  std::int64_t left_out_ = 0;
  std::vector<ServerSample> samples_;
  std::vector<Text> bodies_;
  std::vector<Text> results_;
  std::size_t text_size_ = 0;
  Instant end_;
};

}  // namespace shardline::experiment
