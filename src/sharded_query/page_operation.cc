#include "sharded_query/page_operation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number.h"
#include "firestore/server_error.h"
#include "firestore/timestamp.h"
#include "sharded_query/page_token.h"

namespace shardline {
namespace {

// What is asked of a chunk at first, and at the most, if the page has no limit.
constexpr std::int64_t kFirstPiece = 300;
constexpr std::int64_t kLargestPiece = 1'200;

// Appends ",seconds,nanoseconds".
void WriteTime(std::string& out, Timestamp time) {
  out += ',';
  AppendInt64(out, time.seconds());
  out += ',';
  AppendInt64(out, time.nanoseconds());
}

}  // namespace

PageOperation::PageOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan)
    : ChunkOperation(context, std::move(plan)),
      chunks_(this->plan().chunk_count()),
      writer_(this->plan().order_fields(), this->plan().projection()) {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    AskFor(i, this->plan().eager() && this->plan().limit() ? *this->plan().limit() : Need(i));
    to_load_.push_back(i);
  }
  SendQueued();
}

Call PageOperation::MakeCall(std::size_t chunk) {
  const Chunk& asked = chunks_[chunk];
  const auto limit = static_cast<std::int32_t>(asked.asked);
  return {plan().collection().QueryUrlPath(database(), ":runQuery"),
          EncodeRunQuery(plan().ChunkQuery(chunk, asked.after, limit), read_time())};
}

Result<Billed> PageOperation::OnChunkAnswer(std::size_t index, PaddedText& body) {
  SHARDLINE_CHECK(CheckAnswer(body));
  if (plan().snapshot() && read_time().empty()) {
    AnswerReader reader(body);
    DocumentHead first;
    reader.Next(writer_, first);
    if (reader.read_time().empty()) {
      return InvalidArgument("The answer to the query names no read time.");
    }
    SetReadTime(reader.read_time());
  }
  Chunk& chunk = chunks_[index];
  const auto count =
      static_cast<std::int64_t>(CountDocuments(body, static_cast<std::size_t>(chunk.asked)));
  chunk.complete = count < chunk.asked;
  chunk.unread += count;
  chunk.answers.push_back(std::move(body));
  --waiting_;
  return Billed{.reads = std::max<std::int64_t>(count, 1)};
}

void PageOperation::Advance() {
  if (waiting_ > 0) return;
  while (LoadHeads()) {
    if (Lacking() == 0 || heap_.empty()) return FinishPage();
    if (!TakeFirst()) return;
  }
}

std::int64_t PageOperation::Lacking() const {
  return plan().limit() ? *plan().limit() - taken_ : INT32_MAX;
}

double PageOperation::Share(std::size_t chunk) const {
  if (!plan().limit()) return static_cast<double>(kFirstPiece) / 2;
  return static_cast<double>(Lacking()) * static_cast<double>(plan().ChunkSize(chunk)) /
         static_cast<double>(plan().shard_count());
}

// Documents that are spread at random make each chunk's number vary by the square root of its
// share. One and a half of that on top, and one to see what comes next, makes a second round trip
// rare and bills few documents more: 10 chunks and a limit of 100 take 1.4 round trips and 164
// reads on the average; 2.6 and 160 with half of the root, 1.1 and 181 with two. A chunk that runs
// dry all the same is asked for twice as much each time, so that documents that are not spread at
// all cost only a few round trips.
std::int64_t PageOperation::Need(std::size_t chunk) const {
  const std::int64_t again = 2 * chunks_[chunk].asked;
  if (!plan().limit()) return std::clamp(again, kFirstPiece, kLargestPiece);
  const double share = Share(chunk);
  const auto need = static_cast<std::int64_t>(std::ceil(share + 1.5 * std::sqrt(share))) + 1;
  return std::min(std::max(need, again), Lacking());
}

void PageOperation::AskFor(std::size_t chunk, std::int64_t count) {
  chunks_[chunk].asked = count;
  ++waiting_;
  Ask(chunk);
}

// Asks the chunks that have run dry, and on this occasion those that are about to.
void PageOperation::Refill() {
  for (const std::size_t i : to_load_) {
    chunks_[i].after = PositionOf(chunks_[i].head);
    AskFor(i, Need(i));
  }
  for (const std::size_t i : heap_) {
    Chunk& chunk = chunks_[i];
    if (chunk.complete || static_cast<double>(chunk.unread) >= Share(i)) continue;
    const std::optional<Position> last = LastPosition(chunk);
    if (!last) continue;  // What cannot be read is an error once it is needed.
    chunk.after = last;
    AskFor(i, std::min(Need(i), Lacking() - chunk.unread));
  }
}

