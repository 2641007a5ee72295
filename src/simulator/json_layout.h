// Metamorphic variation: writes the same JSON in other ways, for tests of readers.
//
// All functions take one complete JSON value without white space, like JsonWriter's.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"

namespace shardline::simulator {

// Uniform over [0, size): an index. `size` must be positive.
inline std::size_t DrawIndex(Random& random, std::size_t size) {
  assert(size > 0);
  return static_cast<std::size_t>(random.Below(size));
}

// The elements of an array.
std::vector<std::string_view> SplitArray(std::string_view array);

// The members of an object: the key with its quotes, and the value.
using Member = std::pair<std::string_view, std::string_view>;
std::vector<Member> SplitObject(std::string_view object);

// Appends `json` in the layout of Google's servers: two spaces for each level, `<` and `>` escaped.
void AppendPretty(std::string& out, std::string_view json);

// Rewrites JSON like a proxy might: members in another order, other white space, other escapes, and
// members that the API does not know. It adds members to messages only, never to maps with the
// user's keys (`fields`, `aggregateFields`), and never to values, whose one member is the type.
class LooseWriter {
 public:
  // Draws the habits of one answer's writer from `random`, which must outlive this.
  explicit LooseWriter(Random& random);

  void AppendMessage(std::string& out, std::string_view json) { AppendValue(out, json, true); }
  // White space, or none.
  void AppendSpace(std::string& out);

 private:
  // Adds members to a value that is `open`.
  void AppendValue(std::string& out, std::string_view json, bool open);
  void AppendObject(std::string& out, std::string_view json, bool open);
  void AppendString(std::string& out, std::string_view quoted) const;
  std::uint64_t Bits(int count);

  Random& random_;
  std::uint64_t bits_ = 0;
  int bits_left_ = 0;
  // Whether it draws white space at every possible place.
  bool spaced_;
  bool reordered_;
  bool extended_;
  bool escaped_;
};

}  // namespace shardline::simulator
