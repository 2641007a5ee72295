#include "counter/shard_listing.h"

#include <algorithm>
#include <utility>

#include "counter/requests.h"

namespace shardline {

ShardListing ShardListing::OfPartials(const Counter& counter) {
  ShardListing listing(counter);
  listing.after_ = counter.database().documents() + '/' + listing.collection_.text() + "/\t";
  listing.before_ = listing.after_;
  ++listing.before_.back();
  return listing;
}

Call ShardListing::NextPage() const {
  return {.path = collection_.QueryUrlPath(*database_, ":runQuery"),
          .body = EncodeList({.collection_id = collection_.id(),
                              .field = whole_ ? nullptr : &field_,
                              .limit = kPageSize,
                              .after = shards_.empty() ? after_ : shards_.back().name,
                              .before = before_,
                              .read_time = read_time_})};
}

Result<Billed> ShardListing::AddPage(const PaddedText& body) {
  CountedDocuments page;
  SHARDLINE_CHECK(DecodeCounts(body, field_, page));
  const std::size_t size = page.documents.size();
  for (CountedDocument& shard : page.documents) shards_.push_back(std::move(shard));
  if (read_time_.empty()) read_time_ = std::move(page.read_time);
  complete_ = size < static_cast<std::size_t>(kPageSize);
  // A query that finds nothing costs one read.
  return Billed{.reads = static_cast<std::int64_t>(std::max<std::size_t>(size, 1))};
}

bool ShardListing::Contains(const std::string& name) const {
  // The server's order is that of UTF-8 bytes.
  const auto at = std::lower_bound(
      shards_.begin(), shards_.end(), name,
      [](const CountedDocument& shard, const std::string& other) { return shard.name < other; });
  return at != shards_.end() && at->name == name;
}

}  // namespace shardline
