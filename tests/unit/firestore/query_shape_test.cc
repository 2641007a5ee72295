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

// [t ↓, __name__ ↑] is no [t ↓, __name__ ↓].
TEST(QueryShape, TheDirectionOfTheNameIsPartOfAnIndex) {
  QueryShape usual;
  usual.AddOrder(kT, true);
  EXPECT_FALSE(usual.NeedsComposite());
  EXPECT_TRUE(usual.IsServedBy({Down("t")}, true));
  EXPECT_FALSE(usual.IsServedBy({Down("t")}, false));
  QueryShape other = usual;
  other.AddOrder(kName, false);
  EXPECT_TRUE(other.NeedsComposite());
  EXPECT_TRUE(other.IsServedBy({Down("t")}, false));
  EXPECT_FALSE(other.IsServedBy({Down("t")}, true));
  // Equalities alone take names as they come, unless the query orders by them.
  QueryShape fixed;
  fixed.AddFixed(kA, IndexMode::kAscending);
  fixed.AddFixed(kB, IndexMode::kAscending);
  EXPECT_TRUE(fixed.CanUse({Up("a"), Down("b")}, true));
  fixed.AddOrder(kName, true);
  EXPECT_FALSE(fixed.CanUse({Up("a"), Up("b")}, false));
  EXPECT_TRUE(fixed.CanUse({Up("a"), Down("b")}, true));
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
  EXPECT_TRUE(shape.IsServedBy({Elements("tags"), Down("a"), Down("t"), Up("u")}, false));
  EXPECT_TRUE(shape.IsServedBy({Up("a"), Elements("tags"), Down("t"), Up("u")}, false));
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Elements("tags"), Up("t"), Down("u")}, false))
      << "backwards";
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Elements("tags"), Up("t"), Up("u")}, false));
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Up("tags"), Down("t"), Up("u")}, false));
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Elements("tags"), Down("u"), Up("t")}, false));
  // Part of it, to be merged with another index.
  EXPECT_FALSE(shape.IsServedBy({Up("a"), Down("t"), Up("u")}, false));
  EXPECT_TRUE(shape.CanUse({Up("a"), Down("t"), Up("u")}, false));
  EXPECT_FALSE(shape.CanUse({Up("a"), Up("t"), Down("u")}, false));
  EXPECT_FALSE(shape.CanUse({Up("b"), Down("t"), Up("u")}, false));
  EXPECT_FALSE(shape.CanUse({Up("u")}, false));
  EXPECT_FALSE(shape.CanUse({{Path("a"), IndexMode::kVector}, Down("t"), Up("u")}, false));
}

}  // namespace
}  // namespace shardline::query_shape_test
