// The workbench module's bindings: coarse calls on numbers, and no logic.
//
// As in the runtime's, bytes enter as HEAPU8.set(bytes, allocate(size)), every call that takes
// (address, size) takes the memory over, and the answer lies in the frame until the next call.

#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/describe_calls.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "base/reason.h"
#include "capacity/cost.h"
#include "capacity/shards_for.h"
#include "experiment/experiment.h"
#include "indexes/audit.h"
#include "indexes/missing_index.h"
#include "rules/counter_indexes.h"
#include "rules/counter_rules.h"
#include "rules/join_rules.h"
#include "rules/rewrite_indexes.h"
#include "rules/stock_rules.h"
#include "simulator/simulator.h"

namespace {

using shardline::JsonWriter;
using shardline::PaddedText;
using shardline::Timestamp;
using shardline::experiment::Experiment;
using shardline::simulator::Simulator;

struct Workbench {
  std::map<int, std::unique_ptr<Simulator>> simulators;
  std::map<int, std::unique_ptr<Experiment>> experiments;
  int last_handle = 0;
  std::string frame;
};

Workbench& workbench() {
  static Workbench instance;
  return instance;
}

int ToAddress(const char* bytes) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(bytes));
}

PaddedText Adopt(int address, int size) {
  return PaddedText::Adopt(reinterpret_cast<char*>(static_cast<std::intptr_t>(address)),
                           static_cast<std::size_t>(size));
}

Timestamp At(double millis) { return Timestamp{static_cast<std::int64_t>(millis * 1000)}; }

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

int Allocate(int size) { return ToAddress(PaddedText::Allocate(static_cast<std::size_t>(size))); }
int FrameAddress() { return ToAddress(workbench().frame.data()); }
int FrameSize() { return static_cast<int>(workbench().frame.size()); }

// An error, as JSON.
void WriteFrame(const shardline::Error& error) {
  JsonWriter writer;
  shardline::WriteError(writer, error);
  workbench().frame = writer.Take();
}

void WriteSimulatorClosed() { WriteFrame({shardline::kClosed, "The simulator is closed."}); }

int CreateSimulator(int address, int size) {
  auto options = shardline::simulator::ReadSimulatorOptions(Adopt(address, size));
  if (!options) {
    WriteFrame(options.error());
    return 0;
  }
  const int handle = ++workbench().last_handle;
  workbench().simulators[handle] = std::make_unique<Simulator>(std::move(*options));
  return handle;
}

// 1, or 0 with an error in the frame.
int ConfigureSimulator(int handle, int address, int size) {
  const PaddedText json = Adopt(address, size);
  const auto simulator = workbench().simulators.find(handle);
  WriteSimulatorClosed();
  if (simulator == workbench().simulators.end()) return 0;
  const auto status = simulator->second->Configure(json);
  if (!status) WriteFrame(status.error());
  return status ? 1 : 0;
}

Simulator* Find(int handle) {
  const auto at = workbench().simulators.find(handle);
  return at == workbench().simulators.end() ? nullptr : at->second.get();
}

void KeepJournal(int handle) {
  if (Simulator* simulator = Find(handle)) simulator->backend().KeepJournal();
}

void TakeJournal(int handle) {
  Simulator* simulator = Find(handle);
  workbench().frame = simulator ? simulator->backend().TakeJournal() : std::string();
}

void TakeSnapshot(int handle) {
  Simulator* simulator = Find(handle);
  workbench().frame = simulator ? simulator->backend().Snapshot() : std::string();
}

// 1, or 0 with an error in the frame.
int Restore(int handle, int address, int size) {
  const PaddedText text = Adopt(address, size);
  Simulator* simulator = Find(handle);
  WriteSimulatorClosed();
  if (!simulator) return 0;
  const auto status = simulator->backend().Restore(text);
  if (!status) WriteFrame(status.error());
  return status ? 1 : 0;
}

void DestroySimulator(int handle) { workbench().simulators.erase(handle); }

