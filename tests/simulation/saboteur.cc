#include "simulation/saboteur.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "simulator/refusal.h"

namespace shardline::simulation {
namespace {

using experiment::Arrival;
using experiment::kOk;
using experiment::Reply;
using nlohmann::json;
using enum Mutant;

constexpr std::int64_t kMinuteMicros = 60'000'000;

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string NameOf(const json& write) {
  if (write.contains("delete")) return write["delete"];
  return write.contains("update") ? write["update"].value("name", std::string()) : std::string();
}

bool NamesKey(const std::string& text) {
  return Contains(text, "/shardline_members/") || Contains(text, "/shardline_keys/");
}
bool NamesMarker(const std::string& text) { return Contains(text, "/shardline_markers/"); }
bool IsMarker(const json& write) { return NamesMarker(NameOf(write)); }
bool IsWithdrawal(const json& body) {
  return body.contains("writes") && body["writes"].size() == 1 && IsMarker(body["writes"][0]) &&
         body["writes"][0].contains("update");
}
bool IsPublished(const json& write) {
  return NameOf(write).ends_with("/shardline_totals/published");
}
bool IsKey(const json& write) { return NamesKey(NameOf(write)); }
bool IsIncrement(const json& write) { return write.contains("updateTransforms"); }
// Of a document that stands where a counter's do: its name has an even number of parts behind the
// collection of tests, and no user writes it with the library.
bool IsOfCounter(const json& write) { return !Contains(NameOf(write), "/events/"); }
// Takes a field away.
bool IsEmptying(const json& write) {
  return write.contains("update") && !write["update"].contains("fields") && !IsIncrement(write) &&
         write.contains("updateMask");
}
// Gives a document a shard, and changes nothing else.
bool IsAssignment(const json& write) {
  return Contains(NameOf(write), "/stock/") && write.contains("updateMask") &&
         write["updateMask"]["fieldPaths"] == json::array({"shard"});
}
bool IsParent(const json& write) { return NameOf(write).ends_with("/posts/p1"); }

// Adds the integers that a filter compares the price with, and those inside of it.
// NOLINTNEXTLINE(misc-no-recursion)
void AddPrices(const json& filter, std::set<std::string>& prices) {
  if (filter.contains("compositeFilter")) {
    for (const json& each : filter["compositeFilter"]["filters"]) AddPrices(each, prices);
  }
  if (!filter.contains("fieldFilter")) return;
  const json& field = filter["fieldFilter"];
  if (field["field"]["fieldPath"] != "price") return;
  const json& value = field["value"];
  const json list = value.contains("arrayValue") ? value["arrayValue"]["values"] : json{value};
  for (const json& each : list) {
    if (each.contains("integerValue")) prices.insert(each["integerValue"].get<std::string>());
  }
}
// Of the queries for prices that take several pieces, the last one: it has two, and not one.
bool IsLastPiece(const json& query) {
  std::set<std::string> prices;
  if (query.contains("where")) AddPrices(query["where"], prices);
  return prices.contains("2") && !prices.contains("1");
}

// To a withdrawal that it is done, to a reading that the marker is missing.
simulator::Answer SayNothingWasThere(const json& body, Timestamp now) {
  const std::string time = now.ToString();
  if (IsWithdrawal(body)) {
    return {.status = kOk,
            .body = json({{"writeResults", json::array({{{"updateTime", time}}})},
                          {"commitTime", time}})
                        .dump()};
  }
  return {.status = kOk,
          .body = json::array({{{"missing", body["documents"][0]}, {"readTime", time}}}).dump()};
}

simulator::Delivery Refuse(Code code, int status) {
  simulator::Delivery delivery;
  delivery.answer = simulator::ErrorAnswer(simulator::Refusal(code, "Refused.", status));
  return delivery;
}

}  // namespace

void Saboteur::ChangeWrite(json& write) {
  const bool condition = write.contains("currentDocument");
  const bool by_time = condition && write["currentDocument"].contains("updateTime");
  switch (mutant_) {
    case kKeyPreconditionDropped:
      if (IsKey(write)) write.erase("currentDocument");
      break;
    case kMarkerPreconditionDropped:
      if (IsMarker(write)) write.erase("currentDocument");
      break;
    case kWithdrawalGoesAstray:
      if (IsMarker(write) && write["update"]["fields"]["applied"]["booleanValue"] == false) {
        write["update"]["name"] = NameOf(write) + "x";
      }
      break;
    case kPublishedBlindly:
      if (IsPublished(write)) write.erase("currentDocument");
      break;
    case kFoldWithoutUpdateTime:
      if (IsEmptying(write) && !IsParent(write)) write.erase("currentDocument");
      break;
    case kDeleteWithoutUpdateTime:
      if (write.contains("delete")) write.erase("currentDocument");
      break;
    case kFoldDeletesNeighbour:
      if (IsEmptying(write) && by_time && !IsParent(write) && IsOfCounter(write)) {
        write = {{"delete", NameOf(write)}, {"currentDocument", write["currentDocument"]}};
      }
      break;
    case kParentReplaced:
      if (IsParent(write) && !IsIncrement(write)) write.erase("updateMask");
      break;
    case kExistsIgnored:
      if (condition && write["currentDocument"].contains("exists")) write.erase("currentDocument");
      break;
    case kUpdateTimeIgnored:
      if (by_time) write.erase("currentDocument");
      break;
    case kShardWithoutUpdateTime:
      if (IsAssignment(write)) write.erase("currentDocument");
      break;
    case kShardReplacesDocument:
      if (IsAssignment(write)) write.erase("updateMask");
      break;
    case kIncrementsTwice:
      if (IsIncrement(write) && write["updateTransforms"][0].contains("increment") &&
          random_.Below(100) == 0) {
        json& increment = write["updateTransforms"][0]["increment"];
        if (!increment.contains("integerValue")) break;
        const std::int64_t delta = std::stoll(increment["integerValue"].get<std::string>());
        increment["integerValue"] = std::to_string(2 * delta);
      }
      break;
    default:
      break;
  }
}

void Saboteur::ChangeCommit(json& body) {
  if (!body.contains("writes") || body["writes"].empty()) return;
  json& writes = body["writes"];
  left_out_ = -1;
  const auto leave_out = [&](std::size_t place) {
    if (writes.size() < 2) return;
    left_out_ = static_cast<int>(place);
    writes.erase(place);
  };
  if (mutant_ == kKeyWriteLeftOut && IsKey(writes[0])) return leave_out(0);
  if (mutant_ == kMarkerLeftOut && IsMarker(writes[0])) return leave_out(0);
  if (mutant_ == kPublishedByHalf && IsPublished(writes[0])) return leave_out(1);
  if (mutant_ == kCommitNotAtomic && random_.Below(50) == 0) return leave_out(writes.size() - 1);
  const bool is_fold =
      writes.size() > 1 && !IsMarker(writes[0]) && !IsKey(writes[0]) && IsIncrement(writes.back());
  if (mutant_ == kFoldLosesCount && is_fold) return leave_out(writes.size() - 1);
  for (json& write : writes) ChangeWrite(write);
  for (const json& write : writes) {
    if (mutant_ == kMarkersExpireEarly && IsMarker(write)) marker_names_.push_back(NameOf(write));
  }
}

void Saboteur::ChangeRead(const Arrival& arrival, json& body) {
  const bool is_sum = body.contains("structuredAggregationQuery");
  if (mutant_ == kReadTimeDropped) body.erase("readTime");
  if (mutant_ == kTransitionTorn && Contains(body.dump(), "\"stock\"")) body.erase("readTime");
  if (mutant_ == kPieceRepeatsDocument && body.contains("structuredQuery")) {
    json& query = body["structuredQuery"];
    if (IsLastPiece(query) && query.contains("startAt")) query["startAt"]["before"] = true;
  }
  if (mutant_ == kSumMissesShard && is_sum) {
    json& query = body["structuredAggregationQuery"]["structuredQuery"];
    if (query["from"][0]["collectionId"] != "events") query["offset"] = 1;
  }
  if (mutant_ == kStaleSums && is_sum) {
    body["readTime"] = Timestamp{arrival.now.micros - kMinuteMicros}.ToString();
  }
}

void Saboteur::ChangeList(const json& asked, json& elements) {
  const json& query = asked["structuredQuery"];
  if (mutant_ == kWalkSkipsDocument && query["from"][0]["collectionId"] == "stock" &&
      query["orderBy"][0]["field"]["fieldPath"] == "__name__" && random_.Below(8) == 0) {
    for (json& element : elements) {
      if (element.erase("document") > 0) break;
    }
  }
  if (query["from"][0]["collectionId"] != "events") return;
  if (IsLastPiece(query)) {
    for (json& element : elements) {
      if (mutant_ == kPieceLeftOut) element.erase("document");
      if (mutant_ != kPieceOutOfOrder || !element.contains("document")) continue;
      json& time = element["document"]["fields"]["timestamp"];
      if (!time.contains("timestampValue")) continue;
      time["timestampValue"] = time["timestampValue"].get<std::string>().replace(0, 4, "2027");
    }
  }
  std::size_t last = elements.size();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].contains("document")) last = i;
  }
  if (last == elements.size()) return;
  if (mutant_ == kPageOneShort) elements[last].erase("document");
  if (mutant_ == kPageRepeatsDocument) elements.insert(elements.begin(), elements[last]);
  if (mutant_ == kRefillSkipped && query.contains("startAt")) {
    for (json& element : elements) element.erase("document");
  }
}

