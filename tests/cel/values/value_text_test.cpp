// tests/cel/values/value_text_test.cpp

#include "dra/cel/values/value_text.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::value_text_test {
namespace {

std::string text_of(const std::string& expression) {
  CAPTURE(expression);
  const Environment environment;
  Parsed parsed = parse(Source(expression), environment.macros());
  REQUIRE(parsed.ok());
  Checked checked = check(std::move(parsed.ast), environment);
  REQUIRE(checked.ok());
  const auto program = Program::make(std::move(checked), environment);
  REQUIRE(program.ok());
  Run run;
  return value_text(program.value().evaluate({}, run));
}

struct Case {
  const char* name;
  const char* expression;
  const char* want;
};

const Case kCases[] = {
    {"texts are in quotes", "'a\"b'", "\"a\\\"b\""},
    {"what cannot be printed is escaped", "'a\\n\\u200b'", "\"a\\n\\u200b\""},
    {"octets too", "b'a\\x00'", "b\"a\\x00\""},
    {"whole numbers", "[dyn(-1), dyn(2u)]", "[-1, 2u]"},
    {"numbers with fractions have a point", "[1.5, 2.0, -0.0, 1e30]", "[1.5, 2.0, -0.0, 1e+30]"},
    {"truths", "[true, false]", "[true, false]"},
    {"nothing", "null", "null"},
    {"the first elements, and how many there are", "[1, 2, 3, 4, 5, 6, 7]",
     "[1, 2, 3, 4, 5, ... 7 elements]"},
    {"lists in lists are counted", "[[1], [], [1, 2]]", "[[1 element], [], [2 elements]]"},
    {"maps are counted", "[{}, {'a': 1}, {'a': 1, 'b': 2}]", "[{}, {1 entry}, {2 entries}]"},
    {"what may be missing", "[optional.none(), optional.of(1)]", "[optional.none(), optional(1)]"},
    {"quantities in their canonical form", "quantity('1024Mi')", "1Gi"},
    {"versions", "semver('1.2.3-a+b')", "1.2.3-a+b"},
    {"durations and times", "[dyn(duration('90m')), dyn(timestamp('2020-01-02T03:04:05+02:00'))]",
     "[5400s, 2020-01-02T03:04:05+02:00]"},
    {"types", "type(1)", "int"},
    {"errors say what is wrong", "1 / (1 - 1) == 1", "division by zero"},
};

TEST_CASE("values as text") {
  for (const Case& row : kCases) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(text_of(row.expression) == std::string(row.want));
  }
}

TEST_CASE("long texts are cut between characters") {
  std::string letters;
  std::string start;
  for (int i = 0; i < 100; ++i)
    (i < 80 ? start : letters) += "é";
  CHECK(value_text(Value::string(start)) == "\"" + start + "\"");
  const std::string whole = start + letters;
  CHECK(value_text(Value::string(whole)) == "\"" + start + "...\" (100 characters)");
}

struct Amount {
  const char* name;
  const char* text;
  const char* want;
};

const Amount kAmounts[] = {
    {"a round amount needs no other form", "80Gi", ""},
    {"many of a small unit are few of a large one", "81152Mi", "79.25Gi"},
    {"what is omitted is marked", "81153Mi", "~79.25Gi"},
    {"a negative amount", "-1536Mi", "-1.5Gi"},
    {"bytes that are whole mebibytes", "85899345920", "80Gi"},
    {"other large numbers are decimal", "123456789", "~123.46M"},
    {"numbers that are read at once", "9999", ""},
    {"thousandths of more than one", "1500m", "1.5"},
    {"and of less", "500m", ""},
    {"nothing", "0", ""},
};

TEST_CASE("quantities in other units") {
  for (const Amount& row : kAmounts) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(readable_quantity(base::Quantity::parse(row.text).value()) == std::string(row.want));
  }
}

}  // namespace
}  // namespace dra::cel::value_text_test
