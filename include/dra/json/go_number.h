// include/dra/json/go_number.h
//
// Numbers as Go programs decode them from JSON: 64 bits, an integer if it is written as one and
// fits, else a float. kubectl prints these, so 1.0 becomes 1 and 2^64 becomes 18446744073709552000.
// A Value keeps the literal that was read.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace dra::json {

using GoNumber = std::variant<std::int64_t, double>;

// A JSON literal as apimachinery's util/json decodes it. No value: it is beyond the range of a
// double, and Go refuses it.
std::optional<GoNumber> go_number(std::string_view literal);

// Go's strconv.ParseFloat of decimal text with an optional minus. No value: it is something else,
// or too large. Too small numbers are zero.
std::optional<double> parse_float(std::string_view text);

// As encoding/json prints a float64: the fewest digits that identify the number; exponents only
// below 1e-6 and from 1e21.
std::string float_as_json(double value);

// As strconv prints it with 'g' and -1, which is also fmt's %v: exponents below 1e-4 and from 1e6.
std::string float_as_text(double value);

// The number as kubectl prints it: in JSON, and as text. A literal that Go refuses stays as it is.
std::string number_as_json(std::string_view literal);
std::string number_as_text(std::string_view literal);

}  // namespace dra::json
