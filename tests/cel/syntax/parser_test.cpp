// tests/cel/syntax/parser_test.cpp
//
// Limits of what is parsed, and what is said of text that no API server would ever see. Trees and
// places are compared with upstream's in tests/differential/cel.

#include "dra/cel/syntax/parser.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::cel::parser_test {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i)
    out += text;
  return out;
}

// The only issue, or nothing.
std::string issue(const std::string& expression) {
  const Parsed parsed = parse(Source(expression));
  if (parsed.ok()) return {};
  CHECK(parsed.issues.size() == 1);
  return parsed.issues.front().message;
}

TEST_CASE("nesting has a limit") {
  const std::string too_deep = "expression recursion limit exceeded: 250";
  struct Row {
    const char* sentence;
    std::string expression;
    std::string want;
  };
  const Row rows[] = {
      {"parentheses nest 249 deep", repeated("(", 249) + "1" + repeated(")", 249), ""},
      {"and no deeper", repeated("(", 250) + "1" + repeated(")", 250), too_deep},
      {"lists", repeated("[", 300), too_deep},
      {"what is never closed", repeated("(", 10'240), too_deep},
      {"keys", repeated("a[", 300), too_deep},
      {"operators on one level are depth, too", repeated("1 + ", 300) + "1",
       "max recursion depth exceeded"},
      {"but those of logic are not", repeated("true && ", 300) + "true", ""},
      {"nor are signs", repeated("!", 10'239) + "a", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.sentence);
    CHECK(issue(row.expression) == row.want);
  }
}

TEST_CASE("text that is not UTF-8 is refused") {
  const std::string refused = "expression is not UTF-8";
  CHECK(issue("device.driver == \"\xff\"") == refused);
  CHECK(issue("\x80\x80\xbf") == refused);
  CHECK(issue("// \xc3") == refused);
}

}  // namespace
}  // namespace dra::cel::parser_test
