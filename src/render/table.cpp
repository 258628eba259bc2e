// src/render/table.cpp: tables that look like kubectl's: titles as given, columns aligned to the
// left, three spaces between them. Sentences that do not fit behind their row stand below it.

#include "src/render/table.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/printable.h"
#include "dra/base/result.h"
#include "dra/base/text.h"
#include "src/render/lines.h"

namespace dra::render {
namespace {

constexpr std::size_t kColumnGap = 3;
// Names are recognised by both ends; shorter than this they have none.
constexpr std::size_t kNarrowest = 12;
constexpr std::size_t kHang = 2;  // of sentences below their row, from its second column on

struct ShownColumn {
  std::size_t index;  // in the table
  bool spare;
  bool elastic;
  bool prose;
  std::size_t width;
  std::size_t least;  // the minimum width of an elastic one
};

// Several names in one: "gpu-0…3,gpu-7" or "pool-{a,b}". A cut in the middle would look like other
// names, so only whole items are left out, at the end.
struct Folded {
  std::string_view stem;  // in front of the braces, if there are any
  std::vector<std::string_view> items;
  bool braces;
};

std::optional<Folded> folded(std::string_view text) {
  const bool several = text.find_first_of(",{") != std::string_view::npos ||
                       text.find("…") != std::string_view::npos;
  if (!several || text.find(' ') != std::string_view::npos) return std::nullopt;
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos) return Folded{{}, base::split(text, ','), false};
  if (text.find('}') + 1 != text.size()) return Folded{{}, {text}, false};
  return Folded{text.substr(0, open),
                base::split(text.substr(open + 1, text.size() - open - 2), ','), true};
}

std::string items_text(const Folded& names, std::size_t kept) {
  std::string text = names.braces ? "{" : "";
  for (std::size_t i = 0; i < kept; ++i) {
    text += i == 0 ? "" : ",";
    text += names.items[i];
  }
  return text + (kept < names.items.size() ? ",…" : "") + (names.braces ? "}" : "");
}

// shorten_middle() counts characters, which may be two cells wide.
std::string shortened_name(std::string_view name, std::size_t width) {
  if (base::width(name) <= width) return std::string(name);
  return base::fit(base::shorten_middle(name, width), width);
}

// The stem, which is the beginning of a name, is shortened first, then the last items are left out.
// The first one stays, even if it is too wide.
std::string shortened(const Folded& names, std::size_t width) {
  std::string text;
  for (std::size_t kept = names.items.size(); kept > 0; --kept) {
    const std::string items = items_text(names, kept);
    const std::size_t taken = base::width(items);
    const std::size_t left = width > taken ? width - taken : 0;
    text = shortened_name(names.stem, std::max(left, kNarrowest)) + items;
    if (base::width(text) <= width) break;
  }
  return text;
}

// Three words at least: two are a kind and a name.
bool is_words(std::string_view text) { return std::ranges::count(text, ' ') > 1; }

// Words lose their end, and none is cut unless it is the first one.
std::string shortened_words(std::string_view words, std::size_t width) {
  constexpr std::string_view mark = "…";
  std::string cut = base::fit(words, width);
  const std::size_t end = cut.ends_with(mark) ? cut.size() - mark.size() : cut.size();
  if (words.substr(end).starts_with(' ')) return cut;
  const std::size_t space = std::string_view(cut).substr(0, end).rfind(' ');
  if (space != std::string::npos) cut.replace(space, end - space, " ");
  return cut;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (base::width(text) <= width) return std::string(text);
  if (is_words(text)) return shortened_words(text, width);
  const auto names = folded(text);
  return names ? shortened(*names, width) : shortened_name(text, width);
}

// A text as it is shown. Nearly all texts are shown as they are, and of many thousands no copy is
// made.
class Shown {
 public:
  explicit Shown(const std::string& untrusted) : view_(untrusted) {
    if (base::is_plain(untrusted)) return;
    cleaned_ = base::printable(untrusted);
    view_ = cleaned_;
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  std::string_view view() const { return view_; }

 private:
  std::string cleaned_;
  std::string_view view_;
};

// Makes room for a text of the column.
void widen(ShownColumn& column, const std::string& untrusted) {
  const Shown text(untrusted);
  column.width = std::max(column.width, base::width(text.view()));
  const auto names = column.elastic && !is_words(text.view()) ? folded(text.view()) : std::nullopt;
  if (names) column.least = std::max(column.least, base::width(shortened(*names, 0)));
}

bool is_empty(const view::Table& table, std::size_t column) {
  return std::ranges::all_of(table.rows,
                             [column](const auto& row) { return row[column].text.empty(); });
}

std::vector<ShownColumn> shown_columns(const view::Table& table, const TextOptions& options) {
  DRA_CHECK(std::ranges::all_of(
      table.rows, [&table](const auto& row) { return row.size() == table.columns.size(); }));
  std::vector<ShownColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const view::Column& column = table.columns[i];
    if (column.wide && !options.wide) continue;
    if (column.prose && is_empty(table, i)) continue;
    const std::size_t title = options.headers ? base::width(base::printable(column.title)) : 0;
    columns.push_back(
        {i, column.spare, column.elastic, column.prose, title, std::max(title, kNarrowest)});
    for (const auto& row : table.rows)
      widen(columns.back(), row[i].text);
  }
  return columns;
}

// Columns keep the width that earlier parts of the table gave them.
void keep_widths(std::vector<ShownColumn>& columns, std::vector<std::size_t>& widths) {
  for (ShownColumn& column : columns) {
    if (widths.size() <= column.index) widths.resize(column.index + 1);
    column.width = std::max(column.width, widths[column.index]);
    widths[column.index] = column.width;
  }
}

// The column to shorten by a cell: the widest elastic one above its minimum.
ShownColumn* next_to_shrink(std::vector<ShownColumn>& columns) {
  ShownColumn* next = nullptr;
  for (ShownColumn& column : columns) {
    if (!column.elastic || column.width <= column.least) continue;
    if (next == nullptr || column.width >= next->width) next = &column;
  }
  return next;
}

std::size_t width_of_columns(const std::vector<ShownColumn>& columns) {
  std::size_t total = kColumnGap * (columns.size() - 1);
  for (const ShownColumn& column : columns)
    total += column.width;
  return total;
}

bool drop_last_spare(std::vector<ShownColumn>& columns) {
  const auto spare = std::ranges::find_if(columns.rbegin(), columns.rend(), &ShownColumn::spare);
  if (spare == columns.rend()) return false;
  columns.erase(std::next(spare).base());
  return true;
}

// Shortens columns until the table fits or all have their minimum. Sentences, which then stand
// below their rows, are no part of the result, so that names are shortened last.
void shrink_to(std::size_t room, std::vector<ShownColumn>& columns) {
  while (width_of_columns(columns) > room && drop_last_spare(columns)) {
  }
  if (width_of_columns(columns) > room)
    std::erase_if(columns, [](const ShownColumn& column) { return column.prose; });
  for (std::size_t total = width_of_columns(columns); total > room; --total) {
    ShownColumn* column = next_to_shrink(columns);
    if (column == nullptr) return;
    --column->width;
  }
}

void add_cell(Line& line, view::Span span, std::size_t width) {
  const std::size_t taken = base::width(span.text);
  const std::size_t padding = width - std::min(width, taken) + kColumnGap;
  line.push_back(std::move(span));
  line.push_back({std::string(padding, ' ')});
}

// The column of sentences, if it is not among the shown ones.
std::optional<std::size_t> prose_below(const view::Table& table,
                                       const std::vector<ShownColumn>& columns) {
  const auto column = std::ranges::find_if(table.columns, &view::Column::prose);
  if (column == table.columns.end() || std::ranges::any_of(columns, &ShownColumn::prose))
    return std::nullopt;
  return static_cast<std::size_t>(column - table.columns.begin());
}

}  // namespace

