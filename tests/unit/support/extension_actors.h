// The other actors on a counter of the firestore-counter extension's layout: its clients and its
// workers, which move counts from shards to partials and to the counter's document. They are
// written from the extension's effects on documents. The transactions of its workers, which lock
// the documents that they read, are commits here on the condition that nothing has changed since.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "operation/operation.h"

namespace shardline {

inline constexpr const char* kExtensionShards = "/_counter_shards_";

// Adds to a shard of its own.
class ExtensionClient final : public Operation {
 public:
  // `field` is as the protocol has it.
  ExtensionClient(OperationContext& context, const std::string& document, const std::string& shard,
                  const std::string& field, std::int64_t delta)
      : Operation(context) {
    const nlohmann::json increment = {{"fieldPath", field},
                                      {"increment", {{"integerValue", std::to_string(delta)}}}};
    const nlohmann::json write = {
        {"update",
         {{"name", database().documents() + '/' + document + kExtensionShards + '/' + shard}}},
        {"updateMask", {{"fieldPaths", nlohmann::json::array()}}},
        {"updateTransforms", {increment}}};
    SendCommit(nlohmann::json({{"writes", {write}}}).dump(), Effect::kOnce);
  }

  void WriteResult(JsonWriter& writer) const override { writer.Raw("null"); }

 private:
  Result<Billed> OnAnswer(CallId, PaddedText& body) override {
    // A proxy may answer 200 with a page of its own.
    if (!nlohmann::json::accept(body.view())) return Fail(kAnswerUnreadable, "This is no JSON.");
    Finish();
    return Billed{.writes = 1};
  }
};

// One transaction of a worker.
class ExtensionWorker final : public Operation {
 public:
  enum class Task : std::uint8_t {
    // What the controller does by itself, as long as there is little to do: everything goes to the
    // counter's document.
    kController,
    // Shards go to a partial.
    kToPartial,
    // Shards and partials go to the counter's document. Partials are taken to be as they were some
    // time ago, and what they held then is taken away from whatever they hold now.
    kToDocument,
    // Empty partials are deleted, others are made short.
    kCleanUp,
  };
  static constexpr int kTasks = 4;

  ExtensionWorker(OperationContext& context, std::string document, Task task)
      : Operation(context), document_(std::move(document)), task_(task) {
    const json query = {{"from", {{{"collectionId", "_counter_shards_"}}}}};
    Send({.path = database().UrlPath('/' + document_ + ":runQuery"),
          .body = json({{"structuredQuery", query}}).dump()});
  }

  void WriteResult(JsonWriter& writer) const override { writer.Raw("null"); }

 private:
  using json = nlohmann::json;
  // Numbers by the path of their field, as the protocol has it.
  using Numbers = std::map<std::string, std::int64_t>;
  struct Document {
    std::string name;
    std::string update_time;
    json fields;
  };
  enum class Step : std::uint8_t { kListing, kReading, kCommitting };

  static bool IsPartial(const Document& document) {
    return document.name[document.name.rfind('/') + 1] == '\t';
  }

  static void AddUp(const json& fields, std::int64_t sign, Numbers& numbers,
                    const std::string& prefix = {}) {
    for (const auto& [name, value] : fields.items()) {
      if (value.contains("integerValue")) {
        numbers[prefix + name] += sign * std::stoll(value["integerValue"].get<std::string>());
      } else if (value.contains("mapValue")) {
        AddUp(value["mapValue"].value("fields", json::object()), sign, numbers,
              prefix + name + '.');
      }
    }
  }

  static void AddUpdates(const Document& partial, std::int64_t sign, Numbers& numbers) {
    if (!partial.fields.contains("_updates_")) return;
    const json& array = partial.fields["_updates_"]["arrayValue"];
    for (const json& update : array.value("values", json::array())) {
      AddUp(update["mapValue"]["fields"]["_data_"]["mapValue"].value("fields", json::object()),
            sign, numbers);
    }
  }

  static bool IsNothing(const Numbers& numbers) {
    for (const auto& [path, number] : numbers) {
      if (number != 0) return false;
    }
    return true;
  }

  static json Fields(const Numbers& numbers) {
    json fields = json::object();
    for (const auto& [path, number] : numbers) {
      json* at = &fields;
      std::size_t start = 0;
      for (std::size_t dot = path.find('.'); dot != std::string::npos;
           dot = path.find('.', start)) {
        at = &(*at)[path.substr(start, dot - start)]["mapValue"]["fields"];
        start = dot + 1;
      }
      (*at)[path.substr(start)] = {{"integerValue", std::to_string(number)}};
    }
    return fields;
  }

