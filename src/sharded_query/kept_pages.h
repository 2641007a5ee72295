#pragma once

#include <string>
#include <vector>

#include "operation/operation.h"
#include "sharded_query/chunk_scan.h"

namespace shardline {

// A read-ahead cache: keeps the documents that a page of a stream has fetched beyond its end. The
// next page of that stream begins with them, so they are billed once. They are as old as the page
// that fetched them: a stream is one reading, and a slow reader gets no newer documents. A page
// outside a stream keeps nothing, and always comes from the server.
//
// The memory is bounded: a connection keeps the rests of its last few streams only, and Take()
// removes them.
class KeptPages final : public Leftovers {
 public:
  // The kept pages of this connection.
  static KeptPages& Of(OperationContext& context);

  // `key`: the stream's name and the token of the next page.
  void Keep(std::string key, std::vector<ChunkScan> rest);
  // The chunks of that page; empty if they were not kept.
  std::vector<ChunkScan> Take(const std::string& key);

 private:
  struct Page {
    std::string key;
    std::vector<ChunkScan> rest;
  };

  std::vector<Page> pages_;  // The oldest first.
};

}  // namespace shardline
