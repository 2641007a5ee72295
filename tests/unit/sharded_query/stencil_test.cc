// Documents behind others of the same form, which are read by comparing bytes: as they are when
// they stand alone, whatever their values and forms.

#include <cstddef>
#include <string>

#include "base/random.h"
#include "unit/sharded_query/fake_collection.h"

namespace shardline {
namespace {

class DocumentTexts {
 public:
  explicit DocumentTexts(std::uint64_t seed) : random_(seed), indented_(random_.Below(2) == 0) {}

  // Of one form: what the fields are, and in which order; the values differ.
  std::string Next(std::size_t form, std::size_t number) {
    std::string fields;
    Random shape(form);
    for (std::size_t i = shape.Below(5); i > 0; --i) {
      fields += Member("f" + std::to_string(i), Value(shape, 0)) + ",";
    }
    fields += Member("timestamp", Object(form % 3 == 0   ? Member("integerValue", Quoted(number))
                                         : form % 3 == 1 ? Member("timestampValue", Time(number))
                                                         : Member("stringValue", Text(number))));
    if (shape.Below(2) == 0) fields += "," + Member("last", Value(shape, 0));
    std::string document = Member("name", "\"" + Name("instruments/d" + std::to_string(number)) +
                                              (random_.Below(20) == 0 ? R"(\u0041)" : "") + "\"") +
                           ",";
    document += Member("fields", Object(fields)) + "," + Member("createTime", Time(number)) + ",";
    document += Member("updateTime", Time(random_.Below(1000)));
    std::string element = Member("document", Object(document));
    if (form % 5 != 0) element += "," + Member("readTime", Time(7));
    return Object(element);
  }

 private:
  std::string Object(const std::string& members) const {
    return indented_ ? "{\n  " + members + "\n}" : "{" + members + "}";
  }
  std::string Member(const std::string& name, const std::string& value) const {
    return "\"" + name + (indented_ ? "\": " : "\":") + value;
  }
  static std::string Quoted(std::size_t number) { return "\"" + std::to_string(number) + "\""; }
  // In the order of their numbers, and some with escapes.
  std::string Text(std::size_t number) {
    return "\"" + std::to_string(1000 + number) + (random_.Below(4) == 0 ? R"(\n")" : "x\"");
  }
  std::string Time(std::size_t number) {
    const std::string fraction = random_.Below(2) == 0 ? "" : ".5";
    return "\"2026-01-01T00:" + std::to_string(10 + number / 50 % 50) + ":" +
           std::to_string(10 + number % 50) + fraction + "Z\"";
  }
  template <std::size_t count>
  std::string OneOf(const char* const (&texts)[count]) {
    return texts[random_.Below(count)];
  }

  std::string Value(Random& shape, int depth) {
    switch (shape.Below(depth < 2 ? 10 : 8)) {
      case 0:
        return Object(Member("stringValue", OneOf({R"("")", R"("x")", R"("a \" b \u00e9 ]}")",
                                                   R"("sixteen bytes, and more of them")"})));
      case 1:
        return Object(Member("integerValue", OneOf({R"("0")", R"("7")", R"("-12")", R"("-0")",
                                                    R"("999999999999999")", R"("-99999999999999")",
                                                    R"("9007199254740993")", "7", R"("0012")"})));
      case 2:
        return Object(Member("doubleValue", OneOf({"0.5", "-1e+300", "7", R"("NaN")", "-0.0"})));
      case 3:
        return Object(Member("booleanValue", OneOf({"true", "false"})));
      case 4:
        return Object(Member("timestampValue", Time(random_.Below(100))));
      case 5:
        return Object(Member("bytesValue", OneOf({R"("")", R"("AQI=")"})));
      case 6:
        return Object(Member("nullValue", OneOf({"null", R"("NULL_VALUE")"})));
      case 7:
        return Object(Member("referenceValue", "\"" + Name("c/d") + "\""));
      case 8:
        return Object(Member(
            "mapValue", Object(Member("fields", Object(Member("a", Value(shape, depth + 1)) + "," +
                                                       Member("b", Value(shape, depth + 1)))))));
      default:
        return Array();
    }
  }

  // Of any values; sometimes all that makes a vector.
  std::string Array() {
    std::string elements;
    Random any(random_.Below(1000));
    for (std::size_t i = random_.Below(4); i > 0; --i) {
      elements += (elements.empty() ? "" : ",") +
                  (random_.Below(2) == 0 ? Object(Member("stringValue", R"("y")")) : Value(any, 2));
    }
    const std::string array =
        Object(elements.empty() ? "" : Member("values", "[" + elements + "]"));
    if (random_.Below(3) > 0) return Object(Member("arrayValue", array));
    return Object(Member(
        "mapValue",
        Object(Member(
            "fields",
            Object(Member("__type__",
                          Object(Member("stringValue", OneOf({R"("__vector__")", R"("other")"})))) +
                   "," +
                   Member("value", Object(Member(
                                       "arrayValue",
                                       Object(Member("values", R"([{"doubleValue":1.5}])"))))))))));
  }

  Random random_;
  bool indented_;
};

Outcome Read(const std::string& elements) {
  return Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 50}}}},
             InTurn({OkText("[" + elements + "]")}));
}

// With the stand-ins that each has.
json Documents(const Outcome& page) {
  json documents = page.result["docs"];
  for (json& document : documents)
    document[2] = page.result["shapes"].at(document[2].get<std::size_t>());
  return documents;
}

TEST(Stencil, DocumentsAreReadAsIfEachStoodAlone) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    DocumentTexts texts(seed);
    const std::size_t first = random.Below(30);
    std::string elements;
    json expected = json::array();
    for (std::size_t number = 1; number <= 40; ++number) {
      // All are sorted by a value of the same type.
      const std::size_t form = first + 3 * (number / 8 * random.Below(2));
      const std::string text = texts.Next(form, number);
      const Outcome alone = Read(text);
      ASSERT_TRUE(alone.ok()) << alone.message << ": " << text;
      expected.push_back(Documents(alone)[0]);
      elements += (number > 1 ? ",\n" : "") + text;
    }
    const Outcome page = Read(elements);
    ASSERT_TRUE(page.ok()) << page.message;
    EXPECT_EQ(Documents(page), expected) << "seed " << seed;
  }
}

TEST(Stencil, DamageIsNoticedBehindAWholeDocument) {
  DocumentTexts texts(5);
  for (const std::size_t form : {1u, 6u}) {
    const std::string good = texts.Next(form, 1);
    const std::string whole = texts.Next(form, 2);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const char c : std::string("\"\\}]0\0x", 7)) {
        std::string bad = whole;
        bad[at] = c;
        const Outcome alone = Read(bad);
        const Outcome behind = Read(good + "," + bad);
        ASSERT_EQ(alone.ok(), behind.ok()) << bad;
        if (!alone.ok() || alone.result["docs"].empty()) continue;
        EXPECT_EQ(Documents(alone)[0], Documents(behind)[1]) << bad;
      }
    }
  }
}

}  // namespace
}  // namespace shardline
