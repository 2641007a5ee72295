#include "sharded_query/chunk_scan.h"

#include <utility>

#include "firestore/server_error.h"

namespace shardline {

void ChunkScan::Add(ChunkAnswer answer, std::int64_t asked) {
  const auto count = static_cast<std::int64_t>(answer.size());
  complete_ = count < asked;
  unread_ += count;
  read_time_ = answer.read_time();
  if (count > 0) answers_.push_back(std::move(answer));
}

Status ChunkScan::Next(DocumentReader& reader) {
  has_head_ = false;
  if (unread_ == 0) return {};
  if (next_ == answers_.front().size()) {
    // Its last document is compared with the one that comes now.
    spent_ = std::move(answers_.front());
    answers_.erase(answers_.begin());
    next_ = 0;
  }
  const ChunkAnswer& answer = answers_.front();
  JsonScanner scanner = answer.Document(next_);
  reader.Read(scanner, chunk_, following_);
  if (scanner.ok()) {
    const auto is_in_order = [&] {
      return has_read_ ? reader.Compare(head_, following_) < 0
                       : !start_ || reader.IsBehind(following_, *start_);
    };
    if (!is_in_order()) {
      reader.TurnOrder();
      if (!is_in_order()) scanner.Reject("documents are out of order, or there twice");
    }
  }
  if (!scanner.ok()) return Refuse(scanner, answer);
  std::swap(head_, following_);
  spent_.reset();
  ++next_;
  --unread_;
  has_head_ = has_read_ = true;
  return {};
}

Result<std::optional<Position>> ChunkScan::End(DocumentReader& reader) {
  if (answers_.empty()) return std::optional<Position>();
  if (unread_ == 0) return std::optional<Position>(reader.PositionOf(head_));
  const ChunkAnswer& last = answers_.back();
  JsonScanner scanner = last.Document(last.size() - 1);
  reader.Read(scanner, chunk_, following_);
  if (!scanner.ok()) return Refuse(scanner, last).TakeFailure();
  return std::optional<Position>(reader.PositionOf(following_));
}

Status ChunkScan::Refuse(const JsonScanner& scanner, const ChunkAnswer& answer) const {
  constexpr int kHttpOk = 200;
  const Failure why = scanner.failure("the answer to the query");
  return Fail(UnreadableAnswer(kHttpOk, answer.body(), why.error()));
}

void ChunkScan::GoOnFrom(const Position& start) {
  start_ = start;
  spent_.reset();
  if (has_head_) {
    --next_;
    ++unread_;
  }
  has_head_ = has_read_ = false;
  if (unread_ > 0) return;
  answers_.clear();
  next_ = 0;
}

std::size_t ChunkScan::size() const {
  std::size_t size = 0;
  for (const ChunkAnswer& answer : answers_) size += answer.body().view().size();
  return size;
}

}  // namespace shardline
