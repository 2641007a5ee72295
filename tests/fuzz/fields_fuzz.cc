// Documents that a client is about to send: if CheckFields accepts one, it can be decoded and has
// the reported size.

#include <string>

#include "firestore/check_fields.h"
#include "fuzz/fuzz.h"
#include "unit/support/values.h"

namespace shardline {
namespace {

Result<std::size_t> Check(const PaddedText& text) {
  JsonScanner scanner(text);
  Result<std::size_t> size = CheckFields(scanner);
  if (size && !scanner.Finish()) return scanner.failure("the document");
  return size;
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardline;
  const PaddedText text = Text(Input(data, size));
  const Result<std::size_t> checked = Check(text);
  if (!checked) {
    Require(!checked.error().message.empty(), "a refusal says why");
    return 0;
  }
  JsonScanner scanner(text);
  const Map fields = DecodeFields(scanner);
  if (!scanner.Finish()) {
    const Error error = scanner.failure("the fields").error();
    // In JavaScript, no object has a name twice, so no code looks for it before sending.
    Require(error.message.find("a field twice") != std::string::npos,
            "what was checked can be decoded");
    return 0;
  }
  const Result<std::size_t> again = Check(Text(Wire(fields)));
  Require(again.has_value(), "and checked again");
  Require(*again == *checked, "and has no other size");
  return 0;
}
