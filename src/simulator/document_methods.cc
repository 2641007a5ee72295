// The methods that follow REST's own verbs: documents one by one, and lists of them.

#include <algorithm>
#include <set>

#include "base/base64.h"
#include "base/number.h"
#include "base/utf8.h"
#include "firestore/resource_name.h"
#include "simulator/database.h"
#include "simulator/names.h"
#include "simulator/query_runner.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

// As the emulator's.
constexpr std::int64_t kDefaultPageSize = 30;
constexpr std::int64_t kMaxPageSize = 150;

Status CheckDocumentPath(const Call& call) {
  const auto name = ParseDocumentName(DocumentName(call.database.name, call.path));
  if (!name) return Fail(name.error());
  return {};
}

// The collection of a list or create: an odd number of ids.
Status CheckCollectionPath(const Call& call) {
  const auto name = ParseParentName(DocumentName(call.database.name, ParentPath(call.path)));
  if (!name) return Fail(name.error());
  return CheckCollectionId(LastId(call.path));
}

// Reads a Document as a body, and returns its name separately, because only some methods allow it.
Status ReadDocumentBody(Call& call, Map& fields, bool& named) {
  return call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "fields") {
      fields = ReadFields(scanner);
    } else if (member == "name") {
      named = !ReadString(scanner).empty();
    } else if (member == "createTime" || member == "updateTime") {
      scanner.SkipValue();
    } else {
      return false;
    }
    return true;
  });
}

Result<std::string> WriteOne(Call& call, Write write) {
  SHARDLINE_TRY(const auto mask, call.MaskParameter("mask.fieldPaths"));
  const std::vector<Write> writes = {std::move(write)};
  SHARDLINE_CHECK(Commit(call, writes, nullptr));
  const std::string& path = writes[0].path;
  const ContentPtr content = call.database.store.Get(path, std::nullopt);
  JsonWriter writer;
  WriteDocument(writer, call.database.name, path, *content, mask);
  return writer.Take();
}

struct Page {
  std::int64_t size = kDefaultPageSize;
  std::string after;  // The end of the last page.
};

Result<Page> ReadPage(std::string_view size_text, std::string_view token) {
  Page page;
  if (!size_text.empty()) {
    const auto size = ParseInt64(size_text);
    if (!size) return InvalidArgument("pageSize is no number.");
    if (*size < 0) return InvalidArgument("Page size must be nonnegative.");
    if (*size > 0) page.size = std::min(*size, kMaxPageSize);
  }
  if (!token.empty()) {
    auto after = DecodeBase64(token);
    if (!after || after->empty() || (*after)[0] != '>' || !IsUtf8(*after)) {
      return InvalidArgument("invalid page token");
    }
    page.after = after->substr(1);
  }
  return page;
}

std::string PageToken(std::string_view after) {
  std::string token = ">";
  token += after;
  return EncodeBase64(token);
}

std::string_view ParameterOr(const Call& call, std::string_view name) {
  const std::string* value = call.Parameter(name);
  return value ? std::string_view{*value} : std::string_view{};
}

// Ids in the collection that have no document but documents below them.
std::set<std::string, IdLess> MissingIds(const Store& store, const std::string& collection,
                                         std::optional<Timestamp> at) {
  std::set<std::string, IdLess> ids;
  const std::string prefix = collection + '/';
  const auto& collections = store.collections();
  for (auto below = collections.lower_bound(prefix);
       below != collections.end() && below->first.compare(0, prefix.size(), prefix) == 0; ++below) {
    const std::string id =
        below->first.substr(prefix.size(), below->first.find('/', prefix.size()) - prefix.size());
    if (ids.count(id) != 0 || store.Get(prefix + id, at)) continue;
    for (const auto& [key, document] : below->second.documents()) {
      if (at ? document->At(*at) : document->current()) {
        ids.insert(id);
        break;
      }
    }
  }
  return ids;
}

// An entry of a list: content is null for a missing document.
struct Listed {
  std::string path;
  ContentPtr content;
};

