#include "sharded_query/page_token.h"

#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/reason.h"
#include "firestore/timestamp.h"

namespace shardline {
namespace {

// The version: it goes up with every change of a token's content.
constexpr std::int64_t kVersion = 1;

}  // namespace

Failure BadPageToken() {
  return Fail(
      kTokenOfAnotherQuery,
      "The token given to continueFrom() belongs to another query: pass the `nextToken` of a "
      "page of the same query, filters, order and shards included.");
}

std::string PageToken::Encode() const {
  JsonWriter writer;
  writer.BeginArray().Int(kVersion).Int(static_cast<std::int64_t>(fingerprint)).String(read_time);
  for (std::size_t i = 0; i < values.size(); ++i) writer.Raw(values.json(i));
  writer.EndArray();
  return EncodeBase64Url(writer.text());
}

Result<PageToken> PageToken::Decode(std::string_view text, std::uint64_t fingerprint,
                                    std::size_t value_count) {
  const std::optional<std::string> json = DecodeBase64(text);
  if (!json) return BadPageToken();
  const PaddedText padded(*json);
  JsonScanner scanner(padded);
  const auto next_is = [&](std::int64_t expected) {
    return scanner.NextElement() && ParseInt64(scanner.RawNumber()) == expected;
  };
  PageToken token{fingerprint, {}, {}};
  if (!scanner.BeginArray() || !next_is(kVersion) ||
      !next_is(static_cast<std::int64_t>(fingerprint)) || !scanner.NextElement()) {
    return BadPageToken();
  }
  token.read_time = scanner.String();
  const bool time_ok = token.read_time.empty() || Timestamp::Parse(token.read_time);
  while (scanner.NextElement()) {
    if (!token.values.Read(scanner.SkipValue(), "continueFrom")) return BadPageToken();
  }
  if (!scanner.Finish() || !time_ok || token.values.size() != value_count) {
    return BadPageToken();
  }
  return token;
}

}  // namespace shardline
