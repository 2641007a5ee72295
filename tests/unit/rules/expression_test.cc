// Each of these texts was tried on Google's emulator: those that pass compile there, and those that
// are refused do not, except comments, which would be harmless in most places.

#include "rules/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace shardline::expression_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Repeated(int times, const std::string& text) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Expression, WhatCompilesPasses) {
  for (const char* text : {"true",
                           "request.auth.token.admin == true",
                           "request.auth.token['admin'] == true",
                           "request.auth != null\n  && request.auth.uid in ['a', \"b\"]",
                           "!true || !!false",
                           "-1 < - 2",
                           "true ? false : true",
                           "1 is int && 'a' is string",
                           "{'a': 1, 'b': [2]} == {}",
                           "[1, 2][0:1] == [1]",
                           "'a\\'b' == \"it's\"",
                           "b'abc' == b'abc'",
                           "1.5 > 0.25",
                           "exists(/databases/$(database)/documents/roles/$(request.auth.uid))",
                           "get(/databases/(default)/documents/r-1/a.b).data.admin",
                           "timestamp.date(2020, 1, 1) < request.time",
                           "request . auth != null",
                           "resource.data.if == 1",
                           "9223372036854775807 > 1",
                           "request.auth.token.email.matches('.*@example[.]com')",
                           "request.auth.token.x == '// ; { ('",
                           "((request.auth.uid == 'a'))",
                           "1 - -1 == 2",
                           "isAdmin()"}) {
    EXPECT_TRUE(CheckExpression(text, "admin")) << text;
  }
}

TEST(Expression, WhatDoesNotCompileIsRefused) {
  for (const char* text : {"",
                           "  \n",
                           "true;",
                           "true; allow write: if true",
                           "(true",
                           "true)",
                           "true) || (true",
                           "[1",
                           "{'a': 1",
                           "{a: 1} == {}",
                           "'a",
                           "\"a'",
                           "'a\nb' == 'a'",
                           "'\\q' == 'a'",
                           "'a\\",
                           "true // yes",
                           "/* yes */ true",
                           "request.auth.",
                           "request.auth.token.admin = true",
                           "a b",
                           "true and true",
                           "not true",
                           "&& true",
                           "true &&",
                           "true &&& true",
                           "1..2 == 1",
                           "resource.data.1 == 1",
                           "1e5 > 2",
                           "0x10 == 16",
                           "5. > 0",
                           "99999999999999999999 > 1",
                           "1 is foo",
                           "math == 1",
                           "if",
                           "let x = 1",
                           "true ? 1",
                           "x()()",
                           "(true)(false)",
                           "(1, 2)",
                           "1 & 1 == 1",
                           "~1 == 1",
                           "1 + +1 == 2",
                           "exists(/databases/a b)",
                           "exists(/a//b)",
                           "f(1",
                           "a[1",
                           "true\x01",
                           "null()",
                           "\xff",
                           "@",
                           "}"}) {
    const Status status = CheckExpression(text, "admin");
    ASSERT_FALSE(status) << text;
    EXPECT_THAT(status.error().message, StartsWith("admin must be one expression")) << text;
  }
}

TEST(Expression, WhatIsTooComplexIsRefused) {
  EXPECT_TRUE(CheckExpression("true" + Repeated(50, " && true"), "admin"));
  for (const std::string& text :
       {"true" + Repeated(51, " && true"), Repeated(51, "(") + "1" + Repeated(51, ")"),
        Repeated(100'000, "!") + "true", Repeated(100'000, "("), Repeated(100'000, "["),
        Repeated(100'000, "f("), Repeated(100'000, "a ? "), Repeated(100'000, "/$(")}) {
    const Status status = CheckExpression(text, "admin");
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("50 operators and brackets"));
  }
}

}  // namespace
}  // namespace shardline::expression_test
