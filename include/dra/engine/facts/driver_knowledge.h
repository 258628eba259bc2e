// include/dra/engine/facts/driver_knowledge.h
//
// What is known of drivers beyond what they publish: the names under which their plugins run on
// nodes, and rules for claims that Kubernetes does not know. It only ever adds to an explanation,
// and whatever rests on it is marked as heuristic. A driver of which nothing is known works.

#pragma once

#include <array>
#include <string_view>

#include "dra/api/pod.h"

namespace dra::engine {

struct DriverKnowledge {
  std::string_view driver;
  // Parts of the names of the pods that run its kubelet plugin, as its charts call them.
  std::array<std::string_view, 3> plugins;
  // A claim must have all devices of a host or none: prepare fails otherwise. Devices are chips of
  // a TPU, of which engine/tpu_hosts knows more.
  bool whole_hosts = false;
};

// nullptr: nothing is known of it.
const DriverKnowledge* knowledge_of(std::string_view driver);

// Whether it is known to hand out all devices of a host or none.
bool hands_out_hosts(std::string_view driver);

// Whether the pod runs the driver's kubelet plugin: it is a DaemonSet's, and called as the driver's
// charts call it or after the driver.
bool runs_plugin_of(const api::Pod& pod, std::string_view driver);

}  // namespace dra::engine
