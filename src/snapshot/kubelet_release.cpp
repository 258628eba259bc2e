// src/snapshot/kubelet_release.cpp: compares the minor numbers of kubelets' versions.

#include "src/snapshot/kubelet_release.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "dra/base/text.h"

namespace dra::snapshot {
namespace {

// 36 for "v1.36.2-gke.100"; 0 for a version of another form.
int minor_of(std::string_view version) {
  constexpr std::string_view start = "v1.";
  if (!version.starts_with(start)) return 0;
  version.remove_prefix(start.size());
  int minor = 0;
  std::from_chars(version.data(), version.data() + version.size(), minor);
  return minor;
}

}  // namespace

std::optional<std::string> newest_kubelet_release(const std::vector<api::Node>& nodes) {
  int newest = 0;
  for (const api::Node& node : nodes)
    newest = std::max(newest, minor_of(node.status.info.kubelet_version));
  return newest > 0 ? std::optional(base::format("v1.{}", newest)) : std::nullopt;
}

}  // namespace dra::snapshot
