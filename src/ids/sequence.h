#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "operation/executor.h"

namespace shardline {

// A sequence of unique ids, given out in blocks (hi/lo allocation), and spread over shards so that
// many clients can take from it at once:
//
//   sequences/orders                     {shards, made, stride, perhaps startAt}
//   sequences/orders/shardline_ids/<i>   {next, stride}
//
// Shard i owns the ids that leave the remainder i + 1 when divided by the stride. No two shards
// have an id in common, for any number of shards. That number may change, up to the stride, which
// is fixed when the sequence is created. `next` is the number of ids that a shard has given away.
// Only the server increases it, and the client whose commit increases it owns the ids in between.
// The answer to the commit has the new `next` and the stride. Therefore a client reads nothing
// before, and a lost answer costs only its block of ids.
//
// `startAt` is the least id, for shards that are made later; 1 if it is left out. `shards` is the
// number of shards in use, and `made` the number of shards that were ever made. A shard that is no
// longer in use keeps its document: without it, the sequence would give its ids away again when the
// shard comes back.
inline constexpr std::string_view kIdsFolder = "/shardline_ids/";
inline constexpr std::int64_t kMaxIdShards = 10'000;
inline constexpr std::int64_t kDefaultIdShards = 10;
inline constexpr std::int64_t kDefaultStride = 100;
// At once.
inline constexpr std::int64_t kMaxIdsTaken = 1'000'000;

class Sequence {
 public:
  // `shards` is 0 if the user has not passed the number.
  static Result<Sequence> Make(const DatabaseName& database, std::string_view path,
                               std::int64_t shards);

  const std::string& path() const { return path_; }
  std::int64_t shards() const { return shards_; }
  // The full names of the documents.
  const std::string& parent_name() const { return parent_name_; }
  std::string ShardName(std::int64_t shard) const;

  Call ReadParent(const DatabaseName& database) const;
  Failure NotFound() const;

 private:
  Sequence(std::string path, std::string parent_name, std::int64_t shards)
      : path_(std::move(path)), parent_name_(std::move(parent_name)), shards_(shards) {}

  std::string path_;
  std::string parent_name_;
  std::int64_t shards_;
};

// The state in the sequence's own document.
struct SequenceState {
  std::string update_time;  // Empty: there is no such document.
  std::int64_t shards = 0;
  std::int64_t made = 0;
  std::int64_t stride = 0;
  std::int64_t start_at = 0;

  bool exists() const { return !update_time.empty(); }
  // False if the document does not belong to a sequence.
  bool valid() const { return 1 <= shards && shards <= made && made <= stride; }
};
// Reads the answer to ReadParent().
Status DecodeSequence(const PaddedText& body, const Sequence& sequence, SequenceState& state);

// Field names without dots are field paths.
FieldPath SequenceField(std::string_view name);

}  // namespace shardline
