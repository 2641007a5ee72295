#include "delivery/batch.h"

#include <cassert>
#include <cstddef>
#include <limits>
#include <string_view>

#include "base/json_members.h"
#include "base/number.h"
#include "base/reason.h"
#include "base/utf8.h"
#include "delivery/stored_number.h"

namespace shardline {
namespace {

constexpr std::string_view kOutcomes[] = {"applied", "refused", "unknown", "unsettled", "restart"};

// Names that stand in a message may be of any length.
constexpr std::size_t kMaxMessageSize = 1000;

// Gives a reason to an error that was stored by a version of this library that had none.
void AddReason(Error& error) {
  if (error.code == Code::kOutcomeUnknown) return error.Become(kIncrementInDoubt);
  error.Add("status", ServerStatus(error.code));
  error.Add("http", error.http_status);
}

}  // namespace

void Batch::Write(JsonWriter& writer) const {
  writer.BeginObject().Key("client").String(client);
  writer.Key("shared").Boolean(shared);
  writer.Key("id").String(id);
  writer.Key("delta").Raw(delta.Encode().json());
  basis.Write(writer.Key("ledger"));
  writer.Key("ageMs").Int(age / kMicrosPerMilli);
  writer.Key("now").Int(now.micros / kMicrosPerMilli);
  writer.Key("byServer").Boolean(by_server);
  writer.Key("sent").Boolean(sent);
  writer.Key("restarts").Int(restarts).EndObject();
}

Batch Batch::Read(JsonScanner& scanner) {
  Batch batch;
  std::optional<Amount> delta;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("client")) {
      batch.client = scanner.String();
    } else if (members.Is("shared")) {
      batch.shared = scanner.Boolean();
    } else if (members.Is("id")) {
      batch.id = scanner.String();
    } else if (members.Is("delta")) {
      delta = Amount::Read(scanner);
    } else if (members.Is("ledger")) {
      batch.basis = LedgerState::Read(scanner);
    } else if (members.Is("ageMs")) {
      batch.age = ReadStoredTime(scanner).micros;
    } else if (members.Is("byServer")) {
      batch.by_server = scanner.Boolean();
    } else if (members.Is("now")) {
      batch.now = ReadStoredTime(scanner);
    } else if (members.Is("sent")) {
      batch.sent = scanner.Boolean();
    } else if (members.Is("restarts")) {
      batch.restarts = ReadStored(scanner, 0);
    }
  }
  if (batch.client.empty() || batch.id.empty() || !delta) {
    scanner.Reject("a batch needs client, id and delta");
  }
  batch.delta = delta.value_or(batch.delta);
  return batch;
}

void DeliveryOutcome::Write(JsonWriter& writer) const {
  writer.Key("outcome").String(kOutcomes[static_cast<std::size_t>(kind)]);
  if (error) {
    assert(HasItsParameters(*error));
    writer.Key("error");
    WriteError(writer, *error);
  }
  if (ledger) ledger->Write(writer.Key("ledger"));
}

DeliveryOutcome DeliveryOutcome::Read(JsonScanner& scanner) {
  DeliveryOutcome outcome;
  std::optional<std::size_t> kind;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("outcome")) {
      const std::string_view name = scanner.RawString();
      for (std::size_t i = 0; i < std::size(kOutcomes); ++i) {
        if (kOutcomes[i] == name) kind = i;
      }
    } else if (members.Is("error")) {
      outcome.error = ReadError(scanner);
    } else if (members.Is("putBack")) {
      outcome.put_back = scanner.Boolean();
    } else if (members.Is("ledger")) {
      outcome.ledger = LedgerState::Read(scanner);
    }
  }
  if (!kind) scanner.Reject("there is no such outcome");
  outcome.kind = static_cast<Kind>(kind.value_or(std::size_t{3}));
  return outcome;
}

void WriteError(JsonWriter& writer, const Error& error) {
  writer.BeginObject().Key("code").String(CodeName(error.code));
  writer.Key("reason").String(error.reason);
  writer.Key("params").Raw('{' + error.params + '}');
  writer.Key("message").String(Utf8Prefix(error.message, kMaxMessageSize));
  writer.Key("status").Int(error.http_status).EndObject();
}

Error ReadError(JsonScanner& scanner) {
  Error error(kServerRefused, "");
  error.code = Code::kUnknown;
  bool has_reason = false;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("code")) {
      error.code = CodeFromName(scanner.RawString());
    } else if (members.Is("reason")) {
      error.reason = scanner.String();
      has_reason = true;
    } else if (members.Is("params") && scanner.Peek() == JsonScanner::Kind::kObject) {
      const std::string_view params = scanner.SkipValue();
      if (scanner.ok()) error.params = params.substr(1, params.size() - 2);
    } else if (members.Is("message")) {
      error.message = scanner.String();
    } else if (members.Is("status")) {
      // Whatever a user's fetch has answered.
      const std::int64_t status = ReadStored(scanner, -kMostStored);
      error.http_status = status >= 0 && status <= 999 ? static_cast<int>(status) : 0;
    }
  }
  if (!has_reason) AddReason(error);
  return error;
}

}  // namespace shardline
