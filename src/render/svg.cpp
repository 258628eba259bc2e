// src/render/svg.cpp: blocks below each other: lines of text in a font of fixed width, grids and
// rows as squares.

#include <algorithm>
#include <utility>
#include <variant>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/render/page.h"
#include "src/render/blocks.h"
#include "src/render/grid.h"
#include "src/render/markup.h"
#include "src/render/palette.h"

namespace dra::render {
namespace {

// All in pixels.
constexpr int kMargin = 16;
constexpr int kLetters = 100;     // in a line
constexpr double kLetter = 7.8;   // width of one, in a font of 13
constexpr int kLineHeight = 18;   // from one line to the next
constexpr int kSquare = 30;       // of a place in a grid
constexpr int kSmallSquare = 22;  // of one in a row
constexpr int kSquareGap = 4;     // between squares
constexpr int kBoxGap = 10;       // more of it between boxes
constexpr int kSvgPlaneGap = 28;

int width_of_text(std::size_t letters) {
  return static_cast<int>(static_cast<double>(letters) * kLetter);
}

constexpr int kWidth = static_cast<int>(kLetters * kLetter);

// The width of so many squares with the gaps between them.
int width_of_place(const view::Place& place, int square) {
  return place.width * (square + kSquareGap) - kSquareGap;
}

// The same in a row, where a mark can be wider than a square: "[A+]".
int width_in_row(const view::Place& place) {
  const int text = width_of_text(base::width(base::printable(text_of(place)))) + kSquareGap;
  return std::max(width_of_place(place, kSmallSquare), text);
}

class Svg {
 public:
  void text(std::size_t indent, const Line& line) {
    y_ += kLineHeight;
    if (line.empty()) return;
    body_ += base::format("<text x=\"{}\" y=\"{}\">", kMargin + width_of_text(indent), y_ - 5);
    for (const view::Span& span : line) {
      const std::string_view tone = class_of(span.tone);
      body_ += tone.empty()
                   ? markup(span.text)
                   : base::format("<tspan class=\"{}\">{}</tspan>", tone, markup(span.text));
    }
    body_ += "</text>\n";
    widen(width_of_text(indent + line_width(line)));
  }

  void label(int x, int y, std::string_view text) {
    body_ += base::format("<text class=\"dim\" x=\"{}\" y=\"{}\">{}</text>\n", x, y, markup(text));
  }

  void place(int x, int y, int width, int size, const view::Place& place) {
    body_ += base::format(
        "<g role=\"img\"><title>{}</title><rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\" rx=\"3\"/><text class=\"{}\" x=\"{}\" y=\"{}\">{}</text></g>\n",
        markup(place.about), classes_of(place), x, y, width, size, classes_of_mark(place),
        x + width / 2, y + size / 2 + 5, markup(text_of(place)));
  }

  void box(int x, int y, int width, int height) {
    body_ += base::format(
        "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\n", x, y,
        width, height);
  }

  void open(std::string_view name) {
    body_ += base::format("<g role=\"group\" aria-label=\"{}\">\n", markup(name));
  }
  void close() { body_ += "</g>\n"; }

  int y() const { return y_; }
  void down(int by) { y_ += by; }
  void widen(int right) { width_ = std::max(width_, right); }

  std::string finish(const PageHead& head, const std::set<int>& groups) const {
    const int width = width_ + 2 * kMargin;
    const int height = y_ + kMargin;
    return base::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" role=\"group\" aria-label=\"{2}\">\n<title>{2}</title>\n"
        "<style>text{{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
        "white-space:pre}}.mark{{text-anchor:middle;font-weight:600}}"
        ".strong{{font-weight:600}}.box{{fill:none}}.place.bad{{stroke-dasharray:4 3}}"
        ".place.warn{{stroke-width:2;stroke-dasharray:4 3}}.place.asked{{stroke-width:3}}"
        "{3}</style>\n"
        "<rect class=\"page\" width=\"{0}\" height=\"{1}\"/>\n{4}</svg>\n",
        width, height, markup(head.title), colour_rules(Medium::Picture, groups), body_);
  }

 private:
  std::string body_;
  int y_ = kMargin;
  int width_ = kWidth;
};

// The positions of the squares of one plane.
class PlaneLayout {
 public:
  explicit PlaneLayout(const view::Grid& grid) : grid_(grid) {
    box_gap_ = has_boxes(grid) ? kBoxGap : 0;
  }

  bool boxes() const { return box_gap_ > 0; }
  int left() const { return (grid_.numbered ? 28 : 0) + edge(grid_.wraps_columns); }
  int top() const { return (grid_.numbered ? kLineHeight : 0) + edge(grid_.wraps_rows); }
  int x(int column) const { return offset(column, grid_.box_columns); }
  int y(int row) const { return offset(row, grid_.box_rows); }
  int right() const { return left() + x(grid_.columns - 1) + kSquare + edge(grid_.wraps_columns); }
  int width() const {
    std::size_t letters = 0;
    for (const std::string& text : grid_.beside)
      letters = std::max(letters, base::width(base::printable(text)) + 2);
    return right() + kSquareGap + width_of_text(letters);
  }
  int height() const {
    return top() + y(grid_.rows - 1) + kSquare + edge(grid_.wraps_rows) + kSquareGap;
  }

 private:
  static int edge(bool wraps) { return wraps ? 18 : kSquareGap; }
  int offset(int index, int box) const {
    return index * (kSquare + kSquareGap) + index / std::max(box, 1) * box_gap_;
  }

  const view::Grid& grid_;
  int box_gap_ = 0;
};

class GridPicture {
 public:
  GridPicture(Svg& svg, const view::Grid& grid) : svg_(svg), grid_(grid), layout_(grid) {}

