#include "sharded_query/document_reader.h"

#include <cstdint>
#include <string_view>

#include "base/json_members.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

Timestamp ReadTime(JsonScanner& scanner, std::string_view text) {
  const std::optional<Timestamp> time = Timestamp::Parse(text);
  if (!time) scanner.Reject("a document's time is malformed");
  return time.value_or(Timestamp{});
}

// Appends ",seconds,nanoseconds".
void WriteTime(PlainText& out, Timestamp time) {
  out.Put(',');
  out.PutInt(time.seconds());
  out.Put(',');
  out.PutInt(time.nanoseconds());
}

std::weak_ordering Turned(std::weak_ordering order, Direction direction) {
  return direction == Direction::kDescending ? 0 <=> order : order;
}

std::vector<FieldPath> KeyFields(const QueryPlan& plan) {
  std::vector<FieldPath> fields;
  for (const Order& order : plan.orders()) {
    if (!order.field.IsDocumentName()) fields.push_back(order.field);
  }
  if (plan.is_sharded()) fields.push_back(plan.shard_field());
  return fields;
}

}  // namespace

bool HeadReader::Read(JsonScanner& scanner, DocumentHead& head) {
  bool has_name = false;
  bool has_fields = false;
  std::string_view create_time;
  std::string_view update_time;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("name")) {
      has_name = ReadName(scanner, head);
    } else if (members.Is("fields")) {
      has_fields = true;
      writer_.Read(scanner, head.fields);
    } else if (members.Is("createTime")) {
      create_time = scanner.RawString();
    } else if (members.Is("updateTime")) {
      update_time = scanner.RawString();
    }
  }
  if (!has_name || create_time.empty() || update_time.empty()) {
    scanner.Reject("a document lacks its name or its times");
  }
  head.create_time = ReadTime(scanner, create_time);
  // Most documents were never updated.
  head.update_time = update_time == create_time ? head.create_time : ReadTime(scanner, update_time);
  if (!has_fields) {
    static constexpr char kNoFields[2 + PaddedText::kGuard] = {'{', '}'};
    JsonScanner nothing = JsonScanner::Within({kNoFields, 2});
    writer_.Read(nothing, head.fields);
  }
  return has_fields;
}

bool HeadReader::ReadName(JsonScanner& scanner, DocumentHead& head) const {
  std::string_view name = scanner.RawString();
  head.has_escapes = scanner.has_escapes();
  if (head.has_escapes) {
    head.unescaped_id.clear();
    if (!AppendUnescaped(head.unescaped_id, name)) {
      scanner.Reject("a document's name is not valid Unicode");
    }
    name = head.unescaped_id;
  }
  const std::string_view id = name.substr(name.size() < prefix_.size() ? 0 : prefix_.size());
  if (name.substr(0, prefix_.size()) != prefix_ || id.empty() ||
      id.find('/') != std::string_view::npos) {
    scanner.Reject("a document is of another collection than was asked for");
  } else if (head.has_escapes) {
    head.unescaped_id.erase(0, prefix_.size());
  } else {
    head.plain_id = id;
  }
  return true;
}

void WriteDocument(PlainText& out, const DocumentHead& head) {
  out.Put('[');
  if (head.has_escapes) {
    out.PutText(JsonWriter().String(head.id()).text());
  } else {
    out.PutQuoted(head.id());
  }
  out.Put(',');
  out.PutText(head.fields.json());
  out.Put(',');
  out.PutInt(static_cast<std::int64_t>(head.fields.shape));
  WriteTime(out, head.create_time);
  if (head.update_time != head.create_time) WriteTime(out, head.update_time);
  out.Put(']');
}

DocumentReader::DocumentReader(const QueryPlan& plan, const DatabaseName& database)
    : plan_(plan),
      key_fields_(KeyFields(plan)),
      reader_(database.documents() + '/' + plan.collection().text() + '/', key_fields_,
              plan.projection()) {}

void DocumentReader::Read(JsonScanner& scanner, std::size_t chunk, DocumentHead& head) {
  // A document of a query that sorts by a field has fields.
  if (!reader_.Read(scanner, head) && !key_fields_.empty()) {
    scanner.Reject("a document has no fields");
  }
  if (scanner.ok() && plan_.is_sharded() && !plan_.HasShard(chunk, head.fields.keys.back())) {
    scanner.Reject("a document is of a shard that was not asked for");
  }
}

std::weak_ordering DocumentReader::Compare(const DocumentHead& a, const DocumentHead& b) const {
  const std::vector<Order>& orders = plan_.orders();
  for (std::size_t i = 0; i + 1 < orders.size(); ++i) {
    const std::weak_ordering order =
        SortKey::Compare(a.fields.keys[i], b.fields.keys[i], long_values_);
    if (order != 0) return Turned(order, orders[i].direction);
  }
  return Turned(CompareNames(a.id(), b.id()), orders.back().direction);
}

bool DocumentReader::IsBehind(const DocumentHead& head, const Position& start) const {
  const std::vector<Order>& orders = plan_.orders();
  std::weak_ordering order = std::weak_ordering::equivalent;
  for (std::size_t i = 0; i < start.values.size() && order == 0; ++i) {
    const PaddedText value(start.values.json(i));
    JsonScanner scanner(value);
    SortKey key;
    if (i + 1 < orders.size()) {
      key.Read(scanner);
      order = SortKey::Compare(head.fields.keys[i], key, long_values_);
    } else {
      std::string name = prefix();
      name += head.id();
      order = CompareValues({Reference{std::move(name)}}, DecodeValue(scanner));
    }
    order = Turned(order, orders[i].direction);
  }
  return start.before ? order >= 0 : order > 0;
}

Position DocumentReader::PositionOf(const DocumentHead& head) const {
  Position position;
  for (std::size_t i = 0; i + 1 < plan_.orders().size(); ++i) {
    position.values.Add(head.fields.keys[i].encoded());
  }
  std::string name = prefix();
  name += head.id();
  position.values.Add(EncodedValue::Reference(name));
  return position;
}

}  // namespace shardline