std::vector<Listed> ListByName(const Call& call, const Page& page, std::optional<Timestamp> at,
                               bool show_missing) {
  std::vector<Listed> listed;
  std::set<std::string, IdLess> missing;
  if (show_missing) missing = MissingIds(call.database.store, call.path, at);
  const auto add_missing_before = [&](const std::string_view* id) {
    while (!missing.empty() && (!id || IdLess()(*missing.begin(), *id))) {
      if (page.after.empty() || IdLess()(page.after, *missing.begin())) {
        listed.push_back({call.path + '/' + *missing.begin(), nullptr});
      }
      missing.erase(missing.begin());
    }
  };
  const auto wanted = static_cast<std::size_t>(page.size);
  if (const Collection* collection = call.database.store.FindCollection(call.path)) {
    const auto& documents = collection->documents();
    auto document = page.after.empty() ? documents.begin() : documents.upper_bound(page.after);
    for (; document != documents.end() && listed.size() < wanted; ++document) {
      add_missing_before(&document->first);
      const Document& one = *document->second;
      const ContentPtr& content = at ? one.At(*at) : one.current();
      if (content) listed.push_back({one.path(), content});
    }
  }
  if (listed.size() < wanted) add_missing_before(nullptr);
  if (listed.size() > wanted) listed.resize(wanted);
  return listed;
}

// By a given order: the token is the number of documents before the page.
Result<std::vector<Listed>> ListByOrder(const Call& call, const Page& page,
                                        std::optional<Timestamp> at, std::string_view order) {
  Query query;
  query.parent = std::string(ParentPath(call.path));
  query.collection_id = std::string(LastId(call.path));
  SHARDLINE_TRY(query.orders, ParseOrders(order));
  query.offset = std::max<std::int64_t>(ParseInt64(page.after).value_or(0), 0);
  query.limit = page.size;
  std::vector<Listed> listed;
  for (Row& row : RunQuery(call.database.store, query, at).rows) {
    listed.push_back({row.document->path(), std::move(row.content)});
  }
  return listed;
}

std::string NextToken(const Page& page, const std::vector<Listed>& listed, bool by_order) {
  if (!by_order) return PageToken(LastId(listed.back().path));
  std::string offset;
  AppendInt64(offset,
              ParseInt64(page.after).value_or(0) + static_cast<std::int64_t>(listed.size()));
  return PageToken(offset);
}

}  // namespace

Result<std::string> GetDocument(Call& call) {
  SHARDLINE_CHECK(CheckDocumentPath(call));
  SHARDLINE_TRY(const auto mask, call.MaskParameter("mask.fieldPaths"));
  Snapshot::Selector selector;
  SHARDLINE_CHECK(selector.FromParameters(call));
  SHARDLINE_TRY(Snapshot snapshot, Snapshot::Open(call, selector));
  const ContentPtr content = call.database.store.Get(call.path, snapshot.at());
  snapshot.NoteRead(call.path);
  ++call.billed.reads;
  if (!content) {
    return Fail(Code::kNotFound,
                "Document (" + DocumentName(call.database.name, call.path) + ") not found.");
  }
  JsonWriter writer;
  WriteDocument(writer, call.database.name, call.path, *content, mask);
  return writer.Take();
}

Result<std::string> ListDocuments(Call& call) {
  SHARDLINE_CHECK(CheckCollectionPath(call));
  const bool show_missing = ParameterOr(call, "showMissing") == "true";
  const std::string_view order = ParameterOr(call, "orderBy");
  if (show_missing && !order.empty()) {
    return InvalidArgument("cannot specify an order when show_missing is true");
  }
  if (show_missing && !call.admin) {
    return Fail(Code::kPermissionDenied, "Metadata operations require admin authentication.");
  }
  SHARDLINE_TRY(const auto mask, call.MaskParameter("mask.fieldPaths"));
  SHARDLINE_TRY(const Page page,
                ReadPage(ParameterOr(call, "pageSize"), ParameterOr(call, "pageToken")));
  Snapshot::Selector selector;
  SHARDLINE_CHECK(selector.FromParameters(call));
  SHARDLINE_TRY(Snapshot snapshot, Snapshot::Open(call, selector));
  // A missing document depends on the collections below, with any name.
  snapshot.NoteQuery(show_missing ? std::string_view() : LastId(call.path));
  std::vector<Listed> listed;
  if (order.empty()) {
    listed = ListByName(call, page, snapshot.at(), show_missing);
  } else {
    SHARDLINE_TRY(listed, ListByOrder(call, page, snapshot.at(), order));
  }
  call.billed.reads += std::max<std::int64_t>(static_cast<std::int64_t>(listed.size()), 1);
  JsonWriter writer;
  writer.BeginObject();
  if (!listed.empty()) {
    writer.Key("documents").BeginArray();
    for (const Listed& one : listed) {
      if (one.content) {
        WriteDocument(writer, call.database.name, one.path, *one.content, mask);
      } else {
        writer.BeginObject().Key("name").String(DocumentName(call.database.name, one.path));
        writer.EndObject();
      }
    }
    writer.EndArray();
    if (static_cast<std::int64_t>(listed.size()) == page.size) {
      writer.Key("nextPageToken").RawString(NextToken(page, listed, !order.empty()));
    }
  }
  writer.EndObject();
  return writer.Take();
}

