#include "sharded_query/text_set.h"

#include "sharded_query/fingerprint.h"

namespace shardline {

bool TextSet::Add(std::string_view text) {
  if (2 * (texts_.size() + 1) > table_.size()) Grow();
  const std::size_t at = Find(text);
  if (table_[at] != 0) return false;
  texts_.push_back(text);
  table_[at] = static_cast<std::uint32_t>(texts_.size());
  return true;
}

std::optional<std::size_t> TextSet::IndexOf(std::string_view text) const {
  const std::uint32_t number = table_.empty() ? 0 : table_[Find(text)];
  if (number == 0) return std::nullopt;
  return number - 1;
}

std::size_t TextSet::Find(std::string_view text) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = static_cast<std::size_t>(Fingerprint().Add(text).value()) & mask;
  while (table_[at] != 0 && texts_[table_[at] - 1] != text) at = (at + 1) & mask;
  return at;
}

void TextSet::Grow() {
  constexpr std::size_t kFirstSize = 64;  // A power of two, like all that follow.
  const std::size_t size = table_.empty() ? kFirstSize : 4 * table_.size();
  table_.assign(size, 0);
  for (std::uint32_t i = 0; i < texts_.size(); ++i) table_[Find(texts_[i])] = i + 1;
}

}  // namespace shardline
