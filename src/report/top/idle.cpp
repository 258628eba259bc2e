// src/report/top/idle.cpp: adds up idle devices by namespace or workload, with their JSON and their
// table.

#include "dra/report/top/idle.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "dra/api/claim.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using engine::Bound;
using engine::IdleDevices;

// Without zeros at the end: "2", "0.25".
std::string number_text(double number) {
  std::string text = base::format("{:.2f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

json::Value number_json(double number) { return json::Value::number(number_text(number)); }

// The bound of a sum. What is not known is at least nothing.
Bound bound_of_sum(Bound sum, Bound part) {
  if (part == Bound::Unknown) part = Bound::AtLeast;
  if (sum == Bound::Exactly) return part;
  return part == Bound::Exactly || part == sum ? sum : Bound::Unknown;
}

std::string_view mark_of(Bound bound) {
  switch (bound) {
    case Bound::Exactly:
      return "";
    case Bound::AtLeast:
      return ">=";
    case Bound::AtMost:
      return "<=";
    case Bound::Unknown:
      return "~";
  }
  return "";
}

void add_idle(IdlePart part, const Prices& prices, IdleRow& row) {
  const IdleDevices& idle = part.idle;
  row.devices += idle.devices;
  row.hours += part.hours;
  row.bound = bound_of_sum(row.bound, idle.span.bound);
  const auto price = prices.find(idle.device_class);
  if (price != prices.end()) {
    row.cost = row.cost.value_or(0) + part.hours * price->second;
  } else {
    row.without_price.insert(idle.device_class);
  }
  if (idle.span.since) row.since = std::min(row.since.value_or(*idle.span.since), *idle.span.since);
  row.parts.push_back(std::move(part));
}

// The reasons, each once, those of the most hours first.
std::string whys_of(const IdleRow& row) {
  std::vector<std::string> words;
  for (const IdlePart& part : row.parts) {
    std::string word(engine::words_of(part.idle.why));
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
  }
  return base::join(words, ", ");
}

std::map<std::string_view, double> by_driver(const IdleRow& row) {
  std::map<std::string_view, double> drivers;
  for (const IdlePart& part : row.parts)
    drivers[part.idle.driver] += part.idle.devices;
  return drivers;
}

json::Value time_json(const std::optional<base::Instant>& time) {
  return time ? json::Value(base::format_rfc3339(*time)) : json::Value();
}

json::Value part_json(const IdlePart& part) {
  const IdleDevices& idle = part.idle;
  json::Value value = json::Value::object();
  value.set("claim", idle.claim->meta.name);
  json::Value& pods = value.set("pods", json::Value::array());
  for (const api::Pod* pod : idle.pods)
    pods.push(pod->meta.name);
  value.set("why", engine::name_of(idle.why));
  value.set("driver", idle.driver);
  if (!idle.device_class.empty()) value.set("class", idle.device_class);
  value.set("devices", number_json(idle.devices));
  value.set("since", time_json(idle.span.since));
  value.set("bound", engine::name_of(idle.span.bound));
  value.set("deviceHours", idle.span.since ? number_json(part.hours) : json::Value());
  return value;
}

json::Value idle_row_json(const IdleRow& row, bool priced) {
  json::Value value = json::Value::object();
  value.set("namespace", row.namespace_);
  if (!row.kind.empty()) {
    value.set("kind", row.kind);
    value.set("name", row.name);
  }
  value.set("devices", number_json(row.devices));
  json::Value& drivers = value.set("drivers", json::Value::object());
  for (const auto& [driver, count] : by_driver(row))
    drivers.set(std::string(driver), number_json(count));
  value.set("since", time_json(row.since));
  value.set("deviceHours", number_json(row.hours));
  value.set("bound", engine::name_of(row.bound));
  if (priced) {
    value.set("cost", row.cost ? number_json(*row.cost) : json::Value());
    json::Value& classes = value.set("withoutPrice", json::Value::array());
    for (const std::string_view name : row.without_price)
      classes.push(name.empty() ? json::Value() : json::Value(name));
  }
  json::Value& claims = value.set("claims", json::Value::array());
  for (const IdlePart& part : row.parts)
    claims.push(part_json(part));
  return value;
}

view::Table idle_table(const IdleTop& top) {
  view::Table table;
  const auto add = [&table](std::string_view title, bool wide = false) -> view::Column& {
    return table.columns.emplace_back(view::Column{.title = std::string(title), .wide = wide});
  };
  add("NAMESPACE").elastic = true;
  if (top.by == TopBy::Workloads) add("WORKLOAD").elastic = true;
  add("IDLE");
  add("SINCE");
  add("DEVICE-HOURS");
  if (top.priced) add("COST");
  add("WHY");
  add("DRIVERS", true);
  add("CLAIMS", true);
  for (const IdleRow& row : top.rows) {
    std::vector<view::Cell> cells = {cell(row.namespace_)};
    if (top.by == TopBy::Workloads)
      cells.push_back(cell(base::format("{}/{}", row.kind, row.name)));
    cells.push_back(cell(number_text(row.devices)));
    cells.push_back(cell(age_of(row.since, top.now)));
    cells.push_back(cell(base::format("{}{:.1f}", mark_of(row.bound), row.hours)));
    if (top.priced)
      cells.push_back(row.cost ? cell(base::format("{}{:.2f}{}", mark_of(row.bound), *row.cost,
                                                   row.without_price.empty() ? "" : "+?"))
                               : cell(kUnknown));
    cells.push_back(cell(whys_of(row)));
    std::vector<std::string> drivers;
    for (const auto& [driver, count] : by_driver(row))
      drivers.push_back(base::format("{} {}", number_text(count), driver));
    cells.push_back(cell(base::join(drivers, ", ")));
    std::vector<std::string> claims;
    for (const IdlePart& part : row.parts) {
      const std::string name(part.idle.claim->meta.name);
      if (std::ranges::find(claims, name) == claims.end()) claims.push_back(name);
    }
    constexpr std::size_t most = 4;
    cells.push_back(cell(base::join_first(claims, most)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// The line below the table, or in its place.
std::string summary_of(const IdleTop& top) {
  if (!top.known && top.rows.empty()) return "It is not known what is idle: claims cannot be read.";
  if (top.looked_at == 0) return "Nothing is idle: claims hold no devices.";
  std::set<std::string_view> classes;
  for (const IdleRow& row : top.rows) {
    if (top.priced) classes.insert(row.without_price.begin(), row.without_price.end());
  }
  const std::string held =
      base::format("{} that claims hold", base::plural(top.looked_at, "device"));
  std::string text = base::format("{} of the {} {} idle.", number_text(top.idle), held,
                                  top.idle <= 1 ? "is" : "are");
  if (top.idle == 0) text = base::format("None of the {} is idle.", held);
  if (top.looked_at == 1 && top.idle == 1) text = "The one device that claims hold is idle.";
  if (top.not_judged > 0)
    text += base::format(
        " Of {} it is not known: pods cannot be read, or something other than a pod has reserved "
        "the claim.",
        top.not_judged);
  classes.erase("");
  const std::vector<std::string> names(classes.begin(), classes.end());
  if (!names.empty())
    text += base::format(" No price is given for {} {}.", names.size() == 1 ? "class" : "classes",
                         base::join(names, ", "));
  return text;
}

}  // namespace

IdleTop idle_of(const Scene& scene, TopBy by, std::string_view ns, const Prices& prices) {
  engine::IdleFound found = engine::idle_devices(scene.snapshot, scene.inventory, scene.now, ns);
  IdleTop top{.by = by,
              .now = scene.now,
              .priced = !prices.empty(),
              .known = scene.snapshot.coverage().saw(api::Kind::Claim, ns),
              .looked_at = found.looked_at,
              .not_judged = found.not_judged,
              .coverage = scene.snapshot.coverage()};
  std::map<std::tuple<std::string_view, std::string, std::string>, IdleRow> rows;
  for (IdleDevices& idle : found.idle) {
    engine::WorkloadName holder;
    if (by == TopBy::Workloads) holder = engine::holder_of(scene.snapshot, *idle.claim);
    IdleRow& row = rows[{idle.claim->meta.namespace_, holder.kind, holder.name}];
    const double hours = engine::device_hours(idle, scene.now);
    add_idle({std::move(idle), hours}, prices, row);
  }
  for (auto& [key, row] : rows) {
    top.idle += row.devices;
    std::tie(row.namespace_, row.kind, row.name) = key;
    std::ranges::stable_sort(row.parts, std::greater<>(), &IdlePart::hours);
    top.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(top.rows, std::greater<>(), &IdleRow::hours);
  return top;
}

json::Value to_json(const IdleTop& top) {
  json::Value report = report_object("IdleDevices");
  report.set("by", name_of(top.by));
  report.set("lookedAt", top.looked_at);
  report.set("notJudged", top.not_judged);
  json::Value& items = report.set("items", json::Value::array());
  for (const IdleRow& row : top.rows)
    items.push(idle_row_json(row, top.priced));
  add_coverage(report, top.coverage);
  return report;
}

view::Document to_view(const IdleTop& top) {
  view::Document document;
  if (!top.rows.empty()) {
    document.add(idle_table(top));
    document.add(view::Blank{});
  }
  document.add(view::Paragraph{{span(summary_of(top))}});
  return document;
}

}  // namespace dra::report
