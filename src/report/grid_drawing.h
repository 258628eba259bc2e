// src/report/grid_drawing.h
//
// A grid as lines of text: a letter for each place, thin lines around hosts, planes side by side.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dra/topology/shape.h"
#include "dra/view/document.h"

namespace dra::report {

struct Drawing {
  topology::Shape shape;  // of what is drawn
  topology::Shape box;    // lines are drawn around each part of that shape; the whole: none
  std::function<view::Span(const topology::Coord&)> mark;  // of one place
  std::function<std::string(std::int64_t z)>
      title;                 // of a plane, if there are several; all or none
  bool coordinates = false;  // beside columns and rows
  bool wraps_x = false;      // `~` at both ends
  bool wraps_y = false;
  bool ascii = false;
  std::size_t width = 80;  // planes stand beside each other within it
};

view::Verbatim drawn(const Drawing& drawing);

}  // namespace dra::report
