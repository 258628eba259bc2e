// src/render/table.cpp: see table.h. kubectl's look: titles as given, columns to the left, three
// spaces between them.

#include "src/render/table.h"

#include <algorithm>
#include <vector>

#include "dra/base/printable.h"
#include "dra/base/result.h"
#include "dra/base/text.h"
#include "src/render/lines.h"

namespace dra::render {
namespace {

constexpr std::size_t kGap = 3;
// Names are recognised by both ends; with less than this neither is left.
constexpr std::size_t kNarrowest = 12;

struct ShownColumn {
  std::size_t index;  // in the table
  bool elastic;
  std::size_t title_width;
  std::size_t width;
};

using Rows = std::vector<std::vector<view::Cell>>;

// The rows with printable text, titles first if there are any.
Rows clean_rows(const view::Table& table, bool headers) {
  Rows rows;
  rows.reserve(table.rows.size() + 1);
  if (headers) {
    auto& titles = rows.emplace_back();
    for (const view::Column& column : table.columns)
      titles.push_back({base::printable(column.title)});
  }
  for (const auto& row : table.rows) {
    DRA_CHECK(row.size() == table.columns.size());
    auto& cells = rows.emplace_back();
    cells.reserve(row.size());
    for (const view::Cell& cell : row)
      cells.push_back({base::printable(cell.text), cell.tone});
  }
  return rows;
}

std::vector<ShownColumn> shown_columns(const view::Table& table, const Rows& rows,
                                       const TextOptions& options) {
  std::vector<ShownColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const view::Column& column = table.columns[i];
    if (column.wide && !options.wide) continue;
    const std::size_t title = options.headers ? base::width(base::printable(column.title)) : 0;
    ShownColumn shown{i, column.elastic, title, title};
    for (const auto& row : rows)
      shown.width = std::max(shown.width, base::width(row[i].text));
    columns.push_back(shown);
  }
  return columns;
}

// Takes cells from the widest elastic column, one by one, until the table fits or nothing is left
// to take.
void shrink_to(std::size_t room, std::vector<ShownColumn>& columns) {
  std::size_t total = kGap * (columns.size() - 1);
  for (const ShownColumn& column : columns)
    total += column.width;
  for (; total > room; --total) {
    ShownColumn* widest = nullptr;
    for (ShownColumn& column : columns) {
      const bool can_shrink =
          column.elastic && column.width > std::max(column.title_width, kNarrowest);
      if (can_shrink && (widest == nullptr || column.width >= widest->width)) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

// shorten_middle() counts characters, which may be two cells wide.
std::string shortened(const std::string& text, std::size_t width) {
  if (base::width(text) <= width) return text;
  return base::fit(base::shorten_middle(text, width), width);
}

Line line_of(const std::vector<view::Cell>& row, const std::vector<ShownColumn>& columns) {
  Line line;
  for (const ShownColumn& column : columns) {
    const view::Cell& cell = row[column.index];
    view::Span span{shortened(cell.text, column.width), cell.tone};
    const std::size_t padding = column.width - base::width(span.text) + kGap;
    line.push_back(std::move(span));
    line.push_back({std::string(padding, ' ')});
  }
  return line;
}

}  // namespace

void write_table(std::string& out, const view::Table& table, const TextOptions& options) {
  if (table.rows.empty() || table.columns.empty()) return;
  const Rows rows = clean_rows(table, options.headers);
  auto columns = shown_columns(table, rows, options);
  if (columns.empty()) return;
  const auto indent = static_cast<std::size_t>(table.indent);
  const auto width = static_cast<std::size_t>(options.width);
  if (table.fits_width) shrink_to(width - std::min(indent, width), columns);
  for (const auto& row : rows)
    write_line(out, indent, line_of(row, columns), options.colour);
}

}  // namespace dra::render
