// cmd/commands/watch/watched_rows.cpp: see watched_rows.h.

#include "cmd/commands/watch/watched_rows.h"

#include <utility>

namespace dra::cmd {
namespace {

constexpr std::string_view kAge = "AGE";

}  // namespace

std::string_view name_of(session::EventType type) {
  switch (type) {
    case session::EventType::Added:
      return "ADDED";
    case session::EventType::Modified:
      return "MODIFIED";
    case session::EventType::Deleted:
      return "DELETED";
  }
  return {};
}

std::string WatchedRows::text_of(const view::Table& table, std::size_t row) const {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const view::Column& column = table.columns[i];
    if (column.title == kAge || (column.wide && !options_.wide)) continue;
    text += table.rows[row][i].text;
    text += '\n';
  }
  return text;
}

void WatchedRows::note(const view::Table& table, std::span<const WatchedRow> rows) {
  DRA_CHECK(rows.size() == table.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    said_.insert_or_assign(rows[i].key, Said{text_of(table, i), table.rows[i]});
}

void WatchedRows::print(view::Table table, std::span<const WatchedRow> rows) {
  if (rows.empty()) return;
  note(table, rows);
  if (options_.events) {
    // As wide as the longest name of an event, as in kubectl.
    const std::size_t widest = name_of(session::EventType::Modified).size();
    if (widths_.empty()) widths_.push_back(widest);
    table.columns.insert(table.columns.begin(), view::Column{.title = "EVENT"});
    for (std::size_t i = 0; i < rows.size(); ++i)
      table.rows[i].insert(table.rows[i].begin(), {std::string(name_of(rows[i].type))});
  }
  view::Document document;
  document.add(std::move(table));
  context_.print(document, {.wide = options_.wide,
                            .headers = options_.headers && !std::exchange(titled_, true),
                            .widths = &widths_});
}

void WatchedRows::keep_changed(view::Table& table, std::vector<WatchedRow>& rows) const {
  std::vector<WatchedRow> kept;
  std::vector<std::vector<view::Cell>> cells;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto known = said_.find(rows[i].key);
    if (known != said_.end() && known->second.text == text_of(table, i)) continue;
    kept.push_back(std::move(rows[i]));
    cells.push_back(std::move(table.rows[i]));
  }
  rows = std::move(kept);
  table.rows = std::move(cells);
}

std::vector<view::Cell> WatchedRows::forget(const std::string& key) {
  const auto found = said_.find(key);
  if (found == said_.end()) return {};
  std::vector<view::Cell> cells = std::move(found->second.cells);
  said_.erase(found);
  return cells;
}

std::vector<std::string> WatchedRows::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, said] : said_)
    keys.push_back(key);
  return keys;
}

}  // namespace dra::cmd
