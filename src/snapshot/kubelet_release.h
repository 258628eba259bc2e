// src/snapshot/kubelet_release.h: the release of a cluster, as far as its nodes tell it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/api/cluster_objects.h"

namespace dra::snapshot {

// "v1.36" if the newest kubelet is of that release. A kubelet is never newer than its API server.
// No value: no node says its kubelet's version.
std::optional<std::string> newest_kubelet_release(const std::vector<api::Node>& nodes);

}  // namespace dra::snapshot
