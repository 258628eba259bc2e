// cmd/commands/watch/watched_rows.h
//
// The rows of a table that is printed bit by bit, as `kubectl get -w` does: titles once, then a row
// for each change. A column keeps the width of its widest cell so far (text/tabwriter with
// RememberWidths). It also knows what it printed of each row, so a row is printed again only if it
// says something else.

#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cmd/command.h"
#include "dra/session/watch.h"
#include "dra/view/document.h"

namespace dra::cmd {

// "ADDED", "MODIFIED", "DELETED".
std::string_view name_of(session::EventType type);

// A row of a table, and what it is about.
struct WatchedRow {
  std::string key;  // namespace/name
  session::EventType type = session::EventType::Added;
};

class WatchedRows {
 public:
  struct Options {
    bool wide = false;
    bool headers = true;
    bool events = false;  // a column EVENT before all others
  };

  WatchedRows(const Context& context, const Options& options)
      : context_(context), options_(options) {}

  // Prints the rows of a table, of which `rows` says what each is about.
  void print(view::Table table, std::span<const WatchedRow> rows);
  // Knows the rows without printing them.
  void note(const view::Table& table, std::span<const WatchedRow> rows);
  // Removes the rows from both that say what they said before. Ages do not count.
  void keep_changed(view::Table& table, std::vector<WatchedRow>& rows) const;

  bool knows(const std::string& key) const { return said_.contains(key); }
  // The cells of a row as they were printed last, and no longer known then. Empty: not known.
  std::vector<view::Cell> forget(const std::string& key);
  std::vector<std::string> keys() const;

 private:
  std::string text_of(const view::Table& table, std::size_t row) const;

  const Context& context_;
  Options options_;
  bool titled_ = false;
  std::vector<std::size_t> widths_;
  struct Said {
    std::string text;
    std::vector<view::Cell> cells;
  };
  std::map<std::string, Said> said_;
};

}  // namespace dra::cmd
