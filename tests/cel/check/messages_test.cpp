// tests/cel/check/messages_test.cpp: messages of google.protobuf in the checker. The words are
// upstream's; tests/differential/cel/messages_test.go has all fields with values of all kinds.

#include "src/cel/check/messages.h"

#include <doctest/doctest.h>

#include "tests/support/compile_cel.h"
#include "tests/support/evaluate_cel.h"

namespace dra::cel::messages_test {
namespace {

std::string type_of(const std::string& expression) {
  const Program program = test::compile(expression);
  return describe(program.checked().output());
}

TEST_CASE("messages have the types that their values have") {
  CHECK(type_of("google.protobuf.Int32Value{value: 1}") == "wrapper(int)");
  CHECK(type_of("google.protobuf.FloatValue{}") == "wrapper(double)");
  CHECK(type_of("google.protobuf.Struct{}") == "map(string, dyn)");
  CHECK(type_of("google.protobuf.ListValue{values: [1]}") == "list(dyn)");
  CHECK(type_of("google.protobuf.Value{}") == "dyn");
  CHECK(type_of("google.protobuf.Any{}") == "any");
  CHECK(type_of("google.protobuf.Timestamp{seconds: 1}") == "timestamp");
  CHECK(type_of(".google.protobuf.Empty{}") == "google.protobuf.Empty");
  CHECK(type_of("google.protobuf.NullValue.NULL_VALUE") == "int");
  CHECK(type_of("type(google.protobuf.BoolValue{})") == "type(wrapper(bool))");
}

TEST_CASE("a wrapper can be null, and its content can be used as it is") {
  CHECK(type_of("google.protobuf.Int64Value{} + 1") == "int");
  CHECK(type_of("true ? google.protobuf.Int64Value{} : null") == "wrapper(int)");
  CHECK(type_of("google.protobuf.BoolValue{} == null") == "bool");
  CHECK(type_of("[google.protobuf.StringValue{}, 'a']") == "list(wrapper(string))");
}

TEST_CASE("what is wrong in a message") {
  test::expect_refused({
      {"no such message", "google.protobuf.Int16Value{}",
       "undeclared reference to 'google.protobuf.Int16Value' (in container '')"},
      {"no such field", "google.protobuf.Int32Value{values: 1}", "undefined field 'values'"},
      {"another type", "google.protobuf.Int32Value{value: 1.0}",
       "expected type of field 'value' is 'int' but provided type is 'double'"},
      {"null is no content of a wrapper", "google.protobuf.Int32Value{value: null}",
       "expected type of field 'value' is 'int' but provided type is 'null'"},
      {"an optional field without an optional", "google.protobuf.Int32Value{?value: 1}",
       "expected type 'optional_type(int)' but found 'int'"},
      {"a type without fields", "int{value: 1}", "'int' is not a message type"},
      {"an enumeration has values only", "google.protobuf.NullValue{}",
       "undeclared reference to 'google.protobuf.NullValue' (in container '')"},
      {"a message without fields", "google.protobuf.Empty{}.value", "undefined field 'value'"},
      {"upstream evaluates no names of wrappers", "google.protobuf.BoolValue",
       "reference to undefined type: google.protobuf.BoolValue"},
  });
}

TEST_CASE("what is wrong with a field is reported at its colon") {
  const Environment environment;
  const Source source("google.protobuf.Duration{nano: 1}");
  Parsed parsed = parse(source, environment.macros());
  REQUIRE(parsed.ok());
  const Checked checked = check(std::move(parsed.ast), environment);
  REQUIRE(checked.issues.size() == 1);
  CHECK(checked.issues[0].at == 29);
}

}  // namespace
}  // namespace dra::cel::messages_test
