#include "sharded_query/kept_pages.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace shardline {
namespace {

constexpr std::size_t kMaxPages = 4;
constexpr std::size_t kMaxBytes = std::size_t{4} * 1024 * 1024;  // Bounds one page.

}  // namespace

KeptPages& KeptPages::Of(OperationContext& context) {
  if (!context.page_leftovers) context.page_leftovers = std::make_unique<KeptPages>();
  return static_cast<KeptPages&>(*context.page_leftovers);
}

void KeptPages::Keep(std::string key, std::vector<ChunkScan> rest) {
  std::size_t size = 0;
  for (const ChunkScan& chunk : rest) size += chunk.size();
  if (size > kMaxBytes) return;
  std::erase_if(pages_, [&](const Page& page) { return page.key == key; });
  if (pages_.size() == kMaxPages) pages_.erase(pages_.begin());
  pages_.push_back({std::move(key), std::move(rest)});
}

std::vector<ChunkScan> KeptPages::Take(const std::string& key) {
  const auto at =
      std::find_if(pages_.begin(), pages_.end(), [&](const Page& page) { return page.key == key; });
  if (at == pages_.end()) return {};
  std::vector<ChunkScan> rest = std::move(at->rest);
  pages_.erase(at);
  return rest;
}

}  // namespace shardline
