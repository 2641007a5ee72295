#include "api/arguments.h"

#include <cstddef>
#include <utility>

#include "base/number.h"

namespace shardline {

using Kind = JsonScanner::Kind;

void Arguments::Enter() {
  if (!ok()) return;
  if (scanner_.Peek() != Kind::kObject && !option_.empty()) return Refuse("an object");
  scanner_.BeginObject();
}

bool Arguments::Next() { return ok() && scanner_.NextKey(option_); }

std::string Arguments::Text() {
  if (!ok()) return {};
  if (scanner_.Peek() != Kind::kString) {
    Refuse("a string");
    return {};
  }
  std::string text = scanner_.String();
  if (!scanner_.ok()) Refuse("well-formed text");
  return text;
}

std::optional<std::string> Arguments::TextOrNull() {
  if (scanner_.Peek() != Kind::kNull) return Text();
  scanner_.Null();
  return std::nullopt;
}

std::int64_t Arguments::Integer() {
  const std::optional<std::int64_t> value = ParseInt64(scanner_.SkipValue());
  if (!value) Refuse("an integer");
  return value.value_or(0);
}

bool Arguments::Boolean() {
  if (scanner_.Peek() == Kind::kBoolean) return scanner_.Boolean();
  Refuse("true or false");
  return false;
}

bool Arguments::Is(const char* option) const { return option_ == option; }

void Arguments::Refuse(const char* what) { RefuseOption(option_, what); }

void Arguments::Refuse(const char* option, const char* what) { RefuseOption(option, what); }

void Arguments::RefuseOption(std::string_view option, const char* what) {
  Latch(InvalidArgument("The option `") << option << "` must be " << what << ".");
}

void Arguments::RefuseUnknown(const char* known) {
  constexpr std::size_t kMaxShown = 100;
  Latch(InvalidArgument("There is no option `")
        << option_.substr(0, kMaxShown) << "` here, only " << known << ".");
}

void Arguments::Latch(Failure failure) {
  if (!failure_) failure_ = std::move(failure);
}

Failure Arguments::TakeFailure() {
  return failure_ ? std::move(failure_) : scanner_.failure("the arguments");
}

}  // namespace shardline
