#include "rules/rules_review.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "rules/code.h"
#include "rules/condition.h"
#include "rules/counter_rules.h"
#include "rules/inline_functions.h"

namespace shardline {
namespace {

using Kind = RulesSegment::Kind;

// A rule, and where it is.
struct Grant {
  const RulesAllow* allow;
  // From /databases on.
  RulesPath path;
  // The blocks around it, and the functions that they have, from the outermost one on.
  std::vector<const RulesBlock*> scopes;
};

struct Range {
  std::size_t start;
  std::size_t end;
};

bool Allows(const Grant& grant, std::initializer_list<std::string_view> methods) {
  const auto& given = grant.allow->methods;
  return std::any_of(methods.begin(), methods.end(), [&](std::string_view method) {
    return std::find(given.begin(), given.end(), method) != given.end();
  });
}

void Collect(const RulesBlock& block, Grant around, std::vector<Grant>& grants) {
  around.path.insert(around.path.end(), block.path.begin(), block.path.end());
  around.scopes.push_back(&block);
  for (const RulesAllow& allow : block.allows) {
    around.allow = &allow;
    grants.push_back(around);
  }
  for (const RulesBlock& inner : block.blocks) Collect(inner, around, grants);
}

// Whether a rule for `rule` holds for some document that `path` matches; with `all`, for all of
// them.
bool Meets(const RulesPath& rule, const RulesPath& path, bool all, std::size_t i = 0,
           std::size_t j = 0) {
  if (i == rule.size()) return j == path.size();
  if (rule[i].kind == Kind::kRest) {
    return Meets(rule, path, all, i + 1, j) ||
           (j < path.size() && Meets(rule, path, all, i, j + 1));
  }
  if (j == path.size()) return false;
  const bool fits = rule[i].kind == Kind::kAnyId ||
                    (path[j].kind == Kind::kId ? path[j].text == rule[i].text : !all);
  return fits && Meets(rule, path, all, i + 1, j + 1);
}

bool IsInside(const Grant& grant, const std::vector<Range>& ranges) {
  const std::size_t start = grant.allow->start;
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return start >= range.start && start < range.end; });
}

// The begin and end of this library's rules: for counters at `path`, or for all.
std::vector<Range> RangesOf(std::string_view text, std::string_view path) {
  std::string begin = BeginOfRules(path);
  if (path.empty()) begin.pop_back();
  std::vector<Range> ranges;
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(kEndOfRules, at), text.size());
    ranges.push_back({at, end});
    at = end;
  }
  return ranges;
}

// Without the database and the segments in front of it.
std::string Shown(RulesPath path) {
  path.erase(path.begin(), path.begin() + std::min<std::ptrdiff_t>(3, std::ssize(path)));
  return FormatRulesPath(path);
}

bool IsAlways(const RulesAllow& allow) {
  const std::string_view condition = Trimmed(allow.condition);
  return condition.empty() || condition == "true";
}

// The nearest function of this name that the rule can call.
const RulesFunction* FunctionFor(std::string_view name, const Grant& grant, const RulesFile& file) {
  const auto in = [&](const std::vector<RulesFunction>& functions) {
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const RulesFunction& each) { return each.name == name; });
    return found == functions.end() ? nullptr : &*found;
  };
  const RulesFunction* nearest = in(file.functions);
  for (const RulesBlock* const scope : grant.scopes) {
    if (const RulesFunction* const found = in(scope->functions)) nearest = found;
  }
  return nearest;
}

const char* NameOf(Who who) {
  if (who == Who::kSome) return "some";
  return who == Who::kUsers ? "users" : "everybody";
}

std::string InWords(Who who) {
  if (who == Who::kSome) return "everybody whom its condition admits";
  return who == Who::kUsers ? "every user" : "everybody";
}

std::string MethodsOf(const RulesAllow& allow) {
  std::string text;
  for (const std::string& method : allow.methods) (text += text.empty() ? "" : ", ") += method;
  return "`allow " + text + '`';
}

class Review {
 public:
  Review(std::string_view text, const RulesFile& file, const RulesOfPath& rules)
      : text_(text), file_(file), rules_(rules) {
    std::vector<Grant> grants;
    if (file.firestore) Collect(*file.firestore, {}, grants);
    const std::vector<Range> mine = RangesOf(text, rules.part);
    const std::vector<Range> written = RangesOf(text, "");
    for (Grant& grant : grants) {
      if (IsInside(grant, mine)) {
        counters_.push_back(std::move(grant));
      } else {
        if (!IsInside(grant, written)) apps_.push_back(grant);
        others_.push_back(std::move(grant));
      }
    }
  }

  std::vector<RulesFinding> Run() {
    // Documents of stocks are nothing else.
    if (!rules_.are_of_stocks) {
      for (const Grant& grant : counters_) CheckReadable(grant);
    }
    for (const Grant& grant : apps_) CheckWriter(grant);
    return std::move(findings_);
  }

 private:
  void Add(const char* kind, const Grant& grant, std::string path, const char* who, std::string why,
           std::string todo) {
    findings_.push_back({kind, LineOf(text_, grant.allow->start), std::move(path), who,
                         std::move(why), std::move(todo)});
  }

