#pragma once

#include <cstdint>

namespace shardline {

// Computes how many documents to request from a chunk, if a page has a limit. If documents are
// spread over the shards at random, a chunk's part of a page varies by the square root of its
// share.
//
// The first request should mostly suffice for all chunks. The more chunks there are, the more
// likely one has far more than its share (tail latency). A request for too few documents costs a
// round trip. A request for too many costs reads, unless the stream's next page can use them (see
// KeptPages). Over whole read-throughs of documents spread at random, with 100 to a page, this
// takes (reads a document, round trips a page):
//
//   chunks     each page by itself     in a stream
//     3           1.22    1.3                  1.00    1.3
//     4           1.27    1.4                  1.00    1.4
//    10           1.56    1.5                  1.00    1.3

// The first request for a page that lacks `lacking` documents.
std::int64_t FirstFetch(std::int64_t lacking, double share, std::int64_t chunks);

// A chunk that has run dry, or is about to.
struct Dry {
  double share = 1;          // The share of the collection's shards,
  std::int64_t given = 0;    // and the documents that the page has from it.
  std::int64_t taken = 0;    // How many documents the page has by now,
  std::int64_t lacking = 0;  // and how many it lacks.
  std::int64_t refill = 0;   // The size of its last refill; 0 if it never ran dry before.
};
// Requests more than the chunk's share if it has given more so far, and twice as many each time
// (exponential growth), so that documents that are not spread at all cost only a few round trips.
std::int64_t RefillFetch(const Dry& dry);

// The number of documents to request at a time, if a page has no limit; `asked` is the last such
// number, or 0.
std::int64_t Piece(std::int64_t asked);

}  // namespace shardline
