#include "sharded_query/answer_reader.h"

#include <bit>
#include <cstring>

#include "base/lanes.h"
#include "firestore/server_error.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Takes JSON apart from its end.
class BackwardReader {
 public:
  explicit BackwardReader(std::string_view text) : text_(text) {}

  // Takes `token` and the white space behind it; false if it is not there.
  bool Take(std::string_view token) {
    while (!text_.empty() && IsSpace(text_.back())) text_.remove_suffix(1);
    if (text_.size() < token.size() || text_.substr(text_.size() - token.size()) != token) {
      return false;
    }
    text_.remove_suffix(token.size());
    return true;
  }
  // Takes the characters that timestamps and numbers consist of.
  void TakeDigits() {
    constexpr std::string_view kDigits = "0123456789-:.TZ";
    while (!text_.empty() && kDigits.find(text_.back()) != std::string_view::npos) {
      text_.remove_suffix(1);
    }
  }

 private:
  std::string_view text_;
};

// True if the body ends as a complete answer does: in an element whose last member is its read time
// or `done`. A body that was cut off cannot end so, as inside documents neither name has such a
// value.
bool EndsComplete(std::string_view body) {
  BackwardReader reader(body);
  if (!reader.Take("]") || !reader.Take("}")) return false;
  if (reader.Take("true")) return reader.Take(":") && reader.Take("\"done\"");
  if (!reader.Take("\"")) return false;
  reader.TakeDigits();
  return reader.Take("\"") && reader.Take(":") && reader.Take("\"readTime\"");
}

// Walks all elements without looking into them.
Status CheckElements(const PaddedText& body) {
  JsonScanner scanner(body);
  std::string_view key;
  bool failed = false;
  const auto element = [&] {
    if (!scanner.BeginObject()) return;
    while (scanner.NextKey(key)) {
      if (key == "error") failed = true;
      scanner.SkipValue();
    }
  };
  if (scanner.Peek() == JsonScanner::Kind::kObject) {
    element();  // Only an error comes without an array around it.
    if (!failed) scanner.Reject("an array was expected");
  } else if (scanner.BeginArray()) {
    while (scanner.NextElement()) element();
  }
  // The error is what the answer says even if it breaks off behind it. The status of the HTTP
  // answer was success, so it says nothing.
  if (failed) return Fail(DecodeServerError(500, body));
  if (!scanner.Finish()) return Fail(scanner.error("the answer to the query"));
  return {};
}

// Reads the sort key at `path`, from its segment `depth` on, out of an object of values.
bool ReadKey(std::string_view fields, const FieldPath& path, std::size_t depth, SortKey& key) {
  if (fields.empty()) return false;
  JsonScanner scanner = JsonScanner::Within(fields);
  std::string_view name;
  scanner.BeginObject();
  while (scanner.NextKey(name)) {
    if (!RawEquals(name, path.segments()[depth])) {
      scanner.SkipValue();
      continue;
    }
    if (depth + 1 == path.segments().size()) {
      key.Read(scanner);
      return scanner.ok();
    }
    JsonScanner value = JsonScanner::Within(scanner.SkipValue());
    if (!scanner.ok() || !value.BeginObject() || !value.NextKey(name) ||
        WireKindOf(name) != WireKind::kMap || !value.BeginObject() || !value.NextKey(name)) {
      return false;
    }
    return ReadKey(value.SkipValue(), path, depth + 1, key);
  }
  return false;
}

bool ReadId(DocumentHead& head) {
  head.id = head.name;
  if (head.name.find('\\') != std::string_view::npos) {
    head.id_storage.clear();
    if (!AppendUnescaped(head.id_storage, head.name)) return false;
    head.id = head.id_storage;
  }
  head.id.remove_prefix(head.id.rfind('/') + 1);
  return true;
}

}  // namespace

Status CheckAnswer(const PaddedText& body) {
  const std::string_view view = body.view();
  const std::size_t start = view.find_first_not_of(" \r\n\t");
  const bool is_array = start != std::string_view::npos && view[start] == '[';
  if (is_array && EndsComplete(view)) return {};
  return CheckElements(body);
}

// Every document has exactly one "createTime" with a string behind it: a field of that name has an
// object behind it, and in a string the quotes would be escaped.
std::size_t CountDocuments(const PaddedText& body) {
  constexpr std::string_view kKey = "\"createTime\"";
  constexpr std::ptrdiff_t kFirst = 1;   // c
  constexpr std::ptrdiff_t kSecond = 7;  // T
  const char* const begin = body.view().data();
  const char* const end = begin + body.view().size();
  std::size_t count = 0;
  const auto check = [&](const char* at) {
    if (end - at < static_cast<std::ptrdiff_t>(kKey.size()) ||
        std::memcmp(at, kKey.data(), kKey.size()) != 0) {
      return;
    }
    at += kKey.size();
    while (IsSpace(*at)) ++at;
    if (*at++ != ':') return;
    while (IsSpace(*at)) ++at;
    if (*at == '"') ++count;
  };
  for (const char* lane = begin; lane < end; lane += 16) {
    std::uint32_t hits = Lanes::Pairs(lane + kFirst, kKey[kFirst], lane + kSecond, kKey[kSecond]);
    for (; hits != 0; hits &= hits - 1) check(lane + std::countr_zero(hits));
  }
  return count;
}

bool AnswerReader::Next(const std::vector<FieldPath>& order_fields, DocumentHead& head) {
  std::string_view key;
  bool found = false;
  while (!found && !ended_) {
    if (!scanner_.NextElement()) {
      ended_ = true;
      scanner_.Finish();
      return false;
    }
    scanner_.BeginObject();
    while (scanner_.NextKey(key)) {
      if (key == "document") {
        found = true;
        ReadDocument(order_fields, head);
      } else if (key == "readTime" && read_time_.empty()) {
        read_time_ = scanner_.RawString();
      } else if (key == "error") {
        scanner_.Reject("it holds an error");
      } else {
        scanner_.SkipValue();
      }
    }
  }
  return found && scanner_.ok();
}

void AnswerReader::ReadDocument(const std::vector<FieldPath>& order_fields, DocumentHead& head) {
  std::string_view key;
  head.name = head.fields = head.create_time = head.update_time = {};
  scanner_.BeginObject();
  while (scanner_.NextKey(key)) {
    if (key == "name") {
      head.name = scanner_.RawString();
    } else if (key == "fields") {
      head.fields = scanner_.SkipValue();
    } else if (key == "createTime") {
      head.create_time = scanner_.RawString();
    } else if (key == "updateTime") {
      head.update_time = scanner_.RawString();
    } else {
      scanner_.SkipValue();
    }
  }
  head.keys.resize(order_fields.size());
  for (std::size_t i = 0; i < order_fields.size() && scanner_.ok(); ++i) {
    if (!ReadKey(head.fields, order_fields[i], 0, head.keys[i])) {
      scanner_.Reject("a document lacks a field that it was sorted by");
    }
  }
  if (!ReadId(head)) scanner_.Reject("a document's name is not valid Unicode");
}

}  // namespace shardline
