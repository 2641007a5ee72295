#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/padded_text.h"
#include "sharded_query/answer_reader.h"
#include "sharded_query/chunk_operation.h"
#include "sharded_query/plain_writer.h"

namespace shardline {

// One page of a sharded query: asks every chunk, and merges their sorted answers until the page is
// full or all of them have ended. The cost of the merge grows with what is returned, not with what
// was fetched: of each answer only the head is read, and one more behind each document taken.
//
// An eager page asks every chunk for as many documents as the page has, which one round trip
// settles. An adaptive one asks each for its share and a little more, and asks again those that run
// dry: with documents spread at random it reads little more than it returns. Either way the merge
// never goes on without knowing the next document of every chunk.
class PageOperation final : public ChunkOperation {
 public:
  PageOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan);

  // {"prefix": "projects/…/instruments/", "docs": [["id", {fields}, shape, createSeconds,
  // createNanos, updateSeconds, updateNanos], …], "shapes": […], "next": token or null,
  // "readTimes": [[seconds, nanos], …] by chunk, "requests", "billed"}. Fields and shapes are as
  // PlainWriter has them; a name is the prefix and the id. Documents that were never updated end
  // with the time at which they were created.
  void WriteResult(JsonWriter& writer) const override;

 private:
  struct Chunk {
    // Answers of which documents are still to be taken; the first is being read.
    std::vector<PaddedText> answers;
    std::optional<AnswerReader> reader;
    // The document that comes next or, if the chunk has run dry, the last one.
    DocumentHead head;
    std::string read_time;
    // Fetched and not yet taken, the head included.
    std::int64_t unread = 0;
    std::int64_t asked = 0;         // The limit of the last request,
    std::optional<Position> after;  // and where it started.
    bool complete = false;          // The server has no more than has been fetched.
  };

  Call MakeCall(std::size_t chunk) override;
  Result<Billed> OnChunkAnswer(std::size_t index, PaddedText& body) override;
  void Advance() override;

  // How many documents the page still lacks.
  std::int64_t Lacking() const;
  // How many of them are to be expected of this chunk.
  double Share(std::size_t chunk) const;
  // How many to ask of this chunk when it has none.
  std::int64_t Need(std::size_t chunk) const;
  void AskFor(std::size_t chunk, std::int64_t count);
  void Refill();

  // Goes on to the chunk's next document; false if none is here. An answer that cannot be read ends
  // the operation.
  bool LoadHead(Chunk& chunk);
  // Puts all chunks that have a head into the heap; false if others must be waited for.
  bool LoadHeads();
  // False if the operation has ended.
  bool TakeFirst();
  void WriteDocument(const DocumentHead& head);
  void FinishPage();

  // True if the head of chunk a comes before that of b.
  bool Before(std::size_t a, std::size_t b) const;
  void SiftUp();
  void SiftDown();
  // The place of a document in the order.
  Position PositionOf(const DocumentHead& head) const;
  // That of the last one fetched; nullopt if it cannot be read.
  std::optional<Position> LastPosition(const Chunk& chunk);

  std::vector<Chunk> chunks_;
  // Chunks that have a head, as a binary heap: the first document of all stands in front.
  std::vector<std::size_t> heap_;
  // Chunks whose next document is not known.
  std::vector<std::size_t> to_load_;
  std::size_t waiting_ = 0;  // Chunks that have been asked and have not answered.
  PlainWriter writer_;
  std::string docs_;  // Those taken, as they stand in the result.
  std::int64_t taken_ = 0;
  std::optional<Position> last_;  // Where the page ends, once it is full.
  std::string next_;
};

}  // namespace shardline
