#include "rules/condition.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "rules/code.h"
#include "rules/words.h"

namespace shardline {
namespace {

// Firestore refuses deeper conditions.
constexpr int kMostLevels = 50;

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Without spaces, and brackets around all of it. debug() returns its argument.
std::string_view Bare(std::string_view text) {
  for (int level = 0; level < kMostLevels; ++level) {
    text = Trimmed(text);
    const std::size_t open = text.starts_with("debug(") ? 5 : 0;
    if (!text.substr(open).starts_with('(') || EndOfPiece(text, open) != text.size()) break;
    text = text.substr(open + 1, text.size() - open - 2);
  }
  return text;
}

struct Comparison {
  std::string_view left;
  std::string_view sign;  // Empty: `left` is all there is.
  std::string_view right;

  bool IsEquality() const { return sign == "==" || sign == "!="; }
  // Whether both sides are the same if it comes out as `holds`.
  bool Equates(bool holds) const { return sign == (holds ? "==" : "!="); }
  bool IsOf(std::string_view one, std::string_view other) const {
    return (left == one && right == other) || (left == other && right == one);
  }
};

Comparison ComparisonIn(std::string_view text) {
  constexpr std::string_view kSigns[] = {"==", "!=", "<=", ">=", "<", ">", " in ", " is "};
  for (const std::string_view sign : kSigns) {
    const std::vector<std::string_view> parts = SplitCode(text, sign);
    if (parts.size() != 2) continue;
    return {Bare(parts[0]), Trimmed(sign), Bare(parts[1])};
  }
  return {text, "", ""};
}

// `receiver.method(arguments)`
struct MethodCall {
  std::string_view receiver;
  std::string_view method;
  std::string_view arguments;
};

// The call at the end of `text`; empty if it ends with something else.
MethodCall CallIn(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at = std::max(at + 1, EndOfPiece(text, at))) {
    if (text[at] != '(' || EndOfPiece(text, at) != text.size()) continue;
    const std::string_view before = text.substr(0, at);
    const std::size_t dot = before.rfind('.');
    if (dot == std::string_view::npos) return {};
    return {before.substr(0, dot), before.substr(dot + 1),
            text.substr(at + 1, text.size() - at - 2)};
  }
  return {};
}

// Whether a condition reads other documents: get(/…), not data.get('a', 0).
bool HasLookUp(std::string_view text) {
  for (const std::string_view call : {"get(", "getAfter(", "exists(", "existsAfter("}) {
    for (std::size_t at = 0; (at = text.find(call, at)) != std::string_view::npos; ++at) {
      const std::string_view before = text.substr(0, at);
      if (before.ends_with("firestore.")) return true;
      if (before.empty() || !(IsWordCharacter(before.back()) || before.back() == '.')) return true;
    }
  }
  return false;
}

bool HasMember(std::string_view text, std::string_view member) {
  for (std::size_t at = 0; (at = text.find(member, at)) != std::string_view::npos; ++at) {
    const std::string_view behind = text.substr(at + member.size());
    if (behind.empty() || !IsWordCharacter(behind.front())) return true;
  }
  return false;
}

// `holds`: whether the way asks for the comparison or call `text`, or for its contrary.
Who WhoOf(std::string_view text, bool holds) {
  const bool has_user = HasMember(text, "request.auth");
  const bool has_look_up = HasLookUp(text);
  if (!has_user && !has_look_up) return Who::kEverybody;
  const Comparison comparison = ComparisonIn(text);
  for (const char* const user : {"request.auth", "request.auth.uid"}) {
    // Everybody can sign out, and each user has an id.
    if (comparison.IsOf(user, "null") && comparison.Equates(holds)) return Who::kEverybody;
    if (comparison.left == user && comparison.sign == "is") return Who::kUsers;
  }
  // All but a few: those of another id, or without a document, or without a role.
  if (holds == (comparison.sign == "!=")) return has_user ? Who::kUsers : Who::kEverybody;
  const bool is_picky =
      has_look_up || HasMember(text, "request.auth.uid") || HasMember(text, "request.auth.token");
  return is_picky ? Who::kSome : Who::kUsers;
}

// The ways in which a condition holds, and the ways in which it fails.
struct Sides {
  Ways yes;
  Ways no;
};

Ways Either(const Ways& a, const Ways& b) {
  return {std::max(a.open, b.open), a.has_guarded || b.has_guarded};
}

Ways Both(const Ways& a, const Ways& b) {
  const auto leads = [](const Ways& each) { return each.open || each.has_guarded; };
  return {std::min(a.open, b.open), (a.has_guarded && leads(b)) || (b.has_guarded && leads(a))};
}

class Reader {
 public:
  explicit Reader(std::string_view field)
      : top_(field.substr(0, field.find('.'))), member_("." + std::string(field)) {}

