#include "rules/inline_functions.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "rules/code.h"
#include "rules/words.h"

namespace shardline {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

// Whether a member, an operator or a call can follow without brackets: a.b('c')[0].
bool IsChain(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = EndOfPiece(text, at);
    if (end == at + 1 && !IsWordCharacter(text[at]) && text[at] != '.') return false;
    at = end;
  }
  return !text.empty();
}

std::string Bracketed(const std::string& text) {
  const std::string_view trimmed = Trimmed(text);
  return IsChain(trimmed) ? std::string(trimmed) : '(' + text + ')';
}

class Inliner {
 public:
  explicit Inliner(const FindFunction& find) : find_(find) {}

  std::string Inline(std::string_view text, const Values& values) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      if (!IsWordCharacter(text[at])) {
        const bool is_string = text[at] == '\'' || text[at] == '"';
        const std::size_t end = is_string ? EndOfPiece(text, at) : at + 1;
        out += text.substr(at, end - at);
        at = end;
        continue;
      }
      const std::size_t start = at;
      while (at < text.size() && IsWordCharacter(text[at])) ++at;
      const std::string_view name = text.substr(start, at - start);
      if (start > 0 && text[start - 1] == '.') {
        out += name;
        continue;
      }
      const bool is_call = at < text.size() && text[at] == '(';
      const RulesFunction* const function = is_call ? Callable(name) : nullptr;
      if (function != nullptr) {
        const std::size_t end = EndOfPiece(text, at);
        ++levels_;
        out += Called(*function, text.substr(at + 1, end - at - 2), values);
        --levels_;
        at = end;
        continue;
      }
      const auto value = values.find(name);
      if (value != values.end() && out.size() <= kMostCharacters) {
        out += value->second;
      } else {
        out += name;
      }
    }
    size_ += out.size();
    return out;
  }

 private:
  // As Firestore bounds calls in calls.
  static constexpr int kMostLevels = 20;
  static constexpr std::size_t kMostCharacters = 100'000;

  // nullptr if there is no such function, or if its call stays.
  const RulesFunction* Callable(std::string_view name) const {
    const RulesFunction* const function = find_(name);
    const bool is_entered = std::find(entered_.begin(), entered_.end(), function) != entered_.end();
    return is_entered || levels_ == kMostLevels || size_ > kMostCharacters ? nullptr : function;
  }

  // The expression that the function returns.
  std::string Called(const RulesFunction& function, std::string_view arguments,
                     const Values& around) {
    Values values;
    const std::vector<std::string_view> given = SplitCode(arguments, ",");
    for (std::size_t i = 0; i < std::min(given.size(), function.parameters.size()); ++i) {
      values[function.parameters[i]] = Bracketed(Inline(given[i], around));
    }
    entered_.push_back(&function);
    std::string returned = Returned(function.body, std::move(values));
    entered_.pop_back();
    return returned;
  }

  std::string Returned(std::string_view body, Values values) {
    for (std::string_view statement : SplitCode(body, ";")) {
      statement = Trimmed(statement);
      if (statement.starts_with("return")) return Bracketed(Inline(statement.substr(6), values));
      const std::size_t sign = statement.find('=');
      if (!statement.starts_with("let ") || sign == std::string_view::npos) continue;
      std::string value = Bracketed(Inline(statement.substr(sign + 1), values));
      values[std::string(Trimmed(statement.substr(4, sign - 4)))] = std::move(value);
    }
    return "null";
  }

  const FindFunction& find_;
  std::vector<const RulesFunction*> entered_;
  int levels_ = 0;
  std::size_t size_ = 0;
};

}  // namespace

std::string InlineFunctions(std::string_view condition, const FindFunction& find) {
  return Inliner(find).Inline(condition, {});
}

}  // namespace shardline
