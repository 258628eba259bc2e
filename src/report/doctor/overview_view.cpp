// src/report/doctor/overview_view.cpp: presents an overview as text. It arranges facts and computes
// none.

#include <algorithm>
#include <utility>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/doctor/overview.h"
#include "dra/report/lists/list_drivers.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kFirstDrivers = 8;  // drivers that are always shown

// Ranks of lines (view::Rank): lower ones are shown first.
constexpr view::Rank kProblems = 1;
constexpr view::Rank kOtherDrivers = 2;

class ViewBuilder {
 public:
  ViewBuilder(const answers::Overview& overview, const OverviewSource& source,
              const OverviewViewOptions& options)
      : overview_(overview), source_(source), now_(options.now), wide_(options.wide) {}

  view::Document build() {
    where();
    summary();
    drivers();
    claims_and_pods();
    problems();
    return std::move(document_);
  }

 private:
  void where();
  void summary();
  void drivers();
  void partitions();
  void tainted_held();
  void claims_and_pods();
  std::string claims_text() const;
  std::string pods_text() const;
  void problems();
  view::Document problem(const answers::Problem& problem) const;
  std::string command(std::string_view words) const { return source_.command(words); }
  view::FoldWords more(std::string_view words) const;

  const answers::Overview& overview_;
  const OverviewSource& source_;
  const base::Instant now_;
  const bool wide_;
  view::Document document_;
};

// What is none is left out.
view::Bar bar_of(const engine::DriverSummary& row) {
  const engine::DeviceCounts& counts = row.devices;
  view::Bar bar{.name = std::string(row.name), .parts = {}};
  const auto add = [&bar](std::string_view name, std::int64_t number, Tone tone) {
    if (number > 0)
      bar.parts.push_back({.name = std::string(name), .number = number, .tone = tone});
  };
  add("in use", counts.in_use(), Tone::Strong);
  add("shared", counts.shared, Tone::Dim);
  add("free", counts.free, Tone::Good);
  add("blocked", counts.blocked, Tone::Warn);
  add("tainted", counts.tainted, Tone::Warn);
  add("unusable", counts.unusable, Tone::Warn);
  add("missing", counts.missing, Tone::Bad);
  return bar;
}

// "11 of 16 devices in use, 5 missing; "
std::string devices_words(const engine::DeviceCounts& counts) {
  const std::int64_t all = counts.devices + counts.missing;
  if (all == 0) return "no devices; ";
  const std::string missing =
      counts.missing > 0 ? base::format(", {} missing", counts.missing) : std::string();
  return base::format("{} of {} in use{}; ", counts.allocated, base::plural(all, "device"),
                      missing);
}

void ViewBuilder::where() {
  const snapshot::Server& server = overview_.server;
  std::string text = base::format("{} {}", source_.kind, source_.name);
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  text += base::format(", Kubernetes {}{}", server.version, server.assumed ? " (assumed)" : "");
  if (!overview_.namespace_.empty()) text += base::format(", namespace {}", overview_.namespace_);
  document_.add(view::Paragraph{.spans = {span(text, Tone::Dim)}});
  document_.add(view::Blank{});
}

void ViewBuilder::summary() {
  view::Summary summary;
  engine::DeviceCounts all;
  bool known = true;
  for (const engine::DriverSummary& row : overview_.drivers) {
    known = known && row.slices_known && row.allocated && row.free;
    all.devices += row.devices.devices;
    all.allocated += row.devices.allocated;
    all.shared += row.devices.shared;
    all.free += row.free.value_or(0);
    all.missing += row.devices.missing;
    if (known) summary.bars.push_back(bar_of(row));
  }
  const auto tile = [&summary](std::string_view name, std::int64_t number, Tone tone) {
    summary.tiles.push_back({.name = std::string(name),
                             .value = std::to_string(number),
                             .tone = number > 0 ? tone : Tone::Plain});
  };
  if (known) {
    tile("devices", all.devices, Tone::Plain);
    tile("in use", all.allocated, Tone::Plain);
    tile("free", all.free, Tone::Good);
    tile("missing", all.missing, Tone::Bad);
  }
  if (overview_.waiting)
    tile("waiting pods", static_cast<std::int64_t>(overview_.waiting->size()), Tone::Warn);
  const Tone worst = overview_.problems.empty()
                         ? Tone::Plain
                         : tone_of(overview_.problems.front().finding.severity);
  tile("problems", std::ssize(overview_.problems), worst);
  const std::string counts = answers::counts_of(overview_.problems);
  document_.title = base::format("{} {}: {}{}", source_.kind, source_.name,
                                 known ? devices_words(all) : std::string(),
                                 counts.empty() ? std::string("no problems") : counts);
  document_.add(std::move(summary));
}

