// The counters' readers of answers, on any bytes. If the decoder of whole answers reads the same
// answer, both agree.

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "counter/answers.h"
#include "exactly_once/marker.h"
#include "exactly_once/member.h"
#include "firestore/value_codec.h"
#include "fuzz/fuzz.h"
#include "unit/support/text.h"

namespace shardline {
namespace {

// A document that is found in recorded answers.
constexpr std::string_view kDocument = "projects/demo/databases/(default)/documents/types/none";

const Value* Find(const Map& fields, const FieldPath& path) {
  const Map* map = &fields;
  const Value* value = nullptr;
  for (const std::string& name : path.segments()) {
    value = map == nullptr ? nullptr : map->Find(name);
    if (value == nullptr) return nullptr;
    map = value->As<Map>();
  }
  return value;
}

std::optional<Amount> NumberIn(const Map& fields, const FieldPath& path) {
  const Value* value = Find(fields, path);
  if (value == nullptr) return std::nullopt;
  if (const auto* integer = value->As<std::int64_t>()) return Amount::Integer(*integer);
  if (const auto* number = value->As<double>()) return Amount::Double(*number);
  return std::nullopt;
}

// The amount that a document counts, by the documentation of answers.h.
std::optional<Amount> Expected(const std::string& name, const Map& document,
                               const FieldPath& path) {
  const std::optional<Amount> plain = NumberIn(document, path);
  const Value* updates = document.Find("_updates_");
  const Array* list = updates ? updates->As<Array>() : nullptr;
  if (!IsPartial(name) || list == nullptr) return plain;
  Sum sum;
  bool counts = false;
  for (const Value& update : list->elements) {
    const Map* members = update.As<Map>();
    const Value* data = members ? members->Find("_data_") : nullptr;
    const Map* fields = data ? data->As<Map>() : nullptr;
    const std::optional<Amount> amount = fields ? NumberIn(*fields, path) : std::nullopt;
    if (!amount) continue;
    sum.Add(*amount);
    counts = true;
  }
  if (!counts) return plain;
  if (plain) sum.Add(*plain);
  return sum.Total();
}

bool Same(const std::optional<Amount>& a, const std::optional<Amount>& b) {
  if (!a || !b || !a->is_double() || !b->is_double()) return a == b;
  return a->number() == b->number() || (a->number() != a->number() && b->number() != b->number());
}

// JSON in which no object has the same key twice; the meaning of a second one is undefined.
bool IsUnambiguous(std::string_view text) {
  bool unambiguous = true;
  std::vector<std::set<std::string>> open;
  const auto note = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second) {
      unambiguous = false;
    }
    return true;
  };
  return !nlohmann::json::parse(text, note, false).is_discarded() && unambiguous;
}

void Decode(const PaddedText& body) {
  MarkerReading marker;
  static_cast<void>(DecodeMarker(body, kDocument, marker));
  MemberState member;
  static_cast<void>(DecodeMember(body, kDocument, member));
  for (const char* const text : {"count", "stats.visits"}) {
    const FieldPath path = FieldPath::Parse(text).value();
    CountedDocuments counts;
    const Status decoded = DecodeCounts(body, path, counts, StreamedAnswer::kDocuments);
    Require(decoded || !decoded.error().message.empty(), "an error has a message");
    if (!decoded) continue;
    for (const CountedDocument& document : counts.documents) {
      Require(!document.amount || document.has_field || IsPartial(document.name),
              "what counts has the field");
    }
    if (!IsUnambiguous(body.view())) continue;
    DocumentsAnswer whole(body);
    for (const CountedDocument& document : counts.documents) {
      Require(whole.Next() && document.name == whole.document().name, "names");
      const Map fields = whole.document().fields.Read(DecodeFields);
      if (!whole.scanner().ok()) break;
      Require(Same(document.amount, Expected(document.name, fields, path)), "amounts");
    }
  }
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  shardline::Decode(shardline::Text(shardline::Input(data, size)));
  return 0;
}
