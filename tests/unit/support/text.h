#pragma once

#include <string>
#include <string_view>

#include "base/json_scanner.h"
#include "base/padded_text.h"

namespace shardline {

// The text in memory that ends right behind the guard, so that AddressSanitizer sees whoever reads
// further.
inline PaddedText Text(std::string_view text) { return PaddedText(text); }

// What a scanner has to complain about; empty for nothing.
inline std::string Complaint(const JsonScanner& scanner) {
  return scanner.ok() ? "" : scanner.failure("it").error().message;
}

}  // namespace shardline
