// src/render/tab_writer.h
//
// Aligns cells as kubectl's tables do (github.com/liggitt/tabwriter with cli-runtime's settings). A
// column is not the same as in the tables of our own views: only consecutive lines that have the
// cell share its width, and characters count, not terminal cells.

#pragma once

#include <string>
#include <string_view>

namespace dra::render {

// Cells end with tabs, lines with line feeds. Text behind the last tab of a line is in no column. A
// vertical tab ends a cell as well, a form feed a line.
std::string align_tabs(std::string_view text);

}  // namespace dra::render