Result<std::string> CreateDocument(Call& call) {
  SHARDLINE_CHECK(CheckCollectionPath(call));
  Write write;
  bool named = false;
  SHARDLINE_CHECK(ReadDocumentBody(call, write.fields, named));
  if (named) return InvalidArgument("document.name must not be set");
  std::string id(ParameterOr(call, "documentId"));
  if (id.empty()) id = MakeAutoId(call.random);
  SHARDLINE_CHECK(CheckDocumentId(id));
  write.path = call.path + '/' + id;
  write.precondition.exists = false;
  return WriteOne(call, std::move(write));
}

Result<std::string> PatchDocument(Call& call) {
  SHARDLINE_CHECK(CheckDocumentPath(call));
  Write write;
  bool named = false;
  SHARDLINE_CHECK(ReadDocumentBody(call, write.fields, named));
  SHARDLINE_TRY(write.mask, call.MaskParameter("updateMask.fieldPaths"));
  SHARDLINE_TRY(write.precondition, call.PreconditionParameter());
  write.path = call.path;
  return WriteOne(call, std::move(write));
}

Result<std::string> DeleteDocument(Call& call) {
  SHARDLINE_CHECK(CheckDocumentPath(call));
  Write write;
  write.kind = Write::Kind::kDelete;
  write.path = call.path;
  SHARDLINE_TRY(write.precondition, call.PreconditionParameter());
  SHARDLINE_CHECK(Commit(call, {write}, nullptr));
  return std::string("{}");
}

Result<std::string> ListCollectionIds(Call& call) {
  const auto parent = ParseParentName(DocumentName(call.database.name, call.path));
  if (!parent) return Fail(parent.error());
  std::string size;
  std::string token;
  Snapshot::Selector selector;
  SHARDLINE_CHECK(call.ReadBody([&](JsonScanner& scanner, const std::string& member) {
    if (member == "pageSize") {
      AppendInt64(size, ReadInt32(scanner));
    } else if (member == "pageToken") {
      token = ReadString(scanner);
    } else {
      return member == "readTime" && selector.Read(scanner, member);
    }
    return true;
  }));
  SHARDLINE_TRY(const Page page, ReadPage(size, token));
  if (!call.admin) {
    return Fail(Code::kPermissionDenied, "Metadata operations require admin authentication.");
  }
  SHARDLINE_TRY(const Snapshot snapshot, Snapshot::Open(call, selector));
  const std::string prefix = call.path.empty() ? "" : call.path + '/';
  std::set<std::string> ids;
  for (const auto& [path, collection] : call.database.store.collections()) {
    if (path.compare(0, prefix.size(), prefix) != 0) continue;
    const auto& documents = collection.documents();
    const bool inhabited = std::any_of(documents.begin(), documents.end(), [&](const auto& entry) {
      const Document& document = *entry.second;
      return (snapshot.at() ? document.At(*snapshot.at()) : document.current()) != nullptr;
    });
    if (inhabited) {
      ids.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
    }
  }
  ++call.billed.reads;
  JsonWriter writer;
  writer.BeginObject();
  std::int64_t count = 0;
  std::string last;
  for (auto id = ids.upper_bound(page.after); id != ids.end() && count < page.size; ++id, ++count) {
    if (count == 0) writer.Key("collectionIds").BeginArray();
    writer.String(*id);
    last = *id;
  }
  if (count > 0) writer.EndArray();
  if (count == page.size) writer.Key("nextPageToken").RawString(PageToken(last));
  writer.EndObject();
  return writer.Take();
}

}  // namespace shardline::simulator
