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
  kStays,    // It is not what the library keeps there, or not to go yet.
  kEmptied,  // The library's fields are removed: others stand beside them.
  kDeleted,
};
// `expired_before`: only what expires before then goes, and nothing that does not expire.
OwnFate DecideOwnDocument(OwnKind kind, const JsonView& fields,
                          std::optional<Timestamp> expired_before);

// Deletes what the library has kept for one counter: all of a kind, or what of it has expired by
// the server's clock. Goes through the collection page by page in the order of names,
// for `expireAt` need not be indexed; each page is read and deleted before the next one is read.
// Every deletion is on the condition that the document was last written when it was read: one that
// comes to life again in between stays, and its page is read again.
//
// With `written_until`, what was written later stays, too.
//
// Where all of a kind go, security rules may hide the collection. Then there is nothing to delete.
class OwnDocuments {
 public:
  // The context must outlive it.
  OwnDocuments(const Counter& counter, OperationContext& context, OwnKind kind,
               std::optional<Timestamp> expired_before = std::nullopt,
               std::optional<Timestamp> written_until = std::nullopt);

  // As those of Procedure.
  Result<std::optional<Call>> NextCall();
  Result<Billed> HandleAnswer(const PaddedText& body);
  bool HandleFailure(const CallFailure& failure);

  OwnKind kind() const { return kind_; }
  std::int64_t deleted() const { return deleted_; }

 private:
  struct ReadingPage {};
  // The commit under way, and which documents it deletes.
  struct Deleting {
    std::string body;  // Until it is sent.
    Billed billed;
    std::vector<std::string> names;
  };
  struct Done {};
  using State = std::variant<ReadingPage, Deleting, Done>;

  // Bounds a commit: a page that is refused is read again, with fewer documents.
  static constexpr int kMaxPage = 300;

  struct OwnDocument {
    DocumentAnswer document;
    OwnFate fate;
  };

  Call ReadPage() const;
  Result<Billed> OnPage(const PaddedText& body);
  Result<Billed> OnDeleted(const PaddedText& body);
  // The commit that deletes what is to go of the page; nullopt if nothing is.
  std::optional<Deleting> PlanCommit(const std::vector<OwnDocument>& page) const;
  // The documents that a commit without an answer may have deleted, and that have not been read
  // since.
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
