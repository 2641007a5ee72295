#include "counter/shard_choice.h"

#include "base/reason.h"

namespace shardline {

Status ShardChoice::Check(const Counter& counter) {
  if (counter.shards() > 0 || counter.has_parent()) return {};
  return RefuseArgument(
      kArgumentMissing, "shards", "an integer from 1 to 10,000",
      "Nothing in this layout says how many shards the counter has: pass the option "
      "`shards`.");
}

Call ShardChoice::AskForShards() const {
  assert(shards_ == 0);
  return counter_.ReadParent();
}

Result<Billed> ShardChoice::HandleAnswer(const PaddedText& body, Failure& no_counter) {
  assert(shards_ == 0);
  const FieldPath& field = counter_.parent_field();
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_.ParentName(), field, parent));
  // A number that no counter has says nothing, and any number counts right.
  const std::int64_t shards = counter_.ShardsFromParent(parent).value_or(kDefaultShards);
  if (shards == 0) {
    no_counter = Fail(kCounterNotFound, "There is no counter at ")
                 << Param{"path", counter_.path()} << " (the field " << field.text()
                 << " is missing). Call create() first, or pass the option `shards`.";
  } else {
    shards_ = shards;
  }
  return Billed{.reads = 1};
}

void ShardChoice::Pick(Random& random) {
  assert(shards_ > 0);
  shard_ = random.Another(shards_, shard_);
}

std::string ShardChoice::ShardName() const {
  assert(shard_ >= 0);
  return counter_.ShardName(shard_);
}

}  // namespace shardline
