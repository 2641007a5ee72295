#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "firestore/answers.h"
#include "firestore/timestamp.h"
#include "operation/procedure.h"
#include "stock/stock.h"

namespace shardline {

// Deletes a stock: its shards, then its takes, then the keys of added units. It goes through each
// collection page by page in the order of names (keyset pagination), and deletes each page before
// it reads the next one. Documents that have not the fields of a stock stay.
//
// The shards come first, because no client can take from a stock without shards. Every deletion
// requires that the document is as it was read (optimistic concurrency): a shard that a client has
// taken from since is read again, and a late commit cannot delete a stock that was created again.
// Takes and keys that were written after the last reading of the shards stay, because they belong
// to a stock that was created again, or to a hold that was confirmed meanwhile. Any client can
// begin an interrupted deletion again.
class DeleteStock final : public Procedure {
 public:
  static std::unique_ptr<Operation> Start(OperationContext& context, Stock stock);

  // The context must outlive it.
  DeleteStock(OperationContext& context, Stock stock);

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override;
  bool HandleFailure(const CallFailure& failure) override;
  // {"deleted": 12}: how many documents have been deleted.
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  struct ReadingPage {};
  // The commit under way.
  struct Deleting {
    std::string body;  // Until it is sent.
    std::int64_t count;
    std::string first;  // The full name of the first document that it deletes.
  };
  struct Done {};
  // A commit whose answer was lost. It has deleted all of its documents, or none of them.
  struct Doubt {
    std::int64_t count;
    std::string first;
  };

  // Bounds a commit: if the server refuses a page, it is read again with fewer documents.
  static constexpr int kMaxPage = 300;

  Result<Billed> OnPage(const PaddedText& body);
  Result<Billed> OnDeleted(const PaddedText& body);
  bool Goes(const DocumentAnswer& document) const;
  // Counts the documents of a commit without an answer if the new page shows that they are gone.
  void SettleDoubt(const std::vector<DocumentAnswer>& page);
  void GoOnBehindPage();

  // Constant after construction.
  OperationContext& context_;
  Stock stock_;

  std::variant<ReadingPage, Deleting, Done> state_;
  std::size_t part_ = 0;  // The number of collections that are done.
  int page_size_ = kMaxPage;
  // The page begins behind this name (empty: at the first), and ends with that one.
  std::string after_;
  std::string last_;
  bool is_last_page_ = false;
  // The read time of the last page of shards.
  Timestamp emptied_at_;
  std::optional<Doubt> doubt_;
  int refusals_ = 0;
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
