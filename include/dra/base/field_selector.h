// include/dra/base/field_selector.h
//
// Conditions on fields of an object, as in `--field-selector
// spec.nodeName=n1,status.phase!=Failed`. All terms must hold. There is no order and no set; `=`
// and `==` are the same; an empty term is passed over. A value has its commas, equals signs and
// backslashes behind a backslash. As k8s.io/apimachinery/pkg/fields, ParseSelector.
//
// Which fields can be selected by is decided by whoever holds the objects: a server for its kinds,
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
  bool equal = true;  // false: it must be another value

  bool matches(std::string_view actual) const { return (actual == value) == equal; }
};

// Errors name the term that cannot be read.
Result<std::vector<FieldTerm>> parse_field_selector(std::string_view text);

// Text as the value of a term.
std::string escape_field_value(std::string_view value);

}  // namespace dra::base
