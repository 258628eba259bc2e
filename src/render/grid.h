// src/render/grid.h: grids of places as lines of text.

#pragma once

#include "dra/render/text.h"
#include "src/render/lines.h"

namespace dra::render {

// Lines are drawn around boxes of places.
bool has_boxes(const view::Grid& grid);

// There is no line between the two neighbours in a parted row.
bool belong_together(const view::Place& a, const view::Place& b);

// The mark of a place: "A", "[A]".
std::string text_of(const view::Place& place);

// The text at the right of a row. The grid must have such texts.
const std::string& beside(const view::Grid& grid, int plane, int row);

const view::Place& place_at(const view::Grid& grid, int plane, int row, int column);

// A mark for each place, thin lines around boxes; as many planes side by side as fit.
void write_grid(LineSink sink, const view::Grid& grid, const TextOptions& options);

// The title, then the marks, on several lines if needed.
void write_row(LineSink sink, const view::Row& row, const TextOptions& options);

}  // namespace dra::render
