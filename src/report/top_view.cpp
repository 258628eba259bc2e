// src/report/top_view.cpp: top as tables. Arranges facts; computes none.

#include <algorithm>
#include <cmath>

#include "dra/base/text.h"
#include "dra/report/top.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

constexpr std::int64_t kBar = 10;                   // characters of a whole one
constexpr std::string_view kSeveral = "<several>";  // nodes that share a device
constexpr std::size_t kMostNodes = 4;               // on which a request fits

// "[######....]  60%". Of what is used a little something is drawn, and of what is not used up
// something is left.
std::string bar(double part) {
  const double bounded = std::clamp(part, 0.0, 1.0);
  auto full = static_cast<std::int64_t>(std::lround(bounded * static_cast<double>(kBar)));
  if (bounded > 0) full = std::max<std::int64_t>(full, 1);
  if (bounded < 1) full = std::min(full, kBar - 1);
  std::string text = "[";
  for (std::int64_t i = 0; i < kBar; ++i)
    text += i < full ? '#' : '.';
  return base::format("{}] {:3}%", text, std::lround(bounded * 100));
}

std::string bar_of(std::optional<std::int64_t> used, std::int64_t total) {
  if (!used) return std::string(kUnknown);
  if (total == 0) return "-";
  return bar(static_cast<double>(*used) / static_cast<double>(total));
}

std::string bar_of(const base::Quantity& used, const base::Quantity& total) {
  return total.sign() <= 0 ? "-" : bar(used.approximate() / total.approximate());
}

// "3"; "3+?" where there may be more.
view::Cell fit_cell(const TopRow& row) {
  const Fit& fit = row.fit;
  if (fit.count == 0)
    return fit.known ? cell("none", view::Tone::Warn) : cell(kUnknown, view::Tone::Dim);
  return cell(base::format("{}{}", fit.count, fit.known ? "" : "+?"));
}

// "24 (10 without room)"
view::Cell free_cell(const TopRow& row) {
  view::Cell free = cell_if_known(row.free);
  if (row.free && row.without_room > 0)
    free.text += base::format(" ({} without room)", row.without_room);
  return free;
}

std::string name_in(const TopRow& row) {
  return row.several ? std::string(kSeveral) : or_none(row.name);
}

view::Table rows_table(const Top& top) {
  view::Table table = table_of({"NAME"});
  const bool by_driver = top.by == TopBy::Nodes || top.by == TopBy::NodePools;
  if (by_driver) table.columns.push_back({.title = "DRIVER"});
  if (top.by == TopBy::NodePools) table.columns.push_back({.title = "NODES"});
  for (const char* title : {"DEVICES", "USED", "USE", "FREE", "UNUSABLE", "LARGEST-REQUEST"})
    table.columns.push_back({.title = title});
  table.columns.push_back({.title = "ON", .wide = true});
  for (const TopRow& row : top.rows) {
    std::vector<view::Cell> cells = {cell(name_in(row))};
    if (by_driver) cells.push_back(cell(row.driver));
    if (top.by == TopBy::NodePools) cells.push_back(cell(row.nodes));
    cells.push_back(row.failed ? cell(kError, view::Tone::Bad) : cell(row.devices.devices));
    cells.push_back(cell_if_known(row.allocated));
    cells.push_back(cell(bar_of(row.allocated, row.devices.devices)));
    cells.push_back(free_cell(row));
    cells.push_back(cell(row.devices.tainted + row.devices.unusable));
    cells.push_back(fit_cell(row));
    const std::vector<std::string> nodes(row.fit.nodes.begin(), row.fit.nodes.end());
    cells.push_back(cell(or_none(base::join_first(nodes, kMostNodes))));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

view::Table shared_table(const Top& top) {
  view::Table table = table_of({"OF", "SHARED", "TOTAL", "USED", "USE", "MOST-LEFT"}, {"WHERE"});
  for (const TopRow& row : top.rows) {
    for (const SharedAmount& amount : row.shared) {
      if (amount.total.is_zero() && amount.used.is_zero()) continue;
      const bool by_driver = top.by == TopBy::Nodes || top.by == TopBy::NodePools;
      table.rows.push_back(
          {cell(by_driver ? base::format("{} {}", name_in(row), row.driver) : name_in(row)),
           cell(base::format("{}{}", amount.counter ? "counter " : "", amount.name)),
           cell(amount.total.to_string()), cell(amount.used.to_string()),
           cell(bar_of(amount.used, amount.total)),
           cell(amount.largest_left ? amount.largest_left->to_string() : "-"),
           cell(or_none(amount.where))});
    }
  }
  return table;
}

view::Table namespaces_table(const Top& top) {
  view::Table table =
      table_of({"NAMESPACE", "CLAIMS", "PENDING", "PODS", "DEVICES", "OF-ALL", "DRIVERS"});
  for (const NamespaceTop& row : top.namespaces) {
    std::vector<std::string> drivers;
    for (const auto& [driver, count] : row.devices)
      drivers.push_back(base::format("{} {}", count, driver));
    if (row.gone > 0) drivers.push_back(base::format("{} gone", row.gone));
    table.rows.push_back({cell(row.name), cell(row.claims), cell(row.pending), cell(row.pods),
                          cell(row.held), cell(bar_of(row.held, row.of)),
                          cell(or_none(base::join(drivers, ", ")))});
  }
  return table;
}

view::Table quotas_table(const Top& top) {
  view::Table table = table_of({"NAMESPACE", "QUOTA", "RESOURCE", "HARD", "USED", "USE"});
  for (const NamespaceTop& row : top.namespaces) {
    for (const engine::QuotaState& quota : row.quotas)
      table.rows.push_back({cell(row.name), cell(quota.quota), cell(quota.resource),
                            cell(quota.hard.to_string()), cell(quota.used.to_string()),
                            cell(bar_of(quota.used, quota.hard))});
  }
  return table;
}

}  // namespace

view::Document to_view(const Top& top, bool wide) {
  view::Document document;
  const bool namespaces = top.by == TopBy::Namespaces;
  document.add(namespaces ? namespaces_table(top) : rows_table(top));
  const bool many = top.by == TopBy::Nodes || top.by == TopBy::NodePools;
  if (many && !wide) return document;
  view::Table more = namespaces ? quotas_table(top) : shared_table(top);
  if (more.rows.empty()) return document;
  document.add(view::Blank{});
  document.add(std::move(more));
  return document;
}

}  // namespace dra::report
