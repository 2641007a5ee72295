// Multiversion concurrency control for the methods of the REST interface: one database, one call,
// and the snapshot of its reads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "base/random.h"
#include "base/result.h"
#include "indexes/index_file.h"
#include "simulator/store.h"
#include "simulator/transactions.h"
#include "simulator/write.h"

namespace shardline::simulator {

// How far reads may go back.
inline constexpr std::int64_t kHourMicros = std::int64_t{3'600} * 1'000'000;

// The documents that Firestore charges for (https://firebase.google.com/docs/firestore/pricing).
struct Billed {
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t deletes = 0;
};

// The facts that a read reports besides documents.
struct ReadFacts {
  // The read time of the answer, and the earliest time since which nothing has changed.
  Timestamp time{0};
  Timestamp since{0};
  // The number of results that the offset skipped.
  std::int64_t skipped = 0;
};

// The treatment of queries without their composite index: Google's emulator answers them, Firestore
// refuses them. Either way they can be noted: see Backend::missing_indexes().
enum class IndexCheck : std::uint8_t { kNone, kNote, kRefuse };

struct BackendOptions {
  // 10 MiB as Firestore; Google's emulator takes 4 MiB.
  std::size_t max_request_bytes = std::size_t{10} * 1024 * 1024;
  IndexCheck index_check = IndexCheck::kNone;
  // Declared indexes and exemptions, also for the model of limits; null for none.
  std::shared_ptr<const IndexFile> indexes;
  // The model of limits; not owned, may be null.
  Gate* gate = nullptr;
  // For the ids of documents that are created without one.
  std::uint64_t seed = 1;
};

struct Database {
  std::string name;  // "projects/p/databases/d"
  Store store;
  Transactions transactions;

  // The latest time of a commit or a read. Later commits come after it, so a read time never gets
  // new content.
  Timestamp latest{0};
  // The latest time that persistence.cc has written down. A restored database begins no earlier.
  Timestamp kept_latest{0};

  // Drops all documents and open transactions. Times and tokens go on rising, so that old ones
  // never get a new meaning.
  void Clear();
};

// One request, taken apart.
struct Call {
  Database& database;
  const BackendOptions& options;
  Random& random;
  std::string path;  // Inside the database, without the verb.
  std::vector<std::pair<std::string, std::string>> parameters;
  const PaddedText& body;
  Timestamp now;
  // True if the sender is an administrator.
  bool admin = false;

  // The bill that the answer adds.
  Billed billed;
  ReadFacts read;
  // True if a lock of another transaction caused the refusal.
  bool blocked = false;
  // The read time of its verifying writes; one time for all commits of a batchWrite.
  std::optional<Timestamp> verify_time;
  // Entries of firestore.indexes.json; empty without an IndexCheck.
  std::vector<std::string> missing_indexes;

  // The first parameter of that name, or null.
  const std::string* Parameter(std::string_view parameter) const;
  Result<std::optional<std::vector<FieldPath>>> MaskParameter(std::string_view parameter) const;
  Result<Precondition> PreconditionParameter() const;

  // Reads the body; an empty body means {}. `on_member`: see ReadObject().
  template <class OnMember>
  Status ReadBody(OnMember on_member) const;
};

// The view of a read: the version of the database, and the transaction that reads.
class Snapshot {
 public:
  // The members that choose it: "transaction", "newTransaction", "readTime".
  class Selector {
   public:
    // Reads one of these members; false for any other.
    bool Read(JsonScanner& scanner, const std::string& member);
    Status FromParameters(const Call& call);

   private:
    friend class Snapshot;
    std::optional<std::string> transaction_;
    std::optional<TransactionOptions> new_transaction_;
    std::optional<Timestamp> read_time_;
    int count_ = 0;
  };

  // Opens a snapshot, which gets a read time: see Database::latest.
  static Result<Snapshot> Open(Call& call, const Selector& selector);

  // The time for the store; nullopt means now.
  const std::optional<Timestamp>& at() const { return at_; }
  Timestamp read_time() const { return read_time_; }
  // The transaction that this read has begun; empty if it has begun none.
  const std::string& new_transaction() const { return new_transaction_; }
  // Notes that the transaction has read the document, existing or not.
  void NoteRead(std::string_view path);
  // Notes that the transaction has queried collections of this id; empty: all collections.
  void NoteQuery(std::string_view collection_id);

 private:
  std::optional<Timestamp> at_;
  Timestamp read_time_;
  std::string new_transaction_;
  Transaction* transaction_ = nullptr;
};

// Refuses times in the future, and those whose versions are no longer kept.
Status CheckReadTime(const Call& call, Timestamp time);

// Applies writes as one commit; `transaction` may be null.
struct Committed {
  std::vector<WriteOutcome> outcomes;
  Timestamp time;
};
Result<Committed> Commit(Call& call, const std::vector<Write>& writes,
                         const Transaction* transaction);

// {name, fields, createTime, updateTime} with the fields of the mask.
void WriteDocument(JsonWriter& writer, std::string_view database, std::string_view path,
                   const Content& content, const std::optional<std::vector<FieldPath>>& mask);
void WriteTime(JsonWriter& writer, std::string_view member, Timestamp time);

// ---- The methods: each returns the body of a success. ----

Result<std::string> GetDocument(Call& call);
Result<std::string> ListDocuments(Call& call);
Result<std::string> CreateDocument(Call& call);
Result<std::string> PatchDocument(Call& call);
Result<std::string> DeleteDocument(Call& call);
Result<std::string> ListCollectionIds(Call& call);
Result<std::string> BatchGet(Call& call);
Result<std::string> CommitWrites(Call& call);
Result<std::string> BatchWrite(Call& call);
Result<std::string> BeginTransaction(Call& call);
Result<std::string> Rollback(Call& call);
Result<std::string> RunQueryMethod(Call& call);
Result<std::string> RunAggregationQuery(Call& call);
// Fails like Google's emulator, which has neither method.
Result<std::string> PartitionQuery(Call& call);
Result<std::string> ExecutePipeline(Call& call);

template <class OnMember>
Status Call::ReadBody(OnMember on_member) const {
  if (body.view().find_first_not_of(" \r\n\t") == std::string_view::npos) return {};
  JsonScanner scanner(body);
  if (scanner.Peek() == JsonScanner::Kind::kNull) scanner.Reject("an object was expected");
  if (scanner.ok()) {
    std::string_view key;
    if (scanner.BeginObject()) {
      while (scanner.NextKey(key)) {
        std::string member;
        if (!AppendUnescaped(member, key) || !on_member(scanner, member)) {
          scanner.Reject("there is no such member");
        }
      }
    }
  }
  if (!scanner.Finish()) return scanner.failure("the request");
  return {};
}

}  // namespace shardline::simulator
