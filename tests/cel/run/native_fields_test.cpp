// tests/cel/run/native_fields_test.cpp: what fields refuse, in upstream's words.

#include "src/cel/run/native_fields.h"

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::native_fields_test {
namespace {

TEST_CASE("numbers must fit into their field") {
  constexpr const char* of_int =
      "error field type conversion error for google.protobuf.Int32Value.value value type: integer "
      "overflow";
  test::expect({
      {"the largest", "google.protobuf.Int32Value{value: 2147483647}", "2147483647"},
      {"a larger one", "google.protobuf.Int32Value{value: 2147483648}", of_int},
      {"a smaller one", "google.protobuf.Int32Value{value: -2147483649}", of_int},
      {"an unsigned one", "google.protobuf.UInt32Value{value: 4294967296u}",
       "error field type conversion error for google.protobuf.UInt32Value.value value type: "
       "unsigned integer overflow"},
      {"of time", "google.protobuf.Duration{nanos: 2147483648}",
       "error field type conversion error for google.protobuf.Duration.nanos value type: integer "
       "overflow"},
  });
}

TEST_CASE("values of another kind are refused as upstream does") {
  const std::string of = "error field type conversion error for google.protobuf.";
  test::expect({
      {"text", "google.protobuf.Int32Value{value: dyn('a')}",
       of + "Int32Value.value value type: unsupported native conversion from string to 'int32'"},
      {"null", "google.protobuf.BytesValue{value: dyn(null)}",
       of + "BytesValue.value value type: type conversion error from 'null_type' to '[]uint8'"},
      {"an int", "google.protobuf.Value{number_value: dyn(1)}",
       of + "Value.number_value value type: unsupported type conversion from 'int' to float64"},
      {"a list", "google.protobuf.Value{struct_value: dyn([1])}",
       of + "Value.struct_value value type: type conversion error from list to '*structpb.Struct'"},
      {"a key", "google.protobuf.Struct{fields: dyn({1: 1})}",
       of + "Struct.fields value type: unsupported type conversion from 'int' to string"},
      {"a type within JSON", "google.protobuf.ListValue{values: [int]}",
       of + "ListValue.values value type: type conversion not supported for 'type'"},
      {"no list", "google.protobuf.ListValue{values: dyn(1)}",
       "error unsupported field type for google.protobuf.ListValue.values: int"},
      {"no map", "google.protobuf.Struct{fields: dyn([1])}",
       "error unsupported field type for google.protobuf.Struct.fields: list(dyn)"},
      {"an optional without a value", "google.protobuf.BoolValue{value: dyn(optional.none())}",
       of + "BoolValue.value value type: optional.none() dereference"},
      {"a library's value", "google.protobuf.Value{list_value: dyn(ip('::1'))}",
       of + "Value.list_value value type: type conversion error from 'IP' to "
            "'*structpb.ListValue'"},
  });
}

TEST_CASE("what upstream takes besides") {
  test::expect({
      {"uints as bytes", "google.protobuf.BytesValue{value: dyn([97u, 98u])}", "b6162"},
      {"a quantity as text", "google.protobuf.StringValue{value: dyn(quantity('1.50Gi'))}",
       "'1536Mi'"},
      {"the content of an optional", "google.protobuf.BoolValue{value: dyn(optional.of(true))}",
       "true"},
      {"a map as a list", "google.protobuf.Value{list_value: dyn({'values': [true]})}", "[true]"},
      {"types in a list that was put together",
       "google.protobuf.ListValue{values: [[int] + [string]]}", "[['int','string']]"},
  });
}

}  // namespace
}  // namespace dra::cel::native_fields_test
