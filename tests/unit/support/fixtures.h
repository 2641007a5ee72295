// The recorded and hand-written wire exchanges of tests/fixtures.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace shardline {

inline nlohmann::json LoadFixture(const std::string& name) {
  std::ifstream file(std::string(SHARDLINE_FIXTURES) + '/' + name + ".json");
  if (!file) throw std::runtime_error("there is no fixture " + name);
  return nlohmann::json::parse(file);
}

struct Exchange {
  std::string name;
  nlohmann::json request;  // Its body; null where none is recorded.
  int status;
  std::string body;
};

inline void PrintTo(const Exchange& exchange, std::ostream* out) { *out << exchange.name; }

inline std::vector<Exchange> LoadExchanges(const std::string& fixture) {
  const nlohmann::json file = LoadFixture(fixture);
  std::vector<Exchange> exchanges;
  for (const nlohmann::json& entry : file.at("exchanges")) {
    const nlohmann::json& response = entry.at("response");
    Exchange exchange{entry.at("name"), nullptr, response.at("status"), response.at("body")};
    if (entry.contains("request"))
      exchange.request = entry["request"].value("body", nlohmann::json());
    exchanges.push_back(std::move(exchange));
  }
  return exchanges;
}

// The one of that name.
inline Exchange LoadExchange(const std::string& fixture, const std::string& name) {
  for (Exchange& exchange : LoadExchanges(fixture)) {
    if (exchange.name == name) return exchange;
  }
  throw std::runtime_error(fixture + " has no exchange " + name);
}

}  // namespace shardline
