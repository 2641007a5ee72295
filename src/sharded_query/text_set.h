#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace shardline {

// A set of texts, which must outlive it. (A hash table with open addressing: sorting thousands of
// texts would take longer.)
class TextSet {
 public:
  // False if the text is there already.
  bool Add(std::string_view text);
  // How many were added before it; nullopt if it is not there.
  std::optional<std::size_t> IndexOf(std::string_view text) const;
  std::size_t size() const { return texts_.size(); }

 private:
  // Where the text is in the table, or where it belongs.
  std::size_t Find(std::string_view text) const;
  void Grow();

  std::vector<std::string_view> texts_;
  // The number of a text, counted from 1; 0 is a free place. At most half of it is taken.
  std::vector<std::uint32_t> table_;
};

}  // namespace shardline
