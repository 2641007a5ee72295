#include "delivery/batch.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "base/reason.h"

namespace shardline::batch_test {
namespace {

Error Read(std::string_view json) {
  const PaddedText text(json);
  JsonScanner scanner(text);
  Error error = ReadError(scanner);
  EXPECT_TRUE(scanner.Finish());
  return error;
}

std::string Written(const Error& error) {
  JsonWriter writer;
  WriteError(writer, error);
  return writer.Take();
}

TEST(StoredError, IsReadAsItWasWritten) {
  Error error(kServerRefused, "No \"way\".", 403);
  error.code = Code::kPermissionDenied;
  error.Add("status", "PERMISSION_DENIED");
  error.Add("http", 403);
  const Error read = Read(Written(error));
  EXPECT_EQ(read.code, error.code);
  EXPECT_EQ(read.reason, error.reason);
  EXPECT_EQ(read.params, error.params);
  EXPECT_EQ(read.message, error.message);
  EXPECT_EQ(read.http_status, error.http_status);
}

TEST(StoredError, OfAnEarlierVersionGetsAReason) {
  const Error refused = Read(R"({"code":"permission-denied","message":"No.","status":403})");
  EXPECT_EQ(refused.code, Code::kPermissionDenied);
  EXPECT_EQ(refused.reason, "server-refused");
  EXPECT_EQ(refused.params, R"("status":"PERMISSION_DENIED","http":403)");
  EXPECT_EQ(refused.message, "No.");
  EXPECT_TRUE(HasItsParameters(refused));

  const Error unknown = Read(R"({"code":"outcome-unknown","message":"Who knows.","status":0})");
  EXPECT_EQ(unknown.code, Code::kOutcomeUnknown);
  EXPECT_EQ(unknown.reason, "increment-in-doubt");
  EXPECT_EQ(unknown.message, "Who knows.");
  EXPECT_TRUE(HasItsParameters(unknown));
}

TEST(StoredError, OfALaterVersionKeepsItsReason) {
  const std::string later =
      R"({"code":"aborted","reason":"unheard-of","params":{"a":1},"message":"m","status":0})";
  EXPECT_EQ(Written(Read(later)), later);
}

TEST(StoredError, WithParametersThatAreNoneHasNone) {
  EXPECT_EQ(Read(R"({"code":"aborted","reason":"r","params":7,"message":"m"})").params, "");
}

}  // namespace
}  // namespace shardline::batch_test
