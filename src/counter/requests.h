// The bodies of the requests that counters make, written out as patterns. There are few, and to
// fill in a Query or a Write and have it encoded would take several times the code, which every
// visitor of a site downloads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "firestore/amount.h"
#include "firestore/field_path.h"

namespace shardline {

// A :batchGet of one field of one document. Documents go by their full names here and below.
// `read_time` is empty or as the server wrote it, here and below.
std::string EncodeReadField(std::string_view name, const FieldPath& field,
                            std::string_view read_time = {});

// A :batchGet of all of one document.
std::string EncodeReadDocument(std::string_view name, std::string_view read_time = {});

// A :runQuery of the first `limit` documents, in the order of their names.
struct ListQuery {
  std::string_view collection_id;
  // What is read of them; null for all.
  const FieldPath* field;
  int limit;
  // Only the documents behind and before these; empty for no bound.
  std::string_view after;
  std::string_view before;
  std::string_view read_time;
};
std::string EncodeList(const ListQuery& query);

// A :runAggregationQuery, with the aliases `sum` and `count`.
std::string EncodeSumField(std::string_view collection_id, const FieldPath& field,
                           std::string_view read_time);

// A :commit of these writes, which are separated by commas.
std::string EncodeCommitOf(std::string_view writes);

// Collects the writes of one :commit.
class CommitWrites {
 public:
  void Add(std::string_view write);
  // False if the request would be larger than Firestore takes (kMaxRequestBytes) with this write,
  // too. Ask before Add(), wherever there may be thousands.
  bool HasRoomFor(std::string_view write) const;

  std::size_t size() const { return size_; }
  std::string Encode() const { return EncodeCommitOf(writes_); }

 private:
  std::string writes_;
  std::size_t size_ = 0;
};

// A write that lets the server add, and that makes the document if it is not there. Other fields
// stay.
std::string EncodeIncrement(std::string_view name, const FieldPath& field, const Amount& delta);

// The same, on the condition that the document was last written at `update_time`; or if that is
// empty, that it is not there.
std::string EncodeGuardedIncrement(std::string_view name, const FieldPath& field,
                                   const Amount& delta, std::string_view update_time);

// A write that sets the field, on the condition that the document was last written at
// `update_time`; or if that is empty, that it is not there. Other fields stay.
std::string EncodeSetField(std::string_view name, const FieldPath& field, const Amount& value,
                           std::string_view update_time);

// A write that removes the field, on the condition that the document was last written at
// `update_time`. Other fields stay.
std::string EncodeRemoveField(std::string_view name, const FieldPath& field,
                              std::string_view update_time);

// A write that adds to a partial of the firestore-counter extension (answers.h), on the condition
// that the document was last written at `update_time`. `id` must be unique in it.
std::string EncodeAddToPartial(std::string_view name, const FieldPath& field, const Amount& delta,
                               std::string_view id, std::string_view update_time);

// A write that deletes, on the condition that the document was last written at `update_time`.
std::string EncodeDelete(std::string_view name, std::string_view update_time);

}  // namespace shardline
