#include "documents/document_commit.h"

#include <cassert>
#include <utility>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "base/reason.h"
#include "documents/document_write.h"
#include "firestore/answers.h"
#include "firestore/query.h"
#include "firestore/value_codec.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {
namespace {

Map ReadFields(const EncodedFields& fields) {
  if (fields.empty()) return {};
  const PaddedText text(fields.json());
  JsonScanner scanner(text);
  return DecodeFields(scanner);
}

const Value* Find(const Map& fields, const FieldPath& path) {
  const Map* map = &fields;
  const Value* value = nullptr;
  for (const std::string& name : path.segments()) {
    value = map ? map->Find(name) : nullptr;
    map = value ? value->As<Map>() : nullptr;
  }
  return value;
}

// As it is written, so that 1 is not 1.0.
std::string Text(const Value* value) {
  JsonWriter writer;
  if (value) EncodeValue(writer, *value);
  return writer.Take();
}

// Whether the document already has the state that the write would give it.
bool IsAsked(const Write& write, const Map& document) {
  const Map fields = ReadFields(write.fields);
  if (!write.mask) {
    const Value asked{fields};
    const Value found{document};
    return Text(&asked) == Text(&found);
  }
  for (const FieldPath& path : *write.mask) {
    if (Text(Find(fields, path)) != Text(Find(document, path))) return false;
  }
  return true;
}

}  // namespace

AfterDoubt Decide(const Write& write, const Map* document, bool may_create) {
  assert(write.transforms.empty());
  if (write.kind == Write::Kind::kDelete) {
    return document != nullptr ? AfterDoubt::kRepeat : AfterDoubt::kDone;
  }
  if (document == nullptr) {
    return write.mask && !may_create ? AfterDoubt::kMissing : AfterDoubt::kRepeat;
  }
  return IsAsked(write, *document) ? AfterDoubt::kDone : AfterDoubt::kRepeat;
}

DocumentCommit::DocumentCommit(OperationContext& context, Asked asked)
    : DocumentCommit(context, std::move(asked), std::nullopt) {}

DocumentCommit::DocumentCommit(OperationContext& context, Asked asked,
                               std::optional<Asked> if_missing)
    : Operation(context),
      asked_(std::move(asked)),
      other_(std::move(if_missing)),
      may_create_(asked_.write.precondition.kind != Precondition::Kind::kExists) {
  Commit(Effect::kOnce);
}

DocumentCommit::DocumentCommit(OperationContext& context, Asked asked, Asked if_missing,
                               NamedShard named)
    : Operation(context),
      asked_(std::move(asked)),
      other_(std::move(if_missing)),
      named_(std::move(named)),
      may_create_(false) {
  Look();
}

void DocumentCommit::Commit(const Write& write, Effect effect) {
  SendCommit(EncodeCommit(write), effect);
}

bool DocumentCommit::TakeOther(Code code) {
  if (!other_ || code != (is_missing_ ? Code::kAlreadyExists : Code::kNotFound)) return false;
  if (++turns_ >= context().retry.max_attempts) return false;
  std::swap(asked_, *other_);
  is_missing_ = !is_missing_;
  return true;
}

bool DocumentCommit::GoOnAfter(const CallFailure& failure) {
  if (!named_) {
    if (!TakeOther(failure.error.code)) return false;
    Commit(Effect::kOnce);
    return true;
  }
  const Code code = failure.error.code;
  const bool has_changed =
      code == Code::kFailedPrecondition || code == Code::kAlreadyExists || code == Code::kNotFound;
  if (!has_changed || turns_ + 1 >= context().retry.max_attempts) return false;
  ++turns_;
  Look();
  return true;
}

void DocumentCommit::Look() {
  step_ = Step::kLooking;
  SendRead(turns_);
}

void DocumentCommit::Read() {
  if (reads_ >= context().retry.max_attempts - 1) {
    return FinishAsUnknown("The write may or may not have been applied.");
  }
  ++reads_;
  step_ = Step::kReading;
  SendRead(reads_);
}

