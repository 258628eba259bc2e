// src/report/lists/list_classes.cpp: the columns of `kubectl dra classes`.

#include "dra/report/lists/list_classes.h"

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

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

view::Cell free_cell(const ClassCounts& row) {
  return row.compiles ? cell_if_known(row.free) : cell(kError, view::Tone::Bad);
}

json::Value extended_resource(const ClassCounts& row) {
  return or_none(row.device_class->spec.extended_resource);
}

Columns<ClassCounts> class_columns(const ListOptions& options) {
  return {
      {.title = "NAME",
       .value = [](const ClassCounts& row) { return row.device_class->meta.name; }},
      {.title = "DEVICES", .cell = devices_cell},
      {.title = "FREE", .cell = free_cell},
      {.title = "EXTENDED-RESOURCE", .value = extended_resource},
      {.title = "SELECTORS",
       .value = [](const ClassCounts& row) { return selectors_of(*row.device_class); }},
      {.title = "AGE",
       .value =
           [now = options.now](const ClassCounts& row) {
             return age_of(row.device_class->meta.created, now);
           }},
  };
}

}  // namespace

view::Document classes_view(std::span<const engine::ClassCounts> classes,
                            const ListOptions& options) {
  return list_view(class_columns(options), classes);
}

}  // namespace dra::report
