// tests/base/selector_test.cpp

#include "dra/base/selector.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::base::selector_test {
namespace {

const Labels kNode = {
    {"zone", "a"}, {"gpu", ""}, {"in", "x"}, {"example.com/cores", "8"}, {"name", "v1.2"}};

struct Case {
  const char* name;
  const char* text;
  bool matches;
  const char* canonical;
};

const Case kCases[] = {
    {"nothing asked for matches everything", "", true, ""},
    {"white space asks for nothing", " \t\n", true, ""},
    {"equal to the label", "zone=a", true, "zone=a"},
    {"== is = ", "zone == a", true, "zone=a"},
    {"equal to another value", "zone=b", false, "zone=b"},
    {"equality needs the label", "rack=", false, "rack="},
    {"an empty value equals an empty value", "gpu=", true, "gpu="},
    {"not equal", "zone!=b", true, "zone!=b"},
    {"not equal holds where the label is absent", "rack!=b", true, "rack!=b"},
    {"one of", "zone in (b, a)", true, "zone in (a,b)"},
    {"one of needs the label", "rack in (a)", false, "rack=a"},
    {"none of", "zone notin (b,c)", true, "zone notin (b,c)"},
    {"none of holds where the label is absent", "rack notin (b)", true, "rack!=b"},
    {"a list may be empty and means the empty value", "gpu in ()", true, "gpu="},
    {"a list may have empty places", "gpu in (x,,x,)", true, "gpu in (,x)"},
    {"the label exists", "gpu", true, "gpu"},
    {"the label does not exist", "!gpu", false, "!gpu"},
    {"the label does not exist and is absent", "! rack", true, "!rack"},
    {"more than", "example.com/cores>7", true, "example.com/cores>7"},
    {"less than", "example.com/cores < 8", false, "example.com/cores<8"},
    {"a label that is no integer is neither more nor less", "zone>9", false, "zone>9"},
    {"an absent label is neither more nor less", "rack<5", false, "rack<5"},
    {"all must hold", "zone=a,gpu,!rack", true, "zone=a,gpu,!rack"},
    {"one that fails is enough", "zone=a,rack", false, "zone=a,rack"},
    {"keywords may be keys and values", "in in (in,notin,x)", true, "in in (in,notin,x)"},
    {"a keyword alone is a key", "notin", false, "notin"},
    {"an empty value before the next requirement", "gpu=,zone", true, "gpu=,zone"},
};

TEST_CASE("selectors") {
  for (const Case& c : kCases) {
    CAPTURE(c.name);
    const Result<Selector> parsed = parse_selector(c.text);
    REQUIRE(parsed.ok());
    CHECK(parsed.value().matches(kNode) == c.matches);
    CHECK(parsed.value().to_string() == c.canonical);
  }
}

struct ErrorCase {
  const char* name;
  const char* text;
  const char* want;
};

const ErrorCase kErrors[] = {
    {"a key comes first", "=a",
     "selector: character 1: expected a label key or \"!\", found \"=\""},
    {"a key follows a comma", "a,",
     "selector: character 3: expected a label key or \"!\", found the end"},
    {"a key follows !", "!=a",
     "selector: character 1: expected a label key or \"!\", found \"!=\""},
    {"! is not doubled", "!!a", "selector: character 2: expected a label key, found \"!\""},
    {"a word is no operator", "a is b",
     "selector: character 3: expected one of = == != > < in notin, or \",\", found \"is\""},
    {"a list has parentheses", "a in b", "selector: character 6: expected \"(\", found \"b\""},
    {"a list has commas", "a in (b c)",
     "selector: character 9: expected \",\" or \")\", found \"c\""},
    {"a list ends", "a in (b", "selector: character 8: expected \",\" or \")\", found the end"},
    {"a value is a word", "a=(b)", "selector: character 3: expected a value, found \"(\""},
    {"one value follows =", "a=b c",
     "selector: character 5: expected \",\" or the end, found \"c\""},
    {"what does not exist has no value", "!a=b",
     "selector: character 3: expected \",\" or the end, found \"=\""},
    {"bounds are integers", "b,a>1.5",
     "selector: character 3: label \"a\": > and < (Gt and Lt) compare with one integer"},
    {"a key is a label key", "a,b$",
     "selector: character 3: label key \"b$\": the name must be 1 to 63 letters, digits, \"-\", "
     "\"_\" or \".\", "
     "with a letter or digit at both ends"},
    {"a prefix is a DNS name", "Example.com/a",
     "selector: character 1: label key \"Example.com/a\": before the \"/\" must be a DNS name in "
     "lower case "
     "such as example.com"},
    {"a value is a label value", "a=-b",
     "selector: character 1: label \"a\": label value \"-b\" must be empty or 1 to 63 letters, "
     "digits, \"-\", "
     "\"_\" or \".\", with a letter or digit at both ends"},
};

TEST_CASE("selectors that cannot be read") {
  for (const ErrorCase& c : kErrors) {
    CAPTURE(c.name);
    const Result<Selector> parsed = parse_selector(c.text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().message == c.want);
  }
  for (const char* text :
       {"a/b/c", "/a", "a/", "a..b/c", "-a", "a-", "a>", "a<99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_selector(text).ok());
  }
}

TEST_CASE("lengths of keys and values") {
  const std::string longest(63, 'a');
  const std::string prefix = std::string(250, 'p') + ".io/";
  CHECK(parse_selector(longest + "=" + longest).ok());
  CHECK_FALSE(parse_selector(longest + "a").ok());
  CHECK_FALSE(parse_selector("a=" + longest + "a").ok());
  CHECK(parse_selector(prefix + "a").ok());
  CHECK_FALSE(parse_selector("p" + prefix + "a").ok());
}

TEST_CASE("requirements from structured form") {
  const Result<Requirement> zone = Requirement::make("zone", LabelOperator::In, {"b", "a"});
  REQUIRE(zone.ok());
  CHECK(zone.value().matches(kNode));
  CHECK(Requirement::make("example.com/cores", LabelOperator::Gt, {"7"}).value().matches(kNode));
  CHECK_FALSE(Requirement::make("zone", LabelOperator::In, {}).ok());
  CHECK_FALSE(Requirement::make("zone", LabelOperator::NotIn, {}).ok());
  CHECK_FALSE(Requirement::make("zone", LabelOperator::Exists, {"a"}).ok());
  CHECK_FALSE(Requirement::make("zone", LabelOperator::DoesNotExist, {"a"}).ok());
  CHECK_FALSE(Requirement::make("zone", LabelOperator::Gt, {}).ok());
  CHECK_FALSE(Requirement::make("zone", LabelOperator::Lt, {"1", "2"}).ok());
  CHECK_FALSE(Requirement::make("", LabelOperator::Exists, {}).ok());
  // Integers, but no label values: upstream refuses them for the same reason.
  CHECK_FALSE(Requirement::make("zone", LabelOperator::Gt, {"-1"}).ok());
  CHECK_FALSE(Requirement::make("zone", LabelOperator::Gt, {"+1"}).ok());
}

TEST_CASE("operators by the names of the API") {
  CHECK(parse_label_operator("DoesNotExist").value() == LabelOperator::DoesNotExist);
  CHECK(parse_label_operator("Gt").value() == LabelOperator::Gt);
  CHECK(parse_label_operator("in").error().message ==
        "operator \"in\" is none of In, NotIn, Exists, DoesNotExist, Gt, Lt");
}

}  // namespace
}  // namespace dra::base::selector_test