void HandleRequest(int handle, int head_address, int head_size, int body_address, int body_size,
                   double now) {
  const PaddedText head = Adopt(head_address, head_size);
  const PaddedText body = Adopt(body_address, body_size);
  const auto simulator = workbench().simulators.find(handle);
  workbench().frame.clear();
  if (simulator == workbench().simulators.end()) return;
  std::string_view rest = head.view();
  const std::string_view method = TakeLine(rest);
  const std::string_view target = TakeLine(rest);
  const auto caller = shardline::simulator::CallerOf(TakeLine(rest));
  const auto delivery = simulator->second->Handle({method, target, caller}, body, At(now));
  JsonWriter writer;
  writer.BeginObject().Key("status").Int(delivery.answer.status);
  writer.Key("contentType").String(delivery.answer.content_type);
  writer.Key("delayMicros").Int(delivery.delay).Key("lost").Boolean(delivery.lost).EndObject();
  workbench().frame = writer.Take() + '\n' + delivery.answer.body;
}

void Observe(int handle, double now) {
  const auto simulator = workbench().simulators.find(handle);
  workbench().frame.clear();
  if (simulator == workbench().simulators.end()) return;
  workbench().frame = simulator->second->Observation(At(now));
}

void DescribeCalls() { workbench().frame = shardline::DescribeCalls(); }

void DescribeExperiments() { workbench().frame = shardline::experiment::DescribePresets(); }

int CreateExperiment(int address, int size) {
  auto experiment = Experiment::Make(Adopt(address, size));
  if (!experiment) {
    WriteFrame(experiment.error());
    return 0;
  }
  const int handle = ++workbench().last_handle;
  workbench().experiments[handle] = std::move(*experiment);
  return handle;
}

// 1 while there is more to come, 0 at the end, -1 after a failure, with its error in the frame.
int AdvanceExperiment(int handle, int steps) {
  const auto found = workbench().experiments.find(handle);
  if (found == workbench().experiments.end()) return 0;
  Experiment& experiment = *found->second;
  const bool more = !experiment.Advance(steps);
  if (experiment.error()) WriteFrame(*experiment.error());
  return experiment.error() ? -1 : static_cast<int>(more);
}

void ReportExperiment(int handle) {
  const auto found = workbench().experiments.find(handle);
  workbench().frame = found == workbench().experiments.end() ? "" : found->second->Report();
}

// 1, and the frame holds the text; or 0, and it holds an error.
int TakeText(const shardline::Result<std::string>& text) {
  if (!text) {
    WriteFrame(text.error());
    return 0;
  }
  workbench().frame = *text;
  return 1;
}

// A tool takes its arguments as JSON.
template <shardline::Result<std::string> (*tool)(const PaddedText&)>
int Run(int address, int size) {
  return TakeText(tool(Adopt(address, size)));
}

void DestroyExperiment(int handle) { workbench().experiments.erase(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(workbench) {
  emscripten::function("allocate", &Allocate);
  emscripten::function("frameAddress", &FrameAddress);
  emscripten::function("frameSize", &FrameSize);
  emscripten::function("createSimulator", &CreateSimulator);
  emscripten::function("configureSimulator", &ConfigureSimulator);
  emscripten::function("destroySimulator", &DestroySimulator);
  emscripten::function("handleRequest", &HandleRequest);
  emscripten::function("observe", &Observe);
  emscripten::function("keepJournal", &KeepJournal);
  emscripten::function("takeJournal", &TakeJournal);
  emscripten::function("takeSnapshot", &TakeSnapshot);
  emscripten::function("restore", &Restore);
  emscripten::function("describeCalls", &DescribeCalls);
  emscripten::function("describeExperiments", &DescribeExperiments);
  emscripten::function("createExperiment", &CreateExperiment);
  emscripten::function("advanceExperiment", &AdvanceExperiment);
  emscripten::function("reportExperiment", &ReportExperiment);
  emscripten::function("destroyExperiment", &DestroyExperiment);
  emscripten::function("counterRules", &Run<shardline::MakeCounterRules>);
  emscripten::function("joinCounterRules", &Run<shardline::JoinCounterRules>);
  emscripten::function("stockRules", &Run<shardline::MakeStockRules>);
  emscripten::function("joinStockRules", &Run<shardline::JoinStockRules>);
  emscripten::function("counterIndexes", &Run<shardline::MakeCounterIndexes>);
  emscripten::function("auditIndexes", &Run<shardline::AuditIndexes>);
  emscripten::function("rewriteIndexes", &Run<shardline::RewriteIndexes>);
  emscripten::function("explainMissingIndex", &Run<shardline::ExplainMissingIndex>);
  emscripten::function("shardsFor", &Run<shardline::ShardsFor>);
  emscripten::function("cost", &Run<shardline::Cost>);
}
