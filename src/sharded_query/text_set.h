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
  // The number of texts that were added before it; nullopt if it is not there.
  std::optional<std::size_t> IndexOf(std::string_view text) const;
  std::size_t size() const { return texts_.size(); }

 private:
  // The text's place in the table, or the free place where it belongs.
  std::size_t Find(std::string_view text) const;
  void Grow();

  std::vector<std::string_view> texts_;
  // The numbers of texts, from 1; 0 is a free place. At most half of the table is full.
  std::vector<std::uint32_t> table_;
};

}  // namespace shardline
