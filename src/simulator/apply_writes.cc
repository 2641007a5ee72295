// Applying writes.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/number.h"
#include "simulator/fields.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"
#include "simulator/write.h"

namespace shardline::simulator {
namespace {

constexpr std::int64_t kMicrosPerMilli = 1'000;
// Bounds one document in one commit. Google's emulator does not count them.
// https://firebase.google.com/docs/firestore/quotas#writes_and_transactions
constexpr std::size_t kMaxTransforms = 500;

double AsDouble(const Value& number) {
  const auto* integer = number.As<std::int64_t>();
  return integer ? static_cast<double>(*integer) : *number.As<double>();
}

bool IsNumber(const Value* value) {
  return value && (value->As<std::int64_t>() || value->As<double>());
}

// Integers stop at the ends of their range.
Value Add(const Value& a, const Value& b) {
  const auto* x = a.As<std::int64_t>();
  const auto* y = b.As<std::int64_t>();
  if (!x || !y) return {AsDouble(a) + AsDouble(b)};
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  if (*y > 0 && *x > kMax - *y) return {kMax};
  if (*y < 0 && *x < kMin - *y) return {kMin};
  return {*x + *y};
}

Value Extreme(const Value& present, const Value& operand, bool maximum) {
  if (IsNan(present) || IsNan(operand)) return {std::numeric_limits<double>::quiet_NaN()};
  const std::weak_ordering order = CompareValues(operand, present);
  return (maximum ? order > 0 : order < 0) ? operand : present;
}

bool Contains(const std::vector<Value>& values, const Value& value) {
  return std::any_of(values.begin(), values.end(),
                     [&](const Value& other) { return CompareValues(other, value) == 0; });
}

Value ChangeArray(const Value* present, const Value& operand, bool append) {
  Array array;
  if (present && present->As<Array>()) array = *present->As<Array>();
  const std::vector<Value>& operands = operand.As<Array>()->elements;
  std::vector<Value>& elements = array.elements;
  if (append) {
    for (const Value& value : operands) {
      if (!Contains(elements, value)) elements.push_back(value);
    }
  } else {
    elements.erase(std::remove_if(elements.begin(), elements.end(),
                                  [&](const Value& value) { return Contains(operands, value); }),
                   elements.end());
  }
  return {std::move(array)};
}

// The result that a transform reports; the fields are changed.
Value ApplyTransform(const Transform& transform, Timestamp request_time, Map& fields) {
  using Kind = Transform::Kind;
  const Value* present = FindField(fields, transform.field);
  Value result;
  switch (transform.kind) {
    case Kind::kServerTimestamp:
      result = {Timestamp{request_time.micros - request_time.micros % kMicrosPerMilli}};
      break;
    case Kind::kIncrement:
      result = IsNumber(present) ? Add(*present, transform.operand) : transform.operand;
      break;
    case Kind::kMaximum:
    case Kind::kMinimum:
      result = IsNumber(present)
                   ? Extreme(*present, transform.operand, transform.kind == Kind::kMaximum)
                   : transform.operand;
      break;
    case Kind::kAppendMissing:
    case Kind::kRemoveAll:
      SetField(fields, transform.field,
               ChangeArray(present, transform.operand, transform.kind == Kind::kAppendMissing));
      return {};
  }
  SetField(fields, transform.field, result);
  return result;
}

// A document as the writes before have left it.
struct Staged {
  ContentPtr original;
  Timestamp version{0};  // When it was last written or deleted.
  bool exists = false;
  Map fields;
  bool touched = false;
  bool verified = false;  // Nothing changes it.
  // True once it was deleted: a later write makes a new document.
  bool recreated = false;
};

// The writes of one commit to one document must be able to succeed one after the other for some
// state of the document. This check comes first; from then on only the first write's precondition
// matters. `exists` is the state after the write before.
class Sequence {
 public:
  Status Add(const Write& write) {
    const Precondition& precondition = write.precondition;
    const bool deletes = write.kind == Write::Kind::kDelete;
    const bool verifies = write.kind == Write::Kind::kVerify;
    if (began_ && (verified_ || verifies)) {
      return InvalidArgument(
          "The same document cannot be verified and written, or verified twice, in "
          "a single request: " +
          write.path);
    }
    verified_ = verifies;
    if (!began_) {
      update_time_ = precondition.update_time;
    } else if ((precondition.exists && *precondition.exists != exists_) ||
               (precondition.update_time &&
                (precondition.update_time != update_time_ || (!exists_ && !deletes)))) {
      return Impossible(write);
    }
    began_ = true;
    exists_ = !deletes;
    transforms_ += write.transforms.size();
    if (transforms_ > kMaxTransforms) {
      return InvalidArgument("A commit may transform at most 500 fields of one document: " +
                             write.path);
    }
    return {};
  }

 private:
  Status Impossible(const Write& write) const {
    return InvalidArgument(
        (exists_ ? "Cannot write and then insert a document in the same request: "
                 : "Cannot delete and then update a document in the same request: ") +
        write.path);
  }

  bool began_ = false;
  bool verified_ = false;
  bool exists_ = false;
  std::size_t transforms_ = 0;
  std::optional<Timestamp> update_time_;
};

class Stage {
 public:
  Stage(Store& store, const CommitTimes& times) : store_(store), times_(times) {}

