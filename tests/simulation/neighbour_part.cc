// Users' data in the documents of counters, beside and below them: no operation touches them.

#include <map>
#include <utility>
#include <vector>

#include "simulation/coverage.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

struct ForeignField {
  const char* document;
  const char* path;
};

// In parents, in shards, beside shards, in maps that hold counts; and documents that look like
// ours.
constexpr ForeignField kForeignFields[] = {
    {"posts/p1", "title"},
    {"posts/p1", "author.name"},
    {"posts/p1/shards/0", "note"},
    {"posts/p1/shards/7", "note"},
    {"posts/p1/reactions/0", "note"},
    {"posts/p1/reactions/1", "stats.note"},
    {"posts/p1/reactions/9", "note"},
    {"posts/p1/other_shards/3", "note"},
    {"posts/p1/_counter_shards_/mine", "note"},
    {"posts/p1/loose/2", "note"},
    {"posts/p1/comments/c1", "text"},
    {"tallies/0", "note"},
    {"tallies/readme", "text"},
    {"posts/p1/shardline_notes/n1", "text"},
};

class NeighbourPart final : public Part {
 public:
  explicit NeighbourPart(const Circumstances& circumstances) : server_(circumstances.server) {}

  // Writes one field, past the library.
  Started Start(const Client&, Random& dice) override {
    const std::size_t place = dice.Below(std::size(kForeignFields));
    const ForeignField& field = kForeignFields[place];
    const std::string text = "version " + std::to_string(++version_);
    json value = {{"stringValue", text}};
    const std::string path = field.path;
    const std::size_t dot = path.find('.');
    json fields = {{path.substr(dot == std::string::npos ? 0 : dot + 1), value}};
    if (dot != std::string::npos) {
      fields = {{path.substr(0, dot), {{"mapValue", {{"fields", fields}}}}}};
    }
    const json write = {{"update", {{"name", server_.NameOf(field.document)}, {"fields", fields}}},
                        {"updateMask", {{"fieldPaths", {path}}}}};
    const json answer = server_.Ask(":commit", {{"writes", {write}}});
    if (answer.contains("commitTime")) texts_[place] = text;
    return std::unique_ptr<Operation>();
  }

  void OnDone(const Client&, const Operation&, const Complain&) override {}
  void OnDeath(const Client&, Random&) override {}

  void Inspect(Server& server, const Complain& complain) override {
    if (texts_.empty()) return;
    json names = json::array();
    for (const auto& [place, text] : texts_) {
      names.push_back(server.NameOf(kForeignFields[place].document));
    }
    std::map<std::string, json> documents;
    for (json& element : server.Ask(":batchGet", {{"documents", names}})) {
      if (!element.contains("found")) continue;
      const std::string name = element["found"]["name"];
      documents[name] = std::move(element);
    }
    for (const auto& [place, text] : texts_) {
      const json& found = documents[server.NameOf(kForeignFields[place].document)];
      const ForeignField& field = kForeignFields[place];
      if (TextAt(found, field.path) != text) {
        return complain(std::string("the user's field ") + field.path + " of " + field.document +
                        " is not as it was written: " + found.dump());
      }
      Reached(State::kNeighbourFieldKept);
    }
  }

  void Check(Observer& observer, const Complain& complain) override { Inspect(observer, complain); }

 private:
  // What a field of text holds; empty for none.
  static std::string TextAt(const json& element, std::string path) {
    for (char& letter : path) letter = letter == '.' ? '/' : letter;
    const std::size_t slash = path.find('/');
    if (slash != std::string::npos) path.replace(slash, 1, "/mapValue/fields/");
    const json::json_pointer pointer("/found/fields/" + path + "/stringValue");
    return element.contains(pointer) ? element.at(pointer).get<std::string>() : std::string();
  }

  Server& server_;
  std::int64_t version_ = 0;
  std::map<std::size_t, std::string> texts_;  // By place in kForeignFields.
};

}  // namespace

std::unique_ptr<Part> MakeNeighbourPart(const Circumstances& circumstances) {
  return std::make_unique<NeighbourPart>(circumstances);
}

}  // namespace shardline::simulation
