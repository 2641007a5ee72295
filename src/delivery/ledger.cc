#include "delivery/ledger.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/json_members.h"
#include "delivery/stored_number.h"
#include "firestore/answers.h"
#include "firestore/fields_writer.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

void KeepLast(std::vector<std::string>& batches) {
  if (batches.size() <= kLedgerBatches) return;
  batches.erase(batches.begin(), batches.end() - kLedgerBatches);
}

}  // namespace

bool LedgerState::Names(std::string_view batch) const {
  return std::find(batches.begin(), batches.end(), batch) != batches.end();
}

std::int64_t LedgerState::CountOfLine(std::string_view batch, const LedgerState& known) const {
  std::int64_t count = 0;
  for (const std::string_view each : batches) {
    const bool is_of_line = each.substr(0, kLineLength) == batch.substr(0, kLineLength);
    if (is_of_line && !known.Names(each)) ++count;
  }
  return count;
}

LedgerState LedgerState::After(std::string_view batch) const {
  LedgerState after;
  if (exists()) after = *this;
  ++after.seq;
  after.batches.emplace_back(batch);
  KeepLast(after.batches);
  return after;
}

bool LedgerState::CoversAllSince(const LedgerState& earlier) const {
  if (!IsSound()) return false;
  // A ledger that was deleted and begun anew does not name what the earlier one ended with.
  if (!earlier.batches.empty()) return Names(earlier.batches.back());
  return seq >= earlier.seq && seq - earlier.seq <= static_cast<std::int64_t>(batches.size());
}

bool LedgerState::IsSound() const {
  return exists() && seq >= 1 && !batches.empty() &&
         seq >= static_cast<std::int64_t>(batches.size());
}

void LedgerState::Write(JsonWriter& writer) const {
  writer.BeginObject().Key("seq").Int(seq);
  writer.Key("batches").BeginArray();
  for (const std::string& batch : batches) writer.String(batch);
  writer.EndArray().Key("updateTime").String(update_time).EndObject();
}

LedgerState LedgerState::Read(JsonScanner& scanner) {
  LedgerState state;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("seq")) {
      state.seq = ReadStored(scanner, 0);
    } else if (members.Is("batches")) {
      if (!scanner.BeginArray()) break;
      while (scanner.NextElement()) state.batches.push_back(scanner.String());
      KeepLast(state.batches);
    } else if (members.Is("updateTime")) {
      state.update_time = scanner.String();
    }
  }
  // Sent back, it would be refused for ever.
  if (state.exists() && !Timestamp::Parse(state.update_time)) {
    scanner.Reject("a ledger's time is malformed");
  }
  return state;
}

Write LedgerWrite(std::string name, const LedgerState& basis, const LedgerEntry& entry) {
  const LedgerState after = basis.After(entry.batch);
  FieldsWriter fields;
  fields.Number("seq", Amount::Integer(after.seq)).Texts("batches", after.batches);
  fields.Number("delta", entry.delta).Text("shard", entry.shard);
  if (entry.expire_at) fields.Time("expireAt", entry.expire_at->ToString());
  Write write{.name = std::move(name), .fields = fields.Take()};
  write.precondition = Precondition::AsRead(basis.update_time);
  return write;
}

Status DecodeLedger(const PaddedText& body, std::string_view name, LedgerReading& reading) {
  reading = {};
  DocumentsAnswer answer(body);
  const DocumentAnswer ledger = answer.ReadOnly(name);
  LedgerState& state = reading.state;
  state.update_time = ledger.update_time;
  const std::int64_t seq = ledger.fields["seq.integerValue"].Read(DecodeInteger);
  // Numbers beyond are nobody's, and could not be counted on from.
  if (seq >= 0 && seq <= kMostStored) state.seq = seq;
  for (JsonItems batches(ledger.fields["batches.arrayValue.values"]); batches.Next();) {
    state.batches.push_back(batches.value()["stringValue"].String());
  }
  KeepLast(state.batches);
  reading.expire_at = Timestamp::Parse(ledger.fields["expireAt.timestampValue"].String());
  SHARDLINE_CHECK(answer.Finish());
  reading.read_time = *Timestamp::Parse(answer.read_time());
  return {};
}

Timestamp ExpiryOf(std::string_view ledger_name, Timestamp now) {
  constexpr std::int64_t kLife = kLedgerLifeMicros;
  const std::int64_t least =
      std::clamp(now.micros, std::int64_t{0}, Timestamp::kMaxMicros - 2 * kLife) + kLife;
  const auto phase = static_cast<std::int64_t>(HashText(ledger_name) % kLife);
  return {least + (phase - least % kLife + kLife) % kLife};
}

}  // namespace shardline
