#pragma once

#include "base/error.h"
#include "base/padded_text.h"

namespace shardline {

// The error of an answer without success: the body's {"error": {code, message, status}}, also
// inside an array, or the HTTP status alone if the body has no error. `error.status` decides,
// because the HTTP code is ambiguous: 409 means ABORTED or ALREADY_EXISTS, and 400 one of three
// others (google/rpc/code.proto). If `error.status` is missing, unknown here or UNKNOWN, the HTTP
// status decides. Then the code is never kInvalidArgument or kNotFound, because an HTTP status says
// nothing about arguments or documents. A 404 whose JSON breaks off is kInternal: the lost part may
// have named a document, and the next answer can tell. A 403 that Firestore did not word is
// kUnavailable: it comes from a hotel or a proxy, which have no security rules. The message has the
// first 800 bytes of the server's own words, and the remedy if a key, the API or the bill is wrong.
Error DecodeServerError(int http_status, const PaddedText& body);

// The error of an answer that says success and cannot be read as the answer to its request.
// `detail` is the scanner's error. A web page, such as a hotel's login page, is kUnavailable: the
// request did not reach the server.
Error UnreadableAnswer(int http_status, const PaddedText& body, const Error& detail);

}  // namespace shardline
