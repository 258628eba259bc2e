// src/render/grid.h: grids of places as lines of text.

#pragma once

#include "dra/render/text.h"
#include "src/render/lines.h"

namespace dra::render {

// Whether lines are drawn around boxes of places.
bool has_boxes(const view::Grid& grid);

// Neighbours in a parted row between which there is no line.
bool belong_together(const view::Place& a, const view::Place& b);

// Its mark: "A", "[A]".
std::string text_of(const view::Place& place);

// What stands at the right of a row, of grids that have something there.
const std::string& beside(const view::Grid& grid, int plane, int row);

const view::Place& place_at(const view::Grid& grid, int plane, int row, int column);

// A mark for each place, thin lines around boxes; planes stand side by side as far as they fit.
void write_grid(LineSink sink, const view::Grid& grid, const TextOptions& options);

// The title, then the marks; in several lines, if they are too many for one.
void write_row(LineSink sink, const view::Row& row, const TextOptions& options);

}  // namespace dra::render
