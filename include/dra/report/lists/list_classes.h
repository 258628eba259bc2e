// include/dra/report/lists/list_classes.h
//
// `kubectl dra classes`: what each class chooses, and how much of it is free. `-o json` prints the
// API objects.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/report/lists/list.h"

namespace dra::report {

struct ClassRow {
  const api::DeviceClass* device_class;
  bool compiles = true;                 // false: one of its selectors does not
  std::optional<std::int64_t> devices;  // that all its selectors match now, in whatever state
  std::optional<std::int64_t> free;
  std::int64_t failed = 0;  // devices for which a selector fails: they end the search for a pod
  std::string selectors;    // on one line
};

// In the order given. `inventory` is of the snapshot. A class without selectors chooses every
// device. No numbers where slices could not be read, or a selector does not compile.
std::vector<ClassRow> class_rows(const snapshot::Snapshot& snapshot,
                                 const engine::Inventory& inventory,
                                 std::span<const api::DeviceClass* const> classes);
view::Document classes_view(std::span<const ClassRow> rows, const ListOptions& options);

}  // namespace dra::report
