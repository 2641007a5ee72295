// The methods that write, and those of transactions.

#include <set>

#include "base/base64.h"
#include "firestore/value_codec.h"
#include "simulator/database.h"
#include "simulator/names.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

void WriteOutcomeTo(JsonWriter& writer, const WriteOutcome& outcome) {
  writer.BeginObject();
  if (outcome.update_time) WriteTime(writer, "updateTime", *outcome.update_time);
  if (!outcome.transform_results.empty()) {
    writer.Key("transformResults").BeginArray();
    for (const Value& value : outcome.transform_results) EncodeValue(writer, value);
    writer.EndArray();
  }
  writer.EndObject();
}

// The numbers of google/rpc/code.proto are those of Code.
void WriteStatusTo(JsonWriter& writer, const Error& error) {
  writer.BeginObject().Key("code").Int(static_cast<std::int64_t>(error.code));
  writer.Key("message").String(error.message).EndObject();
}

}  // namespace

Result<std::string> CommitWrites(Call& call) {
  std::vector<Write> writes;
  std::string token;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "transaction") {
      token = ReadBase64(scanner);
    } else if (member == "writes") {
      writes.clear();
      ReadArray(scanner, [&] { writes.push_back(ReadWrite(scanner, call.database.name)); });
    } else {
      return false;
    }
    return true;
  }));
  Transaction* transaction = nullptr;
  if (!token.empty()) {
    SHARDLINE_TRY(transaction, call.database.transactions.Find(token, call.now));
    if (transaction->read_only && !writes.empty()) {
      return InvalidArgument("Cannot modify entities in a read-only transaction.");
    }
  }
  // Invalid writes fail before the attempt: the transaction stays open.
  SHARDLINE_CHECK(CheckSequences(writes));
  Result<Committed> committed = Committed{};
  if (!writes.empty()) committed = Commit(call, writes, transaction);
  // Whether it succeeded or not: a transaction that failed has to begin again.
  if (transaction) call.database.transactions.End(token);
  if (!committed) return committed.TakeFailure();
  if (writes.empty()) return std::string("{}");
  JsonWriter writer;
  writer.BeginObject().Key("writeResults").BeginArray();
  for (const WriteOutcome& outcome : committed->outcomes) WriteOutcomeTo(writer, outcome);
  writer.EndArray();
  WriteTime(writer, "commitTime", committed->time);
  writer.EndObject();
  return writer.Take();
}

Result<std::string> BatchWrite(Call& call) {
  std::vector<Write> writes;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "labels") {
      scanner.SkipValue();
    } else if (member == "writes") {
      ReadArray(scanner, [&] { writes.push_back(ReadWrite(scanner, call.database.name)); });
    } else {
      return false;
    }
    return true;
  }));
  std::set<std::string> paths;
  for (const Write& write : writes) {
    if (!paths.insert(write.path).second) {
      return InvalidArgument("the same document is written more than once in one request");
    }
  }
  if (!call.admin) {
    return Fail(Code::kPermissionDenied, "Batch writes require admin authentication.");
  }
  if (writes.empty()) return std::string("{}");
  JsonWriter results;
  JsonWriter statuses;
  results.BeginArray();
  statuses.BeginArray();
  for (const Write& write : writes) {
    const Result<Committed> committed = Commit(call, {write}, nullptr);
    if (committed) {
      WriteOutcomeTo(results, committed->outcomes[0]);
      statuses.BeginObject().EndObject();
    } else {
      results.BeginObject().EndObject();
      WriteStatusTo(statuses, committed.error());
    }
  }
  JsonWriter writer;
  writer.BeginObject().Key("writeResults").Raw(results.EndArray().text());
  writer.Key("status").Raw(statuses.EndArray().text()).EndObject();
  return writer.Take();
}

Result<std::string> BeginTransaction(Call& call) {
  TransactionOptions options;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member != "options") return false;
    options = ReadTransactionOptions(scanner);
    return true;
  }));
  if (options.read_time) SHARDLINE_CHECK(CheckReadTime(call, *options.read_time));
  Transactions& transactions = call.database.transactions;
  if (!options.retry_of.empty() && !transactions.WasBegun(options.retry_of)) {
    return InvalidArgument("Invalid transaction.");
  }
  const Timestamp latest = std::max(call.now, call.database.latest);
  call.database.latest = std::max(call.database.latest, options.read_time.value_or(latest));
  JsonWriter writer;
  const std::string token = transactions.Begin(options, call.now, latest);
  writer.BeginObject().Key("transaction").RawString(EncodeBase64(token)).EndObject();
  return writer.Take();
}

Result<std::string> Rollback(Call& call) {
  std::string token;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member != "transaction") return false;
    token = ReadBase64(scanner);
    return true;
  }));
  if (!call.database.transactions.WasBegun(token)) {
    return InvalidArgument("Invalid transaction.");
  }
  call.database.transactions.End(token);
  return std::string("{}");
}

}  // namespace shardline::simulator
