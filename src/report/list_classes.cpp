// src/report/list_classes.cpp: see list_classes.h.

#include "dra/report/list_classes.h"

#include "dra/base/text.h"
#include "dra/engine/tally.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

std::string selectors_of(const api::DeviceClass& device_class) {
  std::vector<std::string> expressions;
  for (const api::DeviceSelector& selector : device_class.spec.selectors)
    expressions.push_back(one_line(selector.expression()));
  return or_none(base::join(expressions, "; "));
}

}  // namespace

std::vector<ClassRow> class_rows(const snapshot::Snapshot& snapshot,
                                 const engine::Inventory& inventory,
                                 std::span<const api::DeviceClass* const> classes,
                                 ClassMatch matches) {
  std::vector<ClassRow> rows;
  for (const api::DeviceClass* device_class : classes) {
    engine::Tally tally;
    bool known = snapshot.coverage().saw(api::Kind::Slice);
    for (const engine::InventoryDevice& device : inventory.devices()) {
      if (!known) break;
      const std::optional<bool> chosen = matches(*device_class, device);
      known = chosen.has_value();
      if (chosen.value_or(false)) tally.add(device);
    }
    ClassRow row{.device_class = device_class, .selectors = selectors_of(*device_class)};
    if (known) {
      row.devices = tally.devices;
      row.free = tally.known_free();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ClassRow> class_rows(const snapshot::Snapshot& snapshot,
                                 const engine::Inventory& inventory,
                                 std::span<const api::DeviceClass* const> classes) {
  const auto by_form = [](const api::DeviceClass& device_class, const engine::InventoryDevice&) {
    return device_class.spec.selectors.empty() ? std::optional(true) : std::nullopt;
  };
  return class_rows(snapshot, inventory, classes, by_form);
}

view::Document classes_view(std::span<const ClassRow> rows, const ListOptions& options) {
  view::Table table =
      table_of({"NAME", "DEVICES", "FREE", "EXTENDED-RESOURCE", "SELECTORS", "AGE"});
  for (const ClassRow& row : rows) {
    const api::DeviceClass& device_class = *row.device_class;
    table.rows.push_back({cell(device_class.meta.name), cell_if_known(row.devices),
                          cell_if_known(row.free),
                          cell(or_none(device_class.spec.extended_resource)), cell(row.selectors),
                          cell(age_of(device_class.meta.created, options.now))});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report
