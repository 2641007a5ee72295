// One thing under test in a simulated world, and its invariants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "base/random.h"
#include "firestore/timestamp.h"
#include "operation/operation.h"
#include "simulation/mutant.h"

namespace shardline::simulation {

using nlohmann::json;
using Started = Result<std::unique_ptr<Operation>>;

struct Client {
  std::size_t number;  // From 0 on.
  OperationContext& context;
  Timestamp now;         // By the device's clock, which may be wrong.
  Timestamp server_now;  // By the server's.
  // The last progress report of its operation; empty before the first.
  std::string_view progress = {};
};

// A violated invariant. The first complaint of a seed is its failure.
using Complain = std::function<void(std::string)>;

// The server itself, past the network and the library.
class Server {
 public:
  virtual ~Server() = default;
  // POST of a body to a path below the documents: ":runQuery".
  virtual json Ask(std::string_view path, const json& body) = 0;
  // The full name of a document.
  virtual std::string NameOf(std::string_view path) const = 0;
};

// Runs an operation when all faults are over and no other client is about: it must succeed.
class Observer : public Server {
 public:
  virtual OperationContext& context() = 0;
  virtual Timestamp now() = 0;
  // Nothing happens for so long.
  virtual void Wait(Duration duration) = 0;
  // Null, and a complaint, if it fails.
  virtual json Run(Started operation) = 0;
  // The same without reading a result; returns the operation that has ended.
  virtual std::unique_ptr<Operation> RunToEnd(Started operation) = 0;
};

class Part {
 public:
  virtual ~Part() = default;
  // An operation of that client, drawn by the dice; it has no other under way. None: the client has
  // done something that takes no requests.
  virtual Started Start(const Client& client, Random& dice) = 0;
  virtual void OnDone(const Client& client, const Operation& done, const Complain& complain) = 0;
  // Whether the outcome of its operation stays unknown on a good network, too.
  virtual bool IsLost(const Client&) const { return false; }
  // The page has died with its operation under way.
  virtual void OnDeath(const Client& client, Random& dice) = 0;
  // Now and then, beside any operation.
  virtual void Inspect(Server&, const Complain&) {}
  // When all operations have ended.
  virtual void Check(Observer& observer, const Complain& complain) = 0;
};

// How a seed's world is.
struct Circumstances {
  std::size_t clients;
  // Requests and answers always arrive, once and in time; pages live; rules stay as they are.
  bool is_honest;
  // An answer may get lost, so that a repeated request may count twice.
  bool loses_answers;
  // A request may arrive when its sender has given up; or twice.
  bool arrives_later;
  // A request may arrive twice, after any first answer.
  bool arrives_twice;
  // Pages die, and come back with their storage.
  bool has_deaths;
  // They come back with an older copy of it, or with nothing.
  bool has_copies;
  bool changes_rules;
  // Weeks go by, and markers expire.
  bool has_long_pauses;
  // Batches and their outcomes are printed.
  bool traces;
  Mutant mutant;
  Server& server;
};

std::unique_ptr<Part> MakeCountersPart(const Circumstances& circumstances, Random& dice);
std::unique_ptr<Part> MakeNeighbourPart(const Circumstances& circumstances);
std::unique_ptr<Part> MakeExtensionPart(const Circumstances& circumstances);
std::unique_ptr<Part> MakeCollectionPart(const Circumstances& circumstances, Random& dice);
std::unique_ptr<Part> MakeKeyPart(const Circumstances& circumstances);
std::unique_ptr<Part> MakeBatchPart(const Circumstances& circumstances);
std::unique_ptr<Part> MakeIdPart(const Circumstances& circumstances, Random& dice);
std::unique_ptr<Part> MakeReshardingPart(const Circumstances& circumstances, Random& dice);

// Of a field, in Firestore's JSON.
inline json Integer(std::int64_t value) { return {{"integerValue", std::to_string(value)}}; }

// An operation of src/api.
inline Started StartWith(Started (*start)(JsonScanner&, OperationContext&),
                         std::string_view arguments, OperationContext& context) {
  const PaddedText text(arguments);
  JsonScanner scanner(text);
  return start(scanner, context);
}

inline json ResultOf(const Operation& done) {
  JsonWriter writer;
  done.WriteResult(writer);
  return json::parse(writer.text(), nullptr, false);
}

inline bool IsUnknown(const Operation& done) {
  return done.error() && done.error()->code == Code::kOutcomeUnknown;
}

// Of a total that counts integers; -1 if reading it has failed, which has been complained of then.
inline std::int64_t ValueOf(const json& total) {
  return total.is_object() ? std::stoll(total.value("value", std::string("-1"))) : -1;
}

}  // namespace shardline::simulation
