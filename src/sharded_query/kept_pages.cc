#include "sharded_query/kept_pages.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace shardline {
namespace {

constexpr Duration kMaxAge = std::chrono::seconds(1);
constexpr Duration kMaxAgeOfSnapshot = std::chrono::hours(1);
constexpr std::size_t kMaxPages = 4;
constexpr std::size_t kMaxBytes = std::size_t{4} * 1024 * 1024;  // Bounds one page.

}  // namespace

KeptPages& KeptPages::Of(OperationContext& context) {
  if (!context.page_leftovers) context.page_leftovers = std::make_unique<KeptPages>();
  return static_cast<KeptPages&>(*context.page_leftovers);
}

void KeptPages::Keep(Page page) {
  std::size_t size = 0;
  for (const ChunkScan& chunk : page.chunks) size += chunk.size();
  if (size > kMaxBytes) return;
  // The latest leftovers belong to the page that was read last.
  std::erase_if(pages_, [&](const Page& kept) { return kept.token == page.token; });
  if (pages_.size() == kMaxPages) pages_.erase(pages_.begin());
  pages_.push_back(std::move(page));
}

std::vector<ChunkScan> KeptPages::Take(const std::string& token, const std::string& selection,
                                       Instant now, std::uint64_t writes_ended) {
  const auto at = std::find_if(pages_.begin(), pages_.end(),
                               [&](const Page& page) { return page.token == token; });
  if (at == pages_.end()) return {};
  Page page = std::move(*at);
  pages_.erase(at);
  const bool is_fresh = page.is_snapshot
                            ? now - page.at <= kMaxAgeOfSnapshot
                            : now - page.at <= kMaxAge && page.writes_ended == writes_ended;
  if (page.selection != selection || !is_fresh) return {};
  return std::move(page.chunks);
}

}  // namespace shardline
