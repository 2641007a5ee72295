#include "sharded_query/document_head.h"

#include <optional>

#include "base/json_scanner.h"

namespace shardline {
namespace {

bool ReadTime(std::string_view text, Timestamp& time) {
  const std::optional<Timestamp> read = Timestamp::Parse(text);
  time = read.value_or(Timestamp{});
  return read.has_value();
}

}  // namespace

bool DocumentHead::ReadName(std::string_view raw) {
  name = raw;
  id = raw;
  if (raw.find('\\') != std::string_view::npos) {
    id_storage.clear();
    if (!AppendUnescaped(id_storage, raw)) return false;
    id = id_storage;
  }
  id.remove_prefix(id.rfind('/') + 1);
  return true;
}

bool DocumentHead::ReadCreateTime(std::string_view text) { return ReadTime(text, create_time); }

bool DocumentHead::ReadUpdateTime(std::string_view text) { return ReadTime(text, update_time); }

}  // namespace shardline