void write_table(LineSink sink, const view::Table& table, const TextOptions& options) {
  if (table.rows.empty() || table.columns.empty()) return;
  auto columns = shown_columns(table, options);
  if (columns.empty()) return;
  if (options.widths != nullptr) keep_widths(columns, *options.widths);
  const auto indent = static_cast<std::size_t>(table.indent);
  const auto width = static_cast<std::size_t>(options.width);
  if (table.fits_width && !options.wide) shrink_to(width - std::min(indent, width), columns);
  if (options.headers) {
    Line line;
    for (const ShownColumn& column : columns)
      add_cell(line, {base::printable(table.columns[column.index].title)}, column.width);
    sink(indent, std::move(line));
  }
  const auto below = prose_below(table, columns);
  const std::size_t hang = indent + columns.front().width + kColumnGap + kHang;
  for (const auto& row : table.rows) {
    Line line;
    for (const ShownColumn& column : columns) {
      const view::Cell& cell = row[column.index];
      add_cell(line, {shortened(Shown(cell.text).view(), column.width), cell.tone}, column.width);
    }
    sink(indent, std::move(line));
    if (!below || row[*below].text.empty()) continue;
    const view::Cell& sentence = row[*below];
    const std::size_t room = std::max(width - std::min(width, hang), kNarrowest);
    for (Line& part : wrap({{base::printable(sentence.text), sentence.tone}}, room, room))
      sink(hang, std::move(part));
  }
}

}  // namespace dra::render