void DocumentCommit::SendRead(int attempts_before) {
  Call call{database().UrlPath(":batchGet"), EncodeBatchGet({asked_.write.name})};
  call.attempts_before = attempts_before;
  Send(std::move(call));
}

Result<Billed> DocumentCommit::OnAnswer(CallId, PaddedText& body) {
  if (step_ == Step::kLooking || step_ == Step::kReading) return OnDocument(body);
  SHARDLINE_CHECK(DecodeCommit(body, 1));
  Finish();
  Billed billed;
  (asked_.write.kind == Write::Kind::kDelete ? billed.deletes : billed.writes) = 1;
  return billed;
}

Result<Billed> DocumentCommit::OnDocument(const PaddedText& body) {
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(asked_.write.name);
  const Map fields = document.fields.Read(DecodeFields);
  SHARDLINE_CHECK(answer.Finish());
  if (other_ && document.exists() == is_missing_) {
    std::swap(asked_, *other_);
    is_missing_ = !is_missing_;
  }
  if (document.exists() && IsOfAnotherShard(fields)) {
    FinishWithAnotherShard();
  } else if (step_ == Step::kLooking) {
    OnLook(document, fields);
  } else {
    OnWritten(document, fields);
  }
  return Billed{.reads = 1};
}

bool DocumentCommit::IsOfAnotherShard(const Map& document) const {
  const Value* shard = named_ ? Find(document, named_->field) : nullptr;
  return shard && ShardedCollection::ShardJson(*shard) != named_->shard;
}

void DocumentCommit::FinishWithAnotherShard() {
  if (is_in_doubt_) return FinishAsUnknown("The document is in another shard now.");
  FinishWithError(RefuseMove(named_->field));
}

void DocumentCommit::OnLook(const DocumentAnswer& document, const Map& fields) {
  if (document.exists() && !Find(fields, named_->field)) {
    step_ = Step::kGivingShard;
    named_->if_unsharded.precondition = Precondition::AsRead(document.update_time);
    return Commit(named_->if_unsharded, Effect::kRepeatable);
  }
  step_ = Step::kUnguarded;
  Commit(Effect::kOnce);
}

void DocumentCommit::OnWritten(const DocumentAnswer& document, const Map& fields) {
  switch (Decide(asked_.write, document.exists() ? &fields : nullptr, may_create_)) {
    case AfterDoubt::kDone:
      Finish();
      break;
    case AfterDoubt::kMissing:
      FinishWithError(Fail(kDocumentNotFound, "There is no document to update: ")
                      << Param{"document", asked_.write.name});
      break;
    case AfterDoubt::kRepeat:
      asked_.write.precondition = Precondition::AsRead(document.update_time);
      step_ = Step::kGuarded;
      Commit(Effect::kRepeatable);
  }
}

void DocumentCommit::OnFailure(CallId, const CallFailure& failure) {
  const Code code = failure.error.code;
  is_in_doubt_ |= failure.maybe_applied;
  switch (step_) {
    case Step::kLooking:
      return is_in_doubt_ ? FinishAsUnknown(failure.error.message) : FinishWithFailure(failure);
    case Step::kGivingShard:
      // With transforms: a browser may have sent the request twice by itself, and the first one may
      // be what has changed the document.
      if (asked_.write.transforms.empty() && GoOnAfter(failure)) return;
      return FinishWithFailure(failure);
    case Step::kUnguarded:
      if (failure.maybe_applied && asked_.write.transforms.empty()) return Read();
      if (!failure.maybe_applied && GoOnAfter(failure)) return;
      return FinishWithFailure(failure);
    case Step::kReading:
      return FinishAsUnknown(failure.error.message);
    case Step::kGuarded:
      // It is not as it was read: the sent request has arrived by now, or other clients have
      // written.
      if (code == Code::kFailedPrecondition || code == Code::kAlreadyExists ||
          code == Code::kNotFound) {
        return Read();
      }
      return FinishAsUnknown(failure.error.message);
  }
}

void DocumentCommit::FinishAsUnknown(std::string_view why) {
  FinishWithError(Fail(kWriteInDoubt,
                       "The answer to the write was lost, and whether it was applied could not be "
                       "found out. ")
                  << why);
}

}  // namespace shardline
