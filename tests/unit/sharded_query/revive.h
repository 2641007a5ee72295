// Turns the plain documents of a page back into Firestore's values, like web/library/revive.js,
// which turns them into JavaScript's.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/base64.h"
#include "unit/sharded_query/fake_collection.h"

namespace shardline {

class Reviver {
 public:
  // `shape`: [[stand, key or index, …], …].
  explicit Reviver(const json& shape) {
    for (const json& stand_in : shape) {
      const json way(json::array_t(stand_in.begin() + 1, stand_in.end()));
      EXPECT_TRUE(stands_.emplace(way.dump(), stand_in[0]).second) << "twice: " << shape;
    }
  }

  // Whole numbers become integers, as plain JSON does not tell them apart; but not beyond 2^53,
  // where integers have a stand-in.
  Map Revive(const json& data) {
    Map map = Fields(data, json::array());
    EXPECT_TRUE(stands_.empty()) << "no value is there: " << stands_.begin()->first << " in "
                                 << data;
    return map;
  }

 private:
  Map Fields(const json& object, const json& way) {
    EXPECT_TRUE(object.is_object()) << object;
    Map map;
    for (const auto& [name, value] : object.items()) map.Set(name, Revive(value, Down(way, name)));
    return map;
  }

  Value Revive(const json& plain, const json& way) {
    const auto stand = stands_.find(way.dump());
    if (stand != stands_.end()) {
      const int kind = stand->second;
      stands_.erase(stand);
      return StandIn(kind, plain);
    }
    if (plain.is_null()) return Null();
    if (plain.is_boolean()) return Bool(plain);
    if (plain.is_number_float()) return Double(plain);
    if (plain.is_number()) {
      const auto number = plain.get<double>();
      return std::abs(number) < 0x1p53 ? Int(plain) : Double(number);
    }
    if (plain.is_string()) return Str(plain);
    if (plain.is_object()) return {Fields(plain, way)};
    Array array;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      array.elements.push_back(Revive(plain[i], Down(way, i)));
    }
    return {array};
  }

  static Value StandIn(int kind, const json& plain) {
    switch (kind) {
      case 0:
        EXPECT_GE(plain[1], 0);
        return {Timestamp{plain[0].get<std::int64_t>() * 1'000'000 +
                          plain[1].get<std::int64_t>() / 1000}};
      case 1:
        return Blob(DecodeBase64(plain.get<std::string>()).value());
      case 2:
        return Ref(plain);
      case 3:
        return Geo(plain[0], plain[1]);
      case 4:
        return Vec(plain);
      case 5:
        return Int(std::stoll(plain.get<std::string>()));
      case 6:
        return FromWire(json({{"doubleValue", plain}}).dump());
      default:
        ADD_FAILURE() << "an unknown stand-in: " << kind;
        return {};
    }
  }

  static json Down(json way, const json& step) {
    way.push_back(step);
    return way;
  }

  std::map<std::string, int> stands_;
};

// The documents of a page's result.
inline std::vector<Document> ReviveDocuments(const json& result) {
  EXPECT_EQ(result["prefix"], Name("instruments/"));
  std::vector<Document> documents;
  for (const json& document : result["docs"]) {
    Reviver reviver(result["shapes"].at(document[2].get<std::size_t>()));
    documents.push_back({document[0], reviver.Revive(document[1])});
  }
  return documents;
}

inline std::vector<std::string> Ids(const std::vector<Document>& documents) {
  std::vector<std::string> ids;
  for (const Document& document : documents) ids.push_back(document.id);
  return ids;
}

}  // namespace shardline
