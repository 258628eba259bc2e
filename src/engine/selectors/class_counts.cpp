// src/engine/selectors/class_counts.cpp: evaluates the selectors of each class for all devices.

#include "dra/engine/selectors/class_counts.h"

#include <algorithm>

#include "dra/api/claim.h"
#include "dra/api/device_class.h"

namespace dra::engine {
namespace {

// Whether a claim holds the device through a request of the class.
bool is_held_through(const MissingDevice& device, std::string_view device_class) {
  return std::ranges::any_of(device.holders, [device_class](const Holding& holding) {
    for (const api::DeviceRequest& request : holding.claim->spec.devices.requests) {
      for (const api::NamedDemand& named : api::demands_of(request)) {
        if (named.name == holding.result->request)
          return named.demand->device_class == device_class;
      }
    }
    return false;
  });
}

ClassCounts count_class(const Inventory& inventory, std::span<const MissingDevice> missing,
                        Answers& answers, bool saw_slices, const api::DeviceClass& device_class) {
  const Selection selection = choose(answers, device_class.spec.selectors);
  ClassCounts counts{.device_class = &device_class, .compiles = selection.compiles()};
  if (!counts.compiles || !saw_slices) return counts;
  counts.states = count_devices(selection, inventory);
  for (const MissingDevice& device : missing) {
    if (would_choose(selection, device_class, device)) counts.states.add(DeviceState::Missing);
  }
  counts.devices = counts.states.devices;
  counts.free = counts.states.known_free();
  counts.failed = static_cast<std::int64_t>(selection.failed);
  return counts;
}

}  // namespace

bool would_choose(const Selection& selection, const api::DeviceClass& device_class,
                  const MissingDevice& device) {
  if (device.like) return selection.devices[*device.like] == Outcome::Chosen;
  return is_held_through(device, device_class.meta.name);
}

std::vector<ClassCounts> count_classes(const snapshot::Snapshot& snapshot,
                                       const Inventory& inventory,
                                       std::span<const api::DeviceClass* const> classes,
                                       std::span<const MissingDevice> missing) {
  const bool saw_slices = snapshot.coverage().saw(api::Kind::Slice);
  Answers answers = answers_for(inventory, snapshot.server());
  std::vector<ClassCounts> all;
  all.reserve(classes.size());
  for (const api::DeviceClass* device_class : classes)
    all.push_back(count_class(inventory, missing, answers, saw_slices, *device_class));
  return all;
}

}  // namespace dra::engine
