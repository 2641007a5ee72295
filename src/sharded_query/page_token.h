#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "firestore/encoded_value.h"

namespace shardline {

// An opaque continuation token: the end of a page of a sharded query, which a user hands back to
// get the next page. It is not secret, and Decode() does not trust it.
struct PageToken {
  // The fingerprint of the page's query; see QueryPlan.
  std::uint64_t fingerprint = 0;
  // The order's values in the last document; the last of them is its name.
  EncodedValues values;
  // The read time of all pages; empty if each page has its own.
  std::string read_time;

  std::string Encode() const;
  // kInvalidArgument for any text that Encode() has not made, and for tokens of other queries.
  // `value_count` is the number of values in the query's order.
  static Result<PageToken> Decode(std::string_view text, std::uint64_t fingerprint,
                                  std::size_t value_count);
};

Failure BadPageToken();

}  // namespace shardline
