// include/dra/report/lists/list_classes.h
//
// `kubectl dra classes`: how many devices each class matches, and how many of them are free.

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
  bool compiles = true;                 // false: one of its selectors does not compile
  std::optional<std::int64_t> devices;  // that all its selectors match, in any state
  std::optional<std::int64_t> free;
  std::int64_t failed = 0;  // devices for which a selector fails: the scheduler gives up on the pod
  std::string selectors;    // on one line
};

// In the order of `classes`. A class without selectors matches every device. There are no numbers
// if slices could not be read or a selector does not compile.
std::vector<ClassRow> class_rows(const snapshot::Snapshot& snapshot,
                                 const engine::Inventory& inventory,
                                 std::span<const api::DeviceClass* const> classes);
view::Document classes_view(std::span<const ClassRow> rows, const ListOptions& options);

}  // namespace dra::report
