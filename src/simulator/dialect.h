// How a server words its answers. Google's emulator, the production servers, and what stands
// between these and a browser, word the same answer in different ways; a client must understand all
// of them.
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
// kProxy words answers as production does, and then writes them as LooseWriter does. No dialect
// changes what an answer means.
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

// Words the answers of a Backend. Where a dialect has several ways, the seed decides.
class Voice {
 public:
  explicit Voice(std::uint64_t seed) : random_(seed) {}

  // `answer`, which is the Backend's to `request`, in a dialect.
  Answer Say(Dialect dialect, const Request& request, Answer answer);

  // The answer to a request that `error` ends. `begun` is the Backend's answer if the request was
  // carried out all the same: then the error may come behind some of its elements.
  Answer SayError(Dialect dialect, const Request& request, const Error& error, const Answer* begun);

 private:
  Random random_;
};

}  // namespace shardline::simulator
