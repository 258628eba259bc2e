// include/dra/cel/library/format_clauses.h
//
// The clauses of "…".format([…]): what they look like and what they may be given, for the function
// itself and for the check of its literals. Upstream: cel-go ext/formatting.go.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/values/value.h"

namespace dra::cel {

// A piece of text as it is, or a clause such as %.2f.
struct FormatPart {
  std::string_view text = {};  // of a clause: empty
  char verb = '\0';            // of a clause: what it asks for; '\0' where it cannot be read
  std::optional<std::int64_t> precision = std::nullopt;
  std::string problem = {};  // why it cannot be read
  bool cut_off = false;      // the whole text ends behind the percent sign

  bool is_clause() const { return text.empty(); }
};

// In their order; nothing follows a clause that cannot be read.
std::vector<FormatPart> parse_format(std::string_view text);

// Whether a clause takes values of a kind. %f and %e take strings for "NaN" and the infinities.
bool takes(char verb, ValueKind kind);
// "octal clause can only be used on integers, was given string"
std::string refuse(char verb, std::string_view type);

}  // namespace dra::cel
