#include "base/json_view.h"

#include <cstddef>

namespace shardline {

JsonView::Visit::Visit(const JsonView& view)
    : scanner_(*view.scanner_), back_(scanner_.position()) {
  scanner_.Seek(view.at_);
}

JsonView::JsonView(JsonScanner& scanner) : scanner_(&scanner) {
  scanner.Peek();  // Past white space.
  at_ = scanner.position();
}

JsonView JsonView::operator[](std::string_view path) const {
  const std::size_t dot = path.find('.');
  const JsonView member = Member(path.substr(0, dot));
  return dot == std::string_view::npos ? member : member[path.substr(dot + 1)];
}

JsonView JsonView::Member(std::string_view name) const {
  JsonView found;
  for (JsonItems members(*this, JsonItems::Of::kObject); members.Next();) {
    if (!members.Is(name)) continue;
    if (found) found.scanner_->Reject("an object has a name twice");
    found = members.value();
  }
  return found;
}

JsonItems::JsonItems(const JsonView& container, Of kind)
    : scanner_(container.scanner_), next_(container.at_), kind_(kind) {
  if (!container) return;
  const JsonView::Visit visit(container);
  const bool is_there = kind == Of::kObject ? scanner_->BeginObject() : scanner_->BeginArray();
  next_ = is_there ? scanner_->position() : nullptr;
}

bool JsonItems::Next() {
  if (next_ == nullptr) return false;
  const char* back = scanner_->position();
  scanner_->Seek(next_, is_first_);
  is_first_ = false;
  next_ = nullptr;
  if (kind_ == Of::kObject ? scanner_->NextKey(raw_key_) : scanner_->NextElement()) {
    scanner_->Peek();  // Past white space.
    value_ = scanner_->position();
    scanner_->SkipValue();
    next_ = scanner_->position();
  }
  scanner_->Seek(back);
  return next_ != nullptr && scanner_->ok();
}

}  // namespace shardline