bool PageOperation::LoadHead(Chunk& chunk) {
  while (!chunk.answers.empty()) {
    const bool first = !chunk.reader;
    if (first) chunk.reader.emplace(chunk.answers.front());
    const bool loaded = chunk.reader->Next(writer_, chunk.head);
    if (chunk.read_time.empty()) chunk.read_time = chunk.reader->read_time();
    if (loaded) return true;
    // Documents were counted where none is: the head stood in the answer before, which is gone, and
    // nobody knows where to go on.
    if (first && !chunk.complete) chunk.reader->RejectAsEmpty();
    if (!chunk.reader->ok()) {
      FinishWithError(Fail(UnreadableAnswer(200, chunk.answers.front(), chunk.reader->error())));
      return false;
    }
    // The last document read remains the head, and its answer with it, until the next one comes.
    if (chunk.answers.size() == 1) return false;
    chunk.answers.erase(chunk.answers.begin());
    chunk.reader.reset();
  }
  return false;
}

bool PageOperation::LoadHeads() {
  if (to_load_.empty()) return true;
  std::vector<std::size_t> dry;
  for (const std::size_t i : to_load_) {
    if (LoadHead(chunks_[i])) {
      heap_.push_back(i);
      SiftUp();
    } else if (done()) {
      return false;
    } else if (!chunks_[i].complete) {
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
  const std::size_t first = heap_.front();
  Chunk& chunk = chunks_[first];
  WriteDocument(chunk.head);
  ++taken_;
  --chunk.unread;
  if (Lacking() == 0) last_ = PositionOf(chunk.head);
  if (!LoadHead(chunk)) {
    if (done()) return false;
    heap_.front() = heap_.back();
    heap_.pop_back();
    if (!chunk.complete) to_load_.push_back(first);
  }
  SiftDown();
  return true;
}

void PageOperation::WriteDocument(const DocumentHead& head) {
  if (taken_ > 0) docs_ += ',';
  docs_ += "[\"";
  docs_ += head.name.substr(head.name.rfind('/') + 1);
  docs_ += "\",";
  docs_ += head.fields.json();
  docs_ += ',';
  AppendInt64(docs_, static_cast<std::int64_t>(head.fields.shape));
  WriteTime(docs_, head.create_time);
  if (head.update_time != head.create_time) WriteTime(docs_, head.update_time);
  docs_ += ']';
}

void PageOperation::FinishPage() {
  const bool ended = heap_.empty() && to_load_.empty();
  if (!ended) {
    next_ = PageToken{plan().fingerprint(), std::move(last_->values), read_time()}.Encode();
  }
  Finish();
}

bool PageOperation::Before(std::size_t a, std::size_t b) const {
  const DocumentHead& x = chunks_[a].head;
  const DocumentHead& y = chunks_[b].head;
  std::weak_ordering order = std::weak_ordering::equivalent;
  for (std::size_t i = 0; i < x.fields.keys.size() && order == 0; ++i) {
    order = SortKey::Compare(x.fields.keys[i], y.fields.keys[i]);
  }
  if (order == 0) order = CompareNames(x.id, y.id);
  return plan().direction() == Direction::kDescending ? order > 0 : order < 0;
}

// Moves the last one up to its place.
void PageOperation::SiftUp() {
  for (std::size_t at = heap_.size() - 1; at > 0;) {
    const std::size_t parent = (at - 1) / 2;
    if (!Before(heap_[at], heap_[parent])) return;
    std::swap(heap_[at], heap_[parent]);
    at = parent;
  }
}

// Moves the first one down to its place.
void PageOperation::SiftDown() {
  for (std::size_t at = 0;;) {
    std::size_t child = 2 * at + 1;
    if (child >= heap_.size()) return;
    if (child + 1 < heap_.size() && Before(heap_[child + 1], heap_[child])) ++child;
    if (!Before(heap_[child], heap_[at])) return;
    std::swap(heap_[at], heap_[child]);
    at = child;
  }
}

Position PageOperation::PositionOf(const DocumentHead& head) const {
  Position position;
  for (const SortKey& key : head.fields.keys) position.values.emplace_back(key.wire());
  JsonWriter name;
  name.BeginObject().Key("referenceValue").RawString(head.name).EndObject();
  position.values.push_back(name.Take());
  return position;
}

std::optional<Position> PageOperation::LastPosition(const Chunk& chunk) {
  // There is just one answer: a chunk that was asked ahead of its turn has more than its share.
  AnswerReader reader = *chunk.reader;
  DocumentHead last = chunk.head;
  while (reader.Next(writer_, last)) {
  }
  if (!reader.ok()) return std::nullopt;
  return PositionOf(last);
}

void PageOperation::WriteResult(JsonWriter& writer) const {
  const std::string prefix = database().documents() + '/' + plan().collection().text() + '/';
  writer.BeginObject().Key("prefix").String(prefix);
  writer.Key("docs").BeginArray();
  if (taken_ > 0) writer.Raw(docs_);
  writer.EndArray().Key("shapes").BeginArray();
  if (taken_ > 0) writer.Raw(writer_.Shapes());
  writer.EndArray().Key("next");
  if (next_.empty()) {
    writer.Raw("null");
  } else {
    writer.String(next_);
  }
  writer.Key("readTimes").BeginArray();
  for (const Chunk& chunk : chunks_) {
    const std::optional<Timestamp> time = Timestamp::Parse(chunk.read_time);
    if (!time) continue;
    writer.BeginArray().Int(time->seconds()).Int(time->nanoseconds()).EndArray();
  }
  writer.EndArray().Key("requests").Int(requests());
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
