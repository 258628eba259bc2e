// src/report/validate/token.h: the piece of a line of YAML that a finding is about.

#pragma once

#include <cstddef>
#include <string_view>

namespace dra::report {

// The bytes of the key or value that begins at `begin`: a text with its quotes, a list or map in
// brackets, a key without its colon. At most to the end of the line, at least 1.
std::size_t yaml_token_size(std::string_view line, std::size_t begin);

// The same of an expression in CEL, of which the line has a part: a name, a number, a text with its
// quotes, or an operator.
std::size_t cel_token_size(std::string_view line, std::size_t begin);

}  // namespace dra::report