  json Update(const Numbers& numbers) {
    const json fields = {{"_id_", {{"stringValue", MakeAutoId(random())}}},
                         {"_data_", {{"mapValue", {{"fields", Fields(numbers)}}}}}};
    return {{"mapValue", {{"fields", fields}}}};
  }

  // Whatever is there.
  json Append(const std::string& name, const Numbers& numbers) {
    const json transform = {{"fieldPath", "_updates_"},
                            {"appendMissingElements", {{"values", {Update(numbers)}}}}};
    return {{"update", {{"name", name}}},
            {"updateMask", {{"fieldPaths", json::array()}}},
            {"updateTransforms", {transform}}};
  }

  static json Condition(const Document& document) {
    if (document.update_time.empty()) return {{"exists", false}};
    return {{"updateTime", document.update_time}};
  }

  static json Delete(const Document& document) {
    return {{"delete", document.name}, {"currentDocument", Condition(document)}};
  }

  // Adds to the counter's document, as it was read.
  json AddToMain(Numbers numbers) const {
    Numbers before;
    AddUp(main_.fields, 1, before);
    std::vector<std::string> paths;
    for (auto& [path, number] : numbers) {
      number += before.contains(path) ? before[path] : 0;
      paths.push_back(path);
    }
    return {{"update", {{"name", main_.name}, {"fields", Fields(numbers)}}},
            {"updateMask", {{"fieldPaths", paths}}},
            {"currentDocument", Condition(main_)}};
  }

  static Document Read(const json& found) {
    return {found["name"], found["updateTime"], found.value("fields", json::object())};
  }

  Result<Billed> OnAnswer(CallId, PaddedText& body) override {
    const json answer = json::parse(body.view(), nullptr, false);
    if (answer.is_discarded()) return Fail(kAnswerUnreadable, "This is no JSON.");
    if (step_ == Step::kListing) {
      for (const json& element : answer) {
        if (element.contains("document")) listed_.push_back(Read(element["document"]));
      }
      step_ = Step::kReading;
      Send({.path = database().UrlPath(":batchGet"),
            .body = json({{"documents", {database().documents() + '/' + document_}}}).dump()});
    } else if (step_ == Step::kReading) {
      main_.name = database().documents() + '/' + document_;
      if (answer[0].contains("found")) main_ = Read(answer[0]["found"]);
      step_ = Step::kCommitting;
      const json writes = Writes();
      if (writes.empty()) {
        Finish();
      } else {
        SendCommit(json({{"writes", writes}}).dump(), Effect::kRepeatable);
      }
    } else {
      Finish();
    }
    return Billed{};
  }

  json Writes() {
    json writes = json::array();
    Numbers moved;
    for (const Document& document : listed_) {
      const bool is_partial = IsPartial(document);
      if (task_ == Task::kCleanUp) {
        if (is_partial) writes.push_back(CleanUp(document));
      } else if (!is_partial) {
        // Each takes some.
        if (task_ != Task::kController && random().Below(3) == 0) continue;
        AddUp(document.fields, 1, moved);
        writes.push_back(Delete(document));
      } else if (task_ == Task::kController) {
        AddUpdates(document, 1, moved);
        writes.push_back(Delete(document));
      } else if (task_ == Task::kToDocument) {
        Numbers negative;
        AddUpdates(document, -1, negative);
        if (IsNothing(negative)) continue;
        AddUpdates(document, 1, moved);
        writes.push_back(Append(document.name, negative));
      }
    }
    if (IsNothing(moved)) return writes;
    if (task_ == Task::kToPartial) {
      const std::string partials[] = {"\t\t\t\t0", "\t\t\t9e"};
      writes.push_back(
          Append(main_.name + kExtensionShards + '/' + partials[random().Below(2)], moved));
    } else {
      writes.push_back(AddToMain(moved));
    }
    return writes;
  }

  json CleanUp(const Document& partial) {
    Numbers numbers;
    AddUpdates(partial, 1, numbers);
    if (IsNothing(numbers)) return Delete(partial);
    const json list = {{"arrayValue", {{"values", {Update(numbers)}}}}};
    return {{"update", {{"name", partial.name}, {"fields", {{"_updates_", list}}}}},
            {"currentDocument", Condition(partial)}};
  }

  std::string document_;
  Task task_;
  Step step_ = Step::kListing;
  std::vector<Document> listed_;
  Document main_;
};

}  // namespace shardline
