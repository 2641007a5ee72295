#pragma once

#include <cstddef>
#include <vector>

#include "firestore/query.h"
#include "sharded_query/user_filters.h"

namespace shardline {

// Cuts filters that exceed Firestore's limits into pieces that together find the same documents. If
// possible, it cuts only lists of `in`: then no two pieces find the same document. Otherwise it
// cuts the alternatives of or(), in disjunctive normal form, and lists of array-contains-any.
class FilterPieces {
 public:
  FilterPieces() = default;
  // Makes no pieces yet. A piece will have at most `most` combinations of the values of lists and
  // the alternatives of or(); at least 1.
  FilterPieces(const UserFilters& user, std::size_t most);

  // Makes few pieces of at most `most` combinations each. It makes no piece if pieces of this size
  // must overlap, and larger ones need not.
  void Cut(std::size_t most);
  // 0 if the filters are not cut.
  std::size_t size() const { return pieces_.size(); }
  // Whether two pieces may find the same document.
  bool overlap() const { return overlap_; }
  // Appends a piece to filters that must all hold.
  void Append(std::size_t index, std::vector<Filter>& filters) const;

 private:
  // Adds the pieces of the filters from `filter` on, with at most `most` combinations. The filters
  // before are in `piece`, and have `combinations` combinations.
  void AddPieces(const Filter* filter, const Filter* end, std::size_t most,
                 std::size_t combinations, Filter& piece);
  void Add(const Filter& piece, std::size_t combinations);

  // A != that holds for all alternatives: Firestore allows one in a query, and counts the same one
  // in two alternatives as two.
  std::vector<Filter> negations_;
  // Each alternative is an and(), in which a list that may be cut has its values as filters.
  std::vector<Filter> alternatives_;
  // The combinations of the uncut filters of an alternative.
  std::size_t fixed_ = 1;
  bool overlap_ = false;
  // Each is an or() of and()s.
  std::vector<Filter> pieces_;
  std::size_t most_ = 0;
  std::size_t last_ = 0;  // The combinations of the last piece.
};

// The half-open range [begin, end) of one part, if `size` items are split into even parts.
struct Range {
  std::size_t begin;
  std::size_t end;
  std::size_t size() const { return end - begin; }

  static Range Part(std::size_t size, std::size_t part, std::size_t parts);
};

}  // namespace shardline
