// The embedded Firestore answers any request. The input is several requests: the first line of each
// is method and target, then its body up to a NUL byte. In the end, its snapshot restores another
// one with the same snapshot.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.h"
#include "simulator/simulator.h"

using shardline::PaddedText;
using shardline::Timestamp;
using namespace shardline::simulator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Simulator simulator({});
  Timestamp now{1'795'197'600'000'000};
  while (!rest.empty()) {
    const std::size_t end = rest.find('\0');
    std::string_view request = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t line = request.find('\n');
    const std::string_view head = request.substr(0, line);
    const std::string_view body =
        line == std::string_view::npos ? std::string_view() : request.substr(line + 1);
    const std::size_t space = head.find(' ');
    const std::string_view target =
        space == std::string_view::npos ? std::string_view() : head.substr(space + 1);
    now.micros += 1'000'000;
    simulator.Handle({head.substr(0, space), target, shardline::simulator::Caller::kAdmin},
                     PaddedText(body), now);
  }
  const PaddedText whole(std::string_view(reinterpret_cast<const char*>(data), size));
  static_cast<void>(ReadSimulatorOptions(whole));

  const std::string kept = simulator.backend().Snapshot();
  Simulator restored({});
  shardline::Require(restored.backend().Restore(PaddedText(kept)).has_value(),
                     "a snapshot can be restored");
  shardline::Require(restored.backend().Snapshot() == kept, "what is restored is the same");
  Simulator foreign({});
  static_cast<void>(foreign.backend().Restore(whole));
  static_cast<void>(foreign.backend().Snapshot());
  return 0;
}
