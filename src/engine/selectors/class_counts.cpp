// src/engine/selectors/class_counts.cpp: evaluates the selectors of each class for all devices.

#include "dra/engine/selectors/class_counts.h"

#include "dra/api/device_class.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/engine/selectors/selection.h"

namespace dra::engine {
namespace {

ClassCounts count_class(const Inventory& inventory, Answers& answers, bool saw_slices,
                        const api::DeviceClass& device_class) {
  const Selection selection = choose(answers, device_class.spec.selectors);
  ClassCounts counts{.device_class = &device_class, .compiles = selection.compiles()};
  if (!counts.compiles || !saw_slices) return counts;
  const DeviceCounts devices = count_devices(selection, inventory);
  counts.devices = devices.devices;
  counts.free = devices.known_free();
  counts.failed = static_cast<std::int64_t>(selection.failed);
  return counts;
}

}  // namespace

std::vector<ClassCounts> count_classes(const snapshot::Snapshot& snapshot,
                                       const Inventory& inventory,
                                       std::span<const api::DeviceClass* const> classes) {
  const bool saw_slices = snapshot.coverage().saw(api::Kind::Slice);
  Answers answers = answers_for(inventory, snapshot.server());
  std::vector<ClassCounts> all;
  all.reserve(classes.size());
  for (const api::DeviceClass* device_class : classes)
    all.push_back(count_class(inventory, answers, saw_slices, *device_class));
  return all;
}

}  // namespace dra::engine
