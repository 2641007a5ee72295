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

// Scatter-gather: one page of a sharded query. It asks every chunk, and takes documents from their
// k-way merge (ChunkMerge) until the page is full or all chunks have ended.
//
// With the chunk reads "whole-page", a page asks every chunk for as many documents as the page has,
// which takes one round trip. With "share" it asks each chunk for its share and a little more
// (fetch_size.h), and again if the chunk runs dry. A stream keeps the documents beyond a page for
// its next page (kept_pages.h).
//
// The operation checks the server's documents while it reads them: each is of this collection and
// of one of its chunk's shards, and a chunk's documents are in order, behind the chunk's start. If
// another client moves a document to another chunk meanwhile, the page returns the document once.
//
// The last page can be empty: the last documents may just fill the page before it, and a look
// behind them would cost one more read. Pieces of a query can also find the same document.
class PageOperation final : public Operation {
 public:
  PageOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan);

  // {"prefix": "projects/…/instruments/", "docs": [["id", {fields}, shape, createSeconds,
  // createNanos, updateSeconds, updateNanos], …], "shapes": […], "nextToken": string or null,
  // "readTimes": [[seconds, nanos], …] by chunk, "requests", "billed"}. PlainWriter defines fields
  // and shapes; a name is the prefix and the id. A document that was never updated lacks the update
  // time.
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
  // Fills the page with the fetched documents, and finishes it or asks for more. Does nothing while
  // requests are under way.
  void Advance();

  // Begins with the rest of the stream's last page, if there is one.
  void TakeKept();
  void Keep();
  // The number of documents that the page still lacks.
  std::int64_t Lacking() const;
  double Share(std::size_t chunk) const;
  // The size of the first request to a chunk, and of a request to a chunk that has run dry.
  std::int64_t First(std::size_t chunk) const;
  std::int64_t More(std::size_t chunk) const;
  // Asks for `count` documents behind the last one fetched. May end the operation.
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
  std::string docs_buffer_;  // The taken documents, in the result's format.
  PlainText docs_;
  std::int64_t taken_ = 0;
  // Ids of returned documents; kept only if the query's pieces can return a document twice.
  std::forward_list<std::string> ids_;
  TextSet id_set_;
  std::optional<Position> last_;  // The end of the page, once it is full.
  std::string next_;
  std::vector<Timestamp> read_times_;  // The read times of the chunks that have one, at the end.
};

}  // namespace shardline
