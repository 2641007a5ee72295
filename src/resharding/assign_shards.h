#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firestore/answers.h"
#include "operation/operation.h"
#include "resharding/shard_decision.h"
#include "resharding/write_pace.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {

// A client that sends one request after the other stays below this.
inline constexpr std::int64_t kMostWritesPerSecond = 10'000;

// The options of backfill() and reshard().
struct AssignShardsOptions {
  ShardTask task = ShardTask::kBackfill;
  // The run begins behind this: the last token of an earlier run, or a document's path. Empty: it
  // begins with the first document.
  std::string resume_from = {};
  // Reads, and reports the writes without sending them.
  bool dry_run = false;
  // From 1 on.
  std::int64_t writes_per_second = kMostWritesPerSecond;
  // Dollars for a million reads and for a million writes, for the reported costs.
  double read_price = 0;
  double write_price = 0;
};

// Refuses reshard() unless the collection's options are those of step 2 below: the new values must
// be the ones that it writes, in any order, and it must read others besides.
Status CheckReshard(const std::vector<std::string>& shards, const ShardedCollection& collection);

// Online migration: gives documents of a live collection a shard, while all clients go on reading
// and writing.
//
// Goes through the collection page by page in the order of names, which needs no index of the
// user's, and reads nothing but the shard field. The writes of a page (shard_decision.h) go in one
// commit. Each sets the shard field alone, on the condition that the document was last written when
// it was read (optimistic concurrency): a document that another client has changed or deleted in
// between is read again, and a request that arrives late or twice changes nothing. The pause of the
// rate limit (write_pace.h) is before a page is read, not between reading and writing. Memory holds
// one page of the collection at a time.
//
// When it has ended, every document that was there at the beginning has its shard, and every later
// one has the shard that its writer gave it. Therefore clients must write the collection's shards
// before it begins. An interrupted run resumes with the last token that it reported. A run that
// begins again from the start reads all documents, and writes none twice. The operation ends if the
// server refuses the write of a single document. It skips a document only if the caller names its
// path.
//
// Changing the values of a live collection takes four steps. Then all queries are right at any
// time, for clients at any step:
//
//   1. All clients ask for the new values, too:  {shards: old, alsoRead: new}
//   2. All clients write with the new ones:      {shards: new, alsoRead: old}
//   3. reshard() moves the documents with old values.
//   4. All clients forget the old values:        {shards: new}
//
// A client must not be two steps ahead of another one. In steps 1 to 3, each page of a query, and
// each count, reads one instant, in which each document has one shard. Otherwise a page in step 3
// could find a moving document twice, or not at all.
class AssignShards final : public Operation {
 public:
  // Refuses a token of another call.
  static Result<std::unique_ptr<Operation>> Start(
      OperationContext& context, std::shared_ptr<const ShardedCollection> collection,
      const AssignShardsOptions& options);

  // The result, and the progress after every page:
  //
  //   {"read", "written", "skipped", "unreachable": documents of this run, by their fate; in a dry
  //    run, "written" would be. "total": about how many there were before it; null if not known.
  //    "documentsPerSecond", "secondsLeft": null if not known, or if more was read than there was
  //    at first, "billed", "dollars": the costs, "realRun": {"reads", "writes", "dollars"}: in a
  //    dry run, the costs of the real run, which reads the same, "resumeFrom": null at the end}
  void WriteResult(JsonWriter& writer) const override;

 private:
  // The operation awaits: the number of documents (kCounting), a page (kReading), or the commit of
  // its writes (kWriting).
  enum class Step : std::uint8_t { kCounting, kReading, kWriting };
  // Bounds a commit: if the server refuses a page, it is read again with fewer documents.
  static constexpr int kMaxPage = 300;
  static constexpr int kFirstOfMaps = 20;
  static constexpr std::size_t kPageBytes = std::size_t{2} * 1024 * 1024;

  struct Assignment {
    std::string name;
    std::string update_time;
    std::string shard;
  };
  // The page that has been read, until its writes are done.
  struct Page {
    std::string last;  // Its last document's name.
    bool is_last = false;
    std::int64_t size = 0;
    std::int64_t skipped = 0;
    std::int64_t unreachable = 0;
    std::int64_t written = 0;  // By an earlier commit that was refused when it came again.
    std::vector<Assignment> assignments;
  };

  AssignShards(OperationContext& context, std::shared_ptr<const ShardedCollection> collection,
               const AssignShardsOptions& options, std::string after);

  void OnStart() override;
  void WriteProgress(JsonWriter& writer) const override { WriteResult(writer); }
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  Result<Billed> OnCount(const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);
  Result<Billed> OnCommitted(const PaddedText& body);
  // `is_contention`: other clients have written; otherwise the server rejects one of the documents.
  void OnRefused(const CallFailure& failure, bool is_contention);

  void ReadPage();
  void CommitPage();
  // Goes on behind the page, with the number of its documents that were written.
  void LeavePage(std::int64_t written);
  // Writes the price of it.
  void WriteDollars(JsonWriter& writer, const Billed& billed) const;
  void NoteFate(const DocumentAnswer& document, Page& page);
  bool HasDoubtful(std::string_view name, std::string_view shard) const;

  std::shared_ptr<const ShardedCollection> collection_;
  AssignShardsOptions options_;
  std::string prefix_;  // The prefix of all names: "projects/…/instruments", without a slash.
  WritePace pace_;
  Step step_ = Step::kCounting;
  // All documents up to this name are done; empty: no document is.
  std::string after_;
  // The most documents of a page; and the number that fits, by the size of the last page. If the
  // shard field is inside a map, the operation reads all of the map, which may be large.
  int page_limit_ = kMaxPage;
  int fitting_ = kMaxPage;
  int asked_ = 0;  // The number of documents asked for.
  Page page_;
  Instant committed_at_ = {};
  // The writes of refused commits, (name, shard): if a document has this shard, one of these
  // commits wrote it.
  std::vector<std::pair<std::string, std::string>> doubtful_;
  int refusals_ = 0;  // In a row.
  Instant begun_ = {};
  std::optional<std::int64_t> total_;
  std::int64_t read_ = 0;
  std::int64_t written_ = 0;
  std::int64_t skipped_ = 0;
  std::int64_t unreachable_ = 0;
  bool is_over_ = false;
};

}  // namespace shardline