  Status Add(const Write& write) {
    Staged& staged = Find(write.path);
    if (!staged.touched) SHARDLINE_CHECK(CheckPrecondition(write, staged));
    staged.touched = true;
    WriteOutcome outcome;
    if (write.kind == Write::Kind::kVerify) {
      const bool never_was = staged.version == Timestamp{0};
      outcome.update_time = never_was ? times_.read : staged.version;
      staged.verified = true;
    } else if (write.kind == Write::Kind::kDelete) {
      staged.recreated = true;
      staged.exists = false;
      staged.fields = {};
    } else {
      Update(write, staged, outcome);
      if (DocumentBytes(write.path, staged.fields) > kMaxDocumentBytes) {
        return InvalidArgument("The document \"" + write.path +
                               "\" is larger than 1,048,576 bytes.");
      }
    }
    outcomes_.push_back(std::move(outcome));
    paths_.push_back(&write.path);
    return {};
  }

  // The changes of a commit.
  std::vector<Change> Changes() const {
    std::vector<Change> changes;
    for (const auto& [path, staged] : staged_) {
      if (staged.verified) continue;
      changes.push_back({path, staged.original ? &staged.original->fields : nullptr,
                         staged.exists ? &staged.fields : nullptr});
    }
    return changes;
  }

  // Puts everything into the store.
  std::vector<WriteOutcome> Finish() {
    for (auto& [path, staged] : staged_) {
      if (!staged.verified) Put(path, staged);
    }
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (outcomes_[i].update_time) continue;
      if (const ContentPtr content = store_.Get(*paths_[i], std::nullopt)) {
        outcomes_[i].update_time = content->update_time;
      }
    }
    return std::move(outcomes_);
  }

 private:
  Staged& Find(const std::string& path) {
    const auto [at, is_new] = staged_.try_emplace(path);
    if (is_new) {
      const Document* document = store_.Find(path);
      if (document) {
        at->second.original = document->current();
        at->second.version = document->since();
      }
      at->second.exists = at->second.original != nullptr;
      if (at->second.exists) at->second.fields = at->second.original->fields;
    }
    return at->second;
  }

  static Status CheckPrecondition(const Write& write, const Staged& staged) {
    const Precondition& precondition = write.precondition;
    if (precondition.exists && *precondition.exists && !staged.exists) {
      return Fail(Code::kNotFound, "No document to update: " + write.path);
    }
    if (precondition.exists && !*precondition.exists && staged.exists) {
      return Fail(Code::kAlreadyExists, "Document already exists: " + write.path);
    }
    if (!precondition.update_time) return {};
    // A deletion is a version, too.
    const Timestamp stored = staged.version;
    if (stored == *precondition.update_time) {
      if (staged.original || write.kind == Write::Kind::kDelete) return {};
      return Fail(Code::kNotFound, "No document to update: " + write.path);
    }
    // A version from the future of this document is nonsense rather than outdated.
    const bool later = staged.original && *precondition.update_time > stored;
    std::string message = "The stored version (";
    AppendInt64(message, stored.micros);
    message += ") does not match the required base version (";
    AppendInt64(message, precondition.update_time->micros);
    message += ").";
    return Fail(later ? Code::kInvalidArgument : Code::kFailedPrecondition, std::move(message));
  }

  void Update(const Write& write, Staged& staged, WriteOutcome& outcome) const {
    staged.exists = true;
    if (write.mask) {
      for (const FieldPath& path : *write.mask) {
        if (path.IsDocumentName()) continue;
        if (const Value* value = FindField(write.fields, path)) {
          SetField(staged.fields, path, *value);
        } else {
          RemoveField(staged.fields, path);
        }
      }
    } else if (write.kind == Write::Kind::kUpdate) {
      staged.fields = write.fields;
    }
    for (const Transform& transform : write.transforms) {
      outcome.transform_results.push_back(ApplyTransform(transform, times_.request, staged.fields));
    }
  }

  void Put(const std::string& path, Staged& staged) {
    if (!staged.exists) {
      store_.Put(path, nullptr, times_.commit);
      return;
    }
    const bool same_document = staged.original && !staged.recreated;
    // A write that changes nothing leaves the version as it was.
    if (same_document && Identical(staged.original->fields, staged.fields)) return;
    const Timestamp created = same_document ? staged.original->create_time : times_.commit;
    staged.fields.fields.shrink_to_fit();
    store_.Put(
        path,
        std::make_shared<const Content>(Content{std::move(staged.fields), created, times_.commit}),
        times_.commit);
  }

  Store& store_;
  CommitTimes times_;
  std::map<std::string, Staged> staged_;
  std::vector<WriteOutcome> outcomes_;
  std::vector<const std::string*> paths_;
};

}  // namespace

Status CheckSequences(const std::vector<Write>& writes) {
  std::map<std::string_view, Sequence> sequences;
  for (const Write& write : writes) SHARDLINE_CHECK(sequences[write.path].Add(write));
  return {};
}

Result<std::vector<WriteOutcome>> ApplyWrites(Store& store, const std::vector<Write>& writes,
                                              const CommitTimes& times, Gate* gate) {
  Stage stage(store, times);
  for (const Write& write : writes) SHARDLINE_CHECK(stage.Add(write));
  if (gate) SHARDLINE_CHECK(gate->Admit(stage.Changes(), times.request));
  return stage.Finish();
}

}  // namespace shardline::simulator
