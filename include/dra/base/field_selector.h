// include/dra/base/field_selector.h
//
// Conditions on fields of an object, as in `--field-selector
// spec.nodeName=n1,status.phase!=Failed`. All terms must hold. There are no comparisons and no
// sets; `=` and `==` are the same; an empty term is ignored. Commas, equals signs and backslashes
// in a value are escaped by a backslash. Behaves as k8s.io/apimachinery/pkg/fields, ParseSelector.
//
// The owner of the objects decides which fields can be selected by: a server for its kinds,
// snapshot/select for files.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"

namespace dra::base {

struct FieldTerm {
  std::string field;
  std::string value;
  bool equal = true;  // false: the field must have another value

  bool matches(std::string_view actual) const { return (actual == value) == equal; }
};

// Errors name the term that cannot be read.
Result<std::vector<FieldTerm>> parse_field_selector(std::string_view text);

// Escapes a text so that it can be the value of a term.
std::string escape_field_value(std::string_view value);

}  // namespace dra::base
