#include "exactly_once/read_members.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <string_view>
#include <utility>

#include "exactly_once/member.h"
#include "firestore/answers.h"
#include "firestore/query.h"
#include "firestore/write.h"

namespace shardline {
namespace {

// Of a request: quotes, a comma, what encloses the names; and each byte may take six with its
// escape.
constexpr std::size_t kMostBytes = kMaxRequestBytes / 6 - 100;

}  // namespace

ReadMembers::ReadMembers(OperationContext& context, std::vector<std::string> names)
    : Operation(context), names_(std::move(names)), members_(names_.size()) {
  std::size_t first = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::size_t size = names_[i].size() + 3;
    if (bytes + size > kMostBytes) {
      SendPart(first, i);
      first = i;
      bytes = 0;
    }
    bytes += size;
  }
  if (first < names_.size()) SendPart(first, names_.size());
  if (parts_.empty()) Finish();
}

void ReadMembers::SendPart(std::size_t first, std::size_t end) {
  const auto at = [&](std::size_t i) { return names_.begin() + static_cast<std::ptrdiff_t>(i); };
  const CallId call =
      Send({.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({at(first), at(end)})});
  parts_.push_back({call, first, end});
  ++parts_left_;
}

Result<Billed> ReadMembers::OnAnswer(CallId id, PaddedText& body) {
  const auto part =
      std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.call == id; });
  assert(part != parts_.end());
  std::map<std::string, bool, std::less<>> found;
  DocumentsAnswer answer(body);
  while (answer.Next()) found[answer.document().name] = IsMember(answer.document());
  bool is_complete = true;
  for (std::size_t i = part->first; i < part->end; ++i) {
    is_complete = is_complete && found.contains(names_[i]);
  }
  if (!is_complete) answer.scanner().Reject("a document that was asked for is not in the answer");
  SHARDLINE_CHECK(answer.Finish());
  for (std::size_t i = part->first; i < part->end; ++i) members_[i] = found[names_[i]];
  if (--parts_left_ == 0) Finish();
  return Billed{.reads = static_cast<std::int64_t>(found.size())};
}

void ReadMembers::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("members").BeginArray();
  for (const bool is_member : members_) writer.Boolean(is_member);
  writer.EndArray().EndObject();
}

}  // namespace shardline