void Saboteur::ChangeAnswer(const std::string& path, const json& asked, simulator::Answer& answer) {
  if (path.ends_with(":commit")) {
    const bool is_marker = asked["writes"].size() > 1 && IsMarker(asked["writes"][0]);
    const bool is_conflict = Contains(answer.body, "\"ALREADY_EXISTS\"");
    if (mutant_ == kConflictIsSuccess && is_marker && answer.status != kOk && is_conflict) {
      const json result = {{"updateTime", "2026-01-01T00:00:01.000000Z"},
                           {"transformResults", {{{"integerValue", "1"}}}}};
      const json results(asked["writes"].size(), result);
      answer.status = kOk;
      answer.body =
          json({{"writeResults", results}, {"commitTime", "2026-01-01T00:00:01.000000Z"}}).dump();
    }
    if (answer.status != kOk) return;
    json body = json::parse(answer.body, nullptr, false);
    if (left_out_ >= 0 && body.contains("writeResults")) {
      const json result = {{"updateTime", body["commitTime"]},
                           {"transformResults", {{{"integerValue", "1"}}}}};
      json& results = body["writeResults"];
      results.insert(results.begin() + left_out_, result);
      answer.body = body.dump();
    }
    const bool is_ids = Contains(NameOf(asked["writes"][0]), "/shardline_ids/");
    const bool is_taking = is_ids && IsIncrement(asked["writes"][0]);
    if (mutant_ == kIdsRepeated && is_taking) {
      if (ids_answer_.empty() || random_.Below(10) != 0) {
        ids_answer_ = answer.body;
      } else {
        answer.body = ids_answer_;
      }
    }
    return;
  }
  if (answer.status != kOk) return;
  if (path.ends_with(":runQuery")) {
    json elements = json::parse(answer.body, nullptr, false);
    if (!elements.is_array()) return;
    ChangeList(asked, elements);
    if (mutant_ == kTransitionTorn && asked.contains("readTime")) {
      for (json& element : elements) {
        if (element.contains("readTime")) element["readTime"] = asked["readTime"];
      }
    }
    answer.body = elements.dump();
  }
  if (mutant_ == kWithdrawnIsCounted && NamesMarker(asked.dump())) {
    json elements = json::parse(answer.body, nullptr, false);
    for (json& element : elements) {
      if (element.contains("found")) {
        element["found"]["fields"]["applied"]["booleanValue"] = true;
      }
    }
    answer.body = elements.dump();
  }
  const bool is_cached = (mutant_ == kKeyReadFromCache && NamesKey(asked.dump())) ||
                         (mutant_ == kMarkerReadFromCache && NamesMarker(asked.dump()));
  if (is_cached) {
    const auto [cached, is_new] = cached_.emplace(asked.dump(), answer.body);
    answer.body = cached->second;
  }
  if (mutant_ == kStaleSharedTotal && Contains(asked.dump(), "/shardline_totals/")) {
    json elements = json::parse(answer.body, nullptr, false);
    for (json& element : elements) {
      if (!element.contains("found") || !element.contains("readTime")) continue;
      element["found"]["fields"]["readTime"] = {{"timestampValue", element["readTime"]}};
    }
    answer.body = elements.dump();
  }
}