view::FoldWords ViewBuilder::more(std::string_view words) const {
  return {.more = {.several = "+{} more: " + command(words), .verbatim = true}};
}

// States that have a column where some driver has such devices.
struct SpareState {
  std::string_view title;
  std::int64_t engine::DeviceCounts::*number;
  Tone tone;
};
constexpr SpareState kSpareStates[] = {
    {"BLOCKED", &engine::DeviceCounts::blocked, Tone::Warn},
    {"TAINTED", &engine::DeviceCounts::tainted, Tone::Warn},
    {"UNUSABLE", &engine::DeviceCounts::unusable, Tone::Warn},
    {"MISSING", &engine::DeviceCounts::missing, Tone::Bad},
};

view::Cell state_cell(const engine::DriverSummary& row, const SpareState& state) {
  if (!row.slices_known) return cell(kUnknown);
  const std::int64_t number = row.devices.*(state.number);
  return {std::to_string(number), number > 0 ? state.tone : Tone::Plain};
}

view::Cell in_use_cell(const engine::DriverSummary& row) {
  return row.allocated ? cell(row.devices.in_use()) : cell(kUnknown);
}

void ViewBuilder::drivers() {
  if (overview_.drivers.empty()) {
    const bool saw = overview_.coverage.saw(api::Kind::Slice);
    document_.add(view::Paragraph{
        .spans = {span(saw ? "No driver publishes devices, and no class names one."
                           : "Which devices there are is unknown: slices cannot be read.")}});
    document_.add(view::Blank{});
    return;
  }
  const auto any = [this](std::int64_t engine::DeviceCounts::*number) {
    return std::ranges::any_of(overview_.drivers, [number](const engine::DriverSummary& row) {
      return row.slices_known && row.devices.*number > 0;
    });
  };
  view::Table table = table_of({"DRIVER", "DEVICES", "IN-USE"});
  table.columns.push_back({.title = "SHARED", .wide = !any(&engine::DeviceCounts::shared)});
  table.columns.push_back({.title = "FREE"});
  for (const SpareState& state : kSpareStates)
    table.columns.push_back({.title = std::string(state.title), .wide = !any(state.number)});
  for (const char* title : {"POOLS", "NODES", "CLASSES"})
    table.columns.push_back({.title = title});
  table.columns.push_back({.title = "STATUS", .wide = true});
  table.columns.front().elastic = true;
  table.fits_width = !wide_;
  std::vector<view::RowPart> parts;
  for (const engine::DriverSummary& row : overview_.drivers) {
    parts.push_back({.rank = parts.size() < kFirstDrivers ? view::kAlways : kOtherDrivers});
    const auto counted = [&row](std::int64_t number) {
      return row.slices_known ? cell(number) : cell(kUnknown);
    };
    const auto classes =
        row.classes ? cell(static_cast<std::int64_t>(row.classes->size())) : cell(kUnknown);
    std::vector<view::Cell> cells = {cell(row.name), counted(row.devices.devices), in_use_cell(row),
                                     counted(row.devices.shared), cell_if_known(row.free)};
    for (const SpareState& state : kSpareStates)
      cells.push_back(state_cell(row, state));
    cells.insert(cells.end(),
                 {counted(row.pools), cell(nodes_text(row)), classes, cell(status_of(row))});
    table.rows.push_back(std::move(cells));
  }
  document_.add_rows(document_.begin_fold(more("drivers")), std::move(table), parts);
  partitions();
  tainted_held();
  document_.add(view::Blank{});
}

