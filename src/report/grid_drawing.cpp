// src/report/grid_drawing.cpp: see grid_drawing.h.

#include "src/report/grid_drawing.h"

#include <algorithm>

#include "dra/base/printable.h"
#include "dra/base/text.h"

namespace dra::report {
namespace {

using topology::Coord;
using Line = std::vector<view::Span>;

constexpr int kIndent = 2;
constexpr std::size_t kGap = 4;         // between planes
constexpr std::int64_t kCellWidth = 4;  // with its coordinate above: "x10"

// Corners and crossings, by what is around them: the first, some in the middle, the last.
struct Lines {
  std::string_view across;
  std::string_view down;
  std::string_view top[3];
  std::string_view middle[3];
  std::string_view bottom[3];
};
constexpr Lines kUnicode = {"─", "│", {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
constexpr Lines kAscii = {"-", "|", {"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}};

std::size_t width_of(const Line& line) {
  std::size_t width = 0;
  for (const view::Span& span : line)
    width += base::width(span.text);
  return width;
}

void pad_to(Line& line, std::size_t width) {
  const std::size_t now = width_of(line);
  if (now < width) line.push_back({std::string(width - now, ' ')});
}

class Plane {
 public:
  Plane(const Drawing& drawing, std::int64_t z)
      : drawing_(drawing),
        z_(z),
        boxes_(drawing.box.x < drawing.shape.x || drawing.box.y < drawing.shape.y),
        lines_(drawing.ascii ? kAscii : kUnicode) {}

  std::vector<Line> draw() {
    const std::string title = drawing_.shape.z > 1 ? drawing_.title(z_) : std::string();
    if (!title.empty()) add({{title, view::Tone::Dim}});
    if (drawing_.coordinates) add_columns();
    if (drawing_.wraps_y) add_wraps();
    for (std::int64_t y = 0; y < drawing_.shape.y; ++y) {
      if (boxes_ && y % drawing_.box.y == 0) add_border(y == 0 ? lines_.top : lines_.middle);
      add_row(y);
    }
    if (boxes_) add_border(lines_.bottom);
    if (drawing_.wraps_y) add_wraps();
    return std::move(out_);
  }

 private:
  void add(Line line) { out_.push_back(std::move(line)); }

  // What stands before the places of a row.
  std::string margin(std::string_view text = {}) const {
    if (!drawing_.coordinates) return {};
    const std::size_t width = std::to_string(drawing_.shape.y - 1).size() + 2;
    return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
  }
  std::string before_row() const { return drawing_.wraps_x ? "~" : ""; }

  bool has_line_before(std::int64_t x) const { return boxes_ && x % drawing_.box.x == 0; }

  void add_columns() {
    std::string text = margin() + (drawing_.wraps_x ? " " : "");
    for (std::int64_t x = 0; x < drawing_.shape.x; ++x) {
      if (has_line_before(x)) text += " ";
      const std::string name = base::format(" x{}", x);
      text += name + std::string(static_cast<std::size_t>(kCellWidth) -
                                     std::min<std::size_t>(name.size(), kCellWidth),
                                 ' ');
    }
    add({{text, view::Tone::Dim}});
  }

  void add_wraps() {
    std::string text = margin() + (drawing_.wraps_x ? " " : "");
    for (std::int64_t x = 0; x < drawing_.shape.x; ++x)
      text += base::format("{} ~  ", has_line_before(x) ? " " : "");
    add({{text, view::Tone::Dim}});
  }

  void add_border(const std::string_view (&corners)[3]) {
    std::string text = margin() + (drawing_.wraps_x ? " " : "");
    for (std::int64_t x = 0; x < drawing_.shape.x; ++x) {
      if (has_line_before(x)) text += corners[x == 0 ? 0 : 1];
      for (std::int64_t i = 0; i < kCellWidth; ++i)
        text += lines_.across;
    }
    text += corners[2];
    add({{text, view::Tone::Dim}});
  }

  void add_row(std::int64_t y) {
    Line line{{margin(base::format("y{}", y)) + before_row(), view::Tone::Dim}};
    for (std::int64_t x = 0; x < drawing_.shape.x; ++x) {
      if (has_line_before(x)) line.push_back({std::string(lines_.down), view::Tone::Dim});
      view::Span mark = drawing_.mark(Coord{x, y, z_});
      const std::size_t width = std::min<std::size_t>(base::width(mark.text), kCellWidth - 1);
      line.push_back({" "});
      line.push_back(std::move(mark));
      line.push_back({std::string(kCellWidth - 1 - width, ' ')});
    }
    if (boxes_) line.push_back({std::string(lines_.down), view::Tone::Dim});
    if (drawing_.wraps_x) line.push_back({"~", view::Tone::Dim});
    add(std::move(line));
  }

  const Drawing& drawing_;
  std::int64_t z_;
  bool boxes_;
  const Lines& lines_;
  std::vector<Line> out_;
};

}  // namespace

view::Verbatim drawn(const Drawing& drawing) {
  view::Verbatim block{.lines = {}, .indent = kIndent};
  std::vector<Line> band;  // planes that stand beside each other
  const auto flush = [&] {
    if (!band.empty() && !block.lines.empty()) block.lines.push_back({});
    std::ranges::move(band, std::back_inserter(block.lines));
    band.clear();
  };
  std::size_t right = 0;  // where the band ends
  for (std::int64_t z = 0; z < drawing.shape.z; ++z) {
    std::vector<Line> plane = Plane(drawing, z).draw();
    std::size_t width = 0;
    for (const Line& line : plane)
      width = std::max(width, width_of(line));
    if (!band.empty() && kIndent + right + kGap + width > drawing.width) {
      flush();
      right = 0;
    }
    if (band.empty()) {
      band = std::move(plane);
      right = width;
      continue;
    }
    for (std::size_t i = 0; i < band.size(); ++i) {
      pad_to(band[i], right + kGap);
      std::ranges::move(plane[i], std::back_inserter(band[i]));
    }
    right += kGap + width;
  }
  flush();
  return block;
}

}  // namespace dra::report
