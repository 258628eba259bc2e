// src/report/top/top_view.cpp: top as tables.

#include <algorithm>
#include <cmath>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "dra/report/top/top.h"
#include "src/report/top/top_workloads.h"

namespace dra::report {
namespace {

constexpr std::int64_t kBar = 10;                   // characters of a bar
constexpr std::string_view kSeveral = "<several>";  // name of the row of shared devices
constexpr std::size_t kMostNotes = 3;               // on why nothing fits
constexpr std::size_t kMostNodes = 4;               // names of nodes on which a request fits
constexpr std::string_view kNames[] = {"NAME",      "DRIVER", "OF",       "ACCELERATOR",
                                       "NAMESPACE", "QUOTA",  "RESOURCE", "WORKLOAD"};

// "[######....]". Any use has at least one `#`, and anything left at least one `.`.
std::string bar(double part) {
  const double bounded = std::clamp(part, 0.0, 1.0);
  auto full = static_cast<std::int64_t>(std::lround(bounded * static_cast<double>(kBar)));
  if (bounded > 0) full = std::max<std::int64_t>(full, 1);
  if (bounded < 1) full = std::min(full, kBar - 1);
  std::string text = "[";
  for (std::int64_t i = 0; i < kBar; ++i)
    text += i < full ? '#' : '.';
  return text + "]";
}

// The unit for amounts in one row: the largest one in which all are integers, "81152Mi" and
// "50176Mi", not "49Gi".
struct Unit {
  std::string_view suffix;
  std::int64_t size;
};
constexpr Unit kUnits[] = {
    {"", 1},
    {"k", 1'000},
    {"Ki", std::int64_t{1} << 10},
    {"M", 1'000'000},
    {"Mi", std::int64_t{1} << 20},
    {"G", 1'000'000'000},
    {"Gi", std::int64_t{1} << 30},
    {"T", 1'000'000'000'000},
    {"Ti", std::int64_t{1} << 40},
};

const Unit* unit_of(std::string_view amount) {
  const std::string_view suffix = amount.substr(amount.find_last_of("0123456789") + 1);
  const auto* found = std::ranges::find(kUnits, suffix, &Unit::suffix);
  return found == std::end(kUnits) ? nullptr : found;
}

std::vector<std::string> in_one_unit(const std::vector<base::Quantity>& amounts) {
  std::vector<std::string> texts;
  const Unit* least = std::end(kUnits) - 1;
  bool known = true;
  for (const base::Quantity& amount : amounts) {
    texts.push_back(amount.to_string());
    const Unit* unit = unit_of(texts.back());
    known = known && unit != nullptr && amount.value();
    if (known && !amount.is_zero() && unit->size < least->size) least = unit;
  }
  known = known && std::ranges::all_of(amounts, [least](const base::Quantity& amount) {
            return *amount.value() % least->size == 0;
          });
  for (std::size_t i = 0; i < amounts.size() && known; ++i) {
    if (amounts[i].is_zero()) continue;
    texts[i] = base::format("{}{}", *amounts[i].value() / least->size, least->suffix);
  }
  return texts;
}

// All accelerators of the row are cut into partitions, so that a request gets partitions.
bool gives_partitions(const TopRow& row) {
  std::int64_t cut = 0;
  for (const PartitionedModel& model : row.partitioned)
    cut += model.accelerators;
  return cut > 0 && cut == row.accelerators.devices;
}

// "3"; "3 partitions"; "3+?" if a larger request may fit.
view::Cell fit_cell(const TopRow& row) {
  const Fit& fit = row.fit;
  if (fit.count == 0)
    return fit.known ? cell("none", view::Tone::Warn) : cell(kUnknown, view::Tone::Dim);
  const std::string_view unit = !gives_partitions(row) ? ""
                                : fit.count == 1       ? " partition"
                                                       : " partitions";
  return cell(base::format("{}{}{}", fit.count, fit.known ? "" : "+?", unit));
}

// "1/6": of the nodes of the node pool one has devices of the driver.
std::string pool_nodes_text(const TopRow& row) {
  if (!row.nodes) return "-";
  return base::format("{}/{}", row.nodes_with_devices, *row.nodes);
}

std::string name_in(const TopRow& row) {
  return row.several ? std::string(kSeveral) : or_none(row.name);
}

bool is_by_driver(const Top& top) { return top.by == TopBy::Nodes || top.by == TopBy::NodePools; }

bool has_several_drivers(const Top& top) {
  return std::ranges::any_of(
      top.rows, [&top](const TopRow& row) { return row.driver != top.rows.front().driver; });
}

// The used part of a total: a percentage and a bar.
struct Used {
  std::string text;
  std::string bar = {};
};

Used used_part(double part) { return {base::format("{}%", std::lround(part * 100)), bar(part)}; }

Used use_of(std::optional<std::int64_t> used, std::int64_t total) {
  if (!used) return {std::string(kUnknown)};
  if (total == 0) return {"-"};
  return used_part(static_cast<double>(*used) / static_cast<double>(total));
}

Used use_of(const std::optional<base::Quantity>& used, const base::Quantity& total) {
  if (!used) return {std::string(kUnknown)};
  if (total.sign() <= 0) return {"-"};
  return used_part(used->approximate() / total.approximate());
}

void add_use(const Used& use, std::vector<view::Cell>& cells) {
  cells.push_back(cell(use.text));
  cells.push_back(cell(use.bar));
}

// The column of bars, which is left out on a narrow terminal.
view::Column bar_column() { return {.title = "", .spare = true}; }

// Columns without information are left out, so that the tables fit 80 columns.
class Tables {
 public:
  explicit Tables(const Top& top) : top_(top) {}

  view::Table rows() const;
  view::Table partitioned() const;
  view::Table shared() const;
  view::Table namespaces() const;
  view::Table quotas() const;

 private:
  void add_head(view::Table& table) const;

  const Top& top_;
};

// The states of accelerators that have a column where some row has any.
struct SpareState {
  std::string_view title;
  std::int64_t engine::DeviceCounts::*number;
  view::Tone tone;
};
constexpr SpareState kAfterFree[] = {
    {"BLOCKED", &engine::DeviceCounts::blocked, view::Tone::Warn},
    {"TAINTED", &engine::DeviceCounts::tainted, view::Tone::Warn},
    {"UNUSABLE", &engine::DeviceCounts::unusable, view::Tone::Warn},
    {"MISSING", &engine::DeviceCounts::missing, view::Tone::Bad},
};

void Tables::add_head(view::Table& table) const {
  const auto add = [&](std::string_view title, std::int64_t engine::DeviceCounts::*number) {
    const bool any = std::ranges::any_of(
        top_.rows, [number](const TopRow& row) { return row.accelerators.*number > 0; });
    table.columns.push_back({.title = std::string(title), .wide = !any});
  };
  if (is_by_driver(top_))
    table.columns.push_back({.title = "DRIVER", .wide = !has_several_drivers(top_)});
  if (top_.by == TopBy::NodePools) table.columns.push_back({.title = "NODES", .spare = true});
  for (const char* title : {"DEVICES", "IN-USE"})
    table.columns.push_back({.title = title});
  add("SHARED", &engine::DeviceCounts::shared);
  table.columns.push_back({.title = "USE"});
  table.columns.push_back(bar_column());
  table.columns.push_back({.title = "FREE"});
  for (const SpareState& state : kAfterFree)
    add(state.title, state.number);
  table.columns.push_back({.title = "LARGEST"});
  table.columns.push_back({.title = "ON", .wide = true});
}

view::Table Tables::rows() const {
  view::Table table = table_of({"NAME"});
  add_head(table);
  for (const TopRow& row : top_.rows) {
    const engine::DeviceCounts& counts = row.accelerators;
    std::vector<view::Cell> cells = {cell(name_in(row))};
    if (is_by_driver(top_)) cells.push_back(cell(row.driver));
    if (top_.by == TopBy::NodePools) cells.push_back(cell(pool_nodes_text(row)));
    cells.push_back(row.failed ? cell(kError, view::Tone::Bad) : cell(counts.devices));
    cells.push_back(row.allocated ? cell(counts.in_use()) : cell(kUnknown));
    cells.push_back(row.allocated ? cell(counts.shared) : cell(kUnknown));
    add_use(row.used              ? used_part(*row.used)
            : counts.devices == 0 ? Used{"-"}
                                  : Used{std::string(kUnknown)},
            cells);
    cells.push_back(cell_if_known(counts.known_free()));
    for (const SpareState& state : kAfterFree) {
      const std::int64_t number = counts.*(state.number);
      cells.push_back(cell(std::to_string(number), number > 0 ? state.tone : view::Tone::Plain));
    }
    cells.push_back(fit_cell(row));
    const std::vector<std::string> nodes(row.fit.nodes.begin(), row.fit.nodes.end());
    cells.push_back(cell(or_none(base::join_first(nodes, kMostNodes))));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string full_name_in(const Top& top, const TopRow& row) {
  return is_by_driver(top) && has_several_drivers(top)
             ? base::format("{} {}", name_in(row), row.driver)
             : name_in(row);
}

// "fabric.example.com has 1 free device, but no request fits: no node can use what is free."
std::vector<std::string> none_words(const Top& top) {
  std::vector<std::string> sentences;
  for (const TopRow& row : top.rows) {
    if (row.fit.why_none.empty()) continue;
    sentences.push_back(base::format("{} has {}, but no request fits: {}.", full_name_in(top, row),
                                     base::plural(row.free.value_or(0), "free device"),
                                     row.fit.why_none));
  }
  return sentences;
}

// "In use and tainted: 2 of node-a, 1 of node-b." TAINTED counts only devices that are not in use.
// Empty: there are none.
std::string tainted_held_words(const Top& top) {
  std::vector<std::string> parts;
  for (const TopRow& row : top.rows) {
    if (row.devices.tainted_held == 0) continue;
    parts.push_back(base::format("{} of {}", row.devices.tainted_held, full_name_in(top, row)));
  }
  if (parts.empty()) return {};
  return base::format("In use and tainted: {}.", base::join_first(parts, kMostNodes));
}

// "5 of 8 slices"
std::string slices_text(const PartitionedModel& model) {
  if (model.slots == 0) return "-";
  return base::format("{} of {} slices",
                      model.slots_used ? std::to_string(*model.slots_used) : std::string(kUnknown),
                      model.slots);
}

// "2 of 14 free, 10 blocked"
std::string partitions_text(const engine::DeviceCounts& partitions) {
  const std::optional<std::int64_t> free = partitions.known_free();
  std::string text = base::format(
      "{} of {} free", free ? std::to_string(*free) : std::string(kUnknown), partitions.devices);
  if (partitions.blocked > 0) text += base::format(", {} blocked", partitions.blocked);
  return text;
}

// Accelerators that are cut into partitions: how many slices are taken, and what that leaves of the
// partitions that the driver publishes.
view::Table Tables::partitioned() const {
  view::Table table = table_of({"OF", "ACCELERATOR", "DEVICES", "IN-USE", "USE"});
  table.columns.push_back(bar_column());
  table.columns.push_back({.title = "PARTITIONS"});
  for (const TopRow& row : top_.rows) {
    for (const PartitionedModel& model : row.partitioned) {
      std::vector<view::Cell> cells = {cell(full_name_in(top_, row)), cell(or_none(model.name)),
                                       cell(model.accelerators), cell(slices_text(model))};
      add_use(model.used ? used_part(*model.used) : Used{std::string(kUnknown)}, cells);
      cells.push_back(cell(partitions_text(model.partitions)));
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

view::Table Tables::shared() const {
  view::Table table = table_of({"OF", "SHARED", "TOTAL", "USED", "USE"});
  table.columns.push_back(bar_column());
  table.columns.push_back({.title = "MOST-LEFT"});
  table.columns.push_back({.title = "WHERE", .wide = true});
  for (const TopRow& row : top_.rows) {
    for (const SharedAmount& amount : row.shared) {
      if (amount.total.is_zero() && (!amount.used || amount.used->is_zero())) continue;
      std::vector<base::Quantity> amounts = {amount.total};
      if (amount.used) amounts.push_back(*amount.used);
      if (amount.largest_left) amounts.push_back(*amount.largest_left);
      const std::vector<std::string> texts = in_one_unit(amounts);
      const Used use = use_of(amount.used, amount.total);
      table.rows.push_back(
          {cell(is_by_driver(top_) ? base::format("{} {}", name_in(row), row.driver)
                                   : name_in(row)),
           cell(base::format("{}{}", amount.counter ? "counter " : "", amount.name)),
           cell(texts[0]), cell(amount.used ? texts[1] : kUnknown), cell(use.text), cell(use.bar),
           cell(amount.largest_left ? texts[2]
                : amount.used       ? "-"
                                    : kUnknown),
           cell(amount.used ? or_none(amount.where) : kUnknown)});
    }
  }
  return table;
}

view::Table Tables::namespaces() const {
  view::Table table = table_of({"NAMESPACE", "CLAIMS", "PENDING", "PODS", "DEVICES", "OF-ALL"});
  table.columns.push_back(bar_column());
  table.columns.push_back({.title = "DRIVERS", .wide = true});
  for (const NamespaceTop& row : top_.namespaces) {
    std::vector<std::string> drivers;
    for (const auto& [driver, count] : row.devices)
      drivers.push_back(base::format("{} {}", count, driver));
    if (row.gone > 0) drivers.push_back(base::format("{} missing", row.gone));
    const auto known = [&row](std::int64_t number) {
      return row.known ? std::optional(number) : std::nullopt;
    };
    const Used use = use_of(known(row.held), row.of);
    table.rows.push_back({cell(row.name), cell_if_known(known(row.claims)),
                          cell_if_known(known(row.pending)), cell_if_known(known(row.pods)),
                          cell_if_known(known(row.held)), cell(use.text), cell(use.bar),
                          cell(row.known ? or_none(base::join(drivers, ", ")) : kUnknown)});
  }
  return table;
}

view::Table Tables::quotas() const {
  view::Table table = table_of({"NAMESPACE", "QUOTA", "RESOURCE", "HARD", "USED", "USE"});
  table.columns.push_back(bar_column());
  for (const NamespaceTop& row : top_.namespaces) {
    for (const engine::QuotaState& quota : row.quotas) {
      const std::vector<std::string> texts = in_one_unit({quota.hard, quota.used});
      const Used use = use_of(quota.used, quota.hard);
      table.rows.push_back({cell(row.name), cell(quota.quota), cell(quota.resource), cell(texts[0]),
                            cell(texts[1]), cell(use.text), cell(use.bar)});
    }
  }
  return table;
}

// What the table of rows cannot say.
void add_notes(view::Document& document, const Top& top, bool wide) {
  const auto add = [&document](std::string text, view::Tone tone) {
    document.add(view::Paragraph{.spans = {span(std::move(text), tone)}, .indent = 2, .hang = 0});
  };
  if (std::string tainted = tainted_held_words(top); !tainted.empty())
    add(std::move(tainted), view::Tone::Warn);
  const std::vector<std::string> none = none_words(top);
  const std::size_t shown = wide ? none.size() : std::min(none.size(), kMostNotes);
  for (std::size_t i = 0; i < shown; ++i)
    add(none[i], view::Tone::Warn);
  if (shown < none.size())
    add(base::format("In {} more rows with free devices no request fits: -o wide",
                     none.size() - shown),
        view::Tone::Dim);
}

}  // namespace

view::Document to_view(const Top& top, bool wide) {
  const Tables tables(top);
  view::Document document;
  const bool namespaces = top.by == TopBy::Namespaces;
  // Long names are shortened, except names of nodes: they are copied, and differ in the part that
  // would be cut. In tables of nodes the driver is shortened.
  const auto add = [&document, wide, &top](view::Table table) {
    table.fits_width = !wide;
    for (view::Column& column : table.columns) {
      const bool whole = top.by == TopBy::Nodes && column.title == "NAME";
      column.elastic = !whole && std::ranges::find(kNames, column.title) != std::end(kNames);
    }
    document.add(std::move(table));
  };
  if (top.by == TopBy::Workloads) {
    add(workload_table(top.workloads));
    return document;
  }
  add(namespaces ? tables.namespaces() : tables.rows());
  add_notes(document, top, wide);
  view::Table partitioned = tables.partitioned();
  if (!partitioned.rows.empty()) {
    document.add(view::Blank{});
    add(std::move(partitioned));
  }
  if (is_by_driver(top) && !wide) return document;
  view::Table more = namespaces ? tables.quotas() : tables.shared();
  if (more.rows.empty()) return document;
  document.add(view::Blank{});
  add(std::move(more));
  return document;
}

}  // namespace dra::report
