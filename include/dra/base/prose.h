// include/dra/base/prose.h: text for people: one line, a sentence.

#pragma once

#include <string>
#include <string_view>

namespace dra::base {

// Joins the lines of an expression: a line break and the indentation around it become a space.
std::string one_line(std::string_view expression);

// Adds a full stop unless the text ends with punctuation.
std::string sentence(std::string text);

}  // namespace dra::base
