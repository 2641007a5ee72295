#include "experiment/recorder.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "counter/answers.h"
#include "firestore/query.h"

namespace shardline::experiment {
namespace {

// How often the server is looked at while new work is begun.
constexpr std::int64_t kSamples = 240;
constexpr Duration kShortestSample = std::chrono::milliseconds(250);
constexpr std::size_t kMostTablets = 100;

RecordedEnd EndOf(const Reply* reply) {
  if (!reply || reply->kind != Reply::Kind::kAnswer) return RecordedEnd::kNoAnswer;
  if (reply->IsOk()) return RecordedEnd::kDone;
  return reply->IsConflict() ? RecordedEnd::kConflict : RecordedEnd::kFailed;
}

template <class Items, class Number>
void WriteColumn(JsonWriter& writer, const char* name, const Items& items, Number number) {
  writer.Key(name).BeginArray();
  for (const auto& item : items) writer.Int(static_cast<std::int64_t>(number(item)));
  writer.EndArray();
}

}  // namespace

Recorder::Recorder(const Options& options, const DatabaseName& database, const Workload& workload,
                   simulator::Simulator& simulator, Instant begun, std::int64_t sent)
    : database_(database),
      workload_(workload),
      simulator_(simulator),
      begun_(begun),
      sent_before_(sent),
      most_(static_cast<std::size_t>(options.record_requests)),
      keeps_texts_(options.record_bodies),
      sample_every_(
          std::max<Duration>(std::chrono::seconds(options.seconds) / kSamples, kShortestSample)),
      next_sample_(begun),
      work_of_(static_cast<std::size_t>(options.users), -1),
      end_(begun) {}

std::int64_t Recorder::Millis(Instant at) const {
  return std::chrono::floor<std::chrono::milliseconds>(at - begun_).count();
}

Recorder::Request* Recorder::Find(std::int64_t number) {
  const std::int64_t index = number - sent_before_ - 1;
  if (index < 0 || index >= static_cast<std::int64_t>(requests_.size())) return nullptr;
  return &requests_[static_cast<std::size_t>(index)];
}

Recorder::Work* Recorder::WorkOf(ClientId user) {
  const std::int64_t work = work_of_[user];
  return work < 0 ? nullptr : &works_[static_cast<std::size_t>(work)];
}

bool Recorder::MayKeep(std::size_t size) {
  if (!keeps_texts_ || text_size_ + size > kMostText) return false;
  text_size_ += size;
  return true;
}

void Recorder::BeginWork(ClientId user, Instant now) {
  work_of_[user] = -1;
  if (works_.size() >= most_) {
    ++left_out_;
    return;
  }
  work_of_[user] = static_cast<std::int64_t>(works_.size());
  works_.push_back({.user = user, .began = Millis(now)});
}

void Recorder::CountBilled(ClientId user, const Billed& billed) {
  Work* work = WorkOf(user);
  if (!work) return;
  work->billed.reads += billed.reads;
  work->billed.writes += billed.writes;
  work->billed.deletes += billed.deletes;
}

void Recorder::KeepResult(ClientId user, std::string result, Instant now) {
  if (!WorkOf(user) || !MayKeep(result.size())) return;
  results_.push_back({work_of_[user], Millis(now), std::move(result), {}});
}

void Recorder::EndWork(ClientId user, RecordedEnd end, std::optional<std::int64_t> value,
                       Instant now) {
  Work* work = WorkOf(user);
  if (!work) return;
  work->end = end;
  work->ended = Millis(now);
  Note(now);
  work->value = value.value_or(-1);
  work_of_[user] = -1;
}

void Recorder::Sample(Instant now) {
  if (now < next_sample_ || samples_.size() >= kMostSamples) return;
  next_sample_ = now + sample_every_;
  JsonWriter tablets;
  const Timestamp server_now{VirtualDriver::kStartMicros + now.time_since_epoch().count()};
  simulator_.contention().WriteTablets(tablets, kMostTablets, server_now);
  const auto& billed = simulator_.billed();
  samples_.push_back({Millis(now), billed.reads, billed.writes, tablets.Take()});
}

void Recorder::OnSent(std::int64_t number, ClientId sender, const HttpRequest& request,
                      Instant now) {
  constexpr std::string_view kCommit = ":commit";
  if (number <= sent_before_) return;
  if (requests_.size() >= most_) {
    ++left_out_;
    return;
  }
  requests_.push_back({.user = sender,
                       .work = work_of_[sender],
                       .shard = workload_.ShardOf(request).value_or(-1),
                       .is_write = request.path.ends_with(kCommit),
                       .sent = Millis(now)});
}

void Recorder::OnArrived(std::int64_t number, const HttpRequest& request, const Reply& reply,
                         Instant now) {
  Request* recorded = Find(number);
  if (!recorded) return;
  // The simulator lets the whole latency pass behind the arrival; half of it is the way there.
  const Duration there = (reply.after - reply.wait) / 2;
  const std::int64_t done = Millis(now + there + reply.wait);
  Note(now + there + reply.wait);
  const bool applied = recorded->is_write && reply.applied;
  const std::int64_t count = applied ? CountOf(recorded->shard, now) : -1;
  if (recorded->arrived < 0) {
    recorded->arrived = Millis(now + there);
    recorded->done = done;
    recorded->applied = applied;
    recorded->count = count;
  } else {
    recorded->again = done;
    recorded->again_applied = applied;
    recorded->again_count = count;
  }
  const std::size_t size = request.body.size() + reply.body.size();
  if (MayKeep(size)) {
    const std::int64_t index = number - sent_before_ - 1;
    bodies_.push_back({index, Millis(now), request.body, reply.body});
  }
}

void Recorder::OnSettled(std::int64_t number, const Reply* reply, Instant now) {
  Request* recorded = Find(number);
  if (!recorded) return;
  recorded->answered = Millis(now);
  Note(now);
  recorded->end = EndOf(reply);
}

std::int64_t Recorder::CountOf(std::int64_t shard, Instant now) {
  const std::string path = shard < 0 ? std::string() : workload_.CountDocument(shard);
  if (path.empty()) return -1;
  const std::string name = database_.documents() + '/' + path;
  const std::string url = database_.UrlPath(":batchGet");
  const FieldPath field = *FieldPath::Parse("count");
  const Timestamp server_now{VirtualDriver::kStartMicros + now.time_since_epoch().count()};
  // By the back door: it is free, and nothing is drawn.
  const simulator::Answer answer = simulator_.backend().Handle(
      {"POST", url}, PaddedText(EncodeBatchGet({name}, &field)), server_now);
  CountedDocument document;
  const bool read = bool(DecodeCount(PaddedText(answer.body), name, field, document));
  return read && document.amount ? document.amount->integer() : -1;
}

void Recorder::Write(JsonWriter& writer) const {
  const auto column = [&](const char* name, auto number) {
    WriteColumn(writer, name, requests_, number);
  };
  writer.BeginObject().Key("requests").BeginObject();
  column("user", [](const Request& r) { return r.user; });
  column("work", [](const Request& r) { return r.work; });
  column("shard", [](const Request& r) { return r.shard; });
  column("write", [](const Request& r) { return r.is_write ? 1 : 0; });
  column("sentMs", [](const Request& r) { return r.sent; });
  column("arrivedMs", [](const Request& r) { return r.arrived; });
  column("doneMs", [](const Request& r) { return r.done; });
  column("answeredMs", [](const Request& r) { return r.answered; });
  column("end", [](const Request& r) { return r.end; });
  column("applied", [](const Request& r) { return r.applied ? 1 : 0; });
  column("count", [](const Request& r) { return r.count; });
  column("againMs", [](const Request& r) { return r.again; });
  column("againApplied", [](const Request& r) { return r.again_applied ? 1 : 0; });
  column("againCount", [](const Request& r) { return r.again_count; });
  writer.EndObject().Key("works").BeginObject();
  const auto of_work = [&](const char* name, auto number) {
    WriteColumn(writer, name, works_, number);
  };
  of_work("user", [](const Work& w) { return w.user; });
  of_work("beganMs", [](const Work& w) { return w.began; });
  of_work("endedMs", [](const Work& w) { return w.ended; });
  of_work("end", [](const Work& w) { return w.end; });
  of_work("value", [](const Work& w) { return w.value; });
  of_work("reads", [](const Work& w) { return w.billed.reads; });
  of_work("writes", [](const Work& w) { return w.billed.writes; });
  writer.EndObject().Key("leftOut").Int(left_out_).Key("samples").BeginArray();
  for (const ServerSample& sample : samples_) {
    writer.BeginObject().Key("atMs").Int(sample.at).Key("reads").Int(sample.reads);
    writer.Key("writes").Int(sample.writes).Key("tablets").Raw(sample.tablets).EndObject();
  }
  writer.EndArray().Key("bodies").BeginArray();
  for (const Text& text : bodies_) {
    writer.BeginObject().Key("request").Int(text.of).Key("body").String(text.first);
    writer.Key("answer").String(text.second).EndObject();
  }
  writer.EndArray().Key("results").BeginArray();
  for (const Text& text : results_) {
    writer.BeginObject().Key("work").Int(text.of).Key("atMs").Int(text.at);
    writer.Key("result").Raw(text.first).EndObject();
  }
  writer.EndArray().Key("endMs").Int(Millis(end_)).EndObject();
}

}  // namespace shardline::experiment
