// include/dra/cel/library/format_clauses.h
//
// The clauses of "…".format([…]): their syntax and the values they accept, for the function itself
// and for the check of its literals. Upstream: cel-go ext/formatting.go.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/values/value.h"

namespace dra::cel {

// Literal text, or a clause such as %.2f.
struct FormatPart {
  std::string_view text = {};  // empty for a clause
  char verb = '\0';            // the verb of a clause; '\0' if it is invalid
  std::optional<std::int64_t> precision = std::nullopt;
  std::string problem = {};  // why the clause is invalid
  bool cut_off = false;      // the text ends after the percent sign

  bool is_clause() const { return text.empty(); }
};

// The parts in order; parsing ends with the first invalid clause.
std::vector<FormatPart> parse_format(std::string_view text);

// True if a clause accepts values of a kind. %f and %e accept strings for "NaN" and the infinities.
bool takes(char verb, ValueKind kind);
// "octal clause can only be used on integers, was given string"
std::string refuse(char verb, std::string_view type);

}  // namespace dra::cel
