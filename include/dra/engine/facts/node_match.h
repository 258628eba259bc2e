// include/dra/engine/facts/node_match.h
//
// Whether a node selector, of a slice, a device or an allocation, names a node. Terms are ORed, the
// requirements of a term ANDed; a term without requirements, and a selector without terms, match
// nothing. Upstream: k8s.io/component-helpers/scheduling/corev1/nodeaffinity, NodeSelector.

#pragma once

#include <string_view>

#include "dra/api/cluster_objects.h"
#include "dra/api/types.h"
#include "dra/base/result.h"

namespace dra::engine {

// An error if the selector cannot be read: the scheduler then gives up on the whole pod.
Result<bool> matches(const api::NodeSelector& selector, const api::Node& node);

// The node that a selector names by metadata.name alone, the form in which the scheduler writes it
// for devices of one node; empty for any other form.
std::string_view only_node(const api::NodeSelector& selector);

// A short text for lists: the node, or "rack in (rack-1)".
std::string describe(const api::NodeSelector& selector);

}  // namespace dra::engine
