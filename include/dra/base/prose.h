// include/dra/base/prose.h: text for people: one line, a sentence.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dra::base {

// Joins the lines of an expression: a line break and the indentation around it become a space.
std::string one_line(std::string_view expression);

// Adds a full stop unless the text ends with punctuation.
std::string sentence(std::string text);

// Words out of the middle of a long message replaced by `…`, so that both ends stay; at most
// `width` code points (>= 3). A word that is longer than its half is cut.
std::string shorten_message(std::string_view message, std::size_t width);

// In front of a noun or "of": "both", "all 3". For two and more.
std::string all(std::int64_t count);

}  // namespace dra::base
