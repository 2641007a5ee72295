// The embedded Firestore, native; tests/bench/simulator.js runs it. It reads any number of
// requests, each a line with the target and a line with the body; "run" carries them out, and
// prints the milliseconds; "bytes" prints the memory that the process has.

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "simulator/simulator.h"

namespace {

using shardline::PaddedText;
using shardline::Timestamp;
using shardline::simulator::Simulator;

constexpr std::int64_t kStart = 1'795'197'600'000'000;

// Resident, in bytes.
long MemoryInUse() {
  constexpr long kPage = 4096;
  std::ifstream file("/proc/self/statm");
  long total = 0;
  long resident = 0;
  file >> total >> resident;
  return resident * kPage;
}

double RunAll(Simulator& simulator,
              const std::vector<std::pair<std::string, std::string>>& requests, std::int64_t& now) {
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& [target, body] : requests) {
    now += 100;
    const auto delivery = simulator.Handle({"POST", target}, PaddedText(body), Timestamp{now});
    if (delivery.answer.status != 200) std::fprintf(stderr, "%s\n", delivery.answer.body.c_str());
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

}  // namespace

int main() {
  Simulator simulator({});
  std::int64_t now = kStart;
  std::vector<std::pair<std::string, std::string>> requests;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line == "run") {
      std::cout << RunAll(simulator, requests, now) << std::endl;
      requests = {};
    } else if (line == "bytes") {
      std::cout << MemoryInUse() << std::endl;
    } else {
      std::string body;
      std::getline(std::cin, body);
      requests.emplace_back(std::move(line), std::move(body));
    }
  }
}
