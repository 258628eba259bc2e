// src/render/tab_writer.h
//
// Aligns cells as kubectl's tables do (github.com/liggitt/tabwriter with cli-runtime's settings). A
// column is not the same as in the tables of our own views: only consecutive lines that have the
// cell share its width, and characters count, not terminal cells.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dra::render {

// Cells end with tabs, lines with line feeds. Text behind the last tab of a line is in no column. A
// vertical tab ends a cell as well, a form feed a line. Of text that is aligned in parts, `widest`
// has the width of each column so far: none becomes narrower (tabwriter.RememberWidths).
std::string align_tabs(std::string_view text, std::vector<std::size_t>* widest = nullptr);

}  // namespace dra::render
