#include "firestore/amount.h"

#include "base/json_members.h"
#include "firestore/value_codec.h"

namespace shardline {
std::optional<Amount> Amount::Read(JsonScanner& scanner) {
  std::optional<Amount> amount;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (amount) scanner.Reject("a value must have exactly one type");
    if (members.Is("integerValue")) {
      amount = Integer(DecodeInteger(scanner));
    } else if (members.Is("doubleValue")) {
      amount = Double(DecodeDouble(scanner));
    }
  }
  return amount;
}

void Amount::Write(JsonWriter& writer) const {
  if (is_double_) {
    EncodeDouble(writer, double_);
  } else {
    EncodeInteger(writer, integer_);
  }
}

EncodedValue Amount::Encode() const {
  JsonWriter writer;
  writer.BeginObject().Key(is_double_ ? "doubleValue" : "integerValue");
  Write(writer);
  return EncodedValue(writer.EndObject());
}

std::optional<Amount> Add(const Amount& a, const Amount& b) {
  if (a.is_double() || b.is_double()) return Amount::Double(a.number() + b.number());
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a.integer(), b.integer(), &sum)) return std::nullopt;
  return Amount::Integer(sum);
}

void Sum::Add(const Amount& amount) {
  if (amount.is_double()) {
    doubles_ += amount.number();
    has_double_ = true;
  } else {
    high_ += amount.integer() >> 32;
    low_ += amount.integer() & 0xFFFF'FFFF;
  }
}

std::optional<Amount> Sum::Total() const {
  if (has_double_) return Amount::Double(Number());
  const std::int64_t high = high_ + (low_ >> 32);
  const std::int64_t low = low_ & 0xFFFF'FFFF;
  if (high != static_cast<std::int32_t>(high)) return std::nullopt;
  return Amount::Integer(high * (std::int64_t{1} << 32) + low);
}

double Sum::Number() const {
  return static_cast<double>(high_) * 0x1p32 + static_cast<double>(low_) + doubles_;
}

}  // namespace shardline
