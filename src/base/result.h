// Expected failures are values. (With tl::expected the module is 0.9 KB brotli larger.)
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.h"

// Such an object is one pointer, and functions pass and return it in a register.
#if __has_cpp_attribute(clang::trivial_abi)
#define SHARDLINE_ONE_POINTER [[clang::trivial_abi]]
#else
#define SHARDLINE_ONE_POINTER
#endif

namespace shardline {

// An error on its way up. It converts to a Status, or to a Result of any type. Callers compose the
// message in place:
//
//   return Fail(kCounterNotFound, "There is no counter at ")
//          << Param{"path", path} << ": call create() first.";
class SHARDLINE_ONE_POINTER [[nodiscard]] Failure {
 public:
  // No failure. Fail() makes real ones.
  Failure() = default;
  Failure(Failure&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  Failure& operator=(Failure&& other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  // Inline, because a success leaves nothing to do.
  [[gnu::always_inline]] ~Failure() {
    if (error_ != nullptr) Destroy(error_);
  }

  // Adds a parameter of the reason that the message does not contain literally.
  Failure With(const char* param, const char* value) &&;
  Failure With(const char* param, std::string_view value) &&;
  Failure With(const char* param, const std::string& value) &&;

  explicit operator bool() const { return error_ != nullptr; }
  // Requires an error.
  Error& error() {
    assert(error_ != nullptr);
    return *error_;
  }
  const Error& error() const {
    assert(error_ != nullptr);
    return *error_;
  }

 private:
  friend Failure Fail(Error error);

  explicit Failure(Error* error) : error_(error) {}
  static void Destroy(Error* error);

  Error* error_ = nullptr;
};

Failure Fail(Error error);
Failure Fail(const Reason& reason, std::string message);
// For literals: each conversion to a string takes 40 bytes of code.
Failure Fail(const Reason& reason, const char* message);
// kArgumentNotAllowed: "shards must be an integer from 1 to 10,000."
Failure MustBe(std::string_view argument, std::string_view allowed);
// kArgumentUnknown: "There is no option shart: there are path and shards."
Failure UnknownOption(std::string_view option, std::string_view known);
// kArgumentNotAllowed or kArgumentMissing, in words of its own; and kArgumentsConflict.
Failure RefuseArgument(const Reason& reason, const char* argument, const char* allowed,
                       const char* message);
Failure Conflict(const char* argument, const char* other, const char* message);
// "`shards` must be an integer from 1 to 10,000", without a full stop.
Failure OptionMustBe(const char* option, const char* allowed);

// A parameter of the reason that the message contains at this place.
struct Param {
  const char* name;
  std::string_view value;
};

// Adds to the message.
Failure operator<<(Failure failure, std::string_view text);
Failure operator<<(Failure failure, const char* text);
Failure operator<<(Failure failure, const std::string& text);
Failure operator<<(Failure failure, Param param);

// Success, or an error.
class SHARDLINE_ONE_POINTER [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Status&&) = default;
  Status& operator=(Status&&) = default;
  [[gnu::always_inline]] ~Status() = default;
  Status(Failure failure) : failure_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return !failure_; }
  bool has_value() const { return !failure_; }
  // Requires a failure.
  Error& error() { return failure_.error(); }
  const Error& error() const { return failure_.error(); }
  // Moves the failure out; an empty Failure after a success.
  Failure TakeFailure() { return std::move(failure_); }

 private:
  Failure failure_;
};

// A value, or an error.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  template <class U = T>
  requires std::is_convertible_v<U&&, T> Result(U&& value)  // NOLINT(google-explicit-constructor)
      : value_(std::forward<U>(value)) {}
  Result(Failure failure)  // NOLINT(google-explicit-constructor)
      : failure_(std::move(failure)) {}

  explicit operator bool() const { return !failure_; }
  bool has_value() const { return !failure_; }
  // Without a value, ends the process.
  const T& value() const& { return value_.value(); }
  T&& value() && { return std::move(value_).value(); }
  template <class U>
  T value_or(U&& other) const& {
    return value_.value_or(std::forward<U>(other));
  }
  template <class U>
  T value_or(U&& other) && {
    return std::move(value_).value_or(std::forward<U>(other));
  }
  // The operators require a value,
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return std::move(*value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  // and the next two a failure.
  Error& error() { return failure_.error(); }
  const Error& error() const { return failure_.error(); }
  Failure TakeFailure() { return std::move(failure_); }

 private:
  std::optional<T> value_;
  Failure failure_;
};

}  // namespace shardline

// `SHARDLINE_TRY(Name&& name, ParseName(text));` returns the error from the surrounding function,
// or goes on with the value. The value lives until the end of the block, so a reference suffices.
#define SHARDLINE_TRY(declaration, expression) \
  SHARDLINE_TRY_IMPL(SHARDLINE_CONCAT(result_, __LINE__), declaration, expression)
#define SHARDLINE_TRY_IMPL(result, declaration, expression) \
  auto result = (expression);                               \
  if (!result) return result.TakeFailure();                 \
  declaration = std::move(*result)

// The same for a Status, or for a Result whose value does not matter.
#define SHARDLINE_CHECK(expression) \
  SHARDLINE_CHECK_IMPL(SHARDLINE_CONCAT(status_, __LINE__), expression)
#define SHARDLINE_CHECK_IMPL(status, expression)                          \
  do {                                                                    \
    if (auto status = (expression); !status) return status.TakeFailure(); \
  } while (false)

#define SHARDLINE_CONCAT(a, b) SHARDLINE_CONCAT_IMPL(a, b)
#define SHARDLINE_CONCAT_IMPL(a, b) a##b
