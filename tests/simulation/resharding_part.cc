// A live collection gets its shard field, and then other shard values, while clients go on writing
// and reading: in the end each document has one of the new values, nothing else in it has changed,
// and no query has missed a document or had it twice.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/collection_api.h"
#include "api/resharding_api.h"
#include "simulation/coverage.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

// Tells the states of a document apart; 0: it is not there.
using Version = std::int64_t;

// Two chunks together, and one alone.
constexpr int kNewShards = 24;
constexpr int kOldShards = 16;
constexpr int kDocumentsPerClient = 4;

json Values(const char* prefix, int count) {
  json values = json::array();
  for (int i = 0; i < count; ++i) values.push_back(prefix + std::to_string(i));
  return values;
}
json Text(const std::string& text) { return {{"stringValue", text}}; }
bool IsNew(const json& value) {
  return value.value("stringValue", std::string()).starts_with("new");
}
bool IsOld(const json& value) {
  return value.value("stringValue", std::string()).starts_with("old");
}
// None that the collection knows.
json Strange() { return {{"nullValue", nullptr}}; }

// The allowed values in the shard field of a document of one version, in the end.
struct Expected {
  std::optional<json> exactly;  // Nobody may change this one.
  bool may_be_strange = false;
};

class ReshardingPart final : public Part {
 public:
  ReshardingPart(const Circumstances& circumstances, Random& dice)
      : circumstances_(circumstances),
        works_(circumstances.clients),
        possible_(circumstances.clients),
        ever_(circumstances.clients),
        // Documents may still be written with the old values, by those who are a step behind.
        has_stragglers_(dice.Below(2) == 0) {
    const json fresh = Values("new", kNewShards);
    const json former = Values("old", kOldShards);
    steps_ = {json{{"path", "stock"}, {"shards", former}, {"alsoRead", fresh}},
              json{{"path", "stock"}, {"shards", fresh}, {"alsoRead", former}}};
    settled_ = json{{"path", "stock"}, {"shards", fresh}};
    Seed(dice);
  }

