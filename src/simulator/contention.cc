#include "simulator/contention.h"

#include <algorithm>
#include <cmath>

#include "firestore/limits_and_prices.h"
#include "firestore/value_codec.h"
#include "simulator/fields.h"
#include "simulator/index_entries.h"
#include "simulator/names.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr double kUnhurried = 0;  // No burst.

const Value* Find(const Map* fields, const std::string& name) {
  return fields ? fields->Find(name) : nullptr;
}

bool Same(const Value* a, const Value* b) {
  if (!a || !b) return a == b;
  return Identical(*a, *b);
}

// "price.currency"
std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += '.';
    text += name;
  }
  return text;
}

}  // namespace

// Every field that changes, and every field of a map that does, has an entry in an index of its
// own.
void Contention::AddFields(std::string_view collection, const Change& change, const Map* before,
                           const Map* after, std::vector<std::string>& names,
                           std::vector<Entry>& entries) {
  static const Map kNone;
  for (const Field& field : (after ? *after : kNone).fields) {
    const Value* former = Find(before, field.name);
    if (Same(former, &field.value)) continue;
    names.push_back(field.name);
    if (const Map* map = field.value.As<Map>()) {
      AddFields(collection, change, former ? former->As<Map>() : nullptr, map, names, entries);
    } else if (!indexes_ || !indexes_->IsExempt(LastId(collection), names)) {
      Tablets& tablets = tablets_[std::string(collection) + ": " + Join(names)];
      entries.push_back({&tablets, {{field.value}, std::string(change.path)}});
    }
    names.pop_back();
  }
}

void Contention::AddEntries(const Change& change, std::vector<Entry>& entries) {
  const std::string_view collection = ParentPath(change.path);
  entries.push_back({&tablets_[std::string(collection)], {{}, std::string(change.path)}});
  std::vector<std::string> names;
  AddFields(collection, change, change.before, change.after, names, entries);
  if (!indexes_) return;
  for (const CompositeIndex& index : indexes_->composites()) {
    if (index.collection_group != LastId(collection) || !change.after) continue;
    IndexKey key{{}, std::string(change.path)};
    std::string name = std::string(collection) + ": ";
    bool changed = false;
    for (const IndexField& field : index.fields) {
      const Value* value = FindField(*change.after, field.path);
      if (!value) break;
      changed =
          changed || !Same(value, change.before ? FindField(*change.before, field.path) : nullptr);
      key.values.push_back(*value);
      name += (key.values.size() > 1 ? ", " : "") + field.path.text();
    }
    if (!changed || key.values.size() < index.fields.size()) continue;
    entries.push_back({&tablets_[name], std::move(key)});
  }
}

double Contention::RampRate(const Ramp& ramp, Timestamp now) const {
  const double seconds = static_cast<double>(now.micros - ramp.begun.micros) / kSecondMicros;
  const double periods = std::floor(std::max(0.0, seconds) / limits_.ramp_period_seconds);
  // Bounded, so that long experiments do not overflow.
  return limits_.ramp_writes_per_second * std::pow(limits_.ramp_growth, std::min(periods, 60.0));
}

Status Contention::Admit(const std::vector<Change>& changes, Timestamp now) {
  wait_ = 0;
  if (!limits_.enabled) return {};
  for (const Change& change : changes) {
    const std::string_view collection = LastId(ParentPath(change.path));
    if (change.after &&
        CountIndexEntries(collection, *change.after, indexes_.get()) > kMaxIndexEntries) {
      return InvalidArgument("too many index entries for entity /" + std::string(change.path));
    }
  }
  std::vector<Entry> entries;
  std::int64_t wait = 0;
  for (const Change& change : changes) {
    AddEntries(change, entries);
    const auto document = documents_.try_emplace(std::string(change.path)).first;
    wait = std::max(wait, document->second.WaitAt(now, limits_.document_writes_per_second,
                                                  limits_.document_burst));
    if (!limits_.ramp) continue;
    const auto ramp =
        ramps_.try_emplace(std::string(ParentPath(change.path)), Ramp{Queue(), now}).first;
    wait = std::max(wait, ramp->second.queue.WaitAt(now, RampRate(ramp->second, now), kUnhurried));
  }
  for (const Entry& entry : entries) {
    wait = std::max(wait, entry.tablets->Find(entry.key, now)
                              .queue()
                              .WaitAt(now, limits_.tablet_writes_per_second, limits_.tablet_burst));
  }
  const auto deadline = static_cast<std::int64_t>(limits_.lock_deadline_seconds * kSecondMicros);
  if (wait > deadline) {
    ++aborted_;
    wait_ = deadline;
    return Fail(Code::kAborted, "Too much contention on these documents. Please try again.");
  }
  for (const Change& change : changes) {
    documents_[std::string(change.path)].Enter(now, limits_.document_writes_per_second);
    if (!limits_.ramp) continue;
    Ramp& ramp = ramps_[std::string(ParentPath(change.path))];
    ramp.queue.Enter(now, RampRate(ramp, now));
  }
  for (const Entry& entry : entries) entry.tablets->Write(entry.key, limits_, now);
  if (wait > 0) ++waited_;
  wait_ = wait;
  return {};
}

void Contention::WriteTablets(JsonWriter& writer, std::size_t most, Timestamp now) const {
  struct Hot {
    const std::string* index;
    const Tablet* tablet;
    double load;
  };
  std::vector<Hot> hottest;
  for (const auto& [name, tablets] : tablets_) {
    for (const Tablet& tablet : tablets.all()) {
      hottest.push_back({&name, &tablet, tablet.LoadAt(now)});
    }
  }
  std::stable_sort(hottest.begin(), hottest.end(),
                   [](const Hot& a, const Hot& b) { return a.load > b.load; });
  if (hottest.size() > most) hottest.resize(most);
  writer.BeginArray();
  for (const Hot& hot : hottest) {
    writer.BeginObject().Key("index").String(*hot.index).Key("start").BeginArray();
    for (const Value& value : hot.tablet->start().values) EncodeValue(writer, value);
    writer.EndArray().Key("writesPerSecond").Int(std::llround(hot.load)).EndObject();
  }
  writer.EndArray();
}

void Contention::WriteDocuments(JsonWriter& writer, std::size_t most, Timestamp now) const {
  std::vector<std::pair<std::int64_t, const std::string*>> waits;
  for (const auto& [path, queue] : documents_) {
    const std::int64_t wait =
        queue.WaitAt(now, limits_.document_writes_per_second, limits_.document_burst);
    if (wait > 0) waits.emplace_back(wait, &path);
  }
  std::stable_sort(waits.begin(), waits.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (waits.size() > most) waits.resize(most);
  writer.BeginArray();
  for (const auto& [wait, path] : waits) {
    constexpr std::int64_t kMillisMicros = 1'000;
    writer.BeginObject().Key("path").String(*path);
    writer.Key("waitMs").Int(wait / kMillisMicros).EndObject();
  }
  writer.EndArray();
}

}  // namespace shardline::simulator
