// src/json/yaml_lines.h
//
// Where the parts of YAML text end that was parsed before, so that it is known to be right.

#pragma once

#include <cstddef>
#include <string_view>

namespace dra::json {

bool is_quote(char c);

// Behind the quoted text that begins there.
std::size_t behind_quoted(std::string_view text, std::size_t at);

// Behind a plain scalar on one line; in braces it also ends at their signs.
std::size_t behind_plain(std::string_view text, std::size_t at);

// Where a member in braces or an item in brackets ends: at the comma or the closing sign of its own
// level.
std::size_t behind_member(std::string_view text, std::size_t at);

std::size_t indent_of(std::string_view line);

// An empty line, or nothing but a comment.
bool says_nothing(std::string_view line);

}  // namespace dra::json
