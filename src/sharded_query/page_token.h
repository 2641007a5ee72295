#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "firestore/encoded_value.h"

namespace shardline {

// Where a page of a sharded query ended: what a user hands back to get the next one. Opaque to
// users, but not secret, and not trusted when it comes back.
struct PageToken {
  // The fingerprint of the page's query; see QueryPlan.
  std::uint64_t fingerprint = 0;
  // The order's values in the last document; the last of them is its name.
  EncodedValues values;
  // The instant that all pages show; empty if each shows its own.
  std::string read_time;

  std::string Encode() const;
  // kInvalidArgument for everything that Encode() has not made, and for tokens of other queries.
  // `value_count` is what the query's order has.
  static Result<PageToken> Decode(std::string_view text, std::uint64_t fingerprint,
                                  std::size_t value_count);
};

Failure BadPageToken();

}  // namespace shardline
