#include "counter/create.h"

#include <cassert>
#include <utility>

#include "base/reason.h"
#include "firestore/write.h"
#include "operation/procedure.h"

namespace shardline {

CreateStep DecideCreate(std::int64_t there, std::int64_t wanted, IfExists if_exists) {
  assert(wanted >= 1 && there >= 0 && there <= wanted);
  if (there == 0) return CreateStep::kMake;
  if (there == wanted || if_exists == IfExists::kError) return CreateStep::kExists;
  return CreateStep::kComplete;
}

CreateCounter::CreateCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                             IfExists if_exists, std::vector<FieldPath> fields)
    : Operation(context),
      counter_(std::move(counter)),
      if_exists_(if_exists),
      fields_(std::move(fields)),
      listing_(*counter_, ShardListing::Reads::kField),
      shards_(counter_->shards() > 0 ? counter_->shards() : kDefaultShards) {
  if (has_parent()) {
    ReadParent(false);
  } else {
    CommitMissing(false);
  }
}

Result<Billed> CreateCounter::OnAnswer(CallId, PaddedText& body) {
  if (const auto* reading = std::get_if<ReadingParent>(&state_)) return OnParent(*reading, body);
  const auto* committing = std::get_if<Committing>(&state_);
  return committing != nullptr ? OnCommitted(*committing, body) : OnPage(body);
}

void CreateCounter::ReadParent(bool then_lists) {
  state_ = ReadingParent{then_lists};
  Call call = counter_->ReadParent();
  // The first refusal means as a rule that another creator was faster: look at once.
  call.attempts_before = refusals_ > 1 ? refusals_ : 0;
  Send(std::move(call));
}

Result<Billed> CreateCounter::OnParent(ReadingParent reading, const PaddedText& body) {
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_->ParentName(), counter_->parent_field(), parent));
  Result<std::int64_t> shards = counter_->ShardsFromParent(parent);
  if (!shards) {
    FinishWithError(shards.TakeFailure());
  } else if (*shards > 0) {
    OnExists(*shards);
  } else {
    parent_update_time_ = std::move(parent.update_time);
    if (reading.then_lists) {
      ListShards();
    } else {
      CommitMissing(false);
    }
  }
  return Billed{.reads = 1};
}

void CreateCounter::ListShards() {
  state_ = Listing{};
  Send(listing_.NextPage());
}

Result<Billed> CreateCounter::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (listing_.complete()) {
    OnListed();
  } else {
    ListShards();
  }
  return billed;
}

void CreateCounter::OnListed() {
  if (has_parent()) return CommitMissing(false);
  switch (DecideCreate(ShardsThatCount(), shards_, if_exists_)) {
    case CreateStep::kExists:
      return OnExists(shards_);
    case CreateStep::kMake:
      return CommitMissing(false);
    case CreateStep::kComplete:
      return CommitMissing(true);
  }
}

std::int64_t CreateCounter::ShardsThatCount() const {
  std::int64_t count = 0;
  for (std::int64_t shard = 0; shard < shards_; ++shard) {
    const CountedDocument* there = listing_.Find(counter_->ShardName(shard));
    if (there != nullptr && there->has_field) ++count;
  }
  return count;
}

std::vector<FieldAmount> NothingFor(const Counter& counter, const std::vector<FieldPath>& fields) {
  if (fields.empty()) return {{counter.count_field(), Amount::Integer(0)}};
  std::vector<FieldAmount> nothing;
  nothing.reserve(fields.size());
  for (const FieldPath& field : fields) nothing.push_back({field, Amount::Integer(0)});
  return nothing;
}

Write CreateCounter::NewShard(std::string name) const {
  const Precondition is_missing = Precondition::AsRead({});
  if (fields_.empty()) {
    return Write::SetField(std::move(name), counter_->count_field(), Amount::Integer(0),
                           is_missing);
  }
  Write write = Write::Increment(std::move(name), NothingFor(*counter_, fields_));
  write.precondition = is_missing;
  return write;
}

void CreateCounter::CommitMissing(bool completes) {
  CommitBody writes;
  bool has_room = true;
  const auto add = [&](const Write& write) { has_room = has_room && writes.AddIfFits(write); };
  const bool makes_shards = !counter_->is_extension();
  if (has_parent()) {
    add(Write::SetField(counter_->ParentName(), counter_->parent_field(),
                        Amount::Integer(makes_shards ? shards_ : 0),
                        Precondition::AsRead(parent_update_time_)));
  }
  for (std::int64_t shard = 0; makes_shards && shard < shards_; ++shard) {
    const std::string name = counter_->ShardName(shard);
    const CountedDocument* there = listing_.Find(name);
    if (there == nullptr) {
      add(NewShard(name));
    } else if (!there->has_field) {
      // Another counter's, which may be written at any time. Adding nothing leaves a count that has
      // begun meanwhile as it is.
      add(Write::Increment(name, NothingFor(*counter_, fields_)));
    }
  }
  if (!has_room) {
    return FinishWithError(Fail(
        kRequestTooLarge,
        "The counter's documents do not fit into one request of 10 MiB: choose fewer shards, or a "
        "shorter path."));
  }
  state_ = Committing{writes.size(), completes};
  SendCommit(writes.Take(), Effect::kRepeatable);
}

Result<Billed> CreateCounter::OnCommitted(Committing committing, const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, committing.writes));
  created_ = !committing.completes;
  Finish();
  return Billed{.writes = static_cast<std::int64_t>(committing.writes)};
}

void CreateCounter::OnExists(std::int64_t shards) {
  if (if_exists_ == IfExists::kKeep) {
    shards_ = shards;
    return Finish();
  }
  if (maybe_applied_) {
    return FinishWithError(Fail(kWriteInDoubt, "The counter ")
                           << counter_->path()
                           << " exists now, but perhaps another client made it: the answer to this "
                              "client's request was lost.");
  }
  FinishWithError(Fail(kCounterExists, "The counter ")
                  << Param{"path", counter_->path()}
                  << " exists already; with ifExists: 'keep', create() leaves it as it is.");
}

void CreateCounter::OnFailure(CallId, const CallFailure& failure) {
  maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  CallFailure all = failure;
  all.maybe_applied = maybe_applied_;
  const bool is_refused =
      std::holds_alternative<Committing>(state_) && IsRefusal(failure.error.code);
  if (!is_refused) return FinishWithFailure(all);
  if (++refusals_ >= context().retry.max_attempts) {
    all.error.Become(kTooMuchContention);
    all.error.message =
        "The counter " + counter_->path() +
        " could not be created: its documents kept changing meanwhile. Try again later.";
    return FinishWithFailure(all);
  }
  OnRefused(failure.error.code);
}

void CreateCounter::OnRefused(Code code) {
  // ALREADY_EXISTS: the parent or some of the shards. Any other refusal is about the parent's
  // update time, if the commit had one to go by.
  const bool is_about_shards =
      !counter_->is_extension() && (code == Code::kAlreadyExists || parent_update_time_.empty());
  if (is_about_shards) listing_ = ShardListing(*counter_, ShardListing::Reads::kField);
  if (has_parent()) {
    ReadParent(is_about_shards);
  } else {
    ListShards();
  }
}

void CreateCounter::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("created").Boolean(created_);
  writer.Key("shards").Int(shards_).EndObject();
}

}  // namespace shardline
