// Answers from any server: every decoder of whole answers on any bytes.

#include "firestore/answers.h"
#include "firestore/server_error.h"
#include "firestore/value_codec.h"
#include "fuzz/fuzz.h"
#include "unit/support/text.h"

namespace shardline {
namespace {

bool IsAnswer(Status answer) {
  if (answer) return true;
  Require(!answer.error().message.empty(), "an error has a message");
  Require(answer.error().http_status == 0 || answer.error().http_status == 200,
          "an error is the decoder's or the server's");
  return false;
}

void Decode(const PaddedText& body) {
  for (const std::size_t writes : {0U, 1U, 2U}) {
    CommitAnswer commit;
    const bool decoded = IsAnswer(DecodeCommit(body, writes, &commit));
    Require(decoded == IsAnswer(DecodeCommit(body, writes)) || !decoded, "what is asked for");
  }
  SumAndCount sum;
  if (IsAnswer(DecodeAggregation(body, true, sum))) Require(sum.count >= 0, "counts");
  DocumentsAnswer documents(body);
  while (documents.Next()) {
    documents.document().fields.Read(DecodeFields);
    if (documents.scanner().ok()) Require(!documents.document().name.empty(), "names");
  }
  if (IsAnswer(documents.Finish())) Require(!documents.read_time().empty(), "read times");
  for (const int status : {200, 302, 400, 409, 500}) {
    const Error error = DecodeServerError(status, body);
    Require(!error.message.empty() && error.http_status == status, "an error has a message");
    UnreadableAnswer(status, body, error);
  }
}

}  // namespace
}  // namespace shardline

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  shardline::Decode(shardline::Text(shardline::Input(data, size)));
  return 0;
}
