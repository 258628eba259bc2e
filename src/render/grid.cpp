// src/render/grid.cpp: Plane draws one plane of a grid; planes are then put side by side.

#include "src/render/grid.h"

#include <algorithm>

#include "dra/base/printable.h"
#include "dra/base/text.h"

namespace dra::render {
namespace {

constexpr std::size_t kPlaneGap = 4;    // between planes
constexpr std::size_t kPlaceWidth = 4;  // with its number above: "x10"

// Corners and crossings of a line: the first, those in the middle, the last.
struct Strokes {
  std::string_view across;
  std::string_view down;
  std::string_view top[3];
  std::string_view middle[3];
  std::string_view bottom[3];
};
constexpr Strokes kUnicode = {"─", "│", {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
constexpr Strokes kAscii = {"-", "|", {"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}};

void pad_to(Line& line, std::size_t width) {
  const std::size_t now = line_width(line);
  if (now < width) line.push_back({std::string(width - now, ' ')});
}

// One plane of a grid, line by line.
class Plane {
 public:
  Plane(const view::Grid& grid, int plane, bool ascii)
      : grid_(grid), plane_(plane), boxes_(has_boxes(grid)), strokes_(ascii ? kAscii : kUnicode) {}

  std::vector<Line> draw() {
    const auto number = static_cast<std::size_t>(plane_);
    const std::string title = grid_.titles.empty() ? "" : base::printable(grid_.titles[number]);
    if (!title.empty()) add({{title, view::Tone::Dim}});
    if (grid_.numbered) add_columns();
    if (grid_.wraps_rows) add_wraps();
    for (int row = 0; row < grid_.rows; ++row) {
      if (boxes_ && row % grid_.box_rows == 0)
        add_border(row == 0 ? strokes_.top : strokes_.middle);
      add_row(row);
    }
    if (boxes_) add_border(strokes_.bottom);
    if (grid_.wraps_rows) add_wraps();
    return std::move(out_);
  }

 private:
  void add(Line line) { out_.push_back(std::move(line)); }

  // The text before the places of a row.
  std::string margin(std::string_view text = {}) const {
    if (!grid_.numbered) return {};
    const std::size_t width = std::to_string(grid_.rows - 1).size() + 2;
    return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
  }
  std::string lead() const { return margin() + (grid_.wraps_columns ? " " : ""); }

  bool has_line_before(int column) const { return boxes_ && column % grid_.box_columns == 0; }

  void add_columns() {
    std::string text = lead();
    for (int column = 0; column < grid_.columns; ++column) {
      if (has_line_before(column)) text += " ";
      const std::string name = base::format(" {}{}", grid_.axes[0], column);
      text += name + std::string(kPlaceWidth - std::min(name.size(), kPlaceWidth), ' ');
    }
    add({{text, view::Tone::Dim}});
  }

  void add_wraps() {
    std::string text = lead();
    for (int column = 0; column < grid_.columns; ++column)
      text += base::format("{} ~  ", has_line_before(column) ? " " : "");
    add({{text, view::Tone::Dim}});
  }

  void add_border(const std::string_view (&corners)[3]) {
    std::string text = lead();
    for (int column = 0; column < grid_.columns; ++column) {
      if (has_line_before(column)) text += corners[column == 0 ? 0 : 1];
      for (std::size_t i = 0; i < kPlaceWidth; ++i)
        text += strokes_.across;
    }
    text += corners[2];
    add({{text, view::Tone::Dim}});
  }

  void add_row(int row) {
    Line line{{margin(base::format("{}{}", grid_.axes[1], row)) + (grid_.wraps_columns ? "~" : ""),
               view::Tone::Dim}};
    for (int column = 0; column < grid_.columns; ++column) {
      if (has_line_before(column)) line.push_back({std::string(strokes_.down), view::Tone::Dim});
      add_place(place_at(grid_, plane_, row, column), line);
    }
    if (boxes_) line.push_back({std::string(strokes_.down), view::Tone::Dim});
    if (grid_.wraps_columns) line.push_back({"~", view::Tone::Dim});
    if (!grid_.beside.empty())
      line.push_back({"  " + base::printable(beside(grid_, plane_, row)), view::Tone::Dim});
    add(std::move(line));
  }

  static void add_place(const view::Place& place, Line& line) {
    const std::string text = (place.asked ? "" : " ") + base::printable(text_of(place));
    const std::size_t width = std::min(base::width(text), kPlaceWidth);
    line.push_back({text, place.mark.tone});
    line.push_back({std::string(kPlaceWidth - width, ' ')});
  }

  const view::Grid& grid_;
  int plane_;
  bool boxes_;
  const Strokes& strokes_;
  std::vector<Line> out_;
};

// The mark of a place, repeated for its width.
view::Span marks_of(const view::Place& place) {
  const std::string mark = text_of(place);
  std::string text = mark;
  for (int i = 1; i < place.width; ++i)
    text += " " + mark;
  return {text, place.mark.tone};
}

// A place with its name, and the separator before it, which is left out at the start of a line
// unless it is a drawn line.
struct RowPart {
  std::string gap;
  Line line;
};

std::vector<RowPart> parts_of(const view::Row& row) {
  std::vector<RowPart> parts;
  const view::Place* before = nullptr;
  for (const view::Place& place : row.places) {
    const bool line = row.parted && (before == nullptr || !belong_together(*before, place));
    std::vector<view::Span> spans;
    if (line) spans.push_back({"|"});
    if (!place.name.empty()) spans.push_back({place.name + " "});
    spans.push_back(marks_of(place));
    if (row.parted && &place == &row.places.back()) spans.push_back({"|"});
    const std::string_view gap = line && before != nullptr                  ? ""
                                 : !place.name.empty() && before != nullptr ? "   "
                                                                            : " ";
    parts.push_back({std::string(gap), clean(spans)});
    before = &place;
  }
  return parts;
}

// Lines of a row. A place and its name stay on one line unless they are wider than it.
std::vector<Line> lines_of(const view::Row& row, std::size_t room) {
  const std::vector<view::Span> title = {{row.title}};
  std::vector<Line> lines = wrap(clean(title), room, room);
  if (lines.empty()) lines.emplace_back();
  std::vector<RowPart> parts = parts_of(row);
  // Spaces at the end of a title align the places behind it.
  const std::size_t end = row.title.find_last_not_of(' ') + 1;
  if (!parts.empty()) parts.front().gap.append(row.title.size() - end + 1, ' ');
  for (RowPart& part : parts) {
    const std::size_t taken = line_width(lines.back());
    const std::size_t width = line_width(part.line);
    if (taken + part.gap.size() + width <= room) {
      lines.back().push_back({part.gap});
      std::ranges::move(part.line, std::back_inserter(lines.back()));
    } else if (width <= room) {
      lines.push_back(std::move(part.line));
    } else {
      std::ranges::move(wrap(part.line, room, room), std::back_inserter(lines));
    }
  }
  return lines;
}

}  // namespace

std::string text_of(const view::Place& place) {
  return place.asked ? base::format("[{}]", place.mark.text) : place.mark.text;
}

const view::Place& place_at(const view::Grid& grid, int plane, int row, int column) {
  const std::size_t line = size_of(plane) * size_of(grid.rows) + size_of(row);
  return grid.places[line * size_of(grid.columns) + size_of(column)];
}

const std::string& beside(const view::Grid& grid, int plane, int row) {
  return grid.beside[size_of(plane) * size_of(grid.rows) + size_of(row)];
}

void write_grid(LineSink sink, const view::Grid& grid, const TextOptions& options) {
  const std::size_t indent = size_of(grid.indent);
  std::vector<Line> band;  // planes side by side
  const auto flush = [&] {
    for (Line& line : band)
      sink(indent, std::move(line));
    band.clear();
  };
  std::size_t right = 0;  // edge of the band
  for (int number = 0; number < grid.planes; ++number) {
    std::vector<Line> plane = Plane(grid, number, options.ascii).draw();
    std::size_t width = 0;
    for (const Line& line : plane)
      width = std::max(width, line_width(line));
    if (!band.empty() && indent + right + kPlaneGap + width > size_of(options.width)) {
      flush();
      sink(0, {});
      right = 0;
    }
    if (band.empty()) {
      band = std::move(plane);
      right = width;
      continue;
    }
    for (std::size_t i = 0; i < band.size(); ++i) {
      pad_to(band[i], right + kPlaneGap);
      std::ranges::move(plane[i], std::back_inserter(band[i]));
    }
    right += kPlaneGap + width;
  }
  flush();
}

bool has_boxes(const view::Grid& grid) {
  return grid.box_columns < grid.columns || grid.box_rows < grid.rows;
}

bool belong_together(const view::Place& a, const view::Place& b) {
  return a.group == -1 && b.group == -1 && a.mark.text == b.mark.text;
}

void write_row(LineSink sink, const view::Row& row, const TextOptions& options) {
  const std::size_t indent = size_of(row.indent);
  const std::size_t width = size_of(options.width);
  const std::size_t room = width - std::min(width, indent + 2);
  for (bool first = true; Line & line : lines_of(row, room)) {
    sink(first ? indent : indent + 2, std::move(line));
    first = false;
  }
}

}  // namespace dra::render
