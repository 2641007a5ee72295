#include "simulator/transactions.h"

#include <algorithm>

#include "simulator/names.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

// https://firebase.google.com/docs/firestore/quotas#writes_and_transactions
constexpr std::int64_t kMaxAgeMicros = 270'000'000;
constexpr std::int64_t kMaxIdleMicros = 60'000'000;

constexpr std::string_view kTokenTag = "tx";
constexpr std::size_t kTokenSize = 10;

std::string TokenOf(std::uint64_t id) {
  std::string token(kTokenTag);
  for (int shift = 0; shift < 64; shift += 8) token += static_cast<char>(id >> shift & 0xff);
  return token;
}

// 0 for bytes that are not a token.
std::uint64_t IdOf(std::string_view token) {
  if (token.size() != kTokenSize || token.substr(0, 2) != kTokenTag) return 0;
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    id |= std::uint64_t{static_cast<unsigned char>(token[2 + i])} << (8 * i);
  }
  return id;
}

}  // namespace

TransactionOptions ReadTransactionOptions(JsonScanner& scanner) {
  TransactionOptions options;
  int kinds = 0;
  ReadObject(scanner, [&](const std::string& member) {
    if (member != "readOnly" && member != "readWrite") return false;
    const bool read_only = member == "readOnly";
    const bool present = ReadObject(scanner, [&](const std::string& inner) {
      if (read_only && inner == "readTime") {
        options.read_time = ReadVersionTime(scanner);
        return true;
      }
      if (!read_only && inner == "retryTransaction") {
        options.retry_of = ReadBase64(scanner);
        return true;
      }
      return false;
    });
    if (present) {
      ++kinds;
      options.read_only = read_only;
    }
    return true;
  });
  if (kinds > 1) scanner.Reject("a transaction is either read-only or read-write");
  return options;
}

bool Transaction::HasRead(std::string_view path) const {
  return read_paths.find(path) != read_paths.end() ||
         read_collections.find(std::string_view()) != read_collections.end() ||
         read_collections.find(LastId(ParentPath(path))) != read_collections.end();
}

std::string Transactions::Begin(const TransactionOptions& options, Timestamp now,
                                Timestamp latest) {
  Expire(now);
  Transaction& transaction = open_[++last_id_];
  transaction.read_only = options.read_only;
  transaction.read_time = options.read_time.value_or(latest);
  transaction.begun = now;
  transaction.last_used = now;
  return TokenOf(last_id_);
}

Result<Transaction*> Transactions::Find(std::string_view token, Timestamp now) {
  Expire(now);
  if (!WasBegun(token)) return InvalidArgument("Invalid transaction.");
  const auto at = open_.find(IdOf(token));
  if (at == open_.end()) return InvalidArgument("Transaction is invalid or closed.");
  at->second.last_used = now;
  return &at->second;
}

bool Transactions::WasBegun(std::string_view token) const {
  const std::uint64_t id = IdOf(token);
  return id != 0 && id <= last_id_;
}

void Transactions::End(std::string_view token) { open_.erase(IdOf(token)); }

bool Transactions::IsLocked(std::string_view path, const Transaction* own, Timestamp now) {
  if (open_.empty()) return false;
  Expire(now);
  for (const auto& [id, transaction] : open_) {
    if (&transaction == own || transaction.read_only) continue;
    if (transaction.HasRead(path)) return true;
  }
  return false;
}

void Transactions::Expire(Timestamp now) {
  for (auto at = open_.begin(); at != open_.end();) {
    Transaction& transaction = at->second;
    transaction.begun = std::min(transaction.begun, now);
    transaction.last_used = std::min(transaction.last_used, now);
    const bool expired = now.micros - transaction.begun.micros > kMaxAgeMicros ||
                         now.micros - transaction.last_used.micros > kMaxIdleMicros;
    at = expired ? open_.erase(at) : std::next(at);
  }
}

}  // namespace shardline::simulator
