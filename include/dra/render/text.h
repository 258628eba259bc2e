// include/dra/render/text.h
//
// A document for people, laid out for a terminal: tables aligned, text wrapped, tones as colours.
//
// The one place where untrusted text reaches a terminal: every span and cell goes through
// base::printable here, so earlier layers need not care about escape sequences. The only escape
// sequences in the result are colours.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/view/document.h"

namespace dra::render {

struct TextOptions {
  int width = 80;       // of the terminal, in cells
  bool colour = false;  // tones as SGR sequences
  bool wide = false;    // show the columns that are for -o wide
  bool headers = true;  // show the titles of columns
  bool ascii = false;   // draw, and mark, with characters of ASCII
  // Of a table that is printed in parts: the width of each column so far, by its place in the
  // table. Columns are at least so wide, and what is wider is noted here.
  std::vector<std::size_t>* widths = nullptr;
};

// Whole lines, none of which ends in a space. One or several Blanks between two blocks of text are
// one empty line; at the start and the end they are nothing. A table without rows is nothing.
std::string render_text(const view::Document& document, const TextOptions& options);
// Hands the same text over in parts, so that the text of a long list is never in memory as a whole.
void render_text(const view::Document& document, const TextOptions& options,
                 base::FunctionRef<void(std::string_view)> on_part);

}  // namespace dra::render
