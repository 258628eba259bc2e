// src/report/lists/list_classes.cpp: see list_classes.h.

#include "dra/report/lists/list_classes.h"

#include "dra/base/text.h"
#include "dra/engine/selectors/selection.h"
#include "dra/engine/selectors/tally.h"
#include "dra/report/phrases/words.h"

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
  const engine::Tally tally = engine::tally_of(selection, inventory);
  row.devices = tally.devices;
  row.free = tally.known_free();
  row.failed = static_cast<std::int64_t>(selection.failed);
  return row;
}

// "8 (4 fail)": devices that fail are none that match, and none that do no harm.
view::Cell devices_cell(const ClassRow& row) {
  if (!row.compiles) return cell(kError, view::Tone::Bad);
  view::Cell known = cell_if_known(row.devices);
  if (row.failed == 0) return known;
  return cell(base::format("{} ({} fail)", known.text, row.failed), view::Tone::Bad);
}

view::Cell free_cell(const ClassRow& row) {
  return row.compiles ? cell_if_known(row.free) : cell(kError, view::Tone::Bad);
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
  view::Table table =
      table_of({"NAME", "DEVICES", "FREE", "EXTENDED-RESOURCE", "SELECTORS", "AGE"});
  for (const ClassRow& row : rows) {
    const api::DeviceClass& device_class = *row.device_class;
    table.rows.push_back({cell(device_class.meta.name), devices_cell(row), free_cell(row),
                          cell(or_none(device_class.spec.extended_resource)), cell(row.selectors),
                          cell(age_of(device_class.meta.created, options.now))});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report
