// Reads the boolean structure of a rule's condition: which ways lead through it, whom each admits,
// and which of them mind a field. Nothing evaluates a comparison or a call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shardline {

bool Has(std::string_view text, std::string_view word);

// Whether `&& more` behind the condition would belong to its last part only.
bool BindsLooserThanAnd(std::string_view condition);

// The order: from those whom a condition admits to everybody.
enum class Who { kSome, kUsers, kEverybody };

// The ways through a condition: `a || b` has two of them.
struct Ways {
  // Whom the widest way admits that leaves the field open; nullopt if each way minds it.
  std::optional<Who> open;
  // Whether a way minds the field.
  bool has_guarded = false;
};

// A way minds `field` if it bounds the changed fields to others, compares the field's new value, or
// deletes the document. To ask that the field be there, or of which type it is, is not enough. No
// way minds an empty field. `condition` has its functions inlined; an empty one admits everybody.
Ways WaysOf(std::string_view condition, std::string_view field);

}  // namespace shardline
