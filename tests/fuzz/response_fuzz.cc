// Answers from any server: every decoder of whole answers on any bytes.

#include "firestore/response.h"
#include "firestore/server_error.h"
#include "fuzz/fuzz.h"
#include "unit/support/text.h"

namespace shardline {
namespace {

template <class T>
bool IsAnswer(const Result<T>& answer) {
  if (!answer) {
    Require(!answer.error().message.empty(), "an error has a message");
    Require(answer.error().http_status == 0 || answer.error().http_status == 200,
            "an error is the decoder's or the server's");
  }
  return answer.has_value();
}

void Decode(const PaddedText& body) {
  IsAnswer(DecodeCommit(body));
  IsAnswer(DecodeAggregation(body));
  if (const auto answer = DecodeBatchGet(body); IsAnswer(answer)) {
    for (const DocumentAnswer& document : *answer) Require(!document.name.empty(), "names");
  }
  if (const auto answer = DecodeRunQuery(body); IsAnswer(answer)) {
    for (const DocumentAnswer& document : answer->documents) {
      Require(document.exists && !document.name.empty(), "names");
    }
  }
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
