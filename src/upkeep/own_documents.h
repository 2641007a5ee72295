#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "counter/counter.h"
#include "firestore/answers.h"
#include "firestore/timestamp.h"
#include "operation/procedure.h"

namespace shardline {

// The collections below a counter's own document, one for each kind of bookkeeping.
enum class OwnKind : std::uint8_t {
  kMembers,
  kKeys,
  kSharedTotal,
  kPublished,
};

// The fate of a document of such a collection.
enum class OwnFate : std::uint8_t {
  kStays,    // It is not the library's, or its time has not come yet.
  kEmptied,  // The library's fields are removed: the document has other fields.
  kDeleted,
};
// `expired_before`: only documents that expire before then go. Documents that do not expire stay.
OwnFate DecideOwnDocument(OwnKind kind, const JsonView& fields,
                          std::optional<Timestamp> expired_before);

// Deletes the library's own documents of one counter: all of a kind, or those that have expired by
// the server's clock. It goes through the collection page by page in the order of names (keyset
// pagination), because `expireAt` may have no index. It reads and deletes each page before it reads
// the next one. Every deletion requires that the document is as it was read (optimistic
// concurrency): a document that another client has written since stays, and its page is read again.
//
// With `written_until`, documents that were written later stay, too.
//
// If all of a kind go, security rules may hide the collection. Then there is nothing to delete.
class OwnDocuments {
 public:
  // The context must outlive it.
  OwnDocuments(const Counter& counter, OperationContext& context, OwnKind kind,
               std::optional<Timestamp> expired_before = std::nullopt,
               std::optional<Timestamp> written_until = std::nullopt);

  // The same as in Procedure.
  Result<std::optional<Call>> NextCall();
  Result<Billed> HandleAnswer(const PaddedText& body);
  bool HandleFailure(const CallFailure& failure);

  OwnKind kind() const { return kind_; }
  std::int64_t deleted() const { return deleted_; }

 private:
  struct ReadingPage {};
  // The commit under way, and the documents that it deletes.
  struct Deleting {
    std::string body;  // Until it is sent.
    Billed billed;
    std::vector<std::string> names;
  };
  struct Done {};
  using State = std::variant<ReadingPage, Deleting, Done>;

  // Bounds a commit: if the server refuses a page, it is read again with fewer documents.
  static constexpr int kMaxPage = 300;

  struct OwnDocument {
    DocumentAnswer document;
    OwnFate fate;
  };

  Call ReadPage() const;
  Result<Billed> OnPage(const PaddedText& body);
  Result<Billed> OnDeleted(const PaddedText& body);
  // The commit that deletes the page's documents that must go; nullopt if all stay.
  std::optional<Deleting> PlanCommit(const std::vector<OwnDocument>& page) const;
  // Counts the documents that a commit without an answer has deleted: those that the new page
  // lacks.
  void SettleDoubts(const std::vector<OwnDocument>& page);
  void GoOnBehindPage();

  OperationContext& context_;
  OwnKind kind_;
  std::optional<Timestamp> expired_before_;
  std::optional<Timestamp> written_until_;
  CollectionPath collection_;
  State state_;
  int page_size_ = kMaxPage;
  // The page begins behind this name (empty: at the first), and ends with that one.
  std::string after_;
  std::string last_;
  bool is_last_page_ = false;
  // Documents that a commit, whose answer was lost, has perhaps deleted.
  std::vector<std::string> doubtful_;
  std::int64_t deleted_ = 0;
  int refusals_ = 0;
};

}  // namespace shardline
