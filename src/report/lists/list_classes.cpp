// src/report/lists/list_classes.cpp: evaluates the selectors of each class, and the columns of
// `kubectl dra classes`.

#include "dra/report/lists/list_classes.h"

#include "dra/base/text.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/engine/selectors/selection.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

namespace dra::report {
namespace {

std::string selectors_of(const api::DeviceClass& device_class) {
  std::vector<std::string> expressions;
  for (const api::DeviceSelector& selector : device_class.spec.selectors)
    expressions.push_back(one_line(selector.expression()));
  return or_none(base::join(expressions, "; "));
}

ClassRow class_row(const engine::Inventory& inventory, engine::Answers& answers, bool saw_slices,
                   const api::DeviceClass& device_class) {
  const engine::Selection selection = engine::choose(answers, device_class.spec.selectors);
  ClassRow row{.device_class = &device_class,
               .compiles = selection.compiles(),
               .selectors = selectors_of(device_class)};
  if (!row.compiles || !saw_slices) return row;
  const engine::DeviceCounts counts = engine::count_devices(selection, inventory);
  row.devices = counts.devices;
  row.free = counts.known_free();
  row.failed = static_cast<std::int64_t>(selection.failed);
  return row;
}

// "8 (4 fail)": a device for which a selector fails does not match, and ends the search for a pod.
view::Cell devices_cell(const ClassRow& row) {
  if (!row.compiles) return cell(kError, view::Tone::Bad);
  view::Cell known = cell_if_known(row.devices);
  if (row.failed == 0) return known;
  return cell(base::format("{} ({} fail)", known.text, row.failed), view::Tone::Bad);
}

view::Cell free_cell(const ClassRow& row) {
  return row.compiles ? cell_if_known(row.free) : cell(kError, view::Tone::Bad);
}

json::Value extended_resource(const ClassRow& row) {
  return or_none(row.device_class->spec.extended_resource);
}

Columns<ClassRow> class_columns(const ListOptions& options) {
  return {
      {.title = "NAME", .value = [](const ClassRow& row) { return row.device_class->meta.name; }},
      {.title = "DEVICES", .cell = devices_cell},
      {.title = "FREE", .cell = free_cell},
      {.title = "EXTENDED-RESOURCE", .value = extended_resource},
      {.title = "SELECTORS", .value = &ClassRow::selectors},
      {.title = "AGE",
       .value = [now = options.now](
                    const ClassRow& row) { return age_of(row.device_class->meta.created, now); }},
  };
}

}  // namespace

std::vector<ClassRow> class_rows(const snapshot::Snapshot& snapshot,
                                 const engine::Inventory& inventory,
                                 std::span<const api::DeviceClass* const> classes) {
  const bool saw_slices = snapshot.coverage().saw(api::Kind::Slice);
  engine::Answers answers = engine::answers_for(inventory, snapshot.server());
  std::vector<ClassRow> rows;
  rows.reserve(classes.size());
  for (const api::DeviceClass* device_class : classes)
    rows.push_back(class_row(inventory, answers, saw_slices, *device_class));
  return rows;
}

view::Document classes_view(std::span<const ClassRow> rows, const ListOptions& options) {
  return list_view(class_columns(options), rows);
}

}  // namespace dra::report
