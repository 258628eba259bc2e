// src/engine/scheduler/result_selector.h
//
// The node selector of an allocation, which the scheduler writes with the results: the nodes on
// which the devices can be used.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/incubating, createNodeSelector.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "dra/engine/cluster/pool.h"

namespace dra::engine {

struct ResultSelector {
  std::optional<api::NodeSelector> selector = {};  // none: usable everywhere
  // A device whose selector has more than one term: the scheduler cannot combine it and gives up on
  // the pod.
  const PoolDevice* unsupported = nullptr;
};

// For the devices of one claim, in the order of the results. `node` must outlive the selector.
// `knows_binding`: devices can bind the claim to the node.
ResultSelector result_selector(std::span<const PoolDevice> devices, bool knows_binding,
                               std::string_view node);

}  // namespace dra::engine
