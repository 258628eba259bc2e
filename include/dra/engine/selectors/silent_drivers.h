// include/dra/engine/selectors/silent_drivers.h
//
// Drivers that classes name and that publish no device, and the link that is missing between such a
// driver and its devices. The API has no object for a driver: its DaemonSet and its pods are
// recognized by their names (facts/driver_knowledge), so the result is Heuristic.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/workload.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/missing_pods.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class DriverLink : std::uint8_t {
  NotFound,     // neither a DaemonSet nor a pod of it
  NotSeen,      // the controller of its DaemonSet has not seen it, or its last change
  NoNodes,      // its DaemonSet is to run on no node
  PodsRefused,  // the pods of its DaemonSet are not created
  PodNotReady,  // a pod of it does not come up
  NoSlices,     // its pods are ready, and it has no slice
  NoDevices,    // its slices are empty
};

struct SilentDriver {
  std::string_view driver;
  std::optional<DriverLink> link = {};        // no value: its objects could not be read
  const api::Workload* daemon_set = nullptr;  // nullptr: not found
  const api::Pod* pod = nullptr;              // one that is not ready, else any; nullptr: none
  // Why no pod is created, why that one fails, or, where it is looked up, what keeps the DaemonSet
  // from all nodes; only taints of the nodes that it chooses do if `tainted`.
  std::string message = {};
  bool tainted = false;
  std::optional<MissingPods> unseen = {};  // of NotSeen
  std::string_view relative = {};          // a driver of its vendor that publishes devices
};

// The drivers that the class names, if none of them publishes a device in the whole cluster. Empty
// otherwise: also if it names none, or if slices could not be read.
std::vector<SilentDriver> silent_drivers_of(const snapshot::Snapshot& snapshot,
                                            const Inventory& inventory,
                                            const api::DeviceClass& device_class);

// A driver that publishes devices and whose vendor's domain is that of the name; empty: none is.
std::string_view relative_of(const Inventory& inventory, std::string_view name);

}  // namespace dra::engine
