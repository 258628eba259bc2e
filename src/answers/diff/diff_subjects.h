// src/answers/diff/diff_subjects.h
//
// The subjects that a diff asks about in two states of a cluster: pods and claims that wait for
// devices in one of them, and pods that have their devices and whose trouble is not what it was.
// Subjects with the same answer are asked about once.

#pragma once

#include <string_view>
#include <vector>

#include "dra/answers/diff/diff.h"
#include "src/answers/diff/cluster_state.h"

namespace dra::answers {

// Pods that cannot differ, pods with the same trouble, or one claim.
struct SubjectGroup {
  engine::Wanted wanted;              // the first
  std::vector<SubjectName> subjects;  // all
  bool words_differ = false;          // the first's answer names it, its node or its devices
};

// Subjects that wait in either state, the largest groups first. With `ns`: only of that namespace.
std::vector<SubjectGroup> waiting_subjects(const ClusterState& before, const ClusterState& after,
                                           std::string_view ns);

// Pods that have a node in both states. `devices` are those that differ.
std::vector<SubjectGroup> bound_subjects(const ClusterState& before, const ClusterState& after,
                                         std::string_view ns,
                                         const std::vector<DeviceChange>& devices);

// The trouble of a pod with what it has on its node. No value: it has none, or it is not there.
std::optional<engine::Trouble> trouble_in(const ClusterState& state, const engine::Wanted& pod);

}  // namespace dra::answers
