#include "operation/collection_page.h"

#include "base/reason.h"
#include "firestore/query.h"
#include "firestore/value.h"

namespace shardline {

Status PageBounds::Take(std::string_view name) {
  if (limit == 0) return Fail(kAnswerUnreadable, "it holds more documents than were asked for");
  const bool inside = name.size() > collection.size() + 1 && name.starts_with(collection) &&
                      name[collection.size()] == '/' &&
                      name.find('/', collection.size() + 1) == std::string_view::npos;
  if (!inside) {
    return Fail(kAnswerUnreadable, "it holds a document of another collection than was asked for");
  }
  if (!after.empty() && CompareNames(after, name) >= 0) {
    return Fail(kAnswerUnreadable, "its documents are out of order, or come a second time");
  }
  if (!before.empty() && CompareNames(name, before) >= 0) {
    return Fail(kAnswerUnreadable, "it goes beyond the end that was asked for");
  }
  after = name;
  --limit;
  return {};
}

Call ReadPage(const DatabaseName& database, const PageQuery& page) {
  Query query{.collection = page.collection, .limit = page.limit};
  if (page.field != nullptr) query.select.push_back(*page.field);
  query.orders.push_back({FieldPath::DocumentName()});
  if (!page.after.empty()) query.start = Position::AtDocument(page.after, false);
  if (!page.before.empty()) query.end = Position::AtDocument(page.before, true);
  return {.path = page.collection.QueryUrlPath(database, ":runQuery"),
          .body = EncodeRunQuery(query, page.read_time)};
}

}  // namespace shardline
