// Keys that count once: at every moment a counter equals the sum of its keys' documents, and no
// client gets another answer. Also its published total: an older one never replaces a newer one.

#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/batch_api.h"
#include "api/counter_admin_api.h"
#include "api/exactly_once_api.h"
#include "simulation/coverage.h"
#include "simulation/part.h"

namespace shardline::simulation {
namespace {

constexpr std::string_view kSet = "posts/liked";
constexpr std::string_view kSales = "posts/sold";
constexpr std::int64_t kEveryMicros = 1'000'000;
constexpr std::string_view kSharedKeys[] = {"ann", "ben/x", "__cid__"};

class KeyPart final : public Part {
 public:
  explicit KeyPart(const Circumstances& circumstances)
      : circumstances_(circumstances), works_(circumstances.clients + 1) {}

  Started Start(const Client& client, Random& dice) override {
    Work& work = works_[client.number];
    work = {};
    const std::uint64_t kind = dice.Below(20);
    if (kind == 0) return Ask(client, StartCounterCreate, kSet);
    if (kind == 1) return Ask(client, StartCounterResize, kSet, {{"shards", 1 + dice.Below(8)}});
    // Mostly several at once.
    if (kind < 4 || (publishing_ > 0 && dice.Below(2) == 0)) {
      work.kind = Kind::kPublish;
      ++publishing_;
      return AskPublish(client);
    }
    // Keys expire, and then count once more.
    if (kind < 7 && !circumstances_.has_long_pauses) return StartOnce(work, client, dice);
    const bool is_own = dice.Below(2) == 0;
    work.key = is_own ? "client" + std::to_string(client.number)
                      : std::string(kSharedKeys[dice.Below(std::size(kSharedKeys))]);
    work.own = is_own ? &own_[work.key] : nullptr;
    if (kind == 7) {
      work.kind = Kind::kHas;
      return AskHas(client, work.key);
    }
    work.kind = kind < 14 ? Kind::kAdd : Kind::kRemove;
    return Ask(client, work.kind == Kind::kAdd ? StartKeyAdd : StartKeyRemove, kSet,
               {{"key", work.key}});
  }

  void OnDone(const Client& client, const Operation& done, const Complain& complain) override {
    const Work work = std::exchange(works_[client.number], {});
    // Between two publications there is always some client that has done something.
    InspectPublished(circumstances_.server, complain);
    if (work.kind == Kind::kPublish) --publishing_;
    if (work.kind == Kind::kOther || work.kind == Kind::kPublish) return;
    if (done.error()) return OnError(work, done);
    const json result = ResultOf(done);
    if (work.kind == Kind::kOnce) {
      OnCounted(work, result.value("changed", false), complain);
    } else if (work.kind == Kind::kHas) {
      CheckOwn(work, result["members"][0] == true != work.is_in(), complain);
    } else {
      OnChanged(work, result.value("changed", false), complain);
    }
  }

  void OnDeath(const Client& client, Random&) override {
    const Work work = std::exchange(works_[client.number], {});
    if (work.kind == Kind::kPublish) --publishing_;
    if (work.own) work.own->in_doubt = true;
  }

  void Inspect(Server& server, const Complain& complain) override {
    for (const auto& [counter, collection] :
         {std::pair(kSet, "shardline_members"), std::pair(kSales, "shardline_keys")}) {
      const std::string path(counter);
      const std::int64_t total = Sum(server, path, "shards", "count");
      const std::int64_t keys = Sum(server, path + "/shardline/shards.count", collection, "delta");
      if (total != keys) {
        complain(path + " holds " + std::to_string(total) + ", and its keys are " +
                 std::to_string(keys));
      }
    }
    InspectPublished(server, complain);
  }

  void Check(Observer& observer, const Complain& complain) override {
    Inspect(observer, complain);
    const Client client{0, observer.context(), observer.now(), observer.now()};
    for (const auto& [key, own] : own_) {
      const json result = observer.Run(AskHas(client, key));
      Work work{Kind::kHas, key, &own_[key]};
      if (result.is_object()) CheckOwn(work, result["members"][0] == true != own.is_in, complain);
    }
    for (const std::string& key : counted_) {
      const json again = observer.Run(AskOnce(client, key, false));
      if (again.is_object() && again.value("changed", true))
        complain(key + " has counted, and counts again");
    }
    Inspect(observer, complain);
    if (!last_published_) return;
    observer.Wait(std::chrono::seconds(2));
    observer.Run(AskPublish(client));
    const std::int64_t total = Sum(observer, std::string(kSet), "shards", "count");
    if (PublishedField(observer) != std::to_string(total)) {
      complain("what is published in the end is not the total");
    }
  }

 private:
  enum class Kind : std::uint8_t { kOther, kPublish, kAdd, kRemove, kHas, kOnce };
  // A key that one client alone changes, so that it is known.
  struct Own {
    bool is_in = false;
    // The server may still apply a sent request until it has applied a newer one.
    bool in_doubt = false;
  };
  struct Work {
    Kind kind = Kind::kOther;
    std::string key;
    Own* own = nullptr;

    bool is_in() const { return own && own->is_in; }
  };

  static Started Ask(const Client& client, Started (*start)(JsonScanner&, OperationContext&),
                     std::string_view path, json arguments = json::object()) {
    arguments["counter"] = {{"path", path}, {"shards", 4}};
    return StartWith(start, arguments.dump(), client.context);
  }

