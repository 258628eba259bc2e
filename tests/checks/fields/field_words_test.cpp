// tests/checks/fields/field_words_test.cpp

#include "src/checks/fields/field_words.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/write.h"
#include "dra/json/yaml.h"

namespace dra::checks::field_words_test {
namespace {

using api::ValueKind;

// What is said of a value written in YAML; then what to write.
std::string words(ValueKind kind, const char* yaml) {
  auto documents = json::parse_yaml(std::string("- ") + yaml);
  REQUIRE(documents.ok());
  const auto found = wrong_value(documents.value().front().items().front(), kind);
  if (!found) return "";
  return found->message +
         (found->right ? " | " + json::write_json(*found->right, json::Style::Compact) : "");
}

struct Case {
  ValueKind kind;
  const char* yaml;
  const char* want;
};

const Case kCases[] = {
    {ValueKind::String, "x", ""},
    {ValueKind::String, "null", ""},
    {ValueKind::String, "8",
     "wants a string, not the number 8: put what is written there in quotes"},
    {ValueKind::String, "n",
     "wants a string, not false: put what is written there in quotes; on, yes, y, off, no and n "
     "are "
     "booleans without them"},
    {ValueKind::String, "[x]",
     "wants a string, not a list: put quotes around text that begins with ["},
    {ValueKind::Bool, "yes", ""},
    {ValueKind::Bool, "\"true\"",
     "wants true or false, not the string \"true\": remove the quotes | true"},
    {ValueKind::Bool, "1", "wants true or false, not the number 1"},
    {ValueKind::Int64, "-0", ""},
    {ValueKind::Int64, "9223372036854775807", ""},
    {ValueKind::Int64, "1e3", ""},
    {ValueKind::Int64, "\"1\"",
     "wants a whole number, not the string \"1\": remove the quotes | 1"},
    {ValueKind::Int64, "all", "wants a whole number, not the string \"all\""},
    {ValueKind::Int64, "1.5",
     "wants a whole number, without fraction and exponent, not the number 1.5"},
    {ValueKind::Int64, "9223372036854775808",
     "wants a whole number from -9223372036854775808 to 9223372036854775807, not the number "
     "9223372036854775808"},
    {ValueKind::Int32, "2147483647", ""},
    {ValueKind::Int32, "2147483648",
     "wants a whole number from -2147483648 to 2147483647, not the number 2147483648"},
    {ValueKind::Quantity, "1.5", ""},
    {ValueKind::Quantity, "80Gi", ""},
    {ValueKind::Quantity, "\" 2 \"", ""},
    {ValueKind::Quantity, "80 GiB",
     "wants a quantity such as 500m, 2 or 80Gi, not the string \"80 GiB\": write 80Gi | \"80Gi\""},
    {ValueKind::Quantity, "many",
     "wants a quantity such as 500m, 2 or 80Gi, not the string \"many\""},
    {ValueKind::Quantity, "\"\"", "wants a quantity such as 500m, 2 or 80Gi, not the string \"\""},
    {ValueKind::Quantity, "true", "wants a quantity such as 500m, 2 or 80Gi, not true"},
    {ValueKind::Timestamp, "\"2026-11-20T08:30:00Z\"", ""},
    {ValueKind::Timestamp, "2026-11-20",
     "wants a time such as 2026-11-20T08:30:00Z, not the string \"2026-11-20\""},
    {ValueKind::IntOrString, "http", ""},
    {ValueKind::IntOrString, "80", ""},
    {ValueKind::IntOrString, "80.5",
     "wants a string, or a whole number from -2147483648 to 2147483647, not the number 80.5"},
    {ValueKind::List, "{a: 1}",
     "wants a list, not an object: put \"- \" in front of its first key, and indent the others"},
    {ValueKind::List, "x", "wants a list, not the string \"x\": make it an item of one | [\"x\"]"},
    {ValueKind::Object, "[{a: 1}]",
     "wants an object, not a list: remove the \"- \" in front of its keys"},
    {ValueKind::Map, "x", "wants an object, not the string \"x\""},
    {ValueKind::Any, "[x]", ""},
};

TEST_CASE("a value of the wrong type") {
  for (const Case& c : kCases) {
    CAPTURE(c.yaml);
    CHECK(words(c.kind, c.yaml) == c.want);
  }
}

TEST_CASE("long text is shortened") {
  CHECK(words(ValueKind::Bool, std::string(500, 'x').c_str()).size() < 120);
}

}  // namespace
}  // namespace dra::checks::field_words_test
