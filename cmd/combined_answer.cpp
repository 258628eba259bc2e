// cmd/combined_answer.cpp: merges tables, and puts reports one after the other.

#include "cmd/combined_answer.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "dra/base/text.h"
#include "dra/render/text.h"
#include "dra/report/phrases/envelope.h"

namespace dra::cmd {
namespace {

using view::Cell;
using view::Column;
using view::Document;
using view::Table;
using view::Tone;

int weight(ExitCode exit) {
  switch (exit) {
    case ExitCode::Done:
      return 0;
    case ExitCode::Undetermined:
      return 1;
    case ExitCode::Found:
      return 2;
    default:
      return 3;
  }
}

bool has_column(const Table& table, const Column& column) {
  return std::ranges::find(table.columns, column.title, &Column::title) != table.columns.end();
}

bool has_columns_of(const Table& table, const Table& other) {
  return std::ranges::all_of(other.columns,
                             [&table](const Column& column) { return has_column(table, column); });
}

// Adds a column that another table has, behind the one that it follows there.
void add_column(Table& table, const Table& other, std::size_t index) {
  std::size_t at = 0;
  for (std::size_t before = index; before > 0 && at == 0; --before) {
    const auto found =
        std::ranges::find(table.columns, other.columns[before - 1].title, &Column::title);
    if (found != table.columns.end())
      at = static_cast<std::size_t>(found - table.columns.begin()) + 1;
  }
  const auto offset = static_cast<std::ptrdiff_t>(at);
  table.columns.insert(table.columns.begin() + offset, other.columns[index]);
  for (auto& row : table.rows)
    row.insert(row.begin() + offset, Cell{});
}

void merge(Table& table, Table other) {
  for (std::size_t i = 0; i < other.columns.size(); ++i) {
    if (!has_column(table, other.columns[i])) add_column(table, other, i);
  }
  for (auto& cells : other.rows) {
    std::vector<Cell> row(table.columns.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto column = std::ranges::find(table.columns, other.columns[i].title, &Column::title);
      row[static_cast<std::size_t>(column - table.columns.begin())] = std::move(cells[i]);
    }
    table.rows.push_back(std::move(row));
  }
}

void add_context(Table& table, const std::string& context) {
  table.columns.insert(table.columns.begin(), Column{.title = "CONTEXT"});
  for (auto& row : table.rows)
    row.insert(row.begin(), Cell{context});
}

std::size_t count_tables(const Document& document) {
  return static_cast<std::size_t>(std::ranges::count_if(
      document.blocks, [](const view::Block& b) { return std::holds_alternative<Table>(b); }));
}

view::Paragraph heading(const std::string& context) {
  return {.spans = {{"Context ", Tone::Dim}, {context, Tone::Strong}}};
}

struct KeyedTable {
  Table table;
  std::vector<report::SortKey> keys;  // of the rows; or none
};

// Adds the rows to a table that has their columns, or else the table.
void add_rows(std::vector<KeyedTable>& tables, KeyedTable one, bool alike) {
  const auto same = std::ranges::find_if(tables, [&](const KeyedTable& other) {
    return alike || has_columns_of(other.table, one.table) ||
           has_columns_of(one.table, other.table);
  });
  if (same == tables.end()) {
    tables.push_back(std::move(one));
    return;
  }
  merge(same->table, std::move(one.table));
  std::ranges::move(one.keys, std::back_inserter(same->keys));
}

// Rows with equal keys stay in the order of their clusters. As in a list of one cluster, a single
// row needs no order.
Result<Done> sort_rows(KeyedTable& one, std::string_view sort_by) {
  if (sort_by.empty() || one.keys.size() != one.table.rows.size() || one.keys.size() < 2)
    return Done{};
  report::reorder(one.table.rows, DRA_TRY(report::sort_by_keys(one.keys, sort_by)));
  return Done{};
}

Result<Document> combined_rows(std::vector<ContextAnswer> answers, std::string_view sort_by) {
  const bool alike = std::ranges::all_of(
      answers, [](const ContextAnswer& answer) { return count_tables(answer.kept.document) <= 1; });
  std::vector<KeyedTable> tables;
  Document rest;
  for (ContextAnswer& answer : answers) {
    bool named = false;
    auto keys = answer.kept.sort_keys.begin();
    for (view::Block& block : answer.kept.document.blocks) {
      if (auto* table = std::get_if<Table>(&block)) {
        if (table->rows.empty()) continue;
        add_context(*table, answer.kept.context);
        KeyedTable one{.table = std::move(*table), .keys = {}};
        if (keys != answer.kept.sort_keys.end()) one.keys = std::move(*keys++);
        add_rows(tables, std::move(one), alike);
      } else if (!std::holds_alternative<view::Blank>(block)) {
        if (!std::exchange(named, true)) rest.add(heading(answer.kept.context));
        rest.blocks.push_back(std::move(block));
      }
    }
  }
  Document document;
  for (KeyedTable& one : tables) {
    DRA_TRY(sort_rows(one, sort_by));
    if (!document.blocks.empty()) document.add(view::Blank{});
    document.add(std::move(one.table));
  }
  if (!rest.blocks.empty()) document.add(view::Blank{});
  document.append(std::move(rest));
  return document;
}

std::ptrdiff_t lines_of(const Document& document) {
  return std::ranges::count(render::render_text(document, {}), '\n');
}

std::string names_of(const std::vector<ContextAnswer>& answers, ExitCode exit) {
  std::vector<std::string> names;
  for (const ContextAnswer& answer : answers) {
    if (answer.exit == exit) names.push_back(answer.kept.context);
  }
  return base::join(names, ", ");
}

// "Fits in dev, prod. Does not fit in test."
view::Paragraph verdict_line(const std::vector<ContextAnswer>& answers) {
  view::Paragraph line;
  const auto add = [&](std::string_view words, ExitCode exit, Tone tone) {
    const std::string names = names_of(answers, exit);
    if (names.empty()) return;
    line.spans.push_back({line.spans.empty() ? "" : " ", Tone::Plain});
    line.spans.push_back({base::format("{} {}.", words, names), tone});
  };
  add("Fits in", ExitCode::Done, Tone::Good);
  if (line.spans.empty()) line.spans.push_back({"Fits in none of the clusters.", Tone::Bad});
  add("Does not fit in", ExitCode::Found, Tone::Bad);
  add("Undetermined in", ExitCode::Undetermined, Tone::Warn);
  add("No answer from", ExitCode::Failed, Tone::Warn);
  return line;
}

Document combined_reports(std::vector<ContextAnswer> answers, bool verdicts) {
  Document document;
  if (verdicts) {
    document.add(verdict_line(answers));
    std::ranges::stable_sort(
        answers, {}, [](const ContextAnswer& answer) { return lines_of(answer.kept.document); });
  }
  for (ContextAnswer& answer : answers) {
    if (answer.kept.document.blocks.empty()) continue;
    if (!document.blocks.empty()) document.add(view::Blank{});
    document.add(heading(answer.kept.context));
    document.add(view::Blank{});
    document.append_screen(std::move(answer.kept.document));
  }
  return document;
}

}  // namespace

ExitCode worst_of(std::span<const ContextAnswer> answers) {
  ExitCode worst = ExitCode::Done;
  for (const ContextAnswer& answer : answers) {
    if (weight(answer.exit) > weight(worst)) worst = answer.exit;
  }
  return worst;
}

json::Value combined_json(const std::vector<ContextAnswer>& answers) {
  json::Value list = report::report_object("ContextList");
  json::Value& items = list.set("items", json::Value::array());
  for (const ContextAnswer& answer : answers) {
    json::Value& item = items.push(json::Value::object());
    item.set("context", answer.kept.context);
    item.set("exitCode", static_cast<int>(answer.exit));
    if (answer.kept.report) item.set("report", *answer.kept.report);
    if (answer.kept.errors.empty()) continue;
    json::Value& errors = item.set("errors", json::Value::array());
    for (const Error& error : answer.kept.errors) {
      json::Value& one = errors.push(json::Value::object());
      one.set("message", error.message);
      if (!error.hint.empty()) one.set("hint", error.hint);
    }
  }
  return list;
}

Result<Document> combined_view(std::vector<ContextAnswer> answers, Combination combination,
                               std::string_view sort_by) {
  if (combination == Combination::Rows) return combined_rows(std::move(answers), sort_by);
  return combined_reports(std::move(answers), combination == Combination::Verdicts);
}

}  // namespace dra::cmd
