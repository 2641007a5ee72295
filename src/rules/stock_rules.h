#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "rules/rules_options.h"

namespace shardline {

// Code generation: writes security rules that allow browsers to take units of stocks, to put them
// back and to give expired holds back, and nothing else. The options, as JSON:
//
// clang-format off
//
//   path      The path of the stocks: "events/{event}". A name in braces matches any id.
//   access    The users who may take, and the owner of a take:
//               "public"     (default) Everyone. Each client that knows the key of a take owns it.
//                            The key must be 20 letters and digits: the library draws such keys.
//               "signed-in"  Users. A user's key is the user's id, or begins with it and a dot.
//               "one-take"   Users, with one take each: its key is the user's id.
//   maxUnits  The most units that one take may have, 1 to 1,000. Default 1.
//   confirm   Who makes a hold final:
//               "user"       (default) Its user.
//               "server"     Servers and administrators alone, such as after a payment. Users must
//                            hold what they take.
//   admin     Who may create stocks and add units, as for counters. Default: servers only.
//
// clang-format on
//
// A commit moves units between two documents. Each names the other one, and its rule compares both
// changes, so no commit makes units or loses them. The rules read two documents for each of them.
//
// Returns the text of firestore.rules. Refuses unknown options.
Result<std::string> MakeStockRules(const PaddedText& text);

enum class Takers : std::uint8_t { kPublic, kSignedIn, kOneTake };

// The same options, read.
struct StockRulesOptions {
  RulesOptions of_path;  // The path and the administrators.
  Takers takers = Takers::kPublic;
  std::int64_t max_units = 1;
  bool server_confirms = false;

  // The name of these rules among those of the file.
  std::string part() const { return "stock " + of_path.path; }
};
// Reads and checks them. kInvalidArgument names the option.
Result<StockRulesOptions> ReadStockRulesOptions(const nlohmann::json& members);

// The part of the text that belongs between the braces of `match /databases/…/documents`: as
// WriteCounterBlocks().
std::string WriteStockBlocks(const StockRulesOptions& options, std::string_view database);

}  // namespace shardline
