#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json_scanner.h"
#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/value.h"

namespace shardline {

// Decoders of whole answers, for those that are small. Each takes the body of an HTTP success; a
// body that holds an error after all (streams can fail in the middle) yields that error, and
// anything that is not the expected JSON, is not UTF-8 or says nothing is kInvalidArgument.
// Timestamps stay as the server wrote them, so that they can be sent back unchanged; all have been
// parsed.

// Reads a time and returns it as the server wrote it. Rejects what is no time: sent back in a
// request, it would be refused, and the caller be blamed for it.
std::string DecodeTime(JsonScanner& scanner);

struct WriteResult {
  std::string update_time;  // Empty for a delete.
  std::vector<Value> transform_results;
};
struct CommitAnswer {
  std::vector<WriteResult> write_results;
  std::string commit_time;
};
Result<CommitAnswer> DecodeCommit(const PaddedText& body);

struct DocumentAnswer {
  std::string name;
  bool exists = false;
  Map fields = {};
  std::string create_time = {};
  std::string update_time = {};
  std::string read_time = {};
};
// The answer to :batchGet, in the server's order, which need not be the order asked for.
Result<std::vector<DocumentAnswer>> DecodeBatchGet(const PaddedText& body);

struct QueryAnswer {
  std::vector<DocumentAnswer> documents;
  std::string read_time;  // Of the last element that has one.
};
// The answer to :runQuery, all of it. (Sharded queries scan theirs lazily instead.)
Result<QueryAnswer> DecodeRunQuery(const PaddedText& body);

struct AggregationAnswer {
  Map values;  // By alias.
  std::string read_time;
};
Result<AggregationAnswer> DecodeAggregation(const PaddedText& body);

}  // namespace shardline
