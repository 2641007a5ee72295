#include "sharded_query/stencil.h"

#include <optional>

#include "base/padded_text.h"
#include "sharded_query/plain_writer.h"

namespace shardline {
namespace {

// Any integer of so many characters is exact in JavaScript.
constexpr std::size_t kMaxSafeDigits = 15;

// Whether it is such an integer, written in the one way that needs no other.
bool ReadSafeInteger(std::string_view text, std::int64_t& value) {
  if (text.empty() || text.size() > kMaxSafeDigits) return false;
  const bool negative = text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || (text[0] == '0' && (negative || text.size() > 1))) return false;
  value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
  }
  if (negative) value = -value;
  return true;
}

bool HasQuotes(Stencil::Kind kind) {
  return kind != Stencil::Kind::kNumber && kind != Stencil::Kind::kBoolean &&
         kind != Stencil::Kind::kArray;
}

}  // namespace

bool Stencil::Read(JsonScanner& scanner, PlainWriter& writer, DocumentHead& head,
                   std::string_view& read_time) const {
  if (form_.slots.empty()) return false;
  JsonScanner reader = scanner;
  PlainText& plain = writer.out();
  plain.Begin(head.fields.buffer);
  head.fields.keys.resize(form_.keys);
  const char* wire_bytes = form_.wire.data();
  const char* plain_bytes = form_.plain.data();
  for (const Slot& slot : form_.slots) {
    if (!reader.TakeBytes({wire_bytes, slot.wire})) return false;
    plain.PutPadded({plain_bytes, slot.plain});
    wire_bytes += slot.wire;
    plain_bytes += slot.plain;
    if (!ReadSlot(slot, reader, writer, head, read_time)) return false;
  }
  head.fields.size = plain.size();
  head.fields.shape = form_.shape;
  scanner = reader;
  return true;
}

bool Stencil::ReadSlot(const Slot& slot, JsonScanner& scanner, PlainWriter& writer,
                       DocumentHead& head, std::string_view& read_time) {
  PlainText& plain = writer.out();
  switch (slot.kind) {
    case Kind::kArray:
      return writer.WritePlainArray(scanner, slot.depth);
    case Kind::kNumber:
      plain.PutPadded(scanner.RawNumber());
      return scanner.ok();
    case Kind::kBoolean: {
      const char* const start = scanner.position();
      scanner.Boolean();
      plain.PutPadded({start, static_cast<std::size_t>(scanner.position() - start)});
      return scanner.ok();
    }
    case Kind::kEnd:
      return true;
    default:
      break;
  }
  const std::string_view text = scanner.StringRest();
  if (!scanner.ok()) return false;
  SortKey* const key =
      slot.key < 0 ? nullptr : &head.fields.keys[static_cast<std::size_t>(slot.key)];
  const std::string_view wire(text.data() - slot.before, slot.before + text.size() + slot.behind);
  switch (slot.kind) {
    case Kind::kText:
      if (key != nullptr && !key->SetText(text, wire)) return false;
      // The quote in front of it has been taken for a part of the form.
      plain.PutPadded(text);
      plain.Put('"');
      return true;
    case Kind::kInteger: {
      std::int64_t value = 0;
      if (!ReadSafeInteger(text, value)) return false;
      if (key != nullptr) key->SetInteger(value, wire);
      plain.PutPadded(text);
      return true;
    }
    case Kind::kTimestamp: {
      const std::optional<Timestamp> time = Timestamp::Parse(text);
      if (!time) return false;
      if (key != nullptr) key->SetTimestamp(*time, wire);
      plain.PutTimestamp(*time);
      return true;
    }
    case Kind::kName:
      return head.ReadName(text);
    case Kind::kCreateTime:
      return head.ReadCreateTime(text);
    case Kind::kUpdateTime:
      return head.ReadUpdateTime(text);
    default:
      read_time = text;
      return true;
  }
}

void Stencil::Begin(const char* position) {
  recording_ = true;
  next_ = {};
  values_.clear();
  at_ = position;
  plain_at_ = 0;
}

void Stencil::Add(Kind kind, std::string_view raw) {
  // What an error has left has no place.
  if (raw.data() == nullptr) GiveUp();
  if (!recording_) return;
  const auto gap = static_cast<std::uint32_t>(raw.data() - at_);
  next_.slots.push_back({.kind = kind, .wire = gap});
  next_.wire.append(at_, gap);
  values_.push_back(raw);
  at_ = raw.data() + raw.size() + (HasQuotes(kind) ? 1 : 0);
}

void Stencil::AddField(Kind kind, std::string_view raw, const PlainText& plain, std::size_t start,
                       std::size_t depth) {
  Add(kind, raw);
  if (!recording_) return;
  if (kind == Kind::kText) ++start;  // Behind the quote.
  const std::string_view gap = plain.From(plain_at_).substr(0, start - plain_at_);
  next_.slots.back().plain = static_cast<std::uint32_t>(gap.size());
  next_.slots.back().depth = depth;
  next_.plain += gap;
  plain_at_ = plain.size();
}

void Stencil::End(const char* position, const PlainFields& fields) {
  if (!std::exchange(recording_, false) || !FindKeys(fields)) return;
  const std::string_view plain = fields.json().substr(plain_at_);
  next_.slots.push_back({.kind = Kind::kEnd,
                         .wire = static_cast<std::uint32_t>(position - at_),
                         .plain = static_cast<std::uint32_t>(plain.size())});
  next_.wire.append(at_, position);
  next_.plain += plain;
  next_.wire.append(PaddedText::kGuard, '\0');
  next_.plain.append(PaddedText::kGuard, '\0');
  next_.keys = fields.keys.size();
  next_.shape = fields.shape;
  form_ = std::move(next_);
}

bool Stencil::FindKeys(const PlainFields& fields) {
  for (std::size_t key = 0; key < fields.keys.size(); ++key) {
    const std::string_view wire = fields.keys[key].wire();
    std::size_t i = 0;
    while (i < values_.size() && values_[i].data() < wire.data()) ++i;
    if (i == values_.size() || !fields.keys[key].IsSimple()) return false;
    Slot& slot = next_.slots[i];
    slot.key = static_cast<std::int8_t>(key);
    slot.before = static_cast<std::uint32_t>(values_[i].data() - wire.data());
    slot.behind = static_cast<std::uint32_t>(wire.size() - slot.before - values_[i].size());
  }
  return true;
}

}  // namespace shardline
