// include/dra/cel/values/value_text.h
//
// Values as people read them, short enough for a line.

#pragma once

#include <string>

#include "dra/base/quantity.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

// "Hopper" in quotes, 81152Mi, 1.2.3, ["a", "b"], {3 entries}, optional(1), the text of an error.
// Long texts and lists are cut, with a count of what they have.
std::string value_text(const Value& value);

// The same amount in a unit that makes its number small: 79.25Gi of 81152Mi, ~1.23Gi where digits
// were left out. Empty where the canonical form is as easy to read.
std::string readable_quantity(const base::Quantity& quantity);

}  // namespace dra::cel
