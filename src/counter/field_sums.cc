#include "counter/field_sums.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "firestore/answers.h"
#include "operation/collection_page.h"

namespace shardline {
namespace {

constexpr std::size_t kPageSize = 300;

}  // namespace

Call FieldSums::NextPage() const {
  return ReadPage(counter_.database(), {.collection = counter_.shard_collection(),
                                        .limit = static_cast<int>(kPageSize),
                                        .after = last_,
                                        .read_time = read_time_});
}

Result<Billed> FieldSums::AddPage(const PaddedText& body) {
  const std::string collection =
      counter_.database().documents() + '/' + counter_.shard_collection().text();
  std::string last = last_;
  std::vector<Sum> sums = sums_;
  std::int64_t shards = shards_;
  PageBounds bounds{collection, last, {}, kPageSize};
  DocumentsAnswer answer(body, StreamedAnswer::kQuery);
  std::size_t size = 0;
  for (; answer.Next(); ++size) {
    const DocumentAnswer& shard = answer.document();
    SHARDLINE_CHECK(bounds.Take(shard.name));
    bounds.after = last = shard.name;
    bool counts = false;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const JsonView field = shard.fields.Member(fields_[i].segments().front());
      const std::optional<Amount> amount = field.Read(Amount::Read);
      if (amount) sums[i].Add(*amount);
      counts = counts || amount;
    }
    if (counts) ++shards;
  }
  SHARDLINE_CHECK(answer.Finish());
  if (read_time_.empty()) read_time_ = answer.read_time();
  last_ = std::move(last);
  sums_ = std::move(sums);
  shards_ = shards;
  complete_ = size < kPageSize;
  // A query that finds nothing costs one read.
  return Billed{.reads = static_cast<std::int64_t>(std::max<std::size_t>(size, 1))};
}

}  // namespace shardline
