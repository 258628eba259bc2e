// tests/base/line_diff_test.cpp: what differs between texts, as diff -u tells it.

#include "dra/base/line_diff.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::base::line_diff_test {
namespace {

struct Row {
  const char* name;
  std::string before;
  std::string after;
  std::string want;
};

const std::string kNumbers = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";

TEST_CASE("unified diffs") {
  const Row rows[] = {
      {"equal", "a\n", "a\n", ""},
      {"from nothing", "", "a\n", "--- f\n+++ f\n@@ -1,0 +1,1 @@\n+a\n"},
      {"a line in the middle", kNumbers, "1\n2\n3\n4\n5\nsix\n7\n8\n9\n10\n11\n12\n",
       "--- f\n+++ f\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n"},
      {"two changes that are near", kNumbers, "one\n2\n3\n4\n5\n6\nseven\n8\n9\n10\n11\n12\n",
       "--- f\n+++ f\n@@ -1,10 +1,10 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n-7\n+seven\n 8\n 9\n 10\n"},
      {"two changes that are not", kNumbers, "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n",
       "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -9,4 +9,4 @@\n 9\n 10\n 11\n-12\n"
       "+twelve\n"},
      {"a line less at the end", "a\nb\n", "a\n", "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a\n-b\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(unified_diff("f", row.before, row.after) == row.want);
  }
}

}  // namespace
}  // namespace dra::base::line_diff_test
