// The JSON scanner on any bytes: the same with SIMD and without, at every alignment, and the same
// as nlohmann/json.

#include <nlohmann/json.hpp>
#include <string>

#include "base/json_scanner.h"
#include "fuzz/fuzz.h"
#include "unit/support/json_walk.h"
#include "unit/support/scalar_scanner.h"

namespace shardline {
namespace {

void RequireSameWithoutSimd(std::string_view text) {
  const std::size_t shifts = text.size() < 300 ? 16 : 1;
  for (std::size_t shift = 0; shift < shifts; ++shift) {
    const std::string shifted = std::string(shift, ' ') + std::string(text);
    Require(Transcript(shifted) == ScalarTranscript(shifted), "SIMD changes nothing");
  }
}

void RequireSameAsNlohmann(std::string_view text) {
  // nlohmann/json takes a zero byte for the end, and skips a byte order mark.
  if (text.find('\0') != std::string_view::npos || text.starts_with("\xEF\xBB\xBF")) return;
  const PaddedText padded = Text(text);
  JsonScanner scanner(padded);
  const nlohmann::json ours = ReadValue(scanner);
  const bool accepted = scanner.Finish();
  if (Complaint(scanner).find("the test does not go deeper") != std::string::npos) return;
  const nlohmann::json theirs = nlohmann::json::parse(text, nullptr, false);
  Require(accepted == !theirs.is_discarded(), "nlohmann/json accepts the same");
  Require(!accepted || ours == theirs, "nlohmann/json reads the same");
}

// A skipped value can be read again from its slice.
void RequireSlicesToBeWhole(std::string_view text) {
  const PaddedText padded = Text(text);
  JsonScanner scanner(padded);
  const std::string_view slice = scanner.SkipValue();
  if (!scanner.ok()) return;
  JsonScanner within = JsonScanner::Within(slice);
  Require(within.SkipValue() == slice && within.Finish(), "a slice is a whole value");
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = shardline::Input(data, size);
  shardline::RequireSameWithoutSimd(text);
  shardline::RequireSameAsNlohmann(text);
  shardline::RequireSlicesToBeWhole(text);
  return 0;
}
