// src/json/go_number.h
//
// Numbers as programs in Go have them once JSON was decoded: 64 bits, an integer if it was written
// as one and fits, else a float. kubectl prints from these, so 1.0 becomes 1 and 2^64 becomes
// 18446744073709552000. The Value itself keeps the literal that was read.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace dra::json {

using GoNumber = std::variant<std::int64_t, double>;

// What apimachinery's util/json makes of a JSON literal. No value beyond the range of a double: Go
// refuses to decode these.
std::optional<GoNumber> go_number(std::string_view literal);

// Go's strconv.ParseFloat of decimal text with an optional minus; no value if it is something else
// or too large. What is too small is zero.
std::optional<double> parse_float(std::string_view text);

// As encoding/json prints a float64: the fewest digits that say which number it is; exponents only
// below 1e-6 and from 1e21.
std::string float_as_json(double value);

// As strconv prints it with 'g' and -1, which is also fmt's %v: exponents below 1e-4 and from 1e6.
std::string float_as_text(double value);

// The number as kubectl prints it: in JSON, and as text. A literal that Go would refuse stays.
std::string number_as_json(std::string_view literal);
std::string number_as_text(std::string_view literal);

}  // namespace dra::json
