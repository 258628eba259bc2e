// tests/base/field_selector_test.cpp

#include "dra/base/field_selector.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace dra::base::field_selector_test {
namespace {

// "field=value" or "field!=value" for each term, parted by " and "; or the error.
std::string read(std::string_view text) {
  const auto terms = parse_field_selector(text);
  if (!terms.ok()) return "error: " + terms.error().message;
  std::string out;
  for (const FieldTerm& term : terms.value()) {
    out += (out.empty() ? "" : " and ") + term.field + (term.equal ? "=" : "!=") + term.value;
  }
  return out;
}

TEST_CASE("field selectors are read as apimachinery does") {
  struct Case {
    std::string name;
    std::string text;
    std::string want;
  };
  const std::vector<Case> cases = {
      {"nothing", "", ""},
      {"one term", "metadata.name=a", "metadata.name=a"},
      {"two equals signs are one", "metadata.name==a", "metadata.name=a"},
      {"another value", "status.phase!=Running", "status.phase!=Running"},
      {"several terms", "a=b,c!=d", "a=b and c!=d"},
      {"empty terms are passed over", ",a=b,,", "a=b"},
      {"spaces around the whole are nothing", "  a=b ", "a=b"},
      {"spaces within are part of it", "a = b", "a = b"},
      {"an empty value", "spec.nodeName=", "spec.nodeName="},
      {"not empty", "spec.nodeName!=", "spec.nodeName!="},
      {"an empty field", "=x", "=x"},
      {"escaped characters", R"(a=b\,c\=d\\e)", R"(a=b,c=d\e)"},
      {"the first operator parts the term", "a=b!", "a=b!"},
      {"a backslash before the operator belongs to the field", R"(a\x=b)", R"(a\x=b)"},
      {"no operator", "abc", "error: the term \"abc\" has no = and no !="},
      {"a second equals sign", "a=b=c",
       "error: the term \"a=b=c\" has a second \"=\" in its value"},
      {"three equals signs", "a===b", "error: the term \"a===b\" has a second \"=\" in its value"},
      {"an escape of nothing", R"(a=\b)",
       R"(error: the term "a=\b" has a backslash that escapes nothing)"},
      {"a backslash at the end", R"(a=b\)",
       R"(error: the term "a=b\" has a backslash that escapes nothing)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(read(c.text) == c.want);
  }
}

TEST_CASE("an escaped value is read back as it was") {
  const std::string value = R"(a,b=c\d\\,)";
  CHECK(read("f=" + escape_field_value(value)) == "f=" + value);
}

TEST_CASE("a term matches the same value, or any other") {
  CHECK(FieldTerm{"f", "a", true}.matches("a"));
  CHECK_FALSE(FieldTerm{"f", "a", true}.matches("b"));
  CHECK(FieldTerm{"f", "a", false}.matches(""));
  CHECK_FALSE(FieldTerm{"f", "a", false}.matches("a"));
}

}  // namespace
}  // namespace dra::base::field_selector_test
