#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "operation/operation.h"
#include "sharded_query/chunk_merge.h"
#include "sharded_query/chunk_requests.h"
#include "sharded_query/document_reader.h"
#include "sharded_query/plain_text.h"
#include "sharded_query/text_set.h"

namespace shardline {

// One page of a sharded query: asks every chunk, and takes documents from their merge (ChunkMerge)
// until the page is full or all of them have ended.
//
// With the chunk reads "whole-page", a page asks every chunk for as many documents as the page has,
// which one round trip settles. With "share" it asks each for its share and a little more
// (fetch_size.h), and asks again those that run dry. A stream keeps what its page has fetched too
// much for its next page (kept_pages.h).
//
// The operation checks the server's documents as it reads them: each is of this collection and of a
// shard that its chunk was asked for, and those of a chunk are in order, behind the chunk's start.
// A document that another client moves to another chunk while the page is read is returned once.
//
// The last page can be empty. If the last documents just fill the page before it, to look behind
// them would take one more billed read; and pieces of a query can find the same document.
class PageOperation final : public Operation {
 public:
  PageOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan);

  // {"prefix": "projects/…/instruments/", "docs": [["id", {fields}, shape, createSeconds,
  // createNanos, updateSeconds, updateNanos], …], "shapes": […], "nextToken": text or null,
  // "readTimes": [[seconds, nanos], …] by chunk, "requests", "billed"}. Fields and shapes are as
  // PlainWriter has them; a name is the prefix and the id. Documents that were never updated end
  // with the time at which they were created.
  void WriteResult(JsonWriter& writer) const override;

 private:
  struct Chunk {
    std::int64_t asked = 0;         // The limit of the last request,
    std::optional<Position> after;  // and where it started.
    std::int64_t given = 0;         // Documents that it has given to the page.
    std::int64_t refill = 0;        // See Dry in fetch_size.h.
  };

  void OnStart() override;
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;

  const QueryPlan& plan() const { return *plan_; }
  void SendRequests();
  // Fills the page with what is there, and finishes it or asks for more. Nothing while chunks are
  // being asked.
  void Advance();

  // Begins with the rest of the stream's last page, if there is any.
  void TakeKept();
  void Keep();
  // How many documents the page still lacks.
  std::int64_t Lacking() const;
  double Share(std::size_t chunk) const;
  // How many documents a chunk should have at first, and how many to ask of one that has run dry.
  std::int64_t First(std::size_t chunk) const;
  std::int64_t More(std::size_t chunk) const;
  // Asks for so many documents behind the last one fetched. May end the operation.
  void AskFor(std::size_t index, std::int64_t count);
  void Refill();

  // False if the operation has ended.
  bool TakeFirst();
  bool IsNew(const DocumentHead& head);
  void FinishPage();

  std::unique_ptr<QueryPlan> plan_;
  ChunkRequests requests_;
  DocumentReader reader_;
  ChunkMerge merge_;
  std::vector<Chunk> chunks_;
  std::string docs_buffer_;  // Those taken, as they stand in the result.
  PlainText docs_;
  std::int64_t taken_ = 0;
  // Ids of returned documents; kept only if the query's pieces can return a document twice.
  std::forward_list<std::string> ids_;
  TextSet id_set_;
  std::optional<Position> last_;  // Where the page ends, once it is full.
  std::string next_;
  std::vector<Timestamp> read_times_;  // The read times of the chunks that have one, at the end.
};

}  // namespace shardline
