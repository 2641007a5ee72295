#pragma once

#include <string>
#include <vector>

#include "operation/operation.h"
#include "sharded_query/chunk_scan.h"

namespace shardline {

// Keeps the documents that a page of a stream has fetched beyond its end. The next page of that
// stream begins with them, so they are billed once. They are as old as the page that fetched them:
// a stream is one reading, and its documents are not read again because the reader is slow. A page
// that belongs to no stream leaves nothing, and is always read from the server.
//
// The memory is bounded: of a connection's streams only the last few have their rest here, and what
// is taken is forgotten.
class KeptPages final : public Leftovers {
 public:
  // The ones of this connection.
  static KeptPages& Of(OperationContext& context);

  // `key`: the stream's name and the token of the page behind.
  void Keep(std::string key, std::vector<ChunkScan> rest);
  // The chunks of that page; none if they are not here.
  std::vector<ChunkScan> Take(const std::string& key);

 private:
  struct Page {
    std::string key;
    std::vector<ChunkScan> rest;
  };

  std::vector<Page> pages_;  // The oldest first.
};

}  // namespace shardline