  bool IsParent(const RulesPath& path) const {
    return rules_.shard_count && Shown(path) == rules_.path;
  }

  void CheckReadable(const Grant& grant) {
    const std::string path = Shown(grant.path);
    if (!IsAlways(*grant.allow) || !Allows(grant, {"read", "get"})) return;
    // Documents that there are with counters only.
    if (Has(path, "shardline_")) return;
    const bool is_open = std::any_of(others_.begin(), others_.end(), [&](const Grant& other) {
      return IsAlways(*other.allow) && Allows(other, {"read", "get"}) &&
             Meets(other.path, grant.path, true);
    });
    if (is_open) return;
    const bool is_parent = IsParent(grant.path);
    Add("readable", grant, path, "",
        "Everybody can read `" + path + "`: " +
            (is_parent ? "clients ask this document how many shards there are."
                       : "a total is the sum of these documents.") +
            " No other rule lets everybody read it.",
        is_parent ? "If not everybody may read it, set `parent` to private, and pass the number "
                    "of shards in every client."
                  : "Keep nothing but counts there.");
  }

  void CheckWriter(const Grant& grant) {
    if (!Allows(grant, {"write", "create", "update", "delete"})) return;
    const std::string condition =
        InlineFunctions(grant.allow->condition,
                        [&](std::string_view name) { return FunctionFor(name, grant, file_); });
    const std::optional<Who> who = WaysOf(condition, "").open;
    if (!who || (!rules_.are_of_stocks && CheckEarlier(grant))) return;
    const auto meets = [&](bool parent) {
      return std::find_if(counters_.begin(), counters_.end(), [&](const Grant& ours) {
        return IsParent(ours.path) == parent && Meets(grant.path, ours.path, false);
      });
    };
    if (const auto counts = meets(false); counts != counters_.end()) {
      const std::string path = Shown(counts->path);
      return Add("counts", grant, path, NameOf(*who),
                 Lets(grant, *who) + '`' + path + "`, past the rules of the " +
                     (rules_.are_of_stocks ? "stocks." : "counters."),
                 "Let this rule match your own collections only.");
    }
    const auto& field = rules_.shard_count;
    if (!field || !Allows(grant, {"write", "create", "update"})) return;
    if (Meets(grant.path, parent_path(), false)) CheckShardCount(grant, condition, *field);
  }

  void CheckShardCount(const Grant& grant, std::string_view condition, const std::string& field) {
    const Ways ways = WaysOf(condition, field);
    if (!ways.open) return;
    const Who who = *ways.open;
    // A rule that guards the field in another way trusts these users: administrators, for example.
    if (ways.has_guarded && who == Who::kSome) return;
    Add("shard-count", grant, rules_.path, NameOf(who),
        Lets(grant, who) + field + " of `" + rules_.path + "`, and so break the counter.",
        AdviceFor(*grant.allow) + GuardFor(grant, field));
  }

  static std::string Lets(const Grant& grant, Who who) {
    return MethodsOf(*grant.allow) + " lets " + InWords(who) + " write ";
  }

  // The words in front of the guard that is to be added.
  static std::string AdviceFor(const RulesAllow& allow) {
    const std::string_view condition = allow.condition;
    if (Trimmed(condition).empty()) return "Give it a condition: if ";
    return BindsLooserThanAnd(condition)
               ? "Put its condition in parentheses, and add behind them: && "
               : "Add to its condition: && ";
  }

  RulesPath parent_path() const {
    return ParseRulesPath("databases/{database}/documents/" + rules_.path);
  }

  bool CheckEarlier(const Grant& grant) {
    if (!Has(FormatRulesPath(grant.path), "/shardline_markers/")) return false;
    const bool is_first = std::none_of(findings_.begin(), findings_.end(), [](const auto& each) {
      return each.kind == std::string_view("earlier");
    });
    if (is_first) {
      Add("earlier", grant, Shown(grant.path), "",
          "The file has other rules of counters, which hold beside the new ones.",
          "Remove them if they are of the same counters.");
    }
    return true;
  }

  static std::string GuardFor(const Grant& grant, const std::string& field) {
    const bool creates = Allows(grant, {"write", "create"});
    const bool updates = Allows(grant, {"write", "update"});
    if (!creates) {
      return "!request.resource.data.diff(resource.data).affectedKeys().hasAny(['" + field + "'])";
    }
    if (!updates) return "!('" + field + "' in request.resource.data)";
    std::string same = "request.resource.data.get('" + field +
                       "', 0) == (resource == null ? 0 : resource.data.get('" + field + "', 0))";
    if (!Allows(grant, {"write", "delete"})) return same;
    return "(request.method == 'delete' || " + same + ")";
  }

  std::string_view text_;
  const RulesFile& file_;
  const RulesOfPath& rules_;
  // The rules of these counters or stocks, all others, and of these the app's own.
  std::vector<Grant> counters_;
  std::vector<Grant> others_;
  std::vector<Grant> apps_;
  std::vector<RulesFinding> findings_;
};

}  // namespace

std::vector<RulesFinding> ReviewRules(std::string_view text, const RulesFile& file,
                                      const RulesOfPath& rules) {
  return Review(text, file, rules).Run();
}

}  // namespace shardline
