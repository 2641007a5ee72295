// Static analysis of a rule's condition by its boolean structure: the ways through it, the users
// that each admits, and the ways that guard a field. It evaluates no comparison and no call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shardline {

bool Has(std::string_view text, std::string_view word);

// Whether `&& more` behind the condition would join its last part only.
bool BindsLooserThanAnd(std::string_view condition);

// The users that a condition admits, from the fewest to all.
enum class Who { kSome, kUsers, kEverybody };

// The ways through a condition: `a || b` has two of them.
struct Ways {
  // The users that the widest way without a guard of the field admits; nullopt if each way guards
  // it.
  std::optional<Who> open;
  // Whether a way guards the field.
  bool has_guarded = false;
};

// A way guards `field` if it limits the changed fields to others, compares the field's new value,
// or deletes the document. A test of the field's existence or type is not a guard. No way guards an
// empty field. `condition` has its functions inlined; an empty one admits everybody.
Ways WaysOf(std::string_view condition, std::string_view field);

}  // namespace shardline
