#include "sharded_query/answer_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/lanes.h"
#include "firestore/server_error.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

// What memcmp says of a fixed number of bytes, without calling it: WASM has no such instruction.
template <std::size_t kSize>
bool SameBytes(const char* a, const char* b) {
  bool same = true;
  for (std::size_t i = 0; i < kSize; i += 4) {
    // The last four may overlap the ones before them.
    const std::size_t at = i + 4 <= kSize ? i : kSize - 4;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::memcpy(&x, a + at, 4);
    std::memcpy(&y, b + at, 4);
    same = same && x == y;
  }
  return same;
}

template <std::size_t kSize>
bool Is(std::string_view text, const char (&name)[kSize]) {
  return text.size() == kSize - 1 && SameBytes<kSize - 1>(text.data(), name);
}

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
      if (Is(key, "error")) failed = true;
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
  if (!scanner.Finish()) return scanner.failure("the answer to the query");
  return {};
}

}  // namespace

Status CheckAnswer(const PaddedText& body) {
  const std::string_view view = body.view();
  const std::size_t start = view.find_first_not_of(" \r\n\t");
  const bool is_array = start != std::string_view::npos && view[start] == '[';
  if (is_array && EndsComplete(view)) return {};
  return CheckElements(body);
}

namespace {

// Finds the "createTime" of the next document, from `at` on; where it ends, or null. Every document
// has exactly one with a string behind it: a field of that name has an object behind it, and in a
// string the quotes would be escaped.
const char* NextDocument(const char* at, const char* end) {
  constexpr std::string_view kKey = "\"createTime\"";
  constexpr std::ptrdiff_t kFirst = 1;   // c
  constexpr std::ptrdiff_t kSecond = 7;  // T
  for (; at < end; at += 16) {
    std::uint32_t hits = Lanes::Pairs(at + kFirst, kKey[kFirst], at + kSecond, kKey[kSecond]);
    for (; hits != 0; hits &= hits - 1) {
      const char* found = at + std::countr_zero(hits);
      if (end - found < static_cast<std::ptrdiff_t>(kKey.size()) ||
          !SameBytes<kKey.size()>(found, kKey.data())) {
        continue;
      }
      found += kKey.size();
      while (IsSpace(*found)) ++found;
      if (*found++ != ':') continue;
      while (IsSpace(*found)) ++found;
      if (*found == '"') return found;
    }
  }
  return nullptr;
}

}  // namespace

std::size_t CountDocuments(const PaddedText& body, std::size_t limit) {
  const char* const begin = body.view().data();
  const char* const end = begin + body.view().size();
  std::size_t count = 0;
  // Documents of a collection are of much the same size: leap to just before where the next one
  // ends if it is as short as the shortest so far. This finds at most as many as there are.
  std::ptrdiff_t shortest = 0;
  const char* last = NextDocument(begin, end);
  while (last != nullptr && ++count < limit) {
    const std::ptrdiff_t leap = shortest - shortest / 32;
    const char* const next = end - last > leap ? NextDocument(last + leap, end) : nullptr;
    if (next == nullptr) break;
    shortest = shortest == 0 ? next - last : std::min(shortest, next - last);
    last = next;
  }
  if (count == limit) return count;
  count = 0;
  for (const char* at = begin; (at = NextDocument(at, end)) != nullptr;) ++count;
  return count;
}

bool AnswerReader::Next(PlainWriter& writer, DocumentHead& head) {
  while (!ended_) {
    if (!scanner_.NextElement()) {
      ended_ = true;
      scanner_.Finish();
      return false;
    }
    scanner_.Peek();
    std::string_view read_time;
    if (writer.stencil().Read(scanner_, writer, head, read_time)) {
      if (read_time_.empty()) read_time_ = read_time;
      return true;
    }
    if (ReadElement(writer, head)) return scanner_.ok();
  }
  return false;
}

bool AnswerReader::ReadElement(PlainWriter& writer, DocumentHead& head) {
  Stencil& stencil = writer.stencil();
  std::string_view key;
  bool found = false;
  stencil.Begin(scanner_.position());
  scanner_.BeginObject();
  while (scanner_.NextKey(key)) {
    if (Is(key, "document")) {
      found = true;
      ReadDocument(writer, head);
    } else if (Is(key, "readTime")) {
      const std::string_view read_time = scanner_.RawString();
      stencil.Add(Stencil::Kind::kReadTime, read_time);
      if (read_time_.empty()) read_time_ = read_time;
    } else if (Is(key, "error")) {
      scanner_.Reject("it holds an error");
    } else {
      stencil.GiveUp();
      scanner_.SkipValue();
    }
  }
  if (found && scanner_.ok()) stencil.End(scanner_.position(), head.fields);
  return found;
}

void AnswerReader::ReadDocument(PlainWriter& writer, DocumentHead& head) {
  Stencil& stencil = writer.stencil();
  std::string_view key;
  std::string_view name;
  std::string_view create_time;
  std::string_view update_time;
  bool has_fields = false;
  scanner_.BeginObject();
  while (scanner_.NextKey(key)) {
    if (Is(key, "name")) {
      name = scanner_.RawString();
      stencil.Add(Stencil::Kind::kName, name);
    } else if (Is(key, "fields")) {
      has_fields = true;
      writer.Read(scanner_, head.fields);
    } else if (Is(key, "createTime")) {
      create_time = scanner_.RawString();
      stencil.Add(Stencil::Kind::kCreateTime, create_time);
    } else if (Is(key, "updateTime")) {
      update_time = scanner_.RawString();
      stencil.Add(Stencil::Kind::kUpdateTime, update_time);
    } else {
      stencil.GiveUp();
      scanner_.SkipValue();
    }
  }
  // A document is sorted by at least one field, so it has some.
  if (!has_fields) scanner_.Reject("a document lacks a field that it was sorted by");
  if (!head.ReadCreateTime(create_time) || !head.ReadUpdateTime(update_time)) {
    scanner_.Reject("a document's time is malformed");
  }
  if (!head.ReadName(name)) scanner_.Reject("a document's name is not valid Unicode");
}

}  // namespace shardline
