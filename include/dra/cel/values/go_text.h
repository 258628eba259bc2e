// include/dra/cel/values/go_text.h
//
// Formats values as Go does, for messages and conversions of CEL.

#pragma once

#include <string>
#include <string_view>

#include "dra/cel/values/value.h"

namespace dra::cel {

// The shortest digits that parse to the number; with an exponent below 1e-4 and from a million up.
std::string go_double(double value);

// The value as %v prints it in a message; for Kubernetes' own types only the type name.
std::string go_value(const Value& value);

// The text as strconv.Quote and %q print it: in double quotes, with escapes for unprintable
// characters and for bytes that are not UTF-8.
std::string go_quoted(std::string_view text);

// The name of the Go type of a value in messages: "types.String".
std::string_view go_type(const Value& value);

// True if Go prints each character as it is (unicode.IsPrint of Go 1.26). A byte that is not UTF-8
// is printed as U+FFFD.
bool go_prints(std::string_view text);

}  // namespace dra::cel
