#include "resharding/assign_shards.h"

#include <algorithm>
#include <cstddef>

#include "base/json_view.h"
#include "base/number.h"
#include "base/padded_text.h"
#include "base/reason.h"
#include "firestore/fields_writer.h"
#include "firestore/limits_and_prices.h"
#include "firestore/query.h"
#include "firestore/value.h"
#include "firestore/write.h"
#include "operation/collection_page.h"
#include "operation/procedure.h"
#include "sharded_query/fingerprint.h"
#include "sharded_query/page_token.h"

namespace shardline {
namespace {

Failure BadResumeToken() {
  return Fail(
      kResumeFromElsewhere,
      "`resumeFrom` does not belong to this call: pass the last `resumeFrom` of onProgress() from "
      "the "
      "same call, dry run or not, on the same collection with the same shards, or the path of a "
      "document in it.");
}

// Distinguishes tokens of this call from other tokens.
std::uint64_t FingerprintOf(const ShardedCollection& collection,
                            const AssignShardsOptions& options) {
  Fingerprint fingerprint;
  fingerprint.Add(options.task == ShardTask::kBackfill ? "backfill" : "reshard");
  fingerprint.Add(options.dry_run ? "dry" : "").Add(collection.path().text());
  fingerprint.Add(collection.shard_field().text());
  for (const std::string& shard : collection.shards()) {
    fingerprint.Add(collection.IsWritten(shard) ? "written" : "read").Add(shard);
  }
  return fingerprint.value();
}

// The name of the document that a token ends at; or, for a text with a slash, which no token has,
// of the document with this path. All names begin with `documents`.
Result<std::string> ReadResumeFrom(const std::string& text, const std::string& documents,
                                   std::string_view collection, std::uint64_t fingerprint) {
  std::string name = documents + text;
  if (text.find('/') == std::string::npos) {
    Result<PageToken> token = PageToken::Decode(text, fingerprint, 1);
    if (!token) return BadResumeToken();
    const PaddedText value(token->values.json(0));
    JsonScanner scanner(value);
    name = JsonView(scanner)["referenceValue"].String();
    if (!scanner.ok()) return BadResumeToken();
  }
  PageBounds bounds{collection, {}, {}, 1};
  if (!bounds.Take(name)) return BadResumeToken();
  return name;
}

// A write that sets the shard field, and nothing else.
Write SetShard(const FieldPath& field, std::string name, std::string update_time,
               std::string_view shard) {
  Write write =
      Write::RemoveField(std::move(name), field, Precondition::AsRead(std::move(update_time)));
  write.fields = FieldsOf(field, EncodedValue::OfPlain(shard));
  return write;
}

// May be one document's own fault, and refuses the others of its commit with it. A proxy knows
// nothing of documents.
bool MayBeOfOneDocument(const Error& error) {
  return error.reason == kServerRefused.name &&
         (error.code == Code::kInvalidArgument || error.code == Code::kPermissionDenied);
}

}  // namespace

Status CheckReshard(const std::vector<std::string>& shards, const ShardedCollection& collection) {
  const bool are_written = shards.size() == collection.written_count() &&
                           std::all_of(shards.begin(), shards.end(), [&](const std::string& shard) {
                             return collection.IsWritten(shard);
                           });
  if (are_written && collection.in_transition()) return {};
  return Conflict(
      "shards", "alsoRead",
      "reshard() moves documents to the values that all clients write by now: first let "
      "all of them have { shards: old, alsoRead: new }, then { shards: new, alsoRead: old "
      "}, and "
      "then call reshard(new) on a collection with these latter options. If none of the old "
      "values is to be given up, no document has to move.");
}

Result<std::unique_ptr<Operation>> AssignShards::Start(
    OperationContext& context, std::shared_ptr<const ShardedCollection> collection,
    const AssignShardsOptions& options) {
  if (!collection->is_sharded()) {
    return RefuseArgument(kArgumentMissing, "shardField", "a field's path",
                          "The collection has no shard field.");
  }
  std::string after;
  if (!options.resume_from.empty()) {
    const std::string documents = context.database.documents() + '/';
    SHARDLINE_TRY(
        after, ReadResumeFrom(options.resume_from, documents, documents + collection->path().text(),
                              FingerprintOf(*collection, options)));
  }
  return std::unique_ptr<Operation>(
      new AssignShards(context, std::move(collection), options, std::move(after)));
}

AssignShards::AssignShards(OperationContext& context,
                           std::shared_ptr<const ShardedCollection> collection,
                           const AssignShardsOptions& options, std::string after)
    : Operation(context),
      collection_(std::move(collection)),
      options_(options),
      prefix_(context.database.documents() + '/' + collection_->path().text()),
      pace_(options.writes_per_second),
      after_(std::move(after)) {
  if (collection_->shard_field().segments().size() > 1) page_limit_ = kFirstOfMaps;
}

void AssignShards::OnStart() {
  begun_ = now();
  pace_.Begin(now());
  Query query{.collection = collection_->path()};
  query.orders.push_back({FieldPath::DocumentName()});
  if (!after_.empty()) query.start = Position::AtDocument(after_, false);
  Send({collection_->path().QueryUrlPath(database(), ":runAggregationQuery"),
        EncodeRunAggregation(query, nullptr, {})});
}

void AssignShards::ReadPage() {
  step_ = Step::kReading;
  asked_ = std::min(page_limit_, fitting_);
  if (!options_.dry_run) asked_ = std::min(asked_, static_cast<int>(pace_.Rate(now())));
  // If the field is inside a map, this reads the map, too, because another value may be in its
  // place.
  const FieldPath field = collection_->shard_field().Prefix(1);
  Send(shardline::ReadPage(
      database(),
      {.collection = collection_->path(), .field = &field, .limit = asked_, .after = after_}));
}

void AssignShards::CommitPage() {
  step_ = Step::kWriting;
  committed_at_ = now();
  CommitBody body;
  for (const Assignment& assignment : page_.assignments) {
    body.Add(SetShard(collection_->shard_field(), assignment.name, assignment.update_time,
                      assignment.shard));
  }
  SendCommit(body.Take(), Effect::kRepeatable);
}

Result<Billed> AssignShards::OnAnswer(CallId, PaddedText& body) {
  switch (step_) {
    case Step::kCounting:
      return OnCount(body);
    case Step::kReading:
      return OnPage(body);
    case Step::kWriting:
      break;
  }
  return OnCommitted(body);
}

Result<Billed> AssignShards::OnCount(const PaddedText& body) {
  SumAndCount answer;
  SHARDLINE_CHECK(DecodeAggregation(body, false, answer));
  // More than any collection holds, so that nothing that is reckoned with it overflows.
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  if (answer.count > kMost) {
    return Fail(kAnswerUnreadable,
                "Cannot read the answer to the query: no collection is so large.");
  }
  total_ = answer.count;
  ReadPage();
  return Billed{.reads = AggregationReads(answer.count)};
}

Result<Billed> AssignShards::OnPage(const PaddedText& body) {
  Page page{.last = after_};
  PageBounds bounds{prefix_, after_, {}, static_cast<std::size_t>(asked_)};
  DocumentsAnswer answer(body, StreamedAnswer::kQuery);
  while (answer.Next()) {
    SHARDLINE_CHECK(bounds.Take(answer.document().name));
    if (!answer.document().exists()) {
      return Fail(kAnswerUnreadable,
                  "Cannot read the answer to the query: it tells of a missing document.");
    }
    page.last = answer.document().name;
    bounds.after = page.last;
    ++page.size;
    NoteFate(answer.document(), page);
  }
  SHARDLINE_CHECK(answer.Finish());
  page.is_last = page.size < asked_;
  const std::size_t each =
      body.view().size() / static_cast<std::size_t>(std::max<std::int64_t>(page.size, 1)) + 1;
  fitting_ = static_cast<int>(std::clamp<std::size_t>(kPageBytes / each, 1, kMaxPage));
  page_ = std::move(page);
  Billed billed{.reads = std::max<std::int64_t>(page_.size, 1)};
  if (options_.dry_run || page_.assignments.empty()) {
    billed.writes = page_.written;
    if (page_.written > 0) WaitUntil(pace_.NextAfter(page_.written, committed_at_));
    LeavePage(static_cast<std::int64_t>(page_.assignments.size()));
  } else {
    CommitPage();
  }
  return billed;
}

void AssignShards::NoteFate(const DocumentAnswer& document, Page& page) {
  std::string shard;
  switch (DecideShard(options_.task, ReadShardState(document.fields, *collection_, &shard))) {
    case ShardFate::kGetsShard:
      page.assignments.push_back(
          {document.name, document.update_time, collection_->RandomShard(random())});
      break;
    case ShardFate::kSkipped:
      ++(HasDoubtful(document.name, shard) ? page.written : page.skipped);
      break;
    case ShardFate::kOutside:
      ++page.unreachable;
      break;
  }
}

bool AssignShards::HasDoubtful(std::string_view name, std::string_view shard) const {
  return std::any_of(doubtful_.begin(), doubtful_.end(), [&](const auto& doubtful) {
    return doubtful.first == name && doubtful.second == shard;
  });
}

Result<Billed> AssignShards::OnCommitted(const PaddedText& body) {
  const std::size_t writes = page_.assignments.size();
  SHARDLINE_CHECK(DecodeCommit(body, writes));
  const auto written = static_cast<std::int64_t>(writes);
  pace_.Recover();
  WaitUntil(pace_.NextAfter(written, committed_at_));
  const Billed billed{.writes = page_.written + written};
  LeavePage(written);
  return billed;
}

void AssignShards::LeavePage(std::int64_t written) {
  // However it came about, an earlier attempt that nothing was known of included.
  refusals_ = 0;
  page_limit_ = std::min(2 * page_limit_, kMaxPage);
  after_ = page_.last;
  read_ += page_.size;
  written_ += page_.written + written;
  skipped_ += page_.skipped;
  unreachable_ += page_.unreachable;
  std::erase_if(doubtful_,
                [&](const auto& doubtful) { return CompareNames(doubtful.first, after_) <= 0; });
  is_over_ = page_.is_last;
  TellProgress();
  if (is_over_) return Finish();
  ReadPage();
}

void AssignShards::OnRetry(CallId, const CallFailure& failure, Call&) {
  const Code code = failure.error.code;
  if (code == Code::kAborted || code == Code::kResourceExhausted) pace_.SlowDown();
}

void AssignShards::OnFailure(CallId, const CallFailure& failure) {
  const Code code = failure.error.code;
  // Rules may allow to read documents, and not to count them; and to count may take too long.
  if (step_ == Step::kCounting) return ReadPage();
  const bool is_contention = IsRefusal(code) || code == Code::kAborted;
  if (step_ == Step::kWriting && (is_contention || MayBeOfOneDocument(failure.error))) {
    return OnRefused(failure, is_contention);
  }
  FinishWithFailure(failure);
}

void AssignShards::OnRefused(const CallFailure& failure, bool is_contention) {
  const std::vector<Assignment>& assignments = page_.assignments;
  const std::string& first = assignments.front().name;
  if (!is_contention) {
    if (assignments.size() == 1) {
      const std::string document = first.substr(database().documents().size() + 1);
      return FinishWithError(
          Fail(failure.error)
          << " This was about \"" << document
          << "\" alone: repair or delete it, and call again with `resumeFrom`; or "
             "go on behind it, with its path as `resumeFrom`.");
    }
  } else if (++refusals_ >= MaxRefusals(context().retry)) {
    return FinishWithError(
        Fail(kTooMuchContention,
             "Other clients kept writing to the documents that were to get a shard. "
             "Call again later with `resumeFrom`, and it goes on."));
  }
  // An earlier attempt may have been applied, of which nothing is known here: browsers send a
  // request twice by themselves.
  for (const Assignment& assignment : assignments) {
    doubtful_.emplace_back(assignment.name, assignment.shard);
  }
  // One document alone is written too often: it may rest in a while.
  if (asked_ == 1) WaitUntil(now() + context().retry.Delay(refusals_, false, random()));
  page_limit_ = std::max(asked_ / 4, 1);
  ReadPage();
}

void AssignShards::WriteDollars(JsonWriter& writer, const Billed& billed) const {
  std::string dollars;
  AppendDouble(dollars, (static_cast<double>(billed.reads) * options_.read_price +
                         static_cast<double>(billed.writes) * options_.write_price) /
                            1e6);
  writer.Key("dollars").Raw(dollars);
}

void AssignShards::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("read").Int(read_).Key("written").Int(written_);
  writer.Key("skipped").Int(skipped_).Key("unreachable").Int(unreachable_);
  const double seconds = std::chrono::duration<double>(now() - begun_).count();
  const double rate = seconds > 0 ? static_cast<double>(read_) / seconds : 0;
  writer.Key("total");
  if (total_) {
    writer.Int(*total_);
  } else {
    writer.Raw("null");
  }
  writer.Key("documentsPerSecond").Int(static_cast<std::int64_t>(rate));
  writer.Key("secondsLeft");
  if (is_over_) {
    writer.Int(0);
  } else if (total_ && *total_ >= read_ && rate > 0) {
    const auto left = static_cast<double>(*total_ - read_);
    writer.Int(static_cast<std::int64_t>(left / rate) + 1);
  } else {
    writer.Raw("null");
  }
  WriteBilled(writer.Key("billed"), billed());
  WriteDollars(writer, billed());
  if (options_.dry_run) {
    const Billed real{billed().reads, written_};
    writer.Key("realRun").BeginObject().Key("reads").Int(real.reads);
    writer.Key("writes").Int(real.writes);
    WriteDollars(writer, real);
    writer.EndObject();
  }
  writer.Key("resumeFrom");
  if (is_over_) {
    writer.Raw("null");
  } else {
    const Position position = Position::AtDocument(after_, false);
    writer.String(PageToken{FingerprintOf(*collection_, options_), position.values, {}}.Encode());
  }
  writer.EndObject();
}

}  // namespace shardline
