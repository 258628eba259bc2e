// src/report/lists/list_columns.cpp: label columns and kinds, byte for byte as kubectl's.

#include "dra/report/lists/list_columns.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

// The part after the last slash, in capitals.
std::string title_of(std::string_view label) {
  std::string title(label.substr(label.rfind('/') + 1));
  std::ranges::transform(title, title.begin(), [](char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  });
  return title;
}

// Sorted by key, as a server sends them; a file may have another order.
std::string all_labels_of(const api::ObjectMeta& meta) {
  std::vector<std::string> labels;
  for (const auto& label : meta.labels)
    labels.push_back(base::format("{}={}", label.key, label.value));
  std::ranges::sort(labels);
  return or_none(base::join(labels, ","));
}

}  // namespace

void add_label_columns(view::Table& table, RowObjects objects,
                       const std::vector<std::string>& labels, bool all_labels) {
  DRA_CHECK(table.rows.size() == objects.size());
  for (const std::string& label : labels)
    table.columns.push_back({.title = title_of(label)});
  if (all_labels) table.columns.push_back({.title = "LABELS"});
  for (std::size_t row = 0; row < objects.size(); ++row) {
    const api::ObjectMeta& meta = *objects[row];
    for (const std::string& label : labels) {
      const std::string_view* value = api::find(meta.labels, label);
      table.rows[row].push_back(cell(value == nullptr ? std::string_view() : *value));
    }
    if (all_labels) table.rows[row].push_back(cell(all_labels_of(meta)));
  }
}

void add_kind(view::Table& table, api::Kind kind) {
  const auto name = std::ranges::find(table.columns, "NAME", &view::Column::title);
  DRA_CHECK(name != table.columns.end());
  const auto column = static_cast<std::size_t>(name - table.columns.begin());
  for (auto& row : table.rows)
    row[column].text.insert(0, kind_prefix(kind) + "/");
}

std::string kind_prefix(api::Kind kind) {
  const api::KindInfo& info = api::info_of(kind);
  std::string prefix = base::lower(info.name);
  if (!info.group.empty()) prefix += base::format(".{}", info.group);
  return prefix;
}

}  // namespace dra::report
