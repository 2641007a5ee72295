#include "firestore/query_shape.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace shardline::query_shape_test {
namespace {

FieldPath Path(std::string_view text) { return *FieldPath::Parse(text); }

IndexField Up(std::string_view path) { return {Path(path), IndexMode::kAscending}; }
IndexField Down(std::string_view path) { return {Path(path), IndexMode::kDescending}; }
IndexField Elements(std::string_view path) { return {Path(path), IndexMode::kContains}; }

const FieldPath kA = Path("a");
const FieldPath kB = Path("b");
const FieldPath kT = Path("t");
const FieldPath kU = Path("u");
const FieldPath kTags = Path("tags");
const FieldPath kName = FieldPath::DocumentName();

// a == 1, tags array-contains 2, sorted by t descending, u ascending.
QueryShape Example() {
  QueryShape shape;
  shape.AddFixed(kA, IndexMode::kAscending);
  shape.AddFixed(kTags, IndexMode::kContains);
  shape.AddFixed(kA, IndexMode::kAscending);
  shape.AddOrder(kT, true);
  shape.AddOrder(kA, false);
  shape.AddOrder(kU, false);
  shape.AddOrder(kName, false);
  return shape;
}

TEST(QueryShape, NamesEachFieldOnce) {
  EXPECT_EQ(Example().IndexFields(),
            (std::vector<IndexField>{Up("a"), Elements("tags"), Down("t"), Up("u")}));
}

TEST(QueryShape, OneFieldNeedsNoComposite) {
  QueryShape shape;
  EXPECT_FALSE(shape.NeedsComposite());
  shape.AddFixed(kA, IndexMode::kAscending);
  shape.AddFixed(kB, IndexMode::kAscending);
  EXPECT_FALSE(shape.NeedsComposite());  // Firestore merges the indexes of single fields.
  shape.AddOrder(kA, false);
  EXPECT_FALSE(shape.NeedsComposite());
  shape.AddOrder(kT, false);
  EXPECT_TRUE(shape.NeedsComposite());
  QueryShape sorted;
  sorted.AddOrder(kT, false);
  EXPECT_FALSE(sorted.NeedsComposite());
  sorted.AddOrder(kU, false);
  EXPECT_TRUE(sorted.NeedsComposite());
}

// Equalities in any order and direction; the order of results in its own directions alone.
TEST(QueryShape, AnIndexServesOneOrder) {
  const QueryShape shape = Example();
  EXPECT_TRUE(shape.IsServedBy({Elements("tags"), Down("a"), Down("t"), Up("u")}));
  EXPECT_TRUE(shape.IsServedBy({Up("a"), Elements("tags"), Down("t"), Up("u")}));
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Elements("tags"), Up("t"), Down("u")})) << "backwards";
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Elements("tags"), Up("t"), Up("u")}));
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Up("tags"), Down("t"), Up("u")}));
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Elements("tags"), Down("u"), Up("t")}));
  // Part of it, to be merged with another index.
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Down("t"), Up("u")}));
  EXPECT_TRUE(shape.CanUse({Up("a"), Down("t"), Up("u")}));
  EXPECT_FALSE(shape.CanUse({Up("a"), Up("t"), Down("u")}));
  EXPECT_FALSE(shape.CanUse({Up("b"), Down("t"), Up("u")}));
  EXPECT_FALSE(shape.CanUse({Up("u")}));
  EXPECT_FALSE(shape.CanUse({{Path("a"), IndexMode::kVector}, Down("t"), Up("u")}));
}

}  // namespace
}  // namespace shardline::query_shape_test
