// tests/cel/run/messages_test.cpp: what messages of google.protobuf are. The words are upstream's;
// tests/differential/cel/messages_test.go has all fields with values of all kinds.

#include "src/cel/run/messages.h"

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::run_messages_test {
namespace {

TEST_CASE("messages are values of CEL's own types") {
  test::expect({
      {"a wrapper", "google.protobuf.Int32Value{value: 7}", "7"},
      {"an empty wrapper", "google.protobuf.StringValue{}", "''"},
      {"a float is rounded", "google.protobuf.FloatValue{value: 0.1} == 0.1", "false"},
      {"a map", "google.protobuf.Struct{fields: {'a': dyn(1), 'b': dyn([b'x'])}}",
       "{'a':d3ff0000000000000,'b':['eA==']}"},
      {"a list", "google.protobuf.ListValue{values: [dyn(1u), dyn(null), dyn(duration('90s'))]}",
       "[d3ff0000000000000,null,'90s']"},
      {"large numbers are text in JSON",
       "google.protobuf.ListValue{values: [dyn(9007199254740992), dyn(18446744073709551615u)]}",
       "['9007199254740992','18446744073709551615']"},
      {"a value of any kind", "google.protobuf.Value{bool_value: true}", "true"},
      {"a value of none", "google.protobuf.Value{}", "null"},
      {"an enumeration's value", "google.protobuf.NullValue.NULL_VALUE", "0"},
      {"an optional field", "google.protobuf.Int64Value{?value: optional.none()}", "0"},
      {"an optional field with a value", "google.protobuf.Int64Value{?value: optional.of(3)}", "3"},
      {"the last of two fields counts", "google.protobuf.Int64Value{value: 1, value: 2}", "2"},
  });
}

TEST_CASE("times may be larger than their functions make them") {
  test::expect({
      {"a duration", "google.protobuf.Duration{seconds: -1, nanos: -5}", "duration -1000000005"},
      {"the longest one", "google.protobuf.Duration{seconds: 9223372037}",
       "duration 9223372036854775807"},
      {"a timestamp", "google.protobuf.Timestamp{nanos: -1}", "timestamp -1.999999999 0"},
      {"beyond the year 9999", "string(google.protobuf.Timestamp{seconds: 1000000000000000})",
       "'31690708-07-05T01:46:40Z'"},
      {"before the year 1", "string(google.protobuf.Timestamp{seconds: -99999999999})",
       "'-1199-02-15T14:13:21Z'"},
      {"Go's years wrap around",
       "google.protobuf.Timestamp{seconds: -9223372036854775808}.getFullYear()", "292277026596"},
      {"sums stay in range", "google.protobuf.Timestamp{seconds: 253402300800} + duration('0s')",
       "error timestamp overflow"},
  });
}

TEST_CASE("a message without a type of its own") {
  test::expect({
      {"is equal to its like", "google.protobuf.Empty{} == google.protobuf.Empty{}", "true"},
      {"is equal to nothing else", "dyn(google.protobuf.Empty{}) == {}", "false"},
      {"has a type", "type(google.protobuf.Empty{}) == google.protobuf.Empty", "true"},
      {"has no fields", "dyn(google.protobuf.Empty{}).a", "error no such field 'a'"},
      {"is zero", "optional.ofNonZeroValue(google.protobuf.Empty{})", "none"},
      {"is an object in JSON", "google.protobuf.ListValue{values: [google.protobuf.Empty{}]}",
       "[{}]"},
      {"may have fields", "google.protobuf.Struct.FieldsEntry{key: 'a', value: 1}.value",
       "d3ff0000000000000"},
      {"has fields that are set", "has(google.protobuf.Struct.FieldsEntry{key: ''}.key)", "false"},
  });
}

TEST_CASE("an Any is what it holds") {
  const auto any = [](const std::string& name, const std::string& octets) {
    return "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf." + name +
           "', value: b'" + octets + "'}";
  };
  test::expect({
      {"a number", any("Int32Value", R"(\x08\x03)"), "3"},
      {"of the last of two", any("UInt64Value", R"(\x08\x03\x08\x04)"), "4u"},
      {"a text", any("StringValue", R"(\x0a\x01a)"), "'a'"},
      {"a JSON value", any("Value", R"(\x1a\x01a)"), "'a'"},
      {"a map", any("Struct", R"(\x0a\x08\x0a\x01a\x12\x03\x1a\x01b)"), "{'a':'b'}"},
      {"a message", any("Empty", ""), "google.protobuf.Empty"},
      {"unknown fields are skipped", any("BoolValue", R"(\x08\x01\x10\x05\x1b\x1c)"), "true"},
      {"nothing", "google.protobuf.Any{}",
       "error unsupported conversion to ref.Val: (*dynamicpb.Message)"},
      {"broken octets", any("BoolValue", R"(\x08)"),
       R"(error unsupported conversion to ref.Val: (*dynamicpb.Message)type_url:)"
       R"("type.googleapis.com/google.protobuf.BoolValue" value:"\x08")"},
      {"octets that are no text", "google.protobuf.Any{value: b'a\\x7f\\x80\\xff\\xc3\\xa4'}",
       "error unsupported conversion to ref.Val: "
       "(*dynamicpb.Message)value:\"a\\x7f\\x80\\xff\xc3\xa4\""},
      {"an unknown message", "google.protobuf.Any{type_url: 'x/y'}",
       R"(error unsupported conversion to ref.Val: (*dynamicpb.Message)type_url:"x/y")"},
  });
}

TEST_CASE("names that only the checker has for messages") {
  test::expect({
      {"a duration", "duration{seconds: 1}", "error unknown type 'duration'"},
      {"a list", "list{values: [1]}", "error unknown type 'list'"},
      {"fields are evaluated first", "list{values: [1 / 0]}", "error division by zero"},
  });
}

TEST_CASE("a message that shares its parts a million times is given up") {
  std::string expression = "google.protobuf.ListValue{values: x9}.size()";
  for (int i = 9; i > 0; --i) {
    const std::string before = i == 1 ? "[1]" : base::format("x{}", i - 1);
    std::string list = before;
    for (int k = 0; k < 9; ++k)
      list += ", " + before;
    expression = base::format("cel.bind(x{}, [{}], {})", i, list, expression);
  }
  CHECK(test::evaluated(expression) == "error " + std::string(kTooMuchEffort));
}

}  // namespace
}  // namespace dra::cel::run_messages_test
