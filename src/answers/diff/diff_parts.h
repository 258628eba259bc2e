// src/answers/diff/diff_parts.h: the parts of a Diff that have files of their own.

#pragma once

#include <string_view>
#include <vector>

#include "dra/answers/diff/diff.h"
#include "src/answers/diff/cluster_state.h"

namespace dra::answers {

// Devices whose presence, state or holders differ.
std::vector<DeviceChange> device_changes(const ClusterState& before, const ClusterState& after);

// Adds the subjects in namespace `ns` whose verdict changed. `changes` are the changes of all
// namespaces. The diff must contain its devices already.
void add_verdicts(const ClusterState& before, const ClusterState& after,
                  const std::vector<snapshot::Difference>& changes, std::string_view ns,
                  Diff& diff);

}  // namespace dra::answers