// Drivers whose free devices share counters, so that allocating one may exclude others.
void ViewBuilder::partitions() {
  std::vector<std::string> drivers;
  for (const engine::DriverSummary& row : overview_.drivers) {
    if (row.free.value_or(0) > 0 && row.free_partitions > 0) drivers.emplace_back(row.name);
  }
  if (drivers.empty()) return;
  const std::string text =
      base::format("Free devices of {} share counters: to take one may block others.",
                   base::join(drivers, ", "));
  document_.add(view::Paragraph{.spans = {span(text, Tone::Dim)}, .indent = 2, .hang = 0});
}

// TAINTED counts only devices that are not in use.
void ViewBuilder::tainted_held() {
  std::vector<std::string> parts;
  for (const engine::DriverSummary& row : overview_.drivers) {
    if (row.devices.tainted_held > 0)
      parts.push_back(base::format("{} of {}", row.devices.tainted_held, row.name));
  }
  if (parts.empty()) return;
  document_.add(view::Paragraph{
      .spans = {span(base::format("In use and tainted: {}.", base::join(parts, ", ")), Tone::Warn)},
      .indent = 2,
      .hang = 0});
}

std::string ViewBuilder::claims_text() const {
  if (!overview_.claims) return std::string(kUnknown);
  const answers::ClaimCounts& counts = *overview_.claims;
  if (counts.total == 0) return "none";
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, std::string_view what) {
    if (count > 0) parts.push_back(base::format("{} {}", count, what));
  };
  add(counts.reserved, "in use");
  add(counts.allocated, "allocated but unused");
  add(counts.pending, "pending");
  add(counts.deleting, "deleting");
  return base::format("{}: {}", counts.total, base::join(parts, ", "));
}

std::string ViewBuilder::pods_text() const {
  if (!overview_.waiting) return std::string(kUnknown);
  if (overview_.waiting->empty()) return "none";
  const api::ObjectMeta& oldest = overview_.waiting->front()->meta;
  const std::string name = base::format("{}/{}", oldest.namespace_, oldest.name);
  const std::string since =
      oldest.created ? base::format(" for {}", age_of(oldest.created, now_)) : "";
  if (overview_.waiting->size() == 1) return base::format("1: {}{}", name, since);
  return base::format("{}: the oldest is {}{}", overview_.waiting->size(), name, since);
}

void ViewBuilder::claims_and_pods() {
  view::Fields fields;
  fields.fields.push_back({"Claims", {span(claims_text())}});
  const bool waiting = overview_.waiting && !overview_.waiting->empty();
  fields.fields.push_back(
      {"Pods without a node", {span(pods_text(), waiting ? Tone::Warn : Tone::Plain)}});
  document_.add(std::move(fields));
  document_.add(view::Blank{});
}

view::Document ViewBuilder::problem(const answers::Problem& problem) const {
  view::Document card;
  card.add(view::Paragraph{.spans = {span(std::string(name_of(problem.finding.severity)),
                                          tone_of(problem.finding.severity)),
                                     span(": " + problem.finding.message)},
                           .indent = 2,
                           .hang = 2});
  add_command(card, command(problem.remedy.command), 4);
  view::Document part;
  part.add_card(std::move(card), tone_of(problem.finding.severity));
  return part;
}

// The worst problem is always shown.
void ViewBuilder::problems() {
  if (overview_.problems.empty()) {
    document_.add(view::Paragraph{.spans = {span("No problems found.", Tone::Good)}});
    return;
  }
  document_.add(
      view::Paragraph{.spans = {span("PROBLEMS", Tone::Strong),
                                span("  " + answers::counts_of(overview_.problems), Tone::Dim)}});
  const std::string words = diag::CommandLine("overview -o wide").in(overview_.namespace_).text();
  const std::size_t fold = document_.begin_fold(more(words));
  view::Rank rank = view::kAlways;
  for (const answers::Problem& one : overview_.problems)
    document_.add_part(fold, problem(one), std::exchange(rank, kProblems));
  document_.end_fold(fold);
}

}  // namespace

view::Document to_view(const answers::Overview& overview, const OverviewSource& source,
                       const OverviewViewOptions& options) {
  return ViewBuilder(overview, source, options).build();
}

}  // namespace dra::report
