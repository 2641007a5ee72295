// A backend as text, for snapshots and the write-ahead journal: [{database, cleared, oldest,
// latest, versions: [{path, time, created, fields}]}], times in microseconds. A version without
// `created` is a deletion. A journal and a snapshot look alike.
//
// Reads move the latest time, too, and each would be worth a journal for it. Instead, it is written
// down ahead: a second's reads need one. A restored backend begins at most that much ahead.

#include <algorithm>
#include <utility>

#include "simulator/backend.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr std::int64_t kAheadMicros = 1'000'000;

void WriteVersion(JsonWriter& writer, const Store::Version& version) {
  writer.BeginObject().Key("path").String(version.path);
  writer.Key("time").Int(version.time.micros);
  if (version.content) {
    writer.Key("created").Int(version.content->create_time.micros);
    WriteFieldsMember(writer, version.content->fields);
  }
  writer.EndObject();
}

void WriteDatabase(JsonWriter& writer, const Database& database, bool cleared,
                   const std::vector<Store::Version>& versions) {
  writer.BeginObject().Key("database").String(database.name);
  if (cleared) writer.Key("cleared").Boolean(true);
  writer.Key("oldest").Int(database.store.oldest_time().micros);
  writer.Key("latest").Int(std::max(database.latest, database.kept_latest).micros);
  writer.Key("versions").BeginArray();
  for (const Store::Version& version : versions) WriteVersion(writer, version);
  writer.EndArray().EndObject();
}

Store::Version ReadVersion(JsonScanner& scanner) {
  Store::Version version;
  std::optional<Timestamp> created;
  Map fields;
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "path") return version.path = ReadString(scanner), true;
    if (member == "time") return version.time.micros = ReadInt64(scanner), true;
    if (member == "created") return created = Timestamp{ReadInt64(scanner)}, true;
    if (member != "fields") return false;
    fields = ReadStoredFields(scanner);
    return true;
  });
  if (created) {
    version.content =
        std::make_shared<const Content>(Content{std::move(fields), *created, version.time});
  }
  return version;
}

}  // namespace

void Backend::KeepJournal() {
  keeps_journal_ = true;
  for (auto& [name, database] : databases_) database->store.KeepJournal();
}

std::string Backend::TakeJournal() {
  JsonWriter writer;
  bool empty = true;
  writer.BeginArray();
  const std::set<std::string> cleared = std::exchange(cleared_, {});
  for (auto& [name, database] : databases_) {
    const std::vector<Store::Version> versions = database->store.TakeJournal();
    const bool was_cleared = cleared.count(name) != 0;
    const bool later = database->latest > database->kept_latest;
    if (versions.empty() && !was_cleared && !later) continue;
    if (later) {
      const std::int64_t ahead = versions.empty() ? kAheadMicros : 0;
      database->kept_latest.micros = database->latest.micros + ahead;
    }
    WriteDatabase(writer, *database, was_cleared, versions);
    empty = false;
  }
  writer.EndArray();
  return empty ? std::string() : writer.Take();
}

std::string Backend::Snapshot() const {
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& [name, database] : databases_) {
    // A restored snapshot replaces the present content.
    WriteDatabase(writer, *database, true, database->store.AllVersions());
  }
  return writer.EndArray().Take();
}

Status Backend::RestoreDatabase(JsonScanner& scanner) {
  std::string name;
  Timestamp oldest{Timestamp::kMinMicros};
  Timestamp latest{0};
  std::vector<Store::Version> versions;
  ReadObject(scanner, [&](const std::string& member) {
    if (member == "database") {
      name = ReadString(scanner);
    } else if (member == "cleared") {
      if (ReadBool(scanner)) DatabaseNamed(name).Clear();
    } else if (member == "oldest") {
      oldest.micros = ReadInt64(scanner);
    } else if (member == "latest") {
      latest.micros = ReadInt64(scanner);
    } else if (member == "versions") {
      ReadArray(scanner, [&] { versions.push_back(ReadVersion(scanner)); });
    } else {
      return false;
    }
    return true;
  });
  if (!scanner.ok()) return {};
  Database& database = DatabaseNamed(name);
  for (Store::Version& version : versions) {
    if (version.path.find('/') == std::string::npos) {
      return InvalidArgument("A stored document has no collection.");
    }
    database.store.Put(version.path, std::move(version.content), version.time);
  }
  database.store.TakeJournal();  // It is kept already.
  database.store.Trim(oldest);
  database.latest = std::max(database.latest, latest);
  database.kept_latest = database.latest;
  // Transactions, and ids for documents, that were not given out before.
  const auto fresh = static_cast<std::uint64_t>(database.latest.micros);
  database.transactions.StartAfter(fresh);
  random_ = Random(options_.seed ^ fresh);
  return {};
}

Status Backend::Restore(const PaddedText& text) {
  JsonScanner scanner(text);
  Status status;
  ReadArray(scanner, [&] {
    Status restored = RestoreDatabase(scanner);
    if (!restored && status) status = std::move(restored);
  });
  if (!scanner.Finish()) return scanner.failure("what the embedded Firestore has stored");
  return status;
}

}  // namespace shardline::simulator
