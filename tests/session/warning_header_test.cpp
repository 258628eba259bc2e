// tests/session/warning_header_test.cpp: rows as in apimachinery's TestParseWarningHeader.

#include "src/session/warning_header.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"

namespace dra::session::warning_header_test {
namespace {

struct Case {
  std::string name;
  std::string header;
  std::string want;  // texts with | between
};

const Case kCases[] = {
    {"nothing", "", ""},
    {"as API servers write it", R"(299 - "v1beta1 is deprecated")", "v1beta1 is deprecated"},
    {"white space around it", "  299 - \"a\"  ", "a"},
    {"with a date", R"(299 host:8080 "a" "Tue, 15 Nov 1994 08:12:31 GMT")", "a"},
    {"quotes and backslashes", R"(299 - "a \"b\" \\ \c")", R"(a "b" \ c)"},
    {"commas and spaces inside", R"(299 - "a, b  c")", "a, b  c"},
    {"several", R"(299 - "a", 299 - "b" "date", 299 - "c")", "a|b|c"},
    {"several without a space", R"(299 - "a",299 - "b")", "a|b"},
    {"another code is not for people", R"(199 - "a", 299 - "b")", "b"},
    {"an empty text says nothing", R"(299 - "", 299 - "b")", "b"},
    {"no number", R"(abc - "a")", ""},
    {"a long number", R"(2990 - "a")", ""},
    {"no agent", R"(299 "a")", ""},
    {"an empty agent", R"(299  "a")", ""},
    {"no quotes", "299 - a", ""},
    {"an open quote", R"(299 - "a)", ""},
    {"an open date", R"(299 - "a" "b)", ""},
    {"something behind", R"(299 - "a" b)", ""},
    {"what came before the damage counts", R"(299 - "a", 299 - "b)", "a"},
    {"control characters", "299 - \"a\x1b[31m\"", ""},
    {"C1 control characters", "299 - \"a\xc2\x9b\"", ""},
    {"letters beyond ASCII", "299 - \"ä€\"", "ä€"},
    {"bytes that are not UTF-8", "299 - \"a\xff\"", ""},
};

TEST_CASE("warnings are read from headers") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    CHECK(base::join(parse_warnings(row.header), "|") == row.want);
  }
}

}  // namespace
}  // namespace dra::session::warning_header_test