void Saboteur::DeleteMarkers(simulator::Simulator& simulator, const Arrival& arrival) {
  if (marker_names_.empty() || random_.Below(4) != 0) return;
  json writes = json::array();
  for (const std::string& name : marker_names_) writes.push_back({{"delete", name}});
  marker_names_.clear();
  simulator.Handle({"POST", arrival.request.path}, PaddedText(json({{"writes", writes}}).dump()),
                   arrival.now);
}

simulator::Delivery Saboteur::Handle(simulator::Simulator& simulator, const Arrival& arrival) {
  const HttpRequest& request = arrival.request;
  const bool names_marker = NamesMarker(request.body);
  const bool is_commit = request.path.ends_with(":commit");
  if (mutant_ == kMarkerUnreadable && names_marker && !is_commit) {
    return Refuse(Code::kUnavailable, 503);
  }
  if (mutant_ == kAlwaysConflicts && names_marker && is_commit) {
    return Refuse(Code::kAlreadyExists, 409);
  }
  json body = json::parse(request.body, nullptr, false);
  if (body.is_discarded()) body = json::object();
  const json asked = body;
  if (mutant_ == kRefusedWithoutReading && names_marker &&
      (request.path.ends_with(":batchGet") || IsWithdrawal(body))) {
    return {.answer = SayNothingWasThere(body, arrival.now)};
  }
  if (is_commit) {
    ChangeCommit(body);
  } else {
    ChangeRead(arrival, body);
  }
  simulator::Delivery delivery =
      simulator.Handle({request.method, request.path}, PaddedText(body.dump()), arrival.now);
  ChangeAnswer(request.path, asked, delivery.answer);
  if (is_commit) DeleteMarkers(simulator, arrival);
  return delivery;
}

void Saboteur::OnReply(Reply& reply) const {
  if (mutant_ != kLostAnswerIsAborted || reply.kind == Reply::Kind::kAnswer) return;
  const simulator::Answer answer =
      simulator::ErrorAnswer(simulator::Refusal(Code::kAborted, "Aborted.", 409));
  reply.kind = Reply::Kind::kAnswer;
  reply.status = answer.status;
  reply.body = answer.body;
}

}  // namespace shardline::simulation
