// src/snapshot/component_gates.h

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/pod.h"

namespace dra::snapshot {

// Feature gates that differ from the release's defaults, or may: `stored`, of which objects show
// that the API server had them on, and those that --feature-gates of kube-apiserver and
// kube-scheduler name in the command lines of their pods. A feature needs its gate in both: one
// that is off anywhere is off, and one that not all of them switch on has its default, unless it is
// stored and kube-scheduler does not show its flags.
std::vector<std::pair<std::string, bool>> gates_of_components(
    std::span<const api::Pod> pods, std::span<const std::string_view> stored);

}  // namespace dra::snapshot
