#include "rules/expression.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "base/number.h"
#include "base/reason.h"
#include "rules/words.h"

namespace shardline {
namespace {

// A recursive-descent parser of expressions that builds nothing. Each method takes the part that it
// is named for from the front of the text; the first failure stays, and ends the parsing.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  // Empty if the whole text is one expression; otherwise its fault.
  std::string Run() {
    TakeExpression();
    SkipSpace();
    if (problem_.empty() && at_ < text_.size()) Expect("an operator or the end");
    return std::move(problem_);
  }

 private:
  static constexpr int kMaxComplexity = 50;

  bool failed() const { return !problem_.empty(); }

  void Fail(std::string problem) {
    if (!failed()) problem_ = std::move(problem);
  }

  void Expect(std::string_view wanted) {
    std::string problem = "it lacks ";
    problem += wanted;
    problem += at_ < text_.size() ? " at character " + std::to_string(at_ + 1) : " at its end";
    Fail(std::move(problem));
  }

  // Operators and levels of brackets count alike: the compiler bounds them together.
  void AddComplexity() {
    if (++complexity_ > kMaxComplexity) Fail("it has more than 50 operators and brackets");
  }

  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
    if (text_.substr(at_, 2) == "//" || text_.substr(at_, 2) == "/*") {
      Fail("it must not contain comments");
    }
  }

