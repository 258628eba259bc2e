// src/answers/diff/diff_subjects.h
//
// The subjects that a diff asks about: pods and claims that wait for devices in either state, and
// pods with devices whose trouble changed. Subjects with equal answers form one group and are asked
// about once.

#pragma once

#include <string_view>
#include <vector>

#include "dra/answers/diff/diff.h"
#include "src/answers/diff/cluster_state.h"

namespace dra::answers {

// Pods that cannot differ, pods with the same trouble, or one claim.
struct SubjectGroup {
  engine::Wanted wanted;              // the subject that stands for the group
  std::vector<SubjectName> subjects;  // all subjects of the group
  bool words_differ = false;          // answers name the subject, its node or its devices
};

// Subjects that wait in either state, the largest groups first; with `ns` only in that namespace.
std::vector<SubjectGroup> waiting_subjects(const ClusterState& before, const ClusterState& after,
                                           std::string_view ns);

// Pods that have a node in both states. `devices` are the devices that differ.
std::vector<SubjectGroup> bound_subjects(const ClusterState& before, const ClusterState& after,
                                         std::string_view ns,
                                         const std::vector<DeviceChange>& devices);

// The trouble of a pod that has a node. No value: it has none, or does not exist in that state.
std::optional<engine::Trouble> trouble_in(const ClusterState& state, const engine::Wanted& pod);

}  // namespace dra::answers
