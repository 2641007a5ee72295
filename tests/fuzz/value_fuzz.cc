// Values from any bytes: a value that can be read can be written and read again, and has a place in
// the order.

#include <string>
#include <vector>

#include "fuzz/fuzz.h"
#include "unit/support/values.h"

namespace shardline {
namespace {

void RequireRoundTrip(const Value& value) {
  const std::string wire = Wire(value);
  const PaddedText text = Text(wire);
  JsonScanner scanner(text);
  const Value back = DecodeValue(scanner);
  Require(scanner.Finish(), "what is written can be read");
  Require(Wire(back) == wire, "and is the same");
  Require(CompareValues(value, back) == 0, "and is equal");
}

void RequireOrder(const std::vector<Value>& values) {
  for (const Value& a : values) {
    for (const Value& b : values) {
      const std::weak_ordering ab = CompareValues(a, b);
      Require(ab == (0 <=> CompareValues(b, a)), "the order is antisymmetric");
      for (const Value& c : values) {
        if (ab != CompareValues(b, c)) continue;
        Require(CompareValues(a, c) == ab, "the order is transitive");
      }
    }
  }
}

}  // namespace
}  // namespace shardline

// A value, or an array of them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  const PaddedText text = Text(Input(data, size));
  JsonScanner scanner(text);
  std::vector<Value> values;
  if (scanner.Peek() == JsonScanner::Kind::kArray) {
    scanner.BeginArray();
    while (scanner.NextElement() && values.size() < 6) values.push_back(DecodeValue(scanner));
  } else {
    values.push_back(DecodeValue(scanner));
  }
  if (!scanner.ok()) return 0;
  for (const Value& value : values) RequireRoundTrip(value);
  RequireOrder(values);
  return 0;
}
