#include "base/padded_text.h"

#include <cstring>

namespace shardline {

PaddedText::PaddedText(std::string_view text) : PaddedText(Allocate(text.size()), text.size()) {
  if (!bytes_) std::abort();  // Out of memory, as `new` would.
  if (!text.empty()) std::memcpy(bytes_.get(), text.data(), text.size());
}

char* PaddedText::Allocate(std::size_t size) {
  char* bytes = static_cast<char*>(std::malloc(size + kGuard));
  if (bytes != nullptr) std::memset(bytes + size, 0, kGuard);
  return bytes;
}

}  // namespace shardline
