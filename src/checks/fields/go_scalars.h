// src/checks/fields/go_scalars.h: which texts Go's decoders of the API's scalar types accept. They
// accept more than the program's readers of server data do, as a server writes each value in one
// way only.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dra::checks {

// A JSON number as an integer, as Go decodes it (strconv.ParseInt): no fraction, no exponent. No
// value if it has one, or does not fit.
std::optional<std::int64_t> go_integer(std::string_view literal);

// resource.Quantity.UnmarshalJSON: as base::Quantity::parse, with white space around it. Upstream
// reads the JSON text itself, so it does not accept white space that JSON escapes.
bool is_go_quantity(std::string_view text);

// metav1.Time.UnmarshalJSON: time.Parse with RFC 3339, which also accepts an hour of one digit, a
// comma before the fraction, and offsets up to 24 hours and 60 minutes.
bool is_go_time(std::string_view text);

}  // namespace dra::checks
