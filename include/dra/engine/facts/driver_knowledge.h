// include/dra/engine/facts/driver_knowledge.h
//
// Knowledge about drivers beyond what they publish: the names of their plugins' pods, and rules for
// claims that Kubernetes does not know. It only adds to an explanation, and what rests on it is
// marked as heuristic. Drivers that are not in the table work without it.

#pragma once

#include <array>
#include <string_view>

#include "dra/api/pod.h"
#include "dra/api/types.h"

namespace dra::engine {

struct DriverKnowledge {
  std::string_view driver;
  std::string_view noun = {};  // what its devices are: "GPU"; empty: "device"
  // Parts of the names that its charts give to the pods of its kubelet plugin.
  std::array<std::string_view, 3> plugins;
  // A claim must have all devices of a host or none, else prepare fails. The devices are chips of
  // TPUs (engine/cluster/tpu_hosts).
  bool whole_hosts = false;
  // Its devices are attached to the pod as a whole, as network interfaces are. Others are handed to
  // the containers that name the claim, and to no other.
  bool serves_pods = false;
};

// nullptr: the driver is not in the table.
const DriverKnowledge* knowledge_of(std::string_view driver);

// Whether the driver is known to hand out all devices of a host or none.
bool hands_out_hosts(std::string_view driver);

// Whether the driver is known to hand devices to those containers only that name the claim.
bool hands_to_containers(std::string_view driver);

// Whether the object is named for the driver: its name or a label is one that the driver's charts
// give, or contains the driver's name. For a driver that is not in the table, the name may also
// contain the driver's vendor and say that it is of DRA.
bool is_named_for(const api::ObjectMeta& object, std::string_view driver);

// The domain of the driver's vendor: "nvidia.com" of gpu.nvidia.com; empty if it has none.
std::string_view vendor_domain(std::string_view driver);

// Whether the pod runs the driver's kubelet plugin: a DaemonSet owns it, and it is named for the
// driver.
bool runs_plugin_of(const api::Pod& pod, std::string_view driver);

}  // namespace dra::engine
