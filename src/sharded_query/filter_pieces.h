#pragma once

#include <cstddef>
#include <vector>

#include "firestore/query.h"
#include "sharded_query/user_filters.h"

namespace shardline {

// Filters that Firestore does not take at once, cut into pieces that find together what the filters
// find. If that can be, only lists of `in` are cut: then no two pieces find the same document.
// Otherwise what or() joins is cut, in disjunctive normal form, and lists of array-contains-any.
class FilterPieces {
 public:
  FilterPieces() = default;
  // Makes no pieces yet; they are to have `most` combinations at the most, of values of lists and
  // of what or() joins. At least 1.
  FilterPieces(const UserFilters& user, std::size_t most);

  // Makes few pieces of at most `most` combinations each. None if pieces so small would have to
  // overlap, and larger ones need not.
  void Cut(std::size_t most);
  // 0 if nothing is cut.
  std::size_t size() const { return pieces_.size(); }
  // Whether several pieces may find the same document.
  bool overlap() const { return overlap_; }
  // Appends a piece to filters that must all hold.
  void Append(std::size_t index, std::vector<Filter>& filters) const;

 private:
  // `most` combinations are left to the filters from `filter` on; those before are in `piece`, and
  // have `combinations` of them.
  void AddPieces(const Filter* filter, const Filter* end, std::size_t most,
                 std::size_t combinations, Filter& piece);
  void Add(const Filter& piece, std::size_t combinations);

  // A != that holds for all alternatives: Firestore takes one in a query, and the same one in two
  // alternatives for two.
  std::vector<Filter> negations_;
  // Each of the others is an and(), in which a list that may be cut has its values as filters.
  std::vector<Filter> alternatives_;
  // The combinations of what is not cut in an alternative.
  std::size_t fixed_ = 1;
  bool overlap_ = false;
  // Each is an or() of and()s.
  std::vector<Filter> pieces_;
  std::size_t most_ = 0;
  std::size_t last_ = 0;  // The combinations of the last piece.
};

// One of the even parts of something.
struct Range {
  std::size_t begin;
  std::size_t end;
  std::size_t size() const { return end - begin; }

  static Range Part(std::size_t size, std::size_t part, std::size_t parts);
};

}  // namespace shardline