  Sides Read(std::string_view text, int level = 0) const {
    text = Bare(text);
    if (text.empty() || level++ == kMostLevels) return OfOne(text);
    if (const auto parts = SplitChoice(text); parts.size() == 3) {
      const Sides asked = Read(parts[0], level);
      const Sides then = Read(parts[1], level);
      const Sides otherwise = Read(parts[2], level);
      return {Either(Both(asked.yes, then.yes), Both(asked.no, otherwise.yes)),
              Either(Both(asked.yes, then.no), Both(asked.no, otherwise.no))};
    }
    for (const char* const sign : {"||", "&&"}) {
      const auto parts = SplitCode(text, sign);
      if (parts.size() > 1) return ReadJoined(parts, sign[0] == '|', level);
    }
    const Comparison comparison = ComparisonIn(text);
    if (comparison.IsEquality() && IsOneOf(comparison.right, {"true", "false"})) {
      const Sides left = Read(comparison.left, level);
      const bool is_same = comparison.Equates(true) == (comparison.right == "true");
      return is_same ? left : Sides{left.no, left.yes};
    }
    if (!comparison.sign.empty() || text[0] != '!') return OfOne(text);
    const Sides inner = Read(text.substr(1), level);
    return {inner.no, inner.yes};
  }

 private:
  Sides ReadJoined(const std::vector<std::string_view>& parts, bool is_or, int level) const {
    Sides all = Read(parts[0], level);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const Sides next = Read(parts[i], level);
      all = is_or ? Sides{Either(all.yes, next.yes), Both(all.no, next.no)}
                  : Sides{Both(all.yes, next.yes), Either(all.no, next.no)};
    }
    return all;
  }

  Sides OfOne(std::string_view text) const {
    if (text == "true") return {{Who::kEverybody}, {}};
    if (text == "false") return {{}, {Who::kEverybody}};
    return {OfSide(text, true), OfSide(text, false)};
  }

  Ways OfSide(std::string_view text, bool holds) const {
    if (!top_.empty() && Guards(text, holds)) return {std::nullopt, true};
    return {WhoOf(text, holds), false};
  }

  bool Names(std::string_view text) const {
    return Has(text, "'" + top_ + "'") || Has(text, '"' + top_ + '"') || HasMember(text, member_);
  }

  bool Guards(std::string_view text, bool holds) const {
    const Comparison comparison = ComparisonIn(text);
    if (comparison.Equates(holds) && (comparison.IsOf("request.method", "'delete'") ||
                                      comparison.IsOf("request.method", "\"delete\"") ||
                                      comparison.IsOf("request.resource", "null"))) {
      return true;
    }
    if (!Has(text, "request.resource") && !Has(text, "getAfter(")) return false;
    if (comparison.sign.empty()) return CallGuards(CallIn(text), text, holds);
    if (comparison.sign == "in") return !holds && Names(comparison.left);
    return comparison.sign != "is" && Names(text) &&
           (!comparison.IsEquality() || comparison.Equates(holds));
  }

  // The keys of a map are on one side of hasOnly(), hasAny() and hasAll(), and a list on the other.
  bool CallGuards(const MethodCall& call, std::string_view text, bool holds) const {
    const bool is_list = call.receiver.starts_with('[');
    const std::string_view keys = is_list ? call.arguments : call.receiver;
    const std::string_view list = is_list ? call.receiver : call.arguments;
    if (call.method == (is_list ? "hasAll" : "hasOnly")) {
      // keys() and affectedKeys(); data.tags is a field.
      return holds && Has(keys, "eys()") && Has(list, "[") && !Names(list);
    }
    if (call.method == "hasAny") return !holds && Names(list);
    return !IsOneOf(call.method, {"hasAll", "hasOnly"}) && Names(text);
  }

  std::string top_;
  std::string member_;
};

}  // namespace

bool Has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool BindsLooserThanAnd(std::string_view condition) {
  return SplitCode(condition, "||").size() > 1 || SplitCode(condition, "?").size() > 1;
}

Ways WaysOf(std::string_view condition, std::string_view field) {
  if (Trimmed(condition).empty()) return {Who::kEverybody};
  return Reader(field).Read(condition).yes;
}

}  // namespace shardline
