// src/render/lines.h
//
// Lines of toned text: cleans untrusted text, wraps it, and writes it with colours. The text of a
// Line has been through base::printable; clean() is the only way in.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/view/document.h"

namespace dra::render {

using Line = std::vector<view::Span>;

// Widths and indents of documents; negative ones count as 0.
inline std::size_t size_of(int number) { return static_cast<std::size_t>(std::max(number, 0)); }

// The spans as one line of printable text.
Line clean(std::span<const view::Span> untrusted);

// In cells.
std::size_t line_width(const Line& line);

// Lines of at most `first` and then `rest` cells, broken at spaces. Spaces inside a line stay as
// they are, because they may align something. Only a word that is wider than a line is broken
// itself.
std::vector<Line> wrap(const Line& text, std::size_t first, std::size_t rest);

// Receives the lines of a block, each with its indentation.
using LineSink = base::FunctionRef<void(std::size_t indent, Line line)>;

// The marks that this program writes become characters of ASCII that are as wide: v and x, ~ for
// what is left out, > for an arrow. What a cluster wrote stays as it is, apart from them.
void make_ascii(Line& line);

// Appends the line without the spaces at its end, and a line break.
void write_line(std::string& out, std::size_t indent, Line line, bool colour);

}  // namespace dra::render
