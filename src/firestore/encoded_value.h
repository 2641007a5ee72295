// Values in Firestore's JSON form, as requests hold them (parse, don't validate): each was encoded
// from a typed value or has passed the checks, so no other text gets into a request.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"

namespace shardline {

struct FieldChange;

// An object of values, {"symbol":{"stringValue":"AAA"}}. Encoded by FieldsWriter and FieldsOf().
class EncodedFields {
 public:
  EncodedFields() = default;  // None.

  // Takes these fields, unless CheckFields() refuses them; `size` becomes its result. `wire` must
  // be a slice of a PaddedText.
  Status Read(std::string_view wire, std::size_t& size);

  bool empty() const { return json_.empty(); }
  const std::string& json() const { return json_; }

 private:
  friend class FieldPlace;
  friend class FieldsWriter;
  friend EncodedFields FieldsOf(std::span<const FieldChange> changes);
  explicit EncodedFields(JsonWriter& writer) : json_(writer.Take()) {}
  explicit EncodedFields(std::string&& json) : json_(std::move(json)) {}

  std::string json_;
};

// One value, {"stringValue":"AAA"}. Numbers are encoded by Amount.
class EncodedValue {
 public:
  EncodedValue() = default;  // None.

  // Takes this value, unless CheckValue() refuses it; `where` names it in messages. `wire` must be
  // a slice of a PaddedText.
  Status Read(std::string_view wire, std::string_view where);
  // Requires a value that passes CheckValue().
  static EncodedValue OfChecked(std::string_view wire);
  // A string or an int64 in plain JSON: "x", 7.
  static EncodedValue OfPlain(std::string_view json);

  // A document's full name.
  static EncodedValue Reference(std::string_view name);
  static EncodedValue Map(const EncodedFields& fields);

  bool empty() const { return json_.empty(); }
  const std::string& json() const { return json_; }

 private:
  friend class Amount;
  friend class EncodedValues;
  explicit EncodedValue(JsonWriter& writer) : json_(writer.Take()) {}

  std::string json_;
};

// Several values, in an order.
class EncodedValues {
 public:
  void Add(EncodedValue value) { json_.push_back(std::move(value.json_)); }
  // Like EncodedValue::Read(); adds the value.
  Status Read(std::string_view wire, std::string_view where);

  bool empty() const { return json_.empty(); }
  std::size_t size() const { return json_.size(); }
  const std::string& json(std::size_t index) const { return json_[index]; }

  // An arrayValue of all of them, or of the range [begin, end).
  EncodedValue List() const { return List(0, size()); }
  EncodedValue List(std::size_t begin, std::size_t end) const;
  // The content of an arrayValue, {"values":[…]}: the operand of FieldTransforms that take several
  // values.
  EncodedValue Elements() const;

 private:
  // Strings, and not EncodedValues, because modules have code for lists of strings already.
  std::vector<std::string> json_;
};

}  // namespace shardline
