#include "simulator/store.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "simulator/names.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxIndexes = 12;
// Bound the memory of an hour in which documents change all the time, and how long it takes to
// write everything down.
constexpr std::size_t kMaxFormerVersions = 200'000;
constexpr std::size_t kMaxFormerBytes = 128 << 20;

const ContentPtr kNothing;

std::size_t MemoryOf(const Map& map);

// The memory of a value besides itself.
std::size_t MemoryOf(const Value& value) {
  if (const auto* text = value.As<std::string>()) return text->capacity();
  if (const auto* bytes = value.As<Bytes>()) return bytes->data.capacity();
  if (const auto* reference = value.As<Reference>()) return reference->name.capacity();
  if (const auto* vector = value.As<Vector>()) return vector->elements.size() * sizeof(double);
  if (const auto* map = value.As<Map>()) return MemoryOf(*map);
  std::size_t size = 0;
  if (const auto* array = value.As<Array>()) {
    for (const Value& element : array->elements) size += sizeof(Value) + MemoryOf(element);
  }
  return size;
}

std::size_t MemoryOf(const Map& map) {
  std::size_t size = 0;
  for (const Field& field : map.fields) {
    size += sizeof(Field) + field.name.capacity() + MemoryOf(field.value);
  }
  return size;
}

// The memory of a former version.
std::size_t MemoryOf(const ContentPtr& content) {
  constexpr std::size_t kOverhead = 64;
  return kOverhead + (content ? sizeof(Content) + MemoryOf(content->fields) : 0);
}

}  // namespace

const ContentPtr& Document::At(Timestamp time) const {
  if (time >= since_) return current_;
  if (!history_) return kNothing;
  for (std::size_t i = history_->versions.size(); i > history_->forgotten; --i) {
    const Version& version = history_->versions[i - 1];
    if (time >= version.since) return version.content;
  }
  return kNothing;
}

const Index* Collection::IndexFor(const IndexShape& shape) {
  const std::string key = shape.Key();
  const auto at = indexes_.find(key);
  if (at == indexes_.end()) {
    if (indexes_.size() >= kMaxIndexes) {
      indexes_.erase(std::min_element(
          indexes_.begin(), indexes_.end(),
          [](const auto& a, const auto& b) { return a.second.last_used < b.second.last_used; }));
    }
    indexes_[key] = KeptIndex{std::make_unique<Index>(shape), ++uses_, false};
    return nullptr;
  }
  KeptIndex& kept = at->second;
  kept.last_used = ++uses_;
  if (!kept.built) {
    std::vector<const Document*> documents;
    for (const auto& [id, document] : documents_) documents.push_back(document.get());
    kept.index->Build(documents);
    kept.built = true;
  }
  return kept.index.get();
}

Collection* Store::FindCollection(std::string_view path) {
  const auto at = collections_.find(path);
  return at == collections_.end() ? nullptr : &at->second;
}

const Document* Store::Find(std::string_view path) const {
  const auto collection = collections_.find(ParentPath(path));
  if (collection == collections_.end()) return nullptr;
  const auto document = collection->second.documents_.find(LastId(path));
  return document == collection->second.documents_.end() ? nullptr : document->second.get();
}

ContentPtr Store::Get(std::string_view path, std::optional<Timestamp> at) const {
  const Document* document = Find(path);
  if (!document) return nullptr;
  return at ? document->At(*at) : document->current();
}

void Store::Put(std::string_view path, ContentPtr content, Timestamp time) {
  assert(replaced_.empty() || replaced_.back().time <= time);
  Collection& collection = collections_[std::string(ParentPath(path))];
  auto at = collection.documents_.find(LastId(path));
  const bool is_new = at == collection.documents_.end();
  if (is_new) {
    if (!content) return;
    auto document = std::make_unique<Document>(std::string(path));
    const std::string_view id = LastId(document->path());
    at = collection.documents_.emplace(id, std::move(document)).first;
  }
  Document& document = *at->second;
  if (!document.current_ && !content) return;
  // An index finds a document by its present fields: it must leave before they change.
  std::vector<Index*> moved;
  for (auto& [key, kept] : collection.indexes_) {
    if (!kept.built || kept.index->SameEntry(document.current_.get(), content.get())) continue;
    kept.index->Remove(&document);
    moved.push_back(kept.index.get());
  }
  const std::size_t before = document.current_ ? 1 : 0;
  const std::size_t after = content ? 1 : 0;
  collection.size_ = collection.size_ - before + after;
  size_ = size_ - before + after;
  if (!is_new) {
    if (!document.history_) document.history_ = std::make_unique<Document::History>();
    replaced_bytes_ += MemoryOf(document.current_);
    document.history_->versions.push_back({document.since_, std::move(document.current_)});
    replaced_.push_back({time, &document});
  }
  if (keeps_journal_) journal_.push_back({std::string(path), time, content});
  document.current_ = std::move(content);
  document.since_ = time;
  for (Index* index : moved) index->Add(&document);
  while (replaced_.size() > kMaxFormerVersions || replaced_bytes_ > kMaxFormerBytes) ForgetOldest();
}

void Store::ForgetOldest() {
  const Replaced oldest = replaced_.front();
  replaced_.pop_front();
  oldest_time_ = std::max(oldest_time_, oldest.time);
  Document& document = *oldest.document;
  Document::History& history = *document.history_;
  ContentPtr& content = history.versions[history.forgotten++].content;
  replaced_bytes_ -= MemoryOf(content);
  content.reset();
  if (history.forgotten * 2 >= history.versions.size()) {
    history.versions.erase(
        history.versions.begin(),
        history.versions.begin() + static_cast<std::ptrdiff_t>(history.forgotten));
    history.forgotten = 0;
  }
  if (!history.versions.empty()) return;
  document.history_.reset();
  if (document.current_) return;
  Collection& collection = *FindCollection(ParentPath(document.path()));
  collection.documents_.erase(collection.documents_.find(LastId(document.path())));
}

void Store::Trim(Timestamp horizon) {
  while (!replaced_.empty() && replaced_.front().time < horizon) ForgetOldest();
  oldest_time_ = std::max(oldest_time_, horizon);
}

void Store::Clear() { *this = Store(); }

std::vector<Store::Version> Store::AllVersions() const {
  std::vector<Version> versions;
  for (const auto& [collection_path, collection] : collections_) {
    for (const auto& [id, document] : collection.documents_) {
      if (document->history_) {
        const auto& former = document->history_->versions;
        std::size_t i = document->history_->forgotten;
        // A document that begins with a deletion is one that was not there.
        while (i < former.size() && !former[i].content) ++i;
        for (; i < former.size(); ++i) {
          versions.push_back({document->path(), former[i].since, former[i].content});
        }
      }
      versions.push_back({document->path(), document->since_, document->current_});
    }
  }
  std::stable_sort(versions.begin(), versions.end(),
                   [](const Version& a, const Version& b) { return a.time < b.time; });
  return versions;
}

}  // namespace shardline::simulator
