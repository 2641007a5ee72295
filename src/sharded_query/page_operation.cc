#include "sharded_query/page_operation.h"

#include <algorithm>
#include <utility>

#include "base/reason.h"
#include "firestore/timestamp.h"
#include "sharded_query/fetch_size.h"
#include "sharded_query/kept_pages.h"
#include "sharded_query/page_token.h"

namespace shardline {
PageOperation::PageOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan)
    : Operation(context, Patience::kShort),
      plan_(std::move(plan)),
      requests_(*plan_),
      reader_(*plan_, context.database),
      writes_ended_(context.writes_ended) {
  docs_.Begin(docs_buffer_);
  for (std::size_t i = 0; i < plan_->chunk_count(); ++i) {
    chunks_.push_back({ChunkScan(i, plan_->start())});
    to_load_.push_back(i);
  }
}

void PageOperation::OnStart() {
  TakeKept();
  for (std::size_t i = 0; i < chunks_.size() && !done(); ++i) {
    const std::int64_t count = First(i) - chunks_[i].scan.unread();
    if (count > 0 && !chunks_[i].scan.complete()) AskFor(i, count);
  }
  if (!done()) Advance();
  if (!done()) SendRequests();
}

void PageOperation::TakeKept() {
  if (plan().eager() || plan().after().empty()) return;
  // The kept documents are from several instants.
  if (plan().at_one_instant() && requests_.read_time().empty()) return;
  std::vector<ChunkScan> kept = KeptPages::Of(context()).Take(plan().after(), plan().selection(),
                                                              now(), context().writes_ended);
  // The token is of a query over the same chunks.
  for (std::size_t i = 0; i < kept.size(); ++i) chunks_[i].scan = std::move(kept[i]);
}

void PageOperation::Keep() {
  if (plan().eager() || context().writes_ended != writes_ended_) return;
  // Other chunks may still have the document that the page ends with.
  if (plan().overlaps()) return;
  // If a page alone is of its instant, its leftovers cannot be merged with the next page's answers.
  if (plan().at_one_instant() && !plan().keeps_instant()) return;
  KeptPages::Page page{next_, plan().selection(), !requests_.read_time().empty(),
                       now(), writes_ended_,      {}};
  for (Chunk& chunk : chunks_) {
    chunk.scan.GoOnFrom(*last_);
    page.chunks.push_back(std::move(chunk.scan));
  }
  KeptPages::Of(context()).Keep(std::move(page));
}

void PageOperation::SendRequests() {
  while (const std::optional<std::size_t> index = requests_.Next()) {
    const Chunk& chunk = chunks_[*index];
    const Query& query =
        plan_->ChunkQuery(*index, chunk.after, static_cast<std::int32_t>(chunk.asked));
    requests_.Sent(*index, Send({plan().collection().QueryUrlPath(database(), ":runQuery"),
                                 EncodeRunQuery(query, requests_.read_time())}));
  }
}

Result<Billed> PageOperation::OnAnswer(CallId id, PaddedText& body) {
  Chunk& chunk = chunks_[requests_.ChunkOf(id)];
  SHARDLINE_TRY(
      ChunkAnswer && answer,
      ChunkAnswer::Take(body, static_cast<std::size_t>(chunk.asked), plan().at_one_instant()));
  requests_.FixInstant(answer.read_time());
  requests_.Answered(id);
  const auto count = static_cast<std::int64_t>(answer.size());
  chunk.scan.Add(std::move(answer), chunk.asked);
  Advance();
  if (!done()) SendRequests();
  return Billed{.reads = std::max<std::int64_t>(count, 1)};
}

void PageOperation::Advance() {
  if (!requests_.idle()) return;
  while (LoadHeads()) {
    if (Lacking() == 0 || heap_.empty()) return FinishPage();
    if (!TakeFirst()) return;
  }
}

std::int64_t PageOperation::Lacking() const {
  return plan().limit() ? *plan().limit() - taken_ : INT32_MAX;
}

double PageOperation::Share(std::size_t chunk) const { return plan().Share(chunk); }

std::int64_t PageOperation::First(std::size_t chunk) const {
  if (!plan().limit()) return Piece(0);
  if (plan().eager()) return Lacking();
  return FirstFetch(Lacking(), Share(chunk), static_cast<std::int64_t>(chunks_.size()));
}

std::int64_t PageOperation::More(std::size_t chunk) const {
  const Chunk& dry = chunks_[chunk];
  if (!plan().limit()) return Piece(dry.asked);
  return RefillFetch({Share(chunk), dry.given, taken_, Lacking(), dry.refill});
}

