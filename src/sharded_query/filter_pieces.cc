#include "sharded_query/filter_pieces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_view.h"
#include "base/padded_text.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

bool IsList(const Filter& filter) {
  return filter.op == FilterOp::kIn || filter.op == FilterOp::kArrayContainsAny;
}

// null and NaN are found by == alone.
bool IsListable(const Value& value) {
  const double* number = value.As<double>();
  return !value.IsNull() && !(number && std::isnan(*number));
}

// One value of a list.
struct Listed {
  Value value;
  EncodedValue encoded;
  bool operator<(const Listed& other) const { return CompareValues(value, other.value) < 0; }
};

// The values that one filter compares with.
void AddValues(const Filter& filter, std::vector<Listed>& values) {
  const PaddedText text(filter.value.json());
  JsonScanner scanner(text);
  const JsonView value(scanner);
  if (!IsList(filter)) {
    values.push_back({value.Read(DecodeValue), filter.value});
    return;
  }
  for (JsonItems items(value["arrayValue.values"]); items.Next();) {
    values.push_back(
        {items.value().Read(DecodeValue), EncodedValue::OfChecked(items.value().Raw())});
  }
}

Filter Composite(FilterOp op) { return {FieldPath::DocumentName(), op, {}}; }

// NOLINTNEXTLINE(misc-no-recursion)
bool HasNegation(const Filter& filter) {
  return filter.op == FilterOp::kNotEqual ||
         std::any_of(filter.filters.begin(), filter.filters.end(), HasNegation);
}

// A list, or an or() of values of one field, as a list whose filters are its values, sorted, and
// each once. Any other filter as it is. (A heap sort takes less code than others.)
Filter WithValues(const Filter& filter) {
  std::vector<Listed> sorted;
  Filter list{filter.field, filter.op, {}};
  if (IsList(filter)) AddValues(filter, sorted);
  if (filter.op == FilterOp::kOr) list = {filter.filters.front().field, FilterOp::kIn, {}};
  for (const Filter& each : filter.filters) {
    const bool is_value = each.op == FilterOp::kEqual || each.op == FilterOp::kIn;
    if (!is_value || !(each.field == list.field)) return filter;
    AddValues(each, sorted);
    if (!IsListable(sorted.back().value)) return filter;
  }
  if (sorted.empty()) return filter;
  std::make_heap(sorted.begin(), sorted.end());
  std::sort_heap(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    // 1 is 1.0.
    if (i > 0 && !(sorted[i - 1] < sorted[i])) continue;
    list.filters.push_back(Composite(FilterOp::kEqual));
    list.filters.back().value = std::move(sorted[i].encoded);
  }
  return list;
}

// Whether its filters are values, of which a piece may have some.
bool IsCut(const Filter& filter) { return !IsComposite(filter.op) && !filter.filters.empty(); }

std::size_t SizeOf(const Filter& filter) { return IsCut(filter) ? filter.filters.size() : 1; }

std::size_t Parts(std::size_t size, std::size_t slice) { return (size + slice - 1) / slice; }

// How many pieces the filters from `filter` on make, if a piece may have `most` combinations. How
// many values of the first one are then in a piece goes to `slice`.
// NOLINTNEXTLINE(misc-no-recursion)
std::size_t FewestPieces(const Filter* filter, const Filter* end, std::size_t most,
                         std::size_t& slice) {
  if (filter == end) return 1;
  const std::size_t size = SizeOf(*filter);
  std::size_t fewest = 0;
  std::size_t of_next = 0;
  for (std::size_t tried = 1; tried <= std::min(most, size); ++tried) {
    const std::size_t pieces =
        Parts(size, tried) * FewestPieces(filter + 1, end, most / tried, of_next);
    if (fewest > 0 && pieces >= fewest) continue;
    fewest = pieces;
    slice = tried;
  }
  return fewest;
}

}  // namespace

Range Range::Part(std::size_t size, std::size_t part, std::size_t parts) {
  const std::size_t smallest = size / parts;
  const std::size_t larger = size % parts;
  const std::size_t begin = part * smallest + std::min(part, larger);
  return {begin, begin + smallest + (part < larger ? 1 : 0)};
}

FilterPieces::FilterPieces(const UserFilters& user, std::size_t most) {
  Filter whole = Composite(FilterOp::kAnd);
  std::vector<Filter> others;
  for (std::size_t i = 0; i < user.filters.size(); ++i) {
    const Filter& asked = user.filters[i];
    if (asked.op == FilterOp::kNotEqual) {
      negations_.push_back(asked);
      continue;
    }
    others.push_back(asked);
    Filter filter = WithValues(asked);
    if (filter.op != FilterOp::kIn) {
      filter = asked;
      fixed_ *= user.sizes[i].disjunctions;
    }
    whole.filters.push_back(std::move(filter));
  }
  overlap_ = fixed_ > most;
  if (!overlap_) {
    alternatives_.push_back(std::move(whole));
    return;
  }
  fixed_ = 1;
  for (const Conjunction& conjunction : Disjunctions(others)) {
    Filter& all = alternatives_.emplace_back(Composite(FilterOp::kAnd));
    for (const Filter* filter : conjunction) all.filters.push_back(WithValues(*filter));
  }
}

void FilterPieces::Cut(std::size_t most) {
  most_ = most;
  pieces_.clear();
  if (fixed_ > most) return;
  for (const Filter& all : alternatives_) {
    Filter piece = Composite(FilterOp::kAnd);
    AddPieces(all.filters.data(), all.filters.data() + all.filters.size(), most / fixed_, fixed_,
              piece);
  }
}

// NOLINTNEXTLINE(misc-no-recursion)
void FilterPieces::AddPieces(const Filter* filter, const Filter* end, std::size_t most,
                             std::size_t combinations, Filter& piece) {
  if (filter == end) return Add(piece, combinations);
  std::size_t slice = 1;
  FewestPieces(filter, end, most, slice);
  const std::size_t size = SizeOf(*filter);
  const std::size_t parts = Parts(size, slice);
  for (std::size_t part = 0; part < parts; ++part) {
    const Range range = Range::Part(size, part, parts);
    piece.filters.push_back({filter->field, filter->op, filter->value});
    Filter& added = piece.filters.back();
    if (IsCut(*filter)) {
      EncodedValues values;
      for (std::size_t i = range.begin; i < range.end; ++i) values.Add(filter->filters[i].value);
      added.value = values.List();
    } else {
      added.filters = filter->filters;
    }
    AddPieces(filter + 1, end, most / slice, combinations * range.size(), piece);
    piece.filters.pop_back();
  }
}

void FilterPieces::Add(const Filter& piece, std::size_t combinations) {
  last_ += combinations;
  const auto has_two = [&] { return HasNegation(piece) && HasNegation(pieces_.back()); };
  if (pieces_.empty() || last_ > most_ || has_two()) {
    pieces_.push_back(Composite(FilterOp::kOr));
    last_ = combinations;
  }
  pieces_.back().filters.push_back(piece);
}

void FilterPieces::Append(std::size_t index, std::vector<Filter>& filters) const {
  filters.insert(filters.end(), negations_.begin(), negations_.end());
  const Filter& piece = pieces_[index];
  if (piece.filters.size() > 1) {
    filters.push_back(piece);
  } else {
    for (const Filter& filter : piece.filters.front().filters) filters.push_back(filter);
  }
}

}  // namespace shardline
