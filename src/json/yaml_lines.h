// src/json/yaml_lines.h
//
// The ends of parts of YAML text. The text was parsed before, so it is known to be correct.

#pragma once

#include <cstddef>
#include <string_view>

namespace dra::json {

bool is_quote(char c);

// The end of the quoted text that begins at `at`.
std::size_t behind_quoted(std::string_view text, std::size_t at);

// The end of a plain scalar on one line. In braces a comma or bracket ends it, too.
std::size_t behind_plain(std::string_view text, std::size_t at);

// The end of a member in braces or an item in brackets: the comma or the closing bracket of its own
// level.
std::size_t behind_member(std::string_view text, std::size_t at);

std::size_t indent_of(std::string_view line);

// An empty line, or nothing but a comment.
bool says_nothing(std::string_view line);

}  // namespace dra::json
