#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/instant.h"
#include "operation/operation.h"
#include "sharded_query/chunk_scan.h"

namespace shardline {

// Documents that were fetched beyond the end of a page, for the page behind it, which need not be
// billed for them again. They are given to it only where it may show them:
//
//   a page of a snapshot    if it is asked for within an hour, as it shows the same instant: the
//                           server's own memory reaches back no further
//   any other page          if it is asked for within a second, as by a program that reads on and
//                           on, and if nothing has been written through this connection meanwhile
//
// A page that is older than that is read again, and so is one for another user:
// Runtime::NoteUser(). The leftovers are bounded, and forgotten when used.
class KeptPages final : public Leftovers {
 public:
  struct Page {
    std::string token;      // That the page ended with,
    std::string selection;  // and what of its documents was asked for.
    bool is_snapshot = false;
    Instant at = {};
    std::uint64_t writes_ended = 0;  // See OperationContext.
    std::vector<ChunkScan> chunks;
  };

  // The ones of this connection.
  static KeptPages& Of(OperationContext& context);

  void Keep(Page page);
  // The chunks of the page that ended with this token; none if they may not be shown at `now`.
  std::vector<ChunkScan> Take(const std::string& token, const std::string& selection, Instant now,
                              std::uint64_t writes_ended);

 private:
  std::vector<Page> pages_;  // The oldest first.
};

}  // namespace shardline
