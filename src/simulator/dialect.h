// The wording of a server's answers. Google's emulator, the production servers, and proxies between
// servers and browsers word the same answer in different ways, and a client must understand all of
// them.
//
// clang-format off
//
//   answer                    kEmulator              kProduction
//   ------------------------  ---------------------  --------------------------------------------
//   layout                    no white space         two spaces for each level
//   :runQuery, documents      the last has `done`    no `done`
//   :runQuery, nothing found  `readTime` and `done`  one element with `readTime` alone
//   :runQuery, in between     only documents         also progress: `readTime`, perhaps
//                                                    `skippedResults`; may also come last
//   read times of one answer  the same everywhere    may rise
//   :batchGet                 in the request's       in any order
//                             order
//   errors                    `{"error": …}`         with `details`; of a streaming method
//                                                    `[{"error": …}]`, also behind elements, and
//                                                    then with HTTP 200
//
// clang-format on
//
// kProxy words answers like production, and then rewrites them with LooseWriter. No dialect changes
// the meaning of an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/random.h"
#include "simulator/backend.h"

namespace shardline::simulator {

enum class Dialect : std::uint8_t { kEmulator, kProduction, kProxy };

// "emulator", "production" or "proxy".
std::optional<Dialect> DialectNamed(std::string_view name);

// Words the answers of a Backend. If a dialect allows several wordings, the seed decides.
class Voice {
 public:
  explicit Voice(std::uint64_t seed) : random_(seed) {}

  // Returns `answer`, the Backend's answer to `request`, in a dialect.
  Answer Say(Dialect dialect, const Request& request, Answer answer);

  // The answer to a request that `error` ends. `begun` is the Backend's answer if the backend has
  // carried the request out: then the error may come behind some of its elements.
  Answer SayError(Dialect dialect, const Request& request, const Error& error, const Answer* begun);

 private:
  Random random_;
};

}  // namespace shardline::simulator