void PageOperation::AskFor(std::size_t index, std::int64_t count) {
  Chunk& chunk = chunks_[index];
  Result<std::optional<Position>> end = chunk.scan.End(reader_);
  if (!end) return FinishWithError(end.TakeFailure());
  chunk.after = std::move(*end);
  chunk.asked = count;
  requests_.Ask(index);
}

// Asks the chunks that have run dry, and on this occasion those that are about to.
void PageOperation::Refill() {
  for (std::size_t i = 0; i < chunks_.size() && !done(); ++i) {
    Chunk& chunk = chunks_[i];
    if (chunk.scan.complete()) continue;
    const std::int64_t more = More(i);
    const std::int64_t unread = chunk.scan.unread();
    if (unread == 0) {
      chunk.refill = more;
      AskFor(i, more);
      continue;
    }
    const double expected = plan().limit() ? static_cast<double>(Lacking()) * Share(i)
                                           : static_cast<double>(Piece(0)) / 2;
    if (static_cast<double>(unread) < expected && more > unread) AskFor(i, more - unread);
  }
}

// The order in which the standard library's heaps have the first document in front.
auto PageOperation::LaterFirst() const {
  return [this](std::size_t a, std::size_t b) {
    return reader_.Compare(chunks_[a].scan.head(), chunks_[b].scan.head()) > 0;
  };
}

bool PageOperation::LoadHead(std::size_t chunk) {
  Status status = chunks_[chunk].scan.Next(reader_);
  if (!status) FinishWithError(status.TakeFailure());
  return !done();
}

bool PageOperation::LoadHeads() {
  if (to_load_.empty()) return true;
  std::vector<std::size_t> dry;
  for (const std::size_t i : to_load_) {
    if (!LoadHead(i)) return false;
    if (chunks_[i].scan.has_head()) {
      heap_.push_back(i);
      std::push_heap(heap_.begin(), heap_.end(), LaterFirst());
    } else if (!chunks_[i].scan.complete()) {
      dry.push_back(i);
    }
  }
  to_load_ = std::move(dry);
  // A full page need not know which document comes next.
  if (to_load_.empty() || Lacking() == 0) return true;
  Refill();
  return false;
}

bool PageOperation::TakeFirst() {
  std::pop_heap(heap_.begin(), heap_.end(), LaterFirst());
  const std::size_t first = heap_.back();
  Chunk& chunk = chunks_[first];
  const DocumentHead& head = chunk.scan.head();
  if (IsNew(head)) {
    if (taken_ > 0) docs_.Put(',');
    WriteDocument(docs_, head);
    ++taken_;
    ++chunk.given;
    if (Lacking() == 0) last_ = reader_.PositionOf(head);
  } else if (plan().at_one_instant() && !plan().overlaps()) {
    FinishWithError(
        Fail(kAnswersContradict, "The server's answers contradict each other: document \"")
        << Param{"document", head.id()} << "\" is of two shards at one instant.");
    return false;
  }
  if (!LoadHead(first)) return false;
  if (chunk.scan.has_head()) {
    std::push_heap(heap_.begin(), heap_.end(), LaterFirst());
  } else {
    heap_.pop_back();
    if (!chunk.scan.complete()) to_load_.push_back(first);
  }
  return true;
}

// As of one instant, a chunk never has a document twice, which ChunkScan sees to. Several requests
// for pieces of a chunk are of several instants: a document may have moved to one of the later ones
// meanwhile.
bool PageOperation::IsNew(const DocumentHead& head) {
  if (chunks_.size() == 1 && (plan().limit() || plan().at_one_instant())) return true;
  return id_set_.Add(ids_.emplace_front(head.id()));
}

void PageOperation::FinishPage() {
  const bool ended = heap_.empty() && to_load_.empty();
  for (const Chunk& chunk : chunks_) {
    if (const auto time = Timestamp::Parse(chunk.scan.read_time())) read_times_.push_back(*time);
  }
  if (!ended) {
    const std::string instant = plan().keeps_instant() ? requests_.read_time() : "";
    next_ = PageToken{plan().fingerprint(), last_->values, instant}.Encode();
    Keep();
  }
  Finish();
}

void PageOperation::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("prefix").String(reader_.prefix());
  writer.Key("docs").BeginArray();
  if (taken_ > 0) writer.Raw(docs_.From(0));
  writer.EndArray().Key("shapes").BeginArray();
  if (taken_ > 0) writer.Raw(reader_.Shapes());
  writer.EndArray().Key("next");
  if (next_.empty()) {
    writer.Raw("null");
  } else {
    writer.String(next_);
  }
  writer.Key("readTimes").BeginArray();
  for (const Timestamp time : read_times_) {
    writer.BeginArray().Int(time.seconds()).Int(time.nanoseconds()).EndArray();
  }
  writer.EndArray().Key("requests").Int(requests_.count());
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
