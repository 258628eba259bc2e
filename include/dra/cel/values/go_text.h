// include/dra/cel/values/go_text.h
//
// Values as Go prints them, which is what messages and conversions of CEL are made of.

#pragma once

#include <string>
#include <string_view>

#include "dra/cel/values/value.h"

namespace dra::cel {

// The shortest digits that mean the number; with an exponent below 1e-4 and from a million on.
std::string go_double(double value);

// As %v prints a value in a message; of Kubernetes' own types only the name.
std::string go_value(const Value& value);

// As strconv.Quote and %q print a text: in double quotes, with escapes for what cannot be seen and
// for bytes that are not UTF-8.
std::string go_quoted(std::string_view text);

// The name of the Go type behind a value: "types.String", for messages that tell it.
std::string_view go_type(const Value& value);

// True if Go prints each character as it is (unicode.IsPrint of Go 1.26). A byte that is not UTF-8
// is printed as U+FFFD.
bool go_prints(std::string_view text);

}  // namespace dra::cel
