#include "operation/collection_page.h"

#include <gtest/gtest.h>

namespace shardline::collection_page_test {
namespace {

TEST(PageBounds, TheTable) {
  struct Row {
    const char* after;
    const char* before;
    std::size_t limit;
    const char* name;
    bool is_taken;
  };
  const Row rows[] = {
      {"", "", 1, "d/c/a", true},
      {"", "", 0, "d/c/a", false},
      {"d/c/a", "", 1, "d/c/b", true},
      {"d/c/a", "", 1, "d/c/a", false},
      {"d/c/b", "", 1, "d/c/a", false},
      {"", "", 1, "d/x/a", false},
      {"", "", 1, "d/c/a/b/c", false},
      {"", "", 1, "d/c/", false},
      {"", "", 1, "d/c", false},
      {"", "", 1, "d/cc/a", false},
      {"", "", 1, "", false},
      {"d/c/\t", "d/c/\n", 1, "d/c/\ta", true},
      {"d/c/\t", "d/c/\n", 1, "d/c/a", false},
      // Numeric ids sort first, and as numbers.
      {"d/c/__id9__", "", 1, "d/c/__id10__", true},
      {"d/c/a", "", 1, "d/c/__id10__", false},
  };
  for (const Row& row : rows) {
    PageBounds bounds{"d/c", row.after, row.before, row.limit};
    const Status status = bounds.Take(row.name);
    EXPECT_EQ(status.has_value(), row.is_taken) << row.name;
    if (!status) {
      EXPECT_EQ(status.error().code, Code::kInternal);
    }
  }
}

}  // namespace
}  // namespace shardline::collection_page_test
