// cmd/man/roff.h: parts of manual pages, in the roff `man` macros.

#pragma once

#include <string>
#include <string_view>

namespace dra::cmd {

// One line of the page's body: a backslash starts an escape, a hyphen would be typeset as a dash, a
// line that starts with a dot or an apostrophe is a request, and groff reads no UTF-8.
std::string escape(std::string_view text);

// Running text, broken into lines.
std::string lines_of(std::string_view text);

// Text whose lines are kept, indented.
std::string verbatim(std::string_view text);

// The beginning of a page, up to the dash behind its name.
std::string heading(std::string_view name, std::string_view page, char section = '1');

// Paragraphs are parted by empty lines.
void add_paragraphs(std::string& page, std::string_view text);

}  // namespace dra::cmd
