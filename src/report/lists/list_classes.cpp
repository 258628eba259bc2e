// src/report/lists/list_classes.cpp: the columns of `kubectl dra classes`.

#include "dra/report/lists/list_classes.h"

#include <algorithm>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/state_columns.h"

namespace dra::report {
namespace {

using engine::ClassCounts;

std::string selectors_of(const api::DeviceClass& device_class) {
  std::vector<std::string> expressions;
  for (const api::DeviceSelector& selector : device_class.spec.selectors)
    expressions.push_back(one_line(selector.expression()));
  return or_none(base::join(expressions, "; "));
}

// "8 (4 fail)": a device for which a selector fails does not match, and ends the search for a pod.
view::Cell devices_cell(const ClassCounts& row) {
  if (!row.compiles) return cell(kError, view::Tone::Bad);
  view::Cell known = cell_if_known(row.devices);
  if (row.failed == 0) return known;
  return cell(base::format("{} ({} fail)", known.text, row.failed), view::Tone::Bad);
}

StateNumbers numbers_of_class(const ClassCounts& row) {
  const bool known = row.devices.has_value();
  return {.counts = row.states,
          .known = known,
          .allocated =
              known && row.states.unknown == 0 ? std::optional(row.states.allocated) : std::nullopt,
          .free = row.free,
          .failed = !row.compiles};
}

json::Value extended_resource(const ClassCounts& row) {
  return or_none(row.device_class->spec.extended_resource);
}

Columns<ClassCounts> class_columns(const ListOptions& options) {
  Columns<ClassCounts> columns = {{.title = "NAME", .value = [](const ClassCounts& row) {
                                     return row.device_class->meta.name;
                                   }}};
  append(columns, state_columns<ClassCounts>(numbers_of_class));
  std::ranges::find(columns, "DEVICES", &Column<ClassCounts>::title)->cell = devices_cell;
  columns.push_back({.title = "EXTENDED-RESOURCE", .value = extended_resource});
  columns.push_back({.title = "SELECTORS", .value = [](const ClassCounts& row) {
                       return selectors_of(*row.device_class);
                     }});
  columns.push_back({.title = "AGE", .value = [now = options.now](const ClassCounts& row) {
                       return age_of(row.device_class->meta.created, now);
                     }});
  return columns;
}

}  // namespace

view::Document classes_view(std::span<const engine::ClassCounts> classes,
                            const ListOptions& options) {
  return list_view(class_columns(options), classes);
}

}  // namespace dra::report
