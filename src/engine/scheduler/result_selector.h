// src/engine/scheduler/result_selector.h
//
// On which nodes an allocation can be used: the node selector that the scheduler writes beside its
// results.
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
  // A device whose selector has more than one term, which the scheduler cannot make a part of it,
  // and gives up on the pod.
  const PoolDevice* unsupported = nullptr;
};

// Of the devices of one claim, in the order of the results; `node` must outlive it.
// `knows_binding`: devices can bind the claim to the node.
ResultSelector result_selector(std::span<const PoolDevice> devices, bool knows_binding,
                               std::string_view node);

}  // namespace dra::engine
