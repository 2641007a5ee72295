#include "operation/read_many.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/reason.h"
#include "firestore/query.h"
#include "firestore/write.h"

namespace shardline {
namespace {

// Bounds a request, which holds quotes, commas and other members besides; and each byte may take
// six with its escape.
constexpr std::size_t kMostBytes = kMaxRequestBytes / 6 - 10'000;

}  // namespace

ReadMany::ReadMany(OperationContext& context, std::vector<std::string> names,
                   const FieldPath* field)
    : Operation(context, Patience::kShort), names_(std::move(names)), values_(names_.size()) {
  std::size_t first = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::size_t size = names_[i].size() + 3;
    if (bytes + size > kMostBytes) {
      SendPart(first, i, field);
      first = i;
      bytes = 0;
    }
    bytes += size;
  }
  if (first < names_.size()) SendPart(first, names_.size(), field);
  if (parts_.empty()) Finish();
}

void ReadMany::SendPart(std::size_t first, std::size_t end, const FieldPath* field) {
  const auto at = [&](std::size_t i) { return names_.begin() + static_cast<std::ptrdiff_t>(i); };
  const CallId call = Send({.path = database().UrlPath(":batchGet"),
                            .body = EncodeBatchGet({at(first), at(end)}, field)});
  parts_.push_back({call, first, end});
  ++parts_left_;
}

Result<Billed> ReadMany::OnAnswer(CallId id, PaddedText& body) {
  const auto part =
      std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.call == id; });
  assert(part != parts_.end());
  Found found;
  SHARDLINE_CHECK(Decode(body, found));
  for (std::size_t i = part->first; i < part->end; ++i) {
    const auto value = found.find(names_[i]);
    if (value == found.end()) {
      return Fail(kAnswerUnreadable, "it does not hold all documents that were asked for")
          .With("http", "200");
    }
    values_[i] = value->second;
  }
  if (--parts_left_ == 0) Finish();
  return Billed{.reads = static_cast<std::int64_t>(found.size())};
}

void ReadMany::WriteValues(JsonWriter& writer) const {
  writer.BeginArray();
  for (const std::string& value : values_) writer.Raw(value);
  writer.EndArray();
}

}  // namespace shardline
