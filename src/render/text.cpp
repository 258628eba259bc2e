// src/render/text.cpp: each block becomes lines; tables are in table.cpp, grids in grid.cpp.

#include "dra/render/text.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "dra/base/printable.h"
#include "src/render/blocks.h"
#include "src/render/grid.h"
#include "src/render/table.h"

namespace dra::render {
namespace {

constexpr std::size_t kPart = 65536;  // bytes

// Below this width the terminal breaks the lines: a column of single words is unreadable.
constexpr std::size_t kNarrowestText = 10;

std::size_t room(const TextOptions& options, std::size_t taken) {
  const std::size_t width = size_of(options.width);
  return std::max(width - std::min(width, taken), kNarrowestText);
}

void write(LineSink sink, const view::Paragraph& paragraph, const TextOptions& options) {
  const std::size_t indent = size_of(paragraph.indent);
  const std::size_t hanging = indent + size_of(paragraph.hang);
  auto lines = wrap(clean(paragraph.spans), room(options, indent), room(options, hanging));
  for (Line& line : lines) {
    sink(&line == &lines.front() ? indent : hanging, std::move(line));
  }
}

void write(LineSink sink, const view::Table& table, const TextOptions& options) {
  write_table(sink, table, options);
}

void write(LineSink sink, const view::Fields& fields, const TextOptions& options) {
  std::size_t names = 0;
  for (const view::Field& field : fields.fields) {
    names = std::max(names, base::width(base::printable(field.name)));
  }
  const std::size_t indent = size_of(fields.indent);
  const std::size_t value = names + 2;
  const std::size_t width = room(options, indent + value);
  for (const view::Field& field : fields.fields) {
    const std::string name = base::printable(field.name);
    Line before = {{name + std::string(value - base::width(name), ' ')}};
    for (Line& line : wrap(clean(field.value), width, width)) {
      line.insert(line.begin(), before.begin(), before.end());
      sink(indent, std::move(line));
      before = {{std::string(value, ' ')}};
    }
  }
}

void write(LineSink sink, const view::Verbatim& verbatim, const TextOptions&) {
  for (const auto& line : verbatim.lines) {
    sink(size_of(verbatim.indent), clean(line));
  }
}

void write(LineSink sink, const view::Grid& grid, const TextOptions& options) {
  write_grid(sink, grid, options);
}

void write(LineSink sink, const view::Row& row, const TextOptions& options) {
  write_row(sink, row, options);
}

void write(LineSink, const view::Summary&, const TextOptions&) {}
void write(LineSink, const view::Blank&, const TextOptions&) {}

}  // namespace

void write_block(LineSink sink, const view::Block& block, const TextOptions& options) {
  std::visit([sink, &options](const auto& one) { write(sink, one, options); }, block);
}

void render_text(const view::Document& document, const TextOptions& options,
                 base::FunctionRef<void(std::string_view)> on_part) {
  std::string part;
  bool begun = false;
  bool blank = false;
  for (const view::Block& block : document.blocks) {
    if (std::holds_alternative<view::Blank>(block)) blank = true;
    const auto sink = [&](std::size_t indent, Line line) {
      if (std::exchange(blank, false) && begun) part += '\n';
      begun = true;
      if (options.ascii) make_ascii(line);
      write_line(part, indent, std::move(line), options.colour);
      if (part.size() < kPart) return;
      on_part(part);
      part.clear();
    };
    write_block(sink, block, options);
  }
  on_part(part);
}

std::string render_text(const view::Document& document, const TextOptions& options) {
  std::string out;
  render_text(document, options, [&out](std::string_view part) { out += part; });
  return out;
}

}  // namespace dra::render
