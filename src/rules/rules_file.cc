#include "rules/rules_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/reason.h"
#include "rules/words.h"

namespace shardline {
namespace {

constexpr int kDeepest = 100;

// A recursive-descent parser: each method takes the part that it is named for from the front of the
// text. The first problem stays, and ends the parsing.
class RulesParser {
 public:
  explicit RulesParser(std::string_view text) : text_(text) {}

  Result<RulesFile> Run() {
    RulesFile file;
    SkipSpace();
    file.is_empty = AtEnd();
    while (!failed() && !AtEnd()) TakeTopLevel(file);
    if (!failed()) return file;
    return UnreadableRules(text_, problem_at_, problem_);
  }

 private:
  bool failed() const { return !problem_.empty(); }
  bool AtEnd() const { return at_ >= text_.size(); }
  char Next() const { return AtEnd() ? '\0' : text_[at_]; }

  void Refuse(std::size_t at, std::string problem) {
    if (failed()) return;
    problem_ = std::move(problem);
    problem_at_ = at;
  }

  // A text that nothing closes is refused, and ends the file.
  void SkipTo(std::string_view end, std::size_t start, const char* problem) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) Refuse(start, problem);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  bool SkipComment() {
    const std::string_view head = text_.substr(at_, 2);
    if (head == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (head == "/*") {
      const std::size_t start = at_;
      at_ += 2;
      SkipTo("*/", start, "a comment is not closed");
    } else {
      return false;
    }
    return true;
  }

  void SkipSpace() {
    while (!AtEnd()) {
      if (IsSpace(text_[at_])) {
        ++at_;
      } else if (!SkipComment()) {
        return;
      }
    }
  }

  void SkipString() {
    const std::size_t start = at_;
    const char quote = text_[at_++];
    while (!AtEnd() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (Next() != quote) Refuse(start, "a quote is not closed");
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view TakeWord() {
    SkipSpace();
    const std::size_t start = at_;
    while (!AtEnd() && IsWordCharacter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  bool Take(std::string_view token) {
    SkipSpace();
    if (failed() || text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  void Need(std::string_view token) {
    if (!Take(token)) Refuse(at_, "it lacks `" + std::string(token) + "`");
  }

  void TakeTopLevel(RulesFile& file) {
    SkipSpace();
    const std::size_t start = at_;
    const std::string_view word = TakeWord();
    if (word == "rules_version") {
      TakeVersion(file);
    } else if (word == "service") {
      TakeService(file, start);
    } else if (word == "function") {
      file.functions.push_back(TakeFunction());
    } else if (word == "import") {
      SkipTo(";", start, "an import has no end");
    } else {
      Refuse(start, "it must be `rules_version`, `service` or `function`");
    }
    while (Take(";")) {
    }
    SkipSpace();
  }

  void TakeVersion(RulesFile& file) {
    Need("=");
    SkipSpace();
    const std::size_t start = at_;
    if (Next() != '\'' && Next() != '"') return Refuse(at_, "the version must be in quotes");
    SkipString();
    if (failed()) return;
    file.version = {start, at_, std::string(text_.substr(start + 1, at_ - start - 2))};
  }

  void TakeService(RulesFile& file, std::size_t start) {
    std::string name(TakeWord());
    while (Take(".")) (name += '.') += TakeWord();
    RulesBlock service = TakeBlock(start);
    if (name != "cloud.firestore") return;
    if (file.firestore) Refuse(start, "it has the service cloud.firestore twice");
    file.firestore = std::move(service);
  }

  // From its opening brace on.
  RulesBlock TakeBlock(std::size_t start) {
    RulesBlock block;
    block.start = start;
    if (++depth_ > kDeepest) Refuse(start, "it has too many blocks inside each other");
    Need("{");
    block.open = at_ - 1;
    while (!failed() && !Take("}")) TakeStatement(block);
    block.close = at_ - 1;
    --depth_;
    return block;
  }

  void TakeStatement(RulesBlock& block) {
    SkipSpace();
    const std::size_t start = at_;
    if (AtEnd()) return Refuse(block.open, "a brace is not closed");
    if (Take(";")) return;
    const std::string_view word = TakeWord();
    if (word == "match") {
      RulesPath path = TakePath();
      block.blocks.push_back(TakeBlock(start));
      block.blocks.back().path = std::move(path);
    } else if (word == "allow") {
      block.allows.push_back(TakeAllow(start));
    } else if (word == "function") {
      block.functions.push_back(TakeFunction());
    } else {
      Refuse(start, "it must be `match`, `allow` or `function`");
    }
  }

  RulesPath TakePath() {
    SkipSpace();
    if (Next() != '/') Refuse(at_, "a path must begin with /");
    const std::size_t start = at_;
    while (!failed() && Next() == '/') {
      ++at_;
      if (Next() == '{') at_ = std::min(text_.find('}', at_), text_.size());
      while (!AtEnd() && !IsSpace(text_[at_]) && text_[at_] != '/' && text_[at_] != '{') ++at_;
    }
    return ParseRulesPath(text_.substr(start, at_ - start));
  }

  RulesAllow TakeAllow(std::size_t start) {
    RulesAllow allow;
    allow.start = start;
    do {
      allow.methods.emplace_back(TakeWord());
      if (allow.methods.back().empty()) Refuse(at_, "`allow` must name what it allows");
    } while (!failed() && Take(","));
    if (Take(":")) {
      const std::size_t before = at_;
      if (TakeWord() != "if") at_ = before;
      allow.condition = TakeCode();
    }
    Take(";");
    return allow;
  }

  RulesFunction TakeFunction() {
    RulesFunction function;
    function.name = TakeWord();
    const std::size_t start = at_;
    Need("(");
    do {
      if (const std::string_view name = TakeWord(); !name.empty()) {
        function.parameters.emplace_back(name);
      }
    } while (!failed() && Take(","));
    SkipTo(")", start, "a parenthesis is not closed");
    Need("{");
    function.body = TakeCode();
    Need("}");
    return function;
  }

  // Up to the bracket that closes the block around it. A condition also ends at its semicolon, or
  // at the next statement if it has none.
  std::string TakeCode() {
    const bool is_body = text_[at_ - 1] == '{';
    std::string code;
    std::string open;
    while (!AtEnd() && !failed()) {
      const std::size_t start = at_;
      const char c = text_[at_];
      if (open.empty() && (c == '}' || (c == ';' && !is_body))) break;
      if (SkipComment() || IsSpace(c)) {
        if (at_ == start) ++at_;
        if (!code.empty() && code.back() != ' ') code += ' ';
        continue;
      }
      if (c == '\'' || c == '"') {
        SkipString();
      } else if (IsWordCharacter(c)) {
        const std::string_view word = TakeWord();
        if (!is_body && open.empty() && EndsCondition(word, start)) {
          at_ = start;
          break;
        }
      } else {
        Match(c, open);
        ++at_;
      }
      code += text_.substr(start, at_ - start);
    }
    return code;
  }

  bool EndsCondition(std::string_view word, std::size_t start) const {
    return (word == "allow" || word == "match" || word == "function") && IsSpace(text_[start - 1]);
  }

  void Match(char c, std::string& open) {
    constexpr std::string_view kOpen = "([{";
    constexpr std::string_view kClose = ")]}";
    if (kOpen.find(c) != std::string_view::npos) open += c;
    const std::size_t kind = kClose.find(c);
    if (kind == std::string_view::npos) return;
    if (open.empty() || open.back() != kOpen[kind]) {
      return Refuse(at_, std::string("`") + c + "` closes nothing");
    }
    open.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string problem_;
  std::size_t problem_at_ = 0;
};

}  // namespace

RulesPath ParseRulesPath(std::string_view path) {
  RulesPath segments;
  while (!path.empty()) {
    if (path.front() == '/') path.remove_prefix(1);
    const std::size_t size = std::min(path.find('/'), path.size());
    std::string_view text = path.substr(0, size);
    path.remove_prefix(size);
    RulesSegment segment{RulesSegment::Kind::kId, std::string(text)};
    if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
      text = text.substr(1, text.size() - 2);
      const std::size_t name = std::min(text.find('='), text.size());
      const bool is_rest = text.substr(name) == "=**";
      segment = {is_rest ? RulesSegment::Kind::kRest : RulesSegment::Kind::kAnyId,
                 std::string(text.substr(0, name))};
    }
    segments.push_back(std::move(segment));
  }
  return segments;
}

std::string FormatRulesPath(const RulesPath& path) {
  std::string out;
  for (const RulesSegment& segment : path) {
    constexpr std::array<std::string_view, 3> kEnds = {"", "}", "=**}"};
    if (!out.empty()) out += '/';
    if (segment.kind != RulesSegment::Kind::kId) out += '{';
    (out += segment.text) += kEnds[static_cast<std::size_t>(segment.kind)];
  }
  return out;
}

Failure UnreadableRules(std::string_view text, std::size_t offset, std::string_view problem) {
  return Fail(kRulesFileUnreadable, "The rules file cannot be read at ")
         << Param{"where", "line " + std::to_string(LineOf(text, offset))} << ": " << problem
         << ".";
}

Result<RulesFile> ParseRulesFile(std::string_view text) { return RulesParser(text).Run(); }

std::size_t LineOf(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

}  // namespace shardline
