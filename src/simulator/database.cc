#include "simulator/database.h"

#include <algorithm>

#include "base/base64.h"
#include "simulator/fields.h"
#include "simulator/names.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

// How long ago the first documents of an answer may have been read.
constexpr std::int64_t kReadMicros = 10'000;

}  // namespace

void Database::Clear() {
  const bool keeps_journal = store.keeps_journal();
  store.Clear();
  if (keeps_journal) store.KeepJournal();
  transactions.Clear();
}

const std::string* Call::Parameter(std::string_view parameter) const {
  for (const auto& [key, value] : parameters) {
    if (key == parameter) return &value;
  }
  return nullptr;
}

Result<std::optional<std::vector<FieldPath>>> Call::MaskParameter(
    std::string_view parameter) const {
  std::optional<std::vector<FieldPath>> mask;
  for (const auto& [key, value] : parameters) {
    if (key != parameter) continue;
    SHARDLINE_TRY(FieldPath field, ParseFieldPath(value));
    if (!mask) mask.emplace();
    mask->push_back(std::move(field));
  }
  return mask;
}

Result<Precondition> Call::PreconditionParameter() const {
  Precondition precondition;
  const std::string* exists = Parameter("currentDocument.exists");
  const std::string* update_time = Parameter("currentDocument.updateTime");
  if (exists && update_time) return InvalidArgument("A precondition is of two kinds.");
  if (exists) {
    if (*exists != "true" && *exists != "false") {
      return InvalidArgument("currentDocument.exists must be true or false.");
    }
    precondition.exists = *exists == "true";
  }
  if (update_time) {
    precondition.update_time = ParseVersionTime(*update_time);
    if (!precondition.update_time) {
      return InvalidArgument("currentDocument.updateTime is no time.");
    }
  }
  return precondition;
}

bool Snapshot::Selector::Read(JsonScanner& scanner, const std::string& member) {
  const bool null = scanner.Peek() == JsonScanner::Kind::kNull;
  if (member == "transaction") {
    std::string token = ReadBase64(scanner);
    if (!token.empty()) transaction_ = std::move(token);
  } else if (member == "newTransaction") {
    TransactionOptions options = ReadTransactionOptions(scanner);
    if (!null) new_transaction_ = std::move(options);
  } else if (member == "readTime") {
    read_time_ = ReadVersionTime(scanner);
  } else {
    return false;
  }
  if (!null && ++count_ > 1) scanner.Reject("more than one kind of consistency is asked for");
  return true;
}

Status Snapshot::Selector::FromParameters(const Call& call) {
  if (const std::string* token = call.Parameter("transaction")) {
    transaction_ = DecodeBase64(*token);
    if (!transaction_) return InvalidArgument("transaction is no base64.");
  }
  if (const std::string* time = call.Parameter("readTime")) {
    read_time_ = ParseVersionTime(*time);
    if (!read_time_) return InvalidArgument("readTime is no time.");
    if (transaction_) {
      return InvalidArgument("more than one kind of consistency is asked for");
    }
  }
  return {};
}

Status CheckReadTime(const Call& call, Timestamp time) {
  if (time > std::max(call.now, call.database.latest)) {
    return InvalidArgument("The requested 'read_time' cannot be in the future.");
  }
  if (time.micros < call.now.micros - kHourMicros || time < call.database.store.oldest_time()) {
    return Fail(Code::kFailedPrecondition, "The requested 'read_time' is too old.");
  }
  return {};
}

Result<Snapshot> Snapshot::Open(Call& call, const Selector& selector) {
  Snapshot snapshot;
  Timestamp& latest = call.database.latest;
  const Timestamp current = std::max(call.now, latest);
  const Timestamp since = std::max(latest, Timestamp{current.micros - kReadMicros});
  snapshot.read_time_ = current;
  if (selector.read_time_) {
    SHARDLINE_CHECK(CheckReadTime(call, *selector.read_time_));
    snapshot.at_ = selector.read_time_;
    snapshot.read_time_ = *selector.read_time_;
  }
  std::string token = selector.transaction_.value_or("");
  if (selector.new_transaction_) {
    TransactionOptions options = *selector.new_transaction_;
    if (options.read_time) SHARDLINE_CHECK(CheckReadTime(call, *options.read_time));
    token = call.database.transactions.Begin(options, call.now, current);
    snapshot.new_transaction_ = token;
  }
  if (!token.empty()) {
    SHARDLINE_TRY(snapshot.transaction_, call.database.transactions.Find(token, call.now));
    if (snapshot.transaction_->read_only) {
      snapshot.at_ = snapshot.transaction_->read_time;
      snapshot.read_time_ = snapshot.transaction_->read_time;
    }
  }
  latest = std::max(latest, snapshot.read_time_);
  call.read = {snapshot.read_time_, snapshot.at_ ? snapshot.read_time_ : since, 0};
  return snapshot;
}

void Snapshot::NoteRead(std::string_view path) {
  if (transaction_ && !transaction_->read_only) transaction_->read_paths.emplace(path);
}

void Snapshot::NoteQuery(std::string_view collection_id) {
  if (transaction_ && !transaction_->read_only) {
    transaction_->read_collections.emplace(collection_id);
  }
}

Result<Committed> Commit(Call& call, const std::vector<Write>& writes,
                         const Transaction* transaction) {
  Database& database = call.database;
  for (const Write& write : writes) {
    if (database.transactions.IsLocked(write.path, transaction, call.now)) {
      call.blocked = true;
      return Fail(Code::kAborted, "Transaction lock timeout.");
    }
  }
  const auto next = [&] {
    return Timestamp{std::max(call.now.micros, database.latest.micros + 1)};
  };
  const bool verifies = std::any_of(writes.begin(), writes.end(), [](const Write& write) {
    return write.kind == Write::Kind::kVerify;
  });
  if (verifies && !call.verify_time) call.verify_time = database.latest = next();
  const Timestamp time = next();
  SHARDLINE_TRY(
      std::vector<WriteOutcome> outcomes,
      ApplyWrites(
          database.store, writes,
          {.request = call.now, .read = call.verify_time.value_or(Timestamp{}), .commit = time},
          call.options.gate));
  database.latest = time;
  for (const Write& write : writes) {
    ++(write.kind == Write::Kind::kDelete   ? call.billed.deletes
       : write.kind == Write::Kind::kVerify ? call.billed.reads
                                            : call.billed.writes);
  }
  return Committed{std::move(outcomes), time};
}

void WriteTime(JsonWriter& writer, std::string_view member, Timestamp time) {
  writer.Key(member).RawString(time.ToString());
}

void WriteDocument(JsonWriter& writer, std::string_view database, std::string_view path,
                   const Content& content, const std::optional<std::vector<FieldPath>>& mask) {
  writer.BeginObject().Key("name").String(DocumentName(database, path));
  if (mask) {
    WriteFieldsMember(writer, Project(content.fields, *mask));
  } else {
    WriteFieldsMember(writer, content.fields);
  }
  WriteTime(writer, "createTime", content.create_time);
  WriteTime(writer, "updateTime", content.update_time);
  writer.EndObject();
}

}  // namespace shardline::simulator
