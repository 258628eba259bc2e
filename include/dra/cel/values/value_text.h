// include/dra/cel/values/value_text.h
//
// Values as short text for people.

#pragma once

#include <string>

#include "dra/base/quantity.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

// "Hopper" in quotes, 81152Mi, 1.2.3, ["a", "b"], {3 entries}, optional(1), the text of an error.
// Long texts and lists are cut, and their size is added.
std::string value_text(const Value& value);

// The amount in a unit that makes its number small: 79.25Gi for 81152Mi, ~1.23Gi if digits are
// dropped. Empty if the canonical form is as readable.
std::string readable_quantity(const base::Quantity& quantity);

}  // namespace dra::cel
