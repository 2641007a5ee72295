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
      merge_(plan_->chunk_count(), plan_->start(), reader_),
      chunks_(plan_->chunk_count()) {
  docs_.Begin(docs_buffer_);
}

void PageOperation::OnStart() {
  TakeKept();
  for (std::size_t i = 0; i < chunks_.size() && !done(); ++i) {
    const std::int64_t count = First(i) - merge_.chunk(i).unread();
    if (count > 0 && !merge_.chunk(i).complete()) AskFor(i, count);
  }
  if (!done()) Advance();
  if (!done()) SendRequests();
}

void PageOperation::TakeKept() {
  if (plan().stream().empty() || plan().continue_from().empty()) return;
  std::vector<ChunkScan> rest =
      KeptPages::Of(context()).Take(plan().stream() + plan().continue_from());
  if (!rest.empty()) merge_.Begin(std::move(rest));
}

void PageOperation::Keep() {
  if (plan().stream().empty() || plan().reads_whole_pages()) return;
  // Other chunks may still have the document that the page ends with.
  if (plan().overlaps()) return;
  // If a page alone is of its instant, its leftovers cannot be merged with the next page's answers.
  if (plan().at_one_instant() && !plan().keeps_instant()) return;
  KeptPages::Of(context()).Keep(plan().stream() + next_, merge_.TakeRest(*last_));
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
  const std::size_t index = requests_.ChunkOf(id);
  const Chunk& chunk = chunks_[index];
  SHARDLINE_TRY(
      ChunkAnswer && answer,
      ChunkAnswer::Take(body, static_cast<std::size_t>(chunk.asked), plan().at_one_instant()));
  requests_.FixInstant(answer.read_time());
  requests_.Answered(id);
  const auto count = static_cast<std::int64_t>(answer.size());
  merge_.Add(index, std::move(answer), chunk.asked);
  Advance();
  if (!done()) SendRequests();
  return Billed{.reads = std::max<std::int64_t>(count, 1)};
}

void PageOperation::Advance() {
  if (!requests_.idle()) return;
  do {
    Status status = merge_.Load();
    if (!status) return FinishWithError(status.TakeFailure());
    // A full page need not know which document comes next.
    if (Lacking() == 0 || merge_.ended()) return FinishPage();
    if (merge_.dry()) return Refill();
  } while (TakeFirst());
}

std::int64_t PageOperation::Lacking() const {
  return plan().limit() ? *plan().limit() - taken_ : INT32_MAX;
}

double PageOperation::Share(std::size_t chunk) const { return plan().Share(chunk); }

std::int64_t PageOperation::First(std::size_t chunk) const {
  if (!plan().limit()) return Piece(0);
  if (plan().reads_whole_pages()) return Lacking();
  return FirstFetch(Lacking(), Share(chunk), static_cast<std::int64_t>(chunks_.size()));
}

std::int64_t PageOperation::More(std::size_t chunk) const {
  const Chunk& dry = chunks_[chunk];
  if (!plan().limit()) return Piece(dry.asked);
  return RefillFetch({Share(chunk), dry.given, taken_, Lacking(), dry.refill});
}

void PageOperation::AskFor(std::size_t index, std::int64_t count) {
  Chunk& chunk = chunks_[index];
  Result<std::optional<Position>> end = merge_.End(index);
  if (!end) return FinishWithError(end.TakeFailure());
  chunk.after = std::move(*end);
  chunk.asked = count;
  requests_.Ask(index);
}

// Asks the chunks that have run dry, and also those that soon will.
void PageOperation::Refill() {
  for (std::size_t i = 0; i < chunks_.size() && !done(); ++i) {
    Chunk& chunk = chunks_[i];
    if (merge_.chunk(i).complete()) continue;
    const std::int64_t more = More(i);
    const std::int64_t unread = merge_.chunk(i).unread();
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

bool PageOperation::TakeFirst() {
  const DocumentHead& head = merge_.head();
  if (IsNew(head)) {
    if (taken_ > 0) docs_.Put(',');
    WriteDocument(docs_, head);
    ++taken_;
    ++chunks_[merge_.first()].given;
    if (Lacking() == 0) last_ = reader_.PositionOf(head);
  } else if (plan().at_one_instant() && !plan().overlaps()) {
    FinishWithError(
        Fail(kAnswersContradict, "The server's answers contradict each other: document \"")
        << Param{"document", head.id()} << "\" is of two shards at one instant.");
    return false;
  }
  Status status = merge_.Pop();
  if (!status) FinishWithError(status.TakeFailure());
  return !done();
}

// As of one instant, a chunk never has a document twice, which ChunkScan sees to. Several requests
// for pieces of a chunk are of several instants: a document may have moved to one of the later ones
// meanwhile.
bool PageOperation::IsNew(const DocumentHead& head) {
  if (chunks_.size() == 1 && (plan().limit() || plan().at_one_instant())) return true;
  return id_set_.Add(ids_.emplace_front(head.id()));
}

void PageOperation::FinishPage() {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const auto time = Timestamp::Parse(merge_.chunk(i).read_time());
    if (time) read_times_.push_back(*time);
  }
  if (!merge_.ended()) {
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
  writer.EndArray().Key("nextToken");
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
