// Index files, and links to missing indexes, of any bytes: no call aborts, every refusal says why,
// and a rewritten file stays the same when it is rewritten again.

#include <nlohmann/json.hpp>
#include <string>

#include "base/base64.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "indexes/audit.h"
#include "indexes/index_file.h"
#include "indexes/missing_index.h"
#include "indexes/rewrite.h"

namespace shardline {
namespace {

void TryFile(std::string_view text) {
  const Result<IndexFile> file = IndexFile::Parse(text);
  RequireReason(file);
  if (!file) return;
  const std::string written = file->root().dump();
  const Result<IndexFile> again = IndexFile::Parse(written);
  Require(again && again->root().dump() == written, "a file reads back as it was");
  static_cast<void>(Audit(*file, RisingFields()));
  const FieldPath shard = *FieldPath::Parse("shard");
  const FieldPath order = *FieldPath::Parse("timestamp");
  const RewritePlan plan{{{"instruments", shard, order, IndexScope::kCollection, std::nullopt}},
                         {{"instruments", order, true, "why"}}};
  const Result<RewrittenIndexes> once = Rewrite(text, plan);
  Require(once.has_value(), "a file that can be read can be rewritten");
  const Result<RewrittenIndexes> twice = Rewrite(once->text, plan);
  Require(twice && twice->changes.empty() && twice->text == once->text,
          "to rewrite it again changes nothing");
}

void TryLink(std::string_view text) {
  const Result<MissingIndex> missing = ReadMissingIndex(text);
  RequireReason(missing);
  if (!missing) return;
  const std::string written =
      nlohmann::ordered_json({{missing->is_single_field ? "fieldOverrides" : "indexes",
                               nlohmann::ordered_json::array({missing->entry})}})
          .dump();
  const Result<IndexFile> file = IndexFile::Parse(written);
  Require(file.has_value(), "the entry belongs into a file");
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = shardline::Input(data, size);
  shardline::TryFile(text);
  shardline::TryLink(text);
  // Base64 of the rest, so that the fuzzer gets behind it.
  shardline::TryLink("create_composite=" + shardline::EncodeBase64Url(text));
  const shardline::PaddedText arguments(text);
  shardline::RequireReason(shardline::AuditIndexes(arguments));
  shardline::RequireReason(shardline::ExplainMissingIndex(arguments));
  return 0;
}
