// include/dra/report/list_classes.h
//
// `kubectl dra classes`: what each class chooses, and how much of it is free. `-o json` prints the
// API objects.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/engine/inventory.h"
#include "dra/report/list.h"

namespace dra::report {

// Whether a class chooses a device; no value where that cannot be told.
using ClassMatch =
    base::FunctionRef<std::optional<bool>(const api::DeviceClass&, const engine::InventoryDevice&)>;

struct ClassRow {
  const api::DeviceClass* device_class;
  std::optional<std::int64_t> devices;  // that the class chooses now, in whatever state
  std::optional<std::int64_t> free;
  std::string selectors;  // on one line
};

// In the order given. `inventory` is of the snapshot.
std::vector<ClassRow> class_rows(const snapshot::Snapshot& snapshot,
                                 const engine::Inventory& inventory,
                                 std::span<const api::DeviceClass* const> classes,
                                 ClassMatch matches);
// Without evaluating anything: a class without selectors chooses every device, of others it cannot
// be told.
std::vector<ClassRow> class_rows(const snapshot::Snapshot& snapshot,
                                 const engine::Inventory& inventory,
                                 std::span<const api::DeviceClass* const> classes);
view::Document classes_view(std::span<const ClassRow> rows, const ListOptions& options);

}  // namespace dra::report
