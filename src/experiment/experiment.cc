#include "experiment/experiment.h"

#include <algorithm>
#include <utility>

#include "base/reason.h"

namespace shardline::experiment {
namespace {

constexpr std::string_view kPhases[] = {"preparing", "load", "draining", "verifying", "done"};

// Preparing and verifying are not part of the test.
simulator::SimulatorOptions WithoutFaults(simulator::SimulatorOptions options) {
  options.faults = {};
  return options;
}

Duration SinceBegun(Instant now, Instant begun, bool has_begun) {
  return has_begun ? now - begun : Duration{};
}

}  // namespace

Result<std::unique_ptr<Experiment>> Experiment::Make(const PaddedText& json) {
  SHARDLINE_TRY(Options options, Options::Read(json));
  SHARDLINE_TRY(const simulator::SimulatorOptions simulator, options.ForSimulator());
  std::unique_ptr<Experiment> experiment(new Experiment(std::move(options), simulator));
  SHARDLINE_CHECK(experiment->Prepare());
  return experiment;
}

Experiment::Experiment(Options options, const simulator::SimulatorOptions& simulator)
    : options_(std::move(options)),
      faults_(simulator.faults),
      simulator_(WithoutFaults(simulator)),
      network_(direct_, options_.fates),
      driver_(network_, static_cast<std::size_t>(options_.users) + 1),
      workload_(Workload::Make(options_)),
      series_(static_cast<std::size_t>(options_.seconds)) {}

Status Experiment::Prepare() {
  SHARDLINE_TRY(const OperationContext context, options_.ForClients());
  Random dice(options_.seed);
  clients_.reserve(static_cast<std::size_t>(options_.users) + 1);
  for (std::int64_t i = 0; i <= options_.users; ++i) {
    const Random random({dice.Next(), dice.Next(), dice.Next(), dice.Next()});
    clients_.push_back({OperationContext{context.database, context.retry, random}});
  }
  SHARDLINE_TRY(std::unique_ptr<Operation> operation,
                workload_->Prepare(clients_[Observer()].context));
  if (operation) {
    driver_.Run(Observer(), std::move(operation));
  } else {
    BeginLoad();
  }
  return {};
}

void Experiment::BeginLoad() {
  phase_ = Phase::kLoad;
  load_begun_ = Now();
  simulator_.set_faults(faults_);
  network_.Begin();
  if (options_.record) {
    recorder_ =
        std::make_unique<Recorder>(options_, clients_[Observer()].context.database, *workload_,
                                   simulator_, load_begun_, driver_.requests().sent);
    driver_.set_observer(recorder_.get());
  }
  for (std::int64_t i = 0; i < options_.users; ++i) {
    constexpr double kSecondMicros = 1e6;
    const double arrival = static_cast<double>(i) / options_.arrivals_per_second;
    if (arrival >= static_cast<double>(options_.seconds)) break;
    driver_.SetTimer(static_cast<VirtualDriver::ClientId>(i),
                     load_begun_ + Duration(static_cast<std::int64_t>(arrival * kSecondMicros)));
  }
}

bool Experiment::Advance(int steps) {
  while (phase_ != Phase::kDone && steps > 0) {
    std::optional<VirtualDriver::Event> event = driver_.Next(steps);
    if (phase_ == Phase::kLoad && Now() >= Deadline()) phase_ = Phase::kDraining;
    if (recorder_ && phase_ < Phase::kVerifying) recorder_->Sample(Now());
    if (event) {
      Handle(std::move(*event));
    } else if (steps > 0) {
      HandleIdle();
    }
  }
  return phase_ == Phase::kDone;
}

void Experiment::Handle(VirtualDriver::Event event) {
  if (event.client == Observer()) {
    HandleObserver(*event.operation);
  } else if (event.operation) {
    HandleWork(event.client, *event.operation);
  } else {
    BeginWork(event.client);
  }
}

void Experiment::HandleObserver(const Operation& done) {
  if (done.error()) {
    End(*done.error());
  } else if (phase_ == Phase::kVerifying) {
    workload_->OnVerified(done);
    End(std::nullopt);
  } else {
    BeginLoad();
  }
}

void Experiment::BeginWork(VirtualDriver::ClientId user) {
  Client& client = clients_[user];
  if (!std::exchange(client.arrived, true)) ++arrived_;
  if (Now() >= Deadline()) return;
  client.step = 0;
  client.begun = Now();
  ++started_;
  series_.CountStarted(Instant(Now() - load_begun_));
  if (recorder_) recorder_->BeginWork(user, Now());
  Started first = workload_->Begin(UserOf(user));
  if (!first) return End(first.error());
  if (*first) {
    driver_.Run(user, std::move(*first));
  } else {
    Acknowledge(user);
  }
}

void Experiment::RecordOperation(VirtualDriver::ClientId user, const Operation& done) {
  if (!recorder_) return;
  recorder_->CountBilled(user, done.billed());
  if (!options_.record_bodies || done.error()) return;
  JsonWriter result;
  done.WriteResult(result);
  recorder_->KeepResult(user, result.Take(), Now());
}

void Experiment::HandleWork(VirtualDriver::ClientId user, const Operation& done) {
  RecordOperation(user, done);
  if (done.error()) return NoteFailure(user, *done.error());
  Client& client = clients_[user];
  Started next = workload_->Continue(UserOf(user), client.step, done);
  if (!next) return NoteFailure(user, next.error());
  if (!*next) return Acknowledge(user);
  ++client.step;
  driver_.Run(user, std::move(*next));
}

void Experiment::Acknowledge(VirtualDriver::ClientId user) {
  const Duration latency = Now() - clients_[user].begun;
  ++outcomes_.acknowledged;
  latency_.Add(latency);
  series_.CountAcknowledged(Instant(Now() - load_begun_), latency);
  const std::optional<std::int64_t> value = workload_->TakeValue();
  if (recorder_) recorder_->EndWork(user, RecordedEnd::kDone, value, Now());
  Think(user);
}

void Experiment::NoteFailure(VirtualDriver::ClientId user, const Error& error) {
  ++failures_[static_cast<std::size_t>(error.code)];
  const bool unknown = error.code == Code::kOutcomeUnknown;
  ++(unknown ? outcomes_.unknown : failed_);
  if (recorder_) {
    const RecordedEnd end = unknown ? RecordedEnd::kNoAnswer : RecordedEnd::kFailed;
    recorder_->EndWork(user, end, std::nullopt, Now());
  }
  series_.CountFailed(Instant(Now() - load_begun_));
  Think(user);
}

void Experiment::Think(VirtualDriver::ClientId user) {
  if (workload_->IsDone(user)) return;
  const double share = 0.5 + clients_[user].context.random.Fraction();
  const Instant next =
      Now() +
      Duration(static_cast<std::int64_t>(share * static_cast<double>(options_.think.count())));
  if (next < Deadline()) driver_.SetTimer(user, next);
}

void Experiment::HandleIdle() {
  if (driver_.running() > 0) {
    return End(Error(kInternalFault, "An operation neither ends nor waits for anything: a bug."));
  }
  phase_ = Phase::kVerifying;
  driver_.set_observer(nullptr);
  simulator_.set_faults({});
  Started verify = workload_->Verify(clients_[Observer()].context);
  if (!verify) return End(verify.error());
  if (!*verify) return End(std::nullopt);
  driver_.Run(Observer(), std::move(*verify));
}

void Experiment::End(std::optional<Error> error) {
  error_ = std::move(error);
  phase_ = Phase::kDone;
}

std::string Experiment::Report() const {
  const bool begun = phase_ != Phase::kPreparing;
  const Duration elapsed = std::min<Duration>(SinceBegun(Now(), load_begun_, begun),
                                              std::chrono::seconds(options_.seconds));
  const double seconds = std::chrono::duration<double>(elapsed).count();
  JsonWriter writer;
  writer.BeginObject().Key("experiment").Raw(options_.ToJson());
  writer.Key("phase").String(kPhases[static_cast<std::size_t>(phase_)]);
  WriteNumber(writer.Key("seconds"), seconds);
  writer.Key("users").Int(arrived_);
  writer.Key("operations").BeginObject().Key("started").Int(started_);
  writer.Key("acknowledged").Int(outcomes_.acknowledged);
  writer.Key("unknown").Int(outcomes_.unknown).Key("failed").Int(failed_);
  writer.Key("underWay").Int(started_ - outcomes_.acknowledged - outcomes_.unknown - failed_);
  writer.EndObject().Key("failures").BeginObject();
  for (std::size_t code = 0; code < failures_.size(); ++code) {
    if (failures_[code] > 0) writer.Key(CodeName(static_cast<Code>(code))).Int(failures_[code]);
  }
  writer.EndObject();
  WriteNumber(writer.Key("throughput"),
              seconds > 0 ? static_cast<double>(series_.acknowledged()) / seconds : 0);
  latency_.Write(writer.Key("latencyMs"));
  series_.Write(writer.Key("perSecond"), Instant(elapsed));
  const RequestCounts& requests = driver_.requests();
  writer.Key("requests").BeginObject().Key("sent").Int(requests.sent);
  writer.Key("conflicts").Int(requests.conflicts).Key("errors").Int(requests.errors);
  writer.Key("lost").Int(requests.lost).Key("retries").Int(requests.retries).EndObject();
  workload_->Report(writer, outcomes_);
  writer.Key("server").Raw(simulator_.Observation(driver_.server_now()));
  if (recorder_ && phase_ == Phase::kDone) recorder_->Write(writer.Key("recording"));
  return writer.EndObject().Take();
}

}  // namespace shardline::experiment
