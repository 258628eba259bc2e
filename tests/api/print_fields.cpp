// tests/api/print_fields.cpp: every field that is decoded, one on a line: path and protobuf number.
// The cluster tests hold them against upstream's types; see tests/cluster/agree/fields_test.go.

#include <iostream>

#include "dra/api/decode.h"

int main() {
  for (const dra::api::FieldName& field : dra::api::all_fields()) {
    std::cout << field.path << ' ' << field.number << '\n';
  }
}
