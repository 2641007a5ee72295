#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "firestore/resource_name.h"
#include "firestore/timestamp.h"
#include "operation/procedure.h"

namespace shardline {

// Garbage collection for a database without a TTL policy: deletes the expired markers
// (exactly_once/marker.h) of all batches and counters. It finds them by `expireAt`, in pages; if
// that field has no index, it reads all markers in the order of their names. It deletes a marker
// that has expired before `older_than` and by the server's own clock, so a client's clock cannot
// make it delete too soon. Other documents stay. Any client can begin an interrupted clean-up
// again.
class CleanUpMarkers final : public Procedure {
 public:
  static std::unique_ptr<Operation> Start(OperationContext& context, Timestamp older_than);

  CleanUpMarkers(OperationContext& context, Timestamp older_than);

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override;
  bool HandleFailure(const CallFailure& failure) override;
  // {"deleted": 12, "billed": {…}}
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  struct ReadingPage {};
  struct Deleting {
    std::string body;  // Until it is sent.
    std::int64_t count;
  };
  struct Done {};
  // In the order of the pages.
  struct Place {
    Timestamp expire_at = {};
    std::string name = {};  // Empty: before all others.
  };

  // If the server refuses a page, it is read again with fewer markers.
  static constexpr int kMaxPage = 300;

  Call ReadPage() const;
  bool IsBehind(const Place& place, const Place& before) const;
  Result<Billed> OnPage(const PaddedText& body);
  Result<Billed> OnDeleted(const PaddedText& body);
  void GoOnBehindPage();

  // Constant after construction.
  OperationContext& context_;
  Timestamp older_than_;
  CollectionPath collection_;

  std::variant<ReadingPage, Deleting, Done> state_;
  bool by_name_ = false;
  int page_size_ = kMaxPage;
  // The page begins behind this place, and ends with that one.
  Place after_;
  Place last_;
  bool is_last_page_ = false;
  int refusals_ = 0;
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
