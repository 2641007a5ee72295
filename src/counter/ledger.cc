#include "counter/ledger.h"

#include <algorithm>
#include <optional>

#include "base/json_writer.h"
#include "base/number.h"
#include "firestore/streamed_answer.h"

namespace shardline {
namespace {

// In front of a value, reads what is inside if it is of that type, as its raw text.
std::string_view ReadTyped(JsonScanner& scanner, std::string_view type) {
  std::string_view text;
  std::string_view key;
  if (!scanner.BeginObject()) return text;
  while (scanner.NextKey(key)) {
    if (key == type && scanner.Peek() == JsonScanner::Kind::kString) {
      text = scanner.RawString();
    } else {
      scanner.SkipValue();
    }
  }
  return text;
}

void ReadFields(JsonScanner& scanner, LedgerReading& reading) {
  std::string_view key;
  if (!scanner.BeginObject()) return;
  while (scanner.NextKey(key)) {
    if (key == "seq") {
      // A ledger that holds something else is somebody's vandalism: it counts as none, and is
      // written over.
      reading.seq = ParseInt64(ReadTyped(scanner, "integerValue")).value_or(0);
    } else if (key == "batch") {
      reading.batch = ReadTyped(scanner, "stringValue");
    } else {
      scanner.SkipValue();
    }
  }
}

void ReadDocument(JsonScanner& scanner, LedgerReading& reading) {
  std::string_view key;
  if (!scanner.BeginObject()) return;
  while (scanner.NextKey(key)) {
    if (key == "updateTime") {
      reading.update_time = scanner.String();
    } else if (key == "fields") {
      ReadFields(scanner, reading);
    } else {
      scanner.SkipValue();
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
  std::string_view key;
  while (answer.NextElement()) {
    while (answer.NextKey(key)) {
      if (key == "readTime") {
        read_time = Timestamp::Parse(scanner.RawString());
      } else if (key == "found") {
        ReadDocument(scanner, reading);
        answered = true;
      } else {
        answered = answered || key == "missing";
        scanner.SkipValue();
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
