// src/answers/diff/diff_parts.h: the parts of a Diff that have a file of their own. See diff.h.

#pragma once

#include <string_view>
#include <vector>

#include "dra/answers/diff/diff.h"
#include "src/answers/diff/cluster_state.h"

namespace dra::answers {

// Devices whose presence, state or holders differ.
std::vector<DeviceChange> device_changes(const ClusterState& before, const ClusterState& after);

// Adds the subjects whose verdict changed. `changes` are those of all namespaces, `ns` is the one
// that subjects are in. The diff has its devices already.
void add_verdicts(const ClusterState& before, const ClusterState& after,
                  const std::vector<snapshot::Difference>& changes, std::string_view ns,
                  Diff& diff);

}  // namespace dra::answers
