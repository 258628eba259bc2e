// src/render/tab_writer.h
//
// Aligns cells as kubectl's tables do (github.com/liggitt/tabwriter with cli-runtime's settings).
// It differs from the tables of our own views in what a column is: only lines that follow each
// other and have the cell take part in its width, and characters count, not terminal cells.

#pragma once

#include <string>
#include <string_view>

namespace dra::render {

// Cells end with tabs, lines with line feeds; what stands behind the last tab of a line is in no
// column. A vertical tab ends a cell as well, a form feed a line.
std::string align_tabs(std::string_view text);

}  // namespace dra::render
