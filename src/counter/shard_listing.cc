#include "counter/shard_listing.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "firestore/value.h"
#include "operation/collection_page.h"

namespace shardline {

ShardListing ShardListing::OfPartials(const Counter& counter) {
  assert(counter.is_extension());
  ShardListing listing(counter, Reads::kDocument);
  listing.after_ = counter.database().documents() + '/' + counter.shard_collection().text() + "/\t";
  listing.before_ = listing.after_;
  ++listing.before_.back();
  return listing;
}

Call ShardListing::NextPage() const {
  return ReadPage(counter_->database(), {.collection = counter_->shard_collection(),
                                         .field = whole_ ? nullptr : &counter_->count_field(),
                                         .limit = kPageSize,
                                         .after = Last(),
                                         .before = before_,
                                         .read_time = read_time_});
}

Result<Billed> ShardListing::AddPage(const PaddedText& body) {
  CountedDocuments page;
  SHARDLINE_CHECK(DecodeCounts(body, counter_->count_field(), page, StreamedAnswer::kQuery));
  const std::string collection =
      counter_->database().documents() + '/' + counter_->shard_collection().text();
  PageBounds bounds{collection, Last(), before_, static_cast<std::size_t>(kPageSize)};
  for (const CountedDocument& shard : page.documents) SHARDLINE_CHECK(bounds.Take(shard.name));
  const std::size_t size = page.documents.size();
  for (CountedDocument& shard : page.documents) shards_.push_back(std::move(shard));
  if (read_time_.empty()) read_time_ = std::move(page.read_time);
  complete_ = size < static_cast<std::size_t>(kPageSize);
  // A query that finds nothing costs one read.
  return Billed{.reads = static_cast<std::int64_t>(std::max<std::size_t>(size, 1))};
}

const CountedDocument* ShardListing::Find(const std::string& name) const {
  const auto at = std::lower_bound(shards_.begin(), shards_.end(), name,
                                   [](const CountedDocument& shard, const std::string& other) {
                                     return CompareNames(shard.name, other) < 0;
                                   });
  return at != shards_.end() && at->name == name ? &*at : nullptr;
}

}  // namespace shardline
