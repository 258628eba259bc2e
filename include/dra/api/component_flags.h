// include/dra/api/component_flags.h
//
// Flags of a program of the control plane, by the command line of its pod: which feature gates and
// controllers it was told to switch on or off. Few pods are asked, so it is not decoded for all,
// but read from the bytes of these. Recordings do not hold command lines.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/pod.h"

namespace dra::api {

struct ComponentFlags {
  bool known = false;  // the pod has the program's command line, and it is not part of a script
  // --feature-gates, in their order: the last entry for a gate counts.
  std::vector<std::pair<std::string, bool>> gates = {};
  // --controllers, in their order; empty: the flag is not there.
  std::vector<std::string> controllers = {};

  // What the flag says of the gate. No value: it is on by default, or off.
  std::optional<bool> gate(std::string_view name) const;
  // Whether gates are switched by their stage: then a gate without an entry has no known default.
  bool has_gates_by_stage() const;
  // Whether a controller that is on by default runs. Upstream: k8s.io/controller-manager/app,
  // IsControllerEnabled: the first entry about it counts, and without "*" only those named run.
  bool runs_controller(std::string_view name) const;
};

// `program` is the name of the program: "kube-controller-manager".
ComponentFlags flags_of(const Pod& pod, std::string_view program);

}  // namespace dra::api
