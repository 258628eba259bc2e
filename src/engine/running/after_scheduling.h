// src/engine/running/after_scheduling.h
//
// The sources of what keeps a pod from running after it was scheduled, each of which adds findings;
// after_scheduling.cpp asks them all and puts the findings in order.

#pragma once

#include "dra/engine/running/after_scheduling.h"

namespace dra::engine {

// What the sources look at.
struct AfterScene {
  const snapshot::Snapshot& snapshot;
  const Inventory& inventory;
  const Subject& subject;
  const api::Pod* pod = nullptr;  // nullptr: only claims are looked at
  std::vector<AfterFinding>& findings;

  // Its containers run, or have run.
  bool started() const { return pod != nullptr && pod->status.phase == "Running"; }
  // Where the claim's devices are to be used: the pod's node, else that of the allocation; empty
  // where that is not one node.
  std::string node_of(const api::ResourceClaim& claim) const;
  AfterFinding& add(diag::Code code, const SubjectClaim* claim, std::string message) const;
};

// The claim itself: that it is there, and reserved for the pod (after_scheduling.cpp); its devices:
// that they are published, whole hosts, attached, healthy (…_devices.cpp, …_tpu.cpp).
void look_at_devices(const AfterScene& scene, const SubjectClaim& claim);
void look_at_binding(const AfterScene& scene, const SubjectClaim& claim);
void look_at_hosts(const AfterScene& scene, const SubjectClaim& claim);
// What the kubelet and the container runtime say (…_kubelet.cpp). They speak of what the others
// have found, so they come last.
void look_at_kubelet(const AfterScene& scene);
void look_at_containers(const AfterScene& scene);

// Hosts of which the subject would get a part, and hosts of the TPU slices it could use that are
// lost or have lost chips: for a subject that is still to be allocated.
void foresee_partial_hosts(const AfterScene& scene, std::span<const NodeStanding> nodes);

// Adds the pods that have to be deleted to free the claim's devices: those that have reserved it,
// or the pod that is looked at.
void add_users(const AfterScene& scene, const api::ResourceClaim& claim, Repair& repair);
void add_pod(const api::Pod& pod, Repair& repair);
// With the command that deletes it; the action is the caller's.
Repair delete_pod(const api::Pod& pod);

diag::SubjectName subject_of(const SubjectClaim& claim);
bool is_about(const AfterFinding& found, const SubjectClaim& claim);

// What can be seen of the driver's plugin on the node, and a command to look further.
void add_plugin_facts(const AfterScene& scene, AfterFinding& found);
// Somebody's words without the names of the pod, its node, its claims and their devices: what is
// left is the same of all that have the same trouble.
std::string without_names(const AfterScene& scene, std::string_view text);
// Whether the driver publishes devices for that node by its name.
bool publishes_on(const Inventory& inventory, std::string_view driver, std::string_view node);
// That the node is not ready, if that is so.
void add_node_fact(const AfterScene& scene, AfterFinding& found);

// "Reason: message" of a condition; one of them if there is no other.
std::string words_of(const api::Condition& condition);

}  // namespace dra::engine
