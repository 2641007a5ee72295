#pragma once

#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_scanner.h"
#include "firestore/query.h"
#include "firestore/resource_name.h"
#include "sharded_query/document_head.h"
#include "sharded_query/plain_text.h"
#include "sharded_query/plain_writer.h"
#include "sharded_query/query_plan.h"

namespace shardline {

// Reads documents of one collection, in any order.
class HeadReader {
 public:
  // `prefix` of all names: "projects/…/documents/instruments/". For the others see PlainWriter;
  // they must outlive the reader.
  HeadReader(std::string prefix, const std::vector<FieldPath>& key_fields,
             const std::optional<std::vector<FieldPath>>& projection)
      : prefix_(std::move(prefix)), writer_(key_fields, projection) {}

  // Reads the document that the scanner is in front of into `head`. Errors latch in the scanner,
  // and leave `head` unspecified: the document is malformed, or of another collection. Returns
  // whether it has fields.
  bool Read(JsonScanner& scanner, DocumentHead& head);

  const std::string& prefix() const { return prefix_; }
  std::string Shapes() const { return writer_.Shapes(); }

 private:
  bool ReadName(JsonScanner& scanner, DocumentHead& head) const;

  std::string prefix_;
  PlainWriter writer_;
};

// Writes a document in the format of results: see PageOperation::WriteResult().
void WriteDocument(PlainText& out, const DocumentHead& head);

// Reads the documents of answers to a plan's queries, and refuses documents that the queries cannot
// find.
class DocumentReader {
 public:
  // The plan must outlive it.
  DocumentReader(const QueryPlan& plan, const DatabaseName& database);

  // Reads the document that the scanner is in front of, from an answer to this chunk's query, into
  // `head`. Errors latch in the scanner, and leave `head` unspecified: the document is malformed,
  // of another collection, or of a shard that was not asked for.
  void Read(JsonScanner& scanner, std::size_t chunk, DocumentHead& head);

  // The order of the query, its directions included. It compares long values like Firestore. If the
  // server's own order contradicts that, call TurnOrder().
  std::weak_ordering Compare(const DocumentHead& a, const DocumentHead& b) const;
  void TurnOrder() {
    using enum SortKey::LongValues;
    long_values_ = long_values_ == kCut ? kWhole : kCut;
  }
  // Whether a query that starts at this position finds the document.
  bool IsBehind(const DocumentHead& head, const Position& start) const;
  // The position behind a document, at which a query goes on.
  Position PositionOf(const DocumentHead& head) const;

  // The prefix of all names of documents: "projects/…/documents/instruments/".
  const std::string& prefix() const { return reader_.prefix(); }
  std::string Shapes() const { return reader_.Shapes(); }

 private:
  const QueryPlan& plan_;
  // The fields of the query's order, and last the shard field, if there is one.
  std::vector<FieldPath> key_fields_;
  HeadReader reader_;
  SortKey::LongValues long_values_ = SortKey::LongValues::kCut;
};

}  // namespace shardline
