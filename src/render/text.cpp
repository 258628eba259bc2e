// src/render/text.cpp: see dra/render/text.h. Each block becomes lines; tables are in table.cpp.

#include "dra/render/text.h"

#include <algorithm>
#include <variant>

#include "dra/base/printable.h"
#include "src/render/lines.h"
#include "src/render/table.h"

namespace dra::render {
namespace {

// On a narrower terminal the terminal breaks the lines: a column of single words helps nobody.
constexpr std::size_t kNarrowestText = 10;

std::size_t size_of(int number) { return static_cast<std::size_t>(std::max(number, 0)); }

std::size_t room(const TextOptions& options, std::size_t taken) {
  const std::size_t width = size_of(options.width);
  return std::max(width - std::min(width, taken), kNarrowestText);
}

void write(std::string& out, const view::Paragraph& paragraph, const TextOptions& options) {
  const std::size_t indent = size_of(paragraph.indent);
  const std::size_t hanging = indent + size_of(paragraph.hang);
  const auto lines = wrap(clean(paragraph.spans), room(options, indent), room(options, hanging));
  for (const Line& line : lines) {
    write_line(out, &line == &lines.front() ? indent : hanging, line, options.colour);
  }
}

void write(std::string& out, const view::Table& table, const TextOptions& options) {
  write_table(out, table, options);
}

void write(std::string& out, const view::Fields& fields, const TextOptions& options) {
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
      write_line(out, indent, std::move(line), options.colour);
      before = {{std::string(value, ' ')}};
    }
  }
}

void write(std::string& out, const view::Verbatim& verbatim, const TextOptions& options) {
  for (const auto& line : verbatim.lines) {
    write_line(out, size_of(verbatim.indent), clean(line), options.colour);
  }
}

void write(std::string&, const view::Blank&, const TextOptions&) {}

}  // namespace

std::string render_text(const view::Document& document, const TextOptions& options) {
  std::string out;
  bool blank = false;
  for (const view::Block& block : document.blocks) {
    if (std::holds_alternative<view::Blank>(block)) {
      blank = true;
      continue;
    }
    std::string text;
    std::visit([&text, &options](const auto& b) { write(text, b, options); }, block);
    if (text.empty()) continue;
    if (blank && !out.empty()) out += '\n';
    blank = false;
    out += text;
  }
  return out;
}

}  // namespace dra::render