  Started Start(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    const std::uint64_t kind = dice.Below(20);
    work.kind = kind < 4    ? Kind::kSet
                : kind < 9  ? Kind::kUpdate
                : kind < 11 ? Kind::kDelete
                : kind < 14 ? Kind::kBackfill
                : kind < 17 ? Kind::kReshard
                            : Kind::kPage;
    work.step = has_stragglers_ && client.number % 2 == 0 ? 0 : 1;
    if (work.kind == Kind::kReshard) work.step = 1;
    work.id = Id(client.number, dice.Below(kDocumentsPerClient));
    work.limit = static_cast<std::int64_t>(1 + dice.Below(40));
    if (work.kind == Kind::kBackfill || work.kind == Kind::kReshard) {
      return StartRun(work, client, dice);
    }
    if (work.kind == Kind::kPage) {
      const json query = {{"limit", work.limit},
                          {"chunkReads", dice.Below(2) == 0 ? "whole-page" : "share"},
                          {"consistentRead", dice.Below(4) == 0}};
      return Ask(StartCollectionQuery, {{"query", query}}, work.step, client);
    }
    if (work.kind == Kind::kDelete) {
      work.version = 0;
      return Ask(StartCollectionDelete, {{"id", work.id}}, work.step, client);
    }
    work.version = ++last_version_;
    json fields = {{"version", Integer(work.version)}, {"timestamp", Time(dice)}};
    if (dice.Below(3) > 0) {
      fields["shard"] = DrawShard(work.step == 1 ? "new" : "old", dice);
      expected_[work.version].exactly = fields["shard"];
    } else if (work.kind == Kind::kUpdate) {
      expected_[work.version] = AfterUpdate(possible_[client.number][work.id]);
    }
    const json document = {{"fields", fields}};
    if (work.kind == Kind::kSet) {
      return Ask(StartCollectionSet, {{"id", work.id}, {"document", document}}, work.step, client);
    }
    const bool moves = fields.contains("shard");
    return Ask(StartCollectionUpdate, {{"id", work.id}, {"changes", document}, {"move", moves}},
               work.step, client);
  }

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    Work& work = works_[client.number];
    switch (work.kind) {
      case Kind::kBackfill:
      case Kind::kReshard:
        return OnRun(work, client, done, complain);
      case Kind::kPage:
        return OnPage(work, client, done, complain);
      default:
        return OnWritten(work, client, done, complain);
    }
  }

  void OnDeath(const Client& client, Random&) override {
    Work& work = works_[client.number];
    if (work.kind == Kind::kBackfill || work.kind == Kind::kReshard) {
      NoteToken(work, client);
    } else if (work.kind != Kind::kPage) {
      Perhaps(client.number, work.id, work.version);
    }
  }

  void Check(Observer& observer, const Complain& complain) override {
    const Client client{0, observer.context(), observer.now(), observer.now()};
    const auto run = [&](Started (*start)(JsonScanner&, OperationContext&), bool is_reshard) {
      return observer.Run(StartWith(start, RunArguments(1, is_reshard).dump(), client.context));
    };
    if (run(StartCollectionBackfill, false).is_null()) return;
    if (run(StartCollectionReshard, true).is_null()) return;
    for (const bool is_reshard : {false, true}) {
      const json again =
          run(is_reshard ? StartCollectionReshard : StartCollectionBackfill, is_reshard);
      if (again.is_null()) return;
      if (again["written"] != 0) complain("a second run has found more to do: " + again.dump());
    }
    std::vector<std::string> found;
    for (const json& document : Documents(nullptr)) {
      const std::string id = IdOf(document);
      const json& fields = document["fields"];
      CheckDocument(id, fields, complain);
      found_.insert(id);
      if (IsNew(fields.value("shard", json::object()))) found.push_back(id);
    }
    for (std::size_t number = 0; number < circumstances_.clients; ++number) {
      for (const auto& [id, versions] : VersionsOf(number)) {
        if (!found_.contains(id) && !versions.contains(0)) complain(id + " is lost");
      }
    }
    // Clients without the old values find everything.
    const json everything = {{"collection", settled_}, {"query", json::object()}};
    const json page =
        observer.Run(StartWith(StartCollectionQuery, everything.dump(), client.context));
    if (page.is_object() && IdsOf(page) != found) {
      complain("when all is over, the sharded page is not the unsharded query");
    }
  }

 private:
  enum class Kind : std::uint8_t { kSet, kUpdate, kDelete, kBackfill, kReshard, kPage };
  struct Work {
    Kind kind = Kind::kSet;
    std::size_t step = 0;
    std::string id;
    Version version = 0;
    std::int64_t limit = 0;
  };
  using Versions = std::map<std::string, std::set<Version>>;  // By id.

  static std::string Id(std::size_t client, std::uint64_t number) {
    return "c" + std::to_string(client) + "-" + std::to_string(number);
  }
  static json Time(Random& dice) {
    return {{"timestampValue", "2026-01-01T00:00:0" + std::to_string(dice.Below(10)) + "Z"}};
  }
  static json DrawShard(const std::string& prefix, Random& dice) {
    const int most = prefix == "new" ? kNewShards : kOldShards;
    return Text(prefix + std::to_string(dice.Below(static_cast<std::uint64_t>(most))));
  }

  // What was there before there were shards, and some of it with the old values.
  void Seed(Random& dice) {
    json writes = json::array();
    for (std::size_t client = 0; client < circumstances_.clients; ++client) {
      for (int i = 0; i < kDocumentsPerClient; ++i) {
        const std::string id = Id(client, static_cast<std::uint64_t>(i));
        const Version version = ++last_version_;
        json fields = {{"version", Integer(version)}, {"timestamp", Time(dice)}};
        const std::uint64_t shard = dice.Below(8);
        if (shard < 3) fields["shard"] = DrawShard("old", dice);
        if (shard == 3) fields["shard"] = DrawShard("new", dice);
        if (shard == 4) fields["shard"] = Strange();
        if (shard == 3 || shard == 4) expected_[version].exactly = fields["shard"];
        writes.push_back(
            {{"update",
              {{"name", circumstances_.server.NameOf("stock/" + id)}, {"fields", fields}}}});
        times_[version] = fields["timestamp"];
        possible_[client][id] = ever_[client][id] = {version};
      }
    }
    circumstances_.server.Ask(":commit", {{"writes", writes}});
  }

  // An update that leaves the shard as it is.
  Expected AfterUpdate(const std::set<Version>& before) const {
    if (before.size() == 1) return ExpectedOf(*before.begin());
    return {.may_be_strange = true};
  }
  Expected ExpectedOf(Version version) const {
    const auto found = expected_.find(version);
    return found == expected_.end() ? Expected{} : found->second;
  }

  Started Ask(Started (*start)(JsonScanner&, OperationContext&), json arguments, std::size_t step,
              const Client& client) const {
    arguments["collection"] = steps_[step];
    return StartWith(start, arguments.dump(), client.context);
  }

  json RunArguments(std::size_t step, bool is_reshard) const {
    json arguments = {{"collection", steps_[step]}};
    if (is_reshard) arguments["shards"] = steps_[step]["shards"];
    return arguments;
  }

  Started StartRun(Work& work, const Client& client, Random& dice) {
    const bool is_reshard = work.kind == Kind::kReshard;
    json arguments = RunArguments(work.step, is_reshard);
    // Small pages, so that there are many.
    if (dice.Below(4) > 0) arguments["writesPerSecond"] = 1 + dice.Below(30);
    const json& token = tokens_[{work.kind, work.step}];
    if (token.is_string() && dice.Below(4) > 0) {
      arguments["resumeFrom"] = token;
      Reached(is_reshard ? State::kReshardResumed : State::kBackfillResumed);
    }
    return StartWith(is_reshard ? StartCollectionReshard : StartCollectionBackfill,
                     arguments.dump(), client.context);
  }

  void NoteToken(const Work& work, const Client& client) {
    const json told = json::parse(client.progress, nullptr, false);
    if (told.is_object()) tokens_[{work.kind, work.step}] = told["resumeFrom"];
  }

  void OnRun(const Work& work, const Client& client, const Operation& done,
             const Complain& complain) {
    if (done.error()) return NoteToken(work, client);
    tokens_[{work.kind, work.step}] = nullptr;
    const bool is_reshard = work.kind == Kind::kReshard;
    Reached(is_reshard ? State::kResharded : State::kBackfilled);
    // All that was to be done is done, by this run or by those before that it has gone on behind:
    // no client writes without a shard, and only stragglers write an old one.
    if (is_reshard && has_stragglers_) return;
    for (const json& document : Documents(nullptr)) {
      const json fields = document.value("fields", json::object());
      if (!is_reshard && !fields.contains("shard")) complain(IdOf(document) + " was passed over");
      if (is_reshard && fields.contains("shard") && IsOld(fields["shard"])) {
        complain(IdOf(document) + " was not moved");
      }
    }
  }

  // A page equals the result of one query over everything at that time, for documents with a shard.
  void OnPage(const Work& work, const Client& client, const Operation& done,
              const Complain& complain) {
    if (done.error()) return;
    const json page = ResultOf(done);
    const json& times = page["readTimes"];
    for (const json& time : times) {
      if (time != times[0]) return complain("a page in transition is of several instants");
    }
    if (times.empty()) return;
    const Timestamp read{times[0][0].get<std::int64_t>() * 1'000'000 +
                         times[0][1].get<std::int64_t>() / 1'000};
    // The server forgets after an hour.
    constexpr std::int64_t kMemoryMicros = std::int64_t{59} * 60 * 1'000'000;
    if (read.micros < client.server_now.micros - kMemoryMicros) return;
    Reached(State::kPageInTransition);
    std::vector<std::string> expected;
    for (const json& document : Documents(read.ToString())) {
      const json shard = document["fields"].value("shard", json::object());
      if (IsNew(shard) || IsOld(shard)) expected.push_back(IdOf(document));
    }
    if (expected.size() > static_cast<std::size_t>(work.limit)) {
      expected.resize(static_cast<std::size_t>(work.limit));
    }
    if (IdsOf(page) != expected) {
      complain("a page in transition is not the unsharded query: " + json(IdsOf(page)).dump() +
               " instead of " + json(expected).dump());
    }
  }

  void OnWritten(const Work& work, const Client& client, const Operation& done,
                 const Complain& complain) {
    std::set<Version>& possible = possible_[client.number][work.id];
    const bool arrives_later = circumstances_.arrives_later;
    if (!done.error()) {
      ever_[client.number][work.id].insert(work.version);
      possible = {work.version};
      NoteDrawnShard(work, done);
    } else if (IsUnknown(done) || arrives_later) {
      Perhaps(client.number, work.id, work.version);
    } else if (done.error()->code == Code::kNotFound) {
      if (!possible.contains(0)) complain(work.id + " is lost");
      possible = {0};
    }
  }

  // A set() that names none says which shard it has drawn.
  void NoteDrawnShard(const Work& work, const Operation& done) {
    if (work.kind != Kind::kSet || expected_.contains(work.version)) return;
    expected_[work.version].exactly = Text(ResultOf(done)["shard"]);
  }

  void Perhaps(std::size_t client, const std::string& id, Version version) {
    possible_[client][id].insert(version);
    ever_[client][id].insert(version);
  }

  // A sent request may arrive again at any time: then any version may be the last.
  const Versions& VersionsOf(std::size_t client) {
    if (!circumstances_.arrives_later) return possible_[client];
    for (auto& [id, versions] : ever_[client]) versions.insert(0);
    return ever_[client];
  }

  void CheckDocument(const std::string& id, const json& fields, const Complain& complain) {
    const auto number = static_cast<std::size_t>(std::stoul(id.substr(1)));
    const json version_value = fields.value("version", json::object());
    const Version version = std::stoll(version_value.value("integerValue", std::string("0")));
    const Versions& versions = VersionsOf(number);
    const auto known = versions.find(id);
    if (known == versions.end() || version == 0 || !known->second.contains(version)) {
      return complain(id + " is not as it was written: " + fields.dump());
    }
    if (fields.size() != 3 || !fields.contains("timestamp")) {
      return complain(id + " has other fields than it was written with: " + fields.dump());
    }
    const auto time = times_.find(version);
    if (time != times_.end() && fields["timestamp"] != time->second) {
      return complain(id + " has another time");
    }
    CheckShard(id, version, fields["shard"], complain);
  }

  void CheckShard(const std::string& id, Version version, const json& shard,
                  const Complain& complain) const {
    const Expected expected =
        circumstances_.arrives_later ? Expected{.may_be_strange = true} : ExpectedOf(version);
    if (expected.exactly && !IsOld(*expected.exactly)) {
      if (shard != *expected.exactly) {
        complain(id + " has the shard " + shard.dump() + " instead of " + expected.exactly->dump());
      }
    } else if (!IsNew(shard) && !(expected.may_be_strange && shard == Strange())) {
      complain(id + " has the shard " + shard.dump() + " in the end");
    }
  }

  // All of them, in the order of queries, at this time, or now.
  std::vector<json> Documents(const json& read_time) const {
    const auto order = [](const char* field) {
      return json{{"field", {{"fieldPath", field}}}, {"direction", "ASCENDING"}};
    };
    json query = {{"structuredQuery",
                   {{"from", json::array({{{"collectionId", "stock"}}})},
                    {"orderBy", json::array({order("timestamp"), order("__name__")})}}}};
    // A document that has lost its time is to be found, too.
    if (read_time.is_null()) query["structuredQuery"].erase("orderBy");
    if (!read_time.is_null()) query["readTime"] = read_time;
    std::vector<json> documents;
    for (const json& element : circumstances_.server.Ask(":runQuery", query)) {
      if (element.contains("document")) documents.push_back(element["document"]);
    }
    if (read_time.is_null()) {
      std::stable_sort(documents.begin(), documents.end(),
                       [](const json& a, const json& b) { return TimeOf(a) < TimeOf(b); });
    }
    return documents;
  }

  static std::string TimeOf(const json& document) {
    return document.value("fields", json::object())
        .value("timestamp", json::object())
        .value("timestampValue", std::string());
  }
  static std::string IdOf(const json& document) {
    const std::string name = document["name"];
    return name.substr(name.rfind('/') + 1);
  }
  static std::vector<std::string> IdsOf(const json& page) {
    std::vector<std::string> ids;
    for (const json& document : page["docs"]) ids.push_back(document[0]);
    return ids;
  }

  Circumstances circumstances_;
  std::array<json, 2> steps_;  // The collection that writes the old values, or the new.
  json settled_;
  std::vector<Work> works_;
  std::vector<Versions> possible_;  // By client.
  std::vector<Versions> ever_;
  bool has_stragglers_;
  std::map<Version, Expected> expected_;
  std::map<Version, json> times_;  // Of those that were there at first.
  std::map<std::pair<Kind, std::size_t>, json> tokens_;
  Version last_version_ = 0;
  std::set<std::string> found_;  // In the end.
};

}  // namespace

std::unique_ptr<Part> MakeReshardingPart(const Circumstances& circumstances, Random& dice) {
  return std::make_unique<ReshardingPart>(circumstances, dice);
}

}  // namespace shardline::simulation
