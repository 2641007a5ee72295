#include "counter/ledger.h"

#include <algorithm>
#include <optional>

#include "base/json_members.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "firestore/streamed_answer.h"

namespace shardline {
namespace {

// In front of a value, reads what is inside if it is of that type, as its raw text.
std::string_view ReadTyped(JsonScanner& scanner, const char* type) {
  std::string_view text;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is(type) && scanner.Peek() == JsonScanner::Kind::kString) {
      text = scanner.RawString();
    }
  }
  return text;
}

void ReadFields(JsonScanner& scanner, LedgerReading& reading) {
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("seq")) {
      // A ledger that holds something else is somebody's vandalism: it counts as none, and is
      // written over.
      reading.seq = ParseInt64(ReadTyped(scanner, "integerValue")).value_or(0);
    } else if (members.Is("batch")) {
      reading.batch = ReadTyped(scanner, "stringValue");
    }
  }
}

void ReadDocument(JsonScanner& scanner, LedgerReading& reading) {
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("updateTime")) {
      reading.update_time = scanner.String();
    } else if (members.Is("fields")) {
      ReadFields(scanner, reading);
    }
  }
  if (!reading.exists()) scanner.Reject("the ledger lacks its update time");
}

}  // namespace

std::string EncodeLedgerWrite(std::string_view name, const LedgerEntry& entry,
                              std::string_view update_time) {
  JsonWriter writer;
  writer.BeginObject().Key("update").BeginObject().Key("name").String(name);
  writer.Key("fields").BeginObject();
  writer.Key("seq").Raw(Amount::Integer(entry.seq).Encode());
  writer.Key("batch").BeginObject().Key("stringValue").String(entry.batch).EndObject();
  writer.Key("delta").Raw(entry.delta.Encode());
  writer.Key("shard").BeginObject().Key("stringValue").String(entry.shard).EndObject();
  writer.Key("expireAt").BeginObject().Key("timestampValue").String(entry.expire_at.ToString());
  writer.EndObject().EndObject().EndObject();
  writer.Key("currentDocument").BeginObject();
  if (update_time.empty()) {
    writer.Key("exists").Boolean(false);
  } else {
    writer.Key("updateTime").String(update_time);
  }
  writer.EndObject().EndObject();
  return writer.Take();
}

std::string EncodeReadLedger(std::string_view name) {
  JsonWriter writer;
  writer.BeginObject().Key("documents").BeginArray().String(name).EndArray().EndObject();
  return writer.Take();
}

Status DecodeLedger(const PaddedText& body, LedgerReading& reading) {
  reading = {};
  bool answered = false;
  std::optional<Timestamp> read_time;
  StreamedAnswer answer(body);
  JsonScanner& scanner = answer.scanner();
  while (answer.NextElement()) {
    while (answer.Next()) {
      if (answer.Is("readTime")) {
        read_time = Timestamp::Parse(scanner.RawString());
      } else if (answer.Is("found")) {
        ReadDocument(scanner, reading);
        answered = true;
      } else if (answer.Is("missing")) {
        answered = true;
      }
    }
  }
  if (!answered || !read_time) scanner.Reject("the ledger or the read time is missing");
  reading.read_time = read_time.value_or(Timestamp{});
  return answer.Finish("the ledger");
}

Timestamp ExpiryOf(Timestamp staged_at) {
  const std::int64_t latest = Timestamp::kMaxMicros - kLedgerLifeMicros;
  return {std::clamp(staged_at.micros, Timestamp::kMinMicros, latest) + kLedgerLifeMicros};
}

}  // namespace shardline