  void draw() {
    svg_.open(grid_.name);
    svg_.down(kSquareGap);
    const bool titled = !grid_.titles.empty();
    const int indent = width_of_text(static_cast<std::size_t>(std::max(grid_.indent, 0)));
    int width = layout_.width();
    for (const std::string& title : grid_.titles)
      width = std::max(width, width_of_text(base::width(base::printable(title))));
    const int height = layout_.height() + (titled ? kLineHeight : 0);
    int x = indent;
    for (int plane = 0; plane < grid_.planes; ++plane) {
      if (x > indent && x + width > kWidth) {
        x = indent;
        svg_.down(height + kSquareGap);
      }
      int top = svg_.y();
      if (titled) {
        svg_.label(kMargin + x, top + kLineHeight - 5,
                   grid_.titles[static_cast<std::size_t>(plane)]);
        top += kLineHeight;
      }
      draw(plane, kMargin + x, top);
      svg_.widen(x + width);
      x += width + kSvgPlaneGap;
    }
    svg_.down(height + kSquareGap);
    svg_.close();
  }

 private:
  void draw(int plane, int left, int top) {
    const int x = left + layout_.left();
    const int y = top + layout_.top();
    if (layout_.boxes()) draw_boxes(x, y);
    for (int column = 0; column < grid_.columns && grid_.numbered; ++column)
      svg_.label(x + layout_.x(column) + 6, top + kLineHeight - 5,
                 base::format("{}{}", grid_.axes[0], column));
    for (int row = 0; row < grid_.rows; ++row) {
      if (grid_.numbered)
        svg_.label(left, y + layout_.y(row) + kSquare / 2 + 5,
                   base::format("{}{}", grid_.axes[1], row));
      if (grid_.wraps_columns) {
        svg_.label(x - 14, y + layout_.y(row) + kSquare / 2 + 5, "~");
        svg_.label(x + layout_.x(grid_.columns - 1) + kSquare + 6,
                   y + layout_.y(row) + kSquare / 2 + 5, "~");
      }
      if (!grid_.beside.empty())
        svg_.label(left + layout_.right() + kBoxGap, y + layout_.y(row) + kSquare / 2 + 5,
                   beside(grid_, plane, row));
      for (int column = 0; column < grid_.columns; ++column) {
        const view::Place& place = place_at(grid_, plane, row, column);
        svg_.place(x + layout_.x(column), y + layout_.y(row), width_of_place(place, kSquare),
                   kSquare, place);
      }
    }
    for (int column = 0; column < grid_.columns && grid_.wraps_rows; ++column) {
      const int middle = x + layout_.x(column) + kSquare / 2 - 4;
      svg_.label(middle, y - 4, "~");
      svg_.label(middle, y + layout_.y(grid_.rows - 1) + kSquare + 14, "~");
    }
  }

  void draw_boxes(int x, int y) {
    for (int row = 0; row < grid_.rows; row += grid_.box_rows) {
      for (int column = 0; column < grid_.columns; column += grid_.box_columns) {
        const int last_column = std::min(column + grid_.box_columns, grid_.columns) - 1;
        const int last_row = std::min(row + grid_.box_rows, grid_.rows) - 1;
        svg_.box(x + layout_.x(column) - kSquareGap, y + layout_.y(row) - kSquareGap,
                 layout_.x(last_column) - layout_.x(column) + kSquare + 2 * kSquareGap,
                 layout_.y(last_row) - layout_.y(row) + kSquare + 2 * kSquareGap);
      }
    }
  }

  Svg& svg_;
  const view::Grid& grid_;
  PlaneLayout layout_;
};

void draw_row(Svg& svg, const view::Row& row) {
  const auto indent = static_cast<std::size_t>(std::max(row.indent, 0));
  const std::vector<view::Span> title = {{row.title}};
  svg.text(indent, clean(title));
  svg.open(row.title);
  const int left = width_of_text(indent);
  int x = left;
  for (const view::Place& place : row.places) {
    const int name =
        place.name.empty() ? 0 : width_of_text(base::width(base::printable(place.name)) + 1);
    const int width = name + width_in_row(place);
    if (x > left && x + width > kWidth) {
      x = left;
      svg.down(kSmallSquare + kSquareGap);
    }
    if (name > 0) svg.label(kMargin + x, svg.y() + kSmallSquare / 2 + 5, place.name);
    svg.place(kMargin + x + name, svg.y(), width_in_row(place), kSmallSquare, place);
    svg.widen(x + width);
    x += width + (name > 0 ? kBoxGap : kSquareGap);
  }
  svg.down(kSmallSquare + 2 * kSquareGap);
  svg.close();
}

}  // namespace

std::string render_svg(const view::Document& document, const PageHead& head) {
  Svg svg;
  if (head.shown) {
    svg.text(0, {{base::printable(head.title), view::Tone::Strong}});
    if (!head.about.empty()) svg.text(0, {{base::printable(head.about), view::Tone::Dim}});
    svg.down(kLineHeight / 2);
  }
  bool blank = false;
  for (const view::Block& block : document.blocks) {
    if (std::holds_alternative<view::Blank>(block)) {
      blank = true;
      continue;
    }
    if (std::exchange(blank, false)) svg.down(kLineHeight / 2);
    if (const auto* grid = std::get_if<view::Grid>(&block)) {
      GridPicture(svg, *grid).draw();
    } else if (const auto* row = std::get_if<view::Row>(&block)) {
      draw_row(svg, *row);
    } else {
      write_block([&svg](std::size_t indent, const Line& line) { svg.text(indent, line); }, block,
                  {.width = kLetters, .wide = true});
    }
  }
  return svg.finish(head, groups_of(document));
}

}  // namespace dra::render
