#pragma once

#include "base/error.h"
#include "base/padded_text.h"

namespace shardline {

// The error of an answer without success: the body's {"error": {code, message, status}}, also
// inside an array, or if it is missing the HTTP status alone. `error.status` decides; the HTTP code
// cannot, because 409 means ABORTED or ALREADY_EXISTS, and 400 one of three others
// (google/rpc/code.proto). Where it is missing, new to us or UNKNOWN, the HTTP status has to do:
// then the code is never kInvalidArgument or kNotFound, because the HTTP status alone knows
// nothing of arguments or documents. A 404 whose JSON breaks off is kInternal: before the cut, it
// may have been about a document, and the next answer can tell. A 403 without a word of Firestore's
// is kUnavailable: a hotel or a proxy forbids, and knows no security rules. Takes the first 800
// bytes of the server's own words; if a key, the API or the bill is wrong, the message says what to
// do.
Error DecodeServerError(int http_status, const PaddedText& body);

// For an answer that says success and is not what was asked for. `detail` is the scanner's
// complaint. A web page, such as a hotel's login page, is kUnavailable: the server was not reached.
Error UnreadableAnswer(int http_status, const PaddedText& body, const Error& detail);

}  // namespace shardline
