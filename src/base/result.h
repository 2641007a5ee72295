// Expected failures are values.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

namespace shardline {

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }
inline tl::unexpected<Error> Fail(Code code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), 0});
}

// Becomes a Result of any type. Not an unexpected, which would move the error twice: there are some
// hundred places where one is handed on.
struct HandOn {
  Error& error;
  template <class T>
  operator tl::expected<T, Error>() {  // NOLINT(google-explicit-constructor)
    return tl::expected<T, Error>(tl::unexpect, std::move(error));
  }
};

}  // namespace shardline

// `SHARDLINE_TRY(auto name, ParseName(text));` returns the error from the surrounding function, or
// goes on with the value.
#define SHARDLINE_TRY(declaration, expression) \
  SHARDLINE_TRY_IMPL(SHARDLINE_CONCAT(result_, __LINE__), declaration, expression)
#define SHARDLINE_TRY_IMPL(result, declaration, expression) \
  auto result = (expression);                               \
  if (!result) return ::shardline::HandOn{result.error()};  \
  declaration = std::move(*result)

// The same for a Status.
#define SHARDLINE_CHECK(expression) \
  SHARDLINE_CHECK_IMPL(SHARDLINE_CONCAT(status_, __LINE__), expression)
#define SHARDLINE_CHECK_IMPL(status, expression)             \
  do {                                                       \
    auto status = (expression);                              \
    if (!status) return ::shardline::HandOn{status.error()}; \
  } while (false)

#define SHARDLINE_CONCAT(a, b) SHARDLINE_CONCAT_IMPL(a, b)
#define SHARDLINE_CONCAT_IMPL(a, b) a##b
