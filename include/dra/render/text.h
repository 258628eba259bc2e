// include/dra/render/text.h
//
// A document for people, laid out for a terminal: tables aligned, text wrapped, tones as colours.
//
// The one place where untrusted text reaches a terminal: every span and cell goes through
// base::printable here, so earlier layers need not care about escape sequences. The only escape
// sequences in the result are colours.

#pragma once

#include <string>

#include "dra/view/document.h"

namespace dra::render {

struct TextOptions {
  int width = 80;       // of the terminal, in cells
  bool colour = false;  // tones as SGR sequences
  bool wide = false;    // show the columns that are for -o wide
  bool headers = true;  // show the titles of columns
  bool ascii = false;   // draw lines with characters of ASCII
};

// Whole lines, none of which ends in a space. One or several Blanks between two blocks of text are
// one empty line; at the start and the end they are nothing. A table without rows is nothing.
std::string render_text(const view::Document& document, const TextOptions& options);

}  // namespace dra::render
