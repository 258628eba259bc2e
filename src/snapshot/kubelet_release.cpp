// src/snapshot/kubelet_release.cpp: compares the minor numbers of kubelets' versions.

#include "src/snapshot/kubelet_release.h"

#include <algorithm>

#include "dra/api/release.h"
#include "dra/base/text.h"

namespace dra::snapshot {

std::optional<std::string> newest_kubelet_release(const std::vector<api::Node>& nodes) {
  int newest = 0;
  for (const api::Node& node : nodes) {
    if (const auto release = api::release_of(node.status.info.kubelet_version))
      newest = std::max(newest, release->minor);
  }
  return newest > 0 ? std::optional(base::format("v1.{}", newest)) : std::nullopt;
}

}  // namespace dra::snapshot