  bool Take(std::string_view token) {
    SkipSpace();
    if (failed() || text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  // A letter or _, and then letters, digits and _.
  std::string_view TakeName() {
    SkipSpace();
    const std::size_t start = at_;
    while (at_ < text_.size() && IsWordCharacter(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (!name.empty() && !IsDigit(name.front())) return name;
    at_ = start;
    return {};
  }

  void TakeExpression() {
    TakeBinary();
    if (!Take("?")) return;
    AddComplexity();
    TakeExpression();
    if (!Take(":")) return Expect("a colon");
    TakeExpression();
  }

  // The compiler's precedence does not matter to whether an expression parses.
  void TakeBinary() {
    TakeUnary();
    while (!failed() && TakeOperator()) {
      AddComplexity();
      if (last_operator_ == "is") {
        TakeType();
      } else {
        TakeUnary();
      }
    }
  }

  bool TakeOperator() {
    // Longer ones first.
    constexpr std::string_view kOperators[] = {
        "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "%"};
    for (const std::string_view each : kOperators) {
      if (Take(each)) {
        last_operator_ = each;
        return true;
      }
    }
    // A slash before a name would begin a path.
    if (Take("/")) {
      last_operator_ = "/";
      return true;
    }
    const std::size_t before = at_;
    const std::string_view word = TakeName();
    if (word == "in" || word == "is") {
      last_operator_ = word;
      return true;
    }
    at_ = before;
    return false;
  }

  void TakeType() {
    constexpr std::string_view kTypes[] = {
        "bool", "bytes",    "constraint", "duration", "float", "int",    "latlng",   "list",
        "map",  "map_diff", "number",     "path",     "set",   "string", "timestamp"};
    const std::string_view type = TakeName();
    if (std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes)) {
      Expect("the name of a type after `is`, ending");
    }
  }

  void TakeUnary() {
    while (Take("!") || Take("-")) AddComplexity();
    if (failed()) return;
    TakeOperand();
  }

  void TakeOperand() {
    SkipSpace();
    if (failed()) return;
    const char next = at_ < text_.size() ? text_[at_] : '\0';
    const char second = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (next == '\'' || next == '"') {
      TakeText();
    } else if (next == 'b' && (second == '\'' || second == '"')) {
      ++at_;
      TakeText();
    } else if (IsDigit(next)) {
      return TakeNumber();
    } else if (next == '/') {
      return TakePath();
    } else if (Take("(")) {
      AddComplexity();
      TakeExpression();
      if (!Take(")")) Expect("a closing parenthesis");
    } else if (Take("[")) {
      TakeList("]");
    } else if (Take("{")) {
      TakeMap();
    } else {
      TakeNamed();
    }
    TakeSuffixes();
  }

  void TakeNamed() {
    const std::string_view name = TakeName();
    if (name.empty()) return Expect("a value");
    const bool is_value = name == "true" || name == "false" || name == "null";
    const bool is_call = Take("(");
    if ((!is_value && IsKeyword(name)) || (is_value && is_call)) {
      return Fail("`" + std::string(name) + "` cannot stand there");
    }
    if (is_call) return TakeList(")");
    SkipSpace();
    if (IsPackage(name) && text_.substr(at_, 1) != ".") Expect("a dot behind the package's name");
  }

  // Members, elements, calls.
  void TakeSuffixes() {
    while (!failed()) {
      if (Take(".")) {
        if (TakeName().empty()) return Expect("a name behind the dot");
        if (Take("(")) TakeList(")");
      } else if (Take("[")) {
        AddComplexity();
        TakeExpression();
        if (Take(":")) TakeExpression();
        if (!Take("]")) Expect("a closing bracket");
      } else {
        return;
      }
    }
  }

  void TakeList(std::string_view end) {
    AddComplexity();
    if (Take(end)) return;
    do {
      TakeExpression();
    } while (!failed() && Take(","));
    if (!Take(end)) Expect(end == ")" ? "a closing parenthesis" : "a closing bracket");
  }

  void TakeMap() {
    AddComplexity();
    if (Take("}")) return;
    do {
      SkipSpace();
      const char next = at_ < text_.size() ? text_[at_] : '\0';
      if (next != '\'' && next != '"') return Expect("a key in quotes");
      TakeText();
      if (!Take(":")) return Expect("a colon");
      TakeExpression();
    } while (!failed() && Take(","));
    if (!Take("}")) Expect("a closing brace");
  }

  void TakeText() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote) {
      const char c = text_[at_++];
      if (static_cast<unsigned char>(c) < ' ') return Fail("a text in quotes must be on one line");
      if (c != '\\') continue;
      constexpr std::string_view kEscapes = "\\'\"nrt";
      if (at_ == text_.size() || kEscapes.find(text_[at_]) == std::string_view::npos) {
        return Fail("behind a backslash there must be one of \\ ' \" n r t");
      }
      ++at_;
    }
    if (at_ == text_.size()) return Fail("a quote is not closed");
    ++at_;
  }

  void TakeNumber() {
    const std::size_t start = at_;
    const auto take_digits = [&] {
      while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    };
    take_digits();
    const bool is_integer = at_ == text_.size() || text_[at_] != '.';
    if (!is_integer) {
      const std::size_t fraction = ++at_;
      take_digits();
      if (at_ == fraction) return Expect("digits behind the point");
    }
    if (at_ < text_.size() && IsWordCharacter(text_[at_])) {
      return Fail("numbers are written with digits and a point only");
    }
    if (is_integer && !ParseInt64(text_.substr(start, at_ - start))) {
      Fail("a number is larger than 64 bits hold");
    }
  }

  // /databases/$(database)/documents/users/$(request.auth.uid), without spaces.
  void TakePath() {
    while (!failed() && at_ < text_.size() && text_[at_] == '/') {
      ++at_;
      if (text_.substr(at_, 2) == "$(") {
        at_ += 2;
        AddComplexity();
        TakeExpression();
        if (!Take(")")) return Expect("a closing parenthesis");
      } else if (text_.substr(at_, 9) == "(default)") {
        at_ += 9;
      } else {
        const std::size_t start = at_;
        while (at_ < text_.size() && IsPathCharacter(text_[at_])) ++at_;
        if (at_ == start) return Expect("a segment of a path");
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int complexity_ = 0;
  std::string_view last_operator_;
  std::string problem_;
};

}  // namespace

Status CheckExpression(std::string_view text, std::string_view what) {
  const std::string problem = ExpressionParser(text).Run();
  if (problem.empty()) return {};
  return Fail(kArgumentNotAllowed, "") << Param{"argument", what} << " must be "
                                       << Param{"allowed",
                                                "one expression of the rules' language, such as "
                                                "request.auth.token.admin == true"}
                                       << ": " << problem << ".";
}

}  // namespace shardline