  // The same key always comes with the same delta.
  static std::int64_t DeltaOf(const std::string& key) {
    return 1 + static_cast<std::int64_t>(key.size() % 5);
  }

  static Started AskOnce(const Client& client, const std::string& key, bool is_dated) {
    json arguments = {{"key", key}, {"delta", {{"integerValue", std::to_string(DeltaOf(key))}}}};
    arguments["serverNow"] = (is_dated ? client.server_now : client.now).micros / 1000;
    return Ask(client, StartKeyIncrement, kSales, std::move(arguments));
  }

  static Started AskHas(const Client& client, const std::string& key) {
    return Ask(client, StartKeysHas, kSet, {{"keys", json::array({key})}});
  }

  static Started AskPublish(const Client& client) {
    return Ask(client, StartCounterPublish, kSet,
               {{"publish", "likes"}, {"everyMs", kEveryMicros / 1000}});
  }

  static json FieldsOf(Server& server, const std::string& path) {
    const json answer = server.Ask(":batchGet", {{"documents", {server.NameOf(path)}}});
    return answer[0].contains("found") ? answer[0]["found"].value("fields", json::object())
                                       : json::object();
  }

  static std::string PublishedField(Server& server) {
    const json fields = FieldsOf(server, std::string(kSet));
    return fields.contains("likes") ? fields["likes"]["integerValue"].get<std::string>() : "";
  }

  void InspectPublished(Server& server, const Complain& complain) {
    const json fields =
        FieldsOf(server, std::string(kSet) + "/shardline/shards.count/shardline_totals/published");
    if (fields.empty()) return;
    const auto as_of = Timestamp::Parse(fields["readTime"]["timestampValue"].get<std::string>());
    if (fields["value"]["integerValue"] != PublishedField(server)) {
      complain("the field does not show what was published last");
    }
    if (last_published_ && *as_of != *last_published_ &&
        as_of->micros - last_published_->micros < kEveryMicros) {
      complain("a total was published too soon, or over a newer one");
    }
    if (last_published_ && *as_of != *last_published_) Reached(State::kPublishedAgain);
    last_published_ = as_of;
  }

  Started StartOnce(Work& work, const Client& client, Random& dice) {
    work.kind = Kind::kOnce;
    if (dice.Below(3) == 0) ++events_;
    work.key = std::string(dice.Below(5), 'x') + std::to_string(events_);
    return AskOnce(client, work.key, dice.Below(2) == 0);
  }

  void OnError(const Work& work, const Operation& done) {
    if (IsUnknown(done)) Reached(State::kKeyInDoubt);
    if (work.own && (IsUnknown(done) || circumstances_.arrives_later)) work.own->in_doubt = true;
  }

  void OnCounted(const Work& work, bool counted, const Complain& complain) {
    Reached(counted ? State::kKeyCounted : State::kKeyCountedBefore);
    counted_.insert(work.key);
    if (counted && !told_.insert(work.key).second) {
      complain("two calls are told that they have counted " + work.key);
    }
  }

  void OnChanged(const Work& work, bool changed, const Complain& complain) {
    const bool is_add = work.kind == Kind::kAdd;
    Reached(!changed ? State::kMemberUnchanged
            : is_add ? State::kMemberAdded
                     : State::kMemberTakenBack);
    // Of a change whose answer is asked for weeks later, nothing may be left.
    const bool may_be_gone = circumstances_.has_long_pauses && !changed;
    CheckOwn(work, !may_be_gone && changed != (work.is_in() != is_add), complain);
    if (!work.own || (work.own->in_doubt && !changed)) return;
    *work.own = {is_add, false};
  }

  static void CheckOwn(const Work& work, bool is_wrong, const Complain& complain) {
    if (!work.own || work.own->in_doubt || !is_wrong) return;
    complain("the key " + work.key + (work.own->is_in ? " counts" : " does not count") +
             ", and its client hears otherwise");
  }

  // The sum of a field of integers over a collection, past all caches; of keys, what each has
  // added.
  static std::int64_t Sum(Server& server, const std::string& parent, std::string_view collection,
                          const char* field) {
    std::int64_t sum = 0;
    const json query = {{"structuredQuery", {{"from", {{{"collectionId", collection}}}}}}};
    for (const json& element : server.Ask('/' + parent + ":runQuery", query)) {
      if (!element.contains("document")) continue;
      const json& document = element["document"];
      if (collection == "shardline_keys") {
        const std::string name = document["name"];
        sum += DeltaOf(name.substr(name.rfind('/') + 1));
        continue;
      }
      const std::int64_t number =
          std::stoll(document["fields"][field]["integerValue"].get<std::string>());
      // Of members that were taken back.
      if (collection != "shardline_members" || number > 0) sum += number;
    }
    return sum;
  }

  const Circumstances circumstances_;
  std::vector<Work> works_;
  std::map<std::string, Own> own_;
  std::uint64_t events_ = 0;
  int publishing_ = 0;
  std::optional<Timestamp> last_published_;  // As of when.
  std::set<std::string> counted_;  // Keys of which a client has the answer that they have counted.
  std::set<std::string> told_;     // Keys that a client has the answer to have counted itself.
};

}  // namespace

std::unique_ptr<Part> MakeKeyPart(const Circumstances& circumstances) {
  return std::make_unique<KeyPart>(circumstances);
}

}  // namespace shardline::simulation
