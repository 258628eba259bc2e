// src/engine/running/after_scheduling.h
//
// The sources of findings about a scheduled pod that does not run. Each adds its findings;
// after_scheduling.cpp asks them all and sorts the result.

#pragma once

#include "dra/engine/facts/known_bugs.h"
#include "dra/engine/running/after_scheduling.h"

namespace dra::engine {

// The input of the sources.
struct AfterScene {
  const snapshot::Snapshot& snapshot;
  const Inventory& inventory;
  const Subject& subject;
  const api::Pod* pod = nullptr;  // nullptr: the subject is claims
  std::vector<AfterFinding>& findings;

  // Its containers run, or have run.
  bool started() const { return pod != nullptr && pod->status.phase == "Running"; }
  // The node where the claim's devices are used: the pod's, else the allocation's; empty if that is
  // not one node.
  std::string node_of(const api::ResourceClaim& claim) const;
  AfterFinding& add(diag::Code code, const SubjectClaim* claim, std::string message) const;
};

// Sources about the claim: whether it exists and is reserved for the pod (after_scheduling.cpp),
// whether its devices are published, attached, healthy and whole hosts (…_devices.cpp, …_tpu.cpp).
void look_at_devices(const AfterScene& scene, const SubjectClaim& claim);
void look_at_binding(const AfterScene& scene, const SubjectClaim& claim);
// Devices of the subject that are held under another name as well.
void look_at_hardware(const AfterScene& scene);
void look_at_hosts(const AfterScene& scene, const SubjectClaim& claim);
// Messages of the kubelet and the container runtime (…_kubelet.cpp). They come last, as they may be
// consequences of earlier findings.
void look_at_kubelet(const AfterScene& scene);
// Containers that cannot be created, and devices that are not healthy (…_containers.cpp).
void look_at_containers(const AfterScene& scene);
// What keeps the containers of a pod with devices from running, or the pod from going away, if
// nothing else does (…_states.cpp).
void look_at_states(const AfterScene& scene);
// What the kubelet neither starts nor reports a reason for (standstill.cpp).
void look_at_standstill(const AfterScene& scene);
// What the runtime refuses because of how the pod uses its claims: a network of the host, one claim
// in two containers (runtime_refusals.cpp). `text` is its message, `container` the one that is not
// created, empty for the sandbox. False: nothing of that, and no finding is added.
bool is_refused_by_driver(const AfterScene& scene, std::string_view container,
                          std::string_view text);
// Extended resources that DRA serves, and that the kubelet counts as others, or does not prepare
// (kubelet_resources.cpp).
bool is_refused_for_resource(const AfterScene& scene, AfterFinding& found);
std::string unprepared_resources(const AfterScene& scene);
// Why the devices of the pod, whose containers crash, are probably not attached to it; empty: no
// sign of that (unattached.cpp).
std::string unattached_devices(const AfterScene& scene);
// Claims that were made for the pod and that its status does not name (lost_claim_names.cpp).
// False: there are none, or that does not matter.
bool look_for_claim_names(const AfterScene& scene);
// What keeps the kubelet from letting a pod in deletion go whose containers do not run any more
// (not_gone.cpp).
void look_at_release(const AfterScene& scene);
// Likewise of a pod in deletion that has ended.
void look_at_removal(const AfterScene& scene);
// For which taint the pod was evicted, if it was (evicted.cpp). Where something keeps it from
// going, that finding has it as a fact.
void look_at_eviction(const AfterScene& scene);
// The condition that says so; nullptr: it was not evicted for a taint of a device.
const api::Condition* eviction_of(const api::Pod& pod);
// Whether the request that the device was allocated for tolerates the taint for ever.
bool request_tolerates(const api::ResourceClaim& claim, const api::AllocationResultItem& result,
                       const api::DeviceTaint& taint);
// Why a pod that has ended has failed.
void look_at_end(const AfterScene& scene);

// For a subject that is still to be allocated: hosts of which it would get a part, and lost or
// degraded hosts of the TPU slices that it could use.
void foresee_partial_hosts(const AfterScene& scene, std::span<const NodeResult> nodes);

// Adds the pods that have to be deleted to free the claim's devices: those that have reserved it,
// or the pod that is looked at.
void add_users(const AfterScene& scene, const api::ResourceClaim& claim, Repair& repair);
void add_pod(const api::Pod& pod, Repair& repair);
// With the command that deletes it; the action is the caller's.
Repair delete_pod(const api::Pod& pod);

// Keeps new pods from the device by a taint, where there are taint rules, and else from its node.
// `taint` is the action of the first.
void keep_pods_off(const AfterScene& scene, const DeviceId& device, Action taint, Repair& repair);
void cordon_node(const AfterScene& scene, Repair& repair);

// Compares a container that crashes with other pods that have devices of the same driver, and looks
// at the node's container runtime (crash_neighbours.cpp).
void compare_with_neighbours(const AfterScene& scene, AfterFinding& found);

// Adds a pod that the driver may wait for, and what a ComputeDomain of the claim still needs: its
// driver prepares no claim before (prepare_helpers.cpp).
void look_for_helper(const AfterScene& scene, AfterFinding& found);
void look_for_domain(const AfterScene& scene, const SubjectClaim& claim, AfterFinding& found);

// For a claim that a driver has left out of its answer: what it waits for, if that can be found
// (prepare_skipped.cpp).
void look_at_skipped(const AfterScene& scene, AfterFinding& found);
// "driver d refuses claim c: it is for ComputeDomain a/b, of another namespace"; the domain becomes
// the object of the repair. Empty: the claim's parameters name no such domain.
std::string domain_elsewhere(const AfterScene& scene, const SubjectClaim* claim, Repair& repair);

// Change the finding if the driver's words tell that it is missing a permission, or that it takes a
// device of another driver for its own (driver_refusals.cpp).
bool lacks_permission(std::string_view text, AfterFinding& found);
bool takes_others_device(const AfterScene& scene, const SubjectClaim& claim, std::string_view text,
                         AfterFinding& found);
// "driver gpu.example.com refuses the configuration (GpuConfig, from template t) of claim c: ..."
std::string refuses_configuration(const SubjectClaim* claim, const Repair& repair,
                                  std::string_view driver, std::string_view text);

// Compares a driver's failure to prepare a claim with its other claims, and changes the finding
// where these say more: the driver fails on the whole node, for one device, or for a claim that
// pods share; or it names another claim (prepare_failures.cpp). `text` is the driver's message.
void compare_with_others(const AfterScene& scene, const SubjectClaim& claim, std::string_view text,
                         AfterFinding& found);

// The driver's pod on the node, one that is not ready before others; nullptr: none is known.
const api::Pod* plugin_on(const AfterScene& scene, std::string_view node, std::string_view driver);
// For a driver that is not registered on the node and has no pod there: names its pod that is for
// the node, what keeps it away, and the pods that wait for the driver and hold what it needs
// (waiting_plugin.cpp).
void look_for_waiting_plugin(const AfterScene& scene, AfterFinding& found);
// The driver's pod's own name for a claim that has devices of that driver, which only it can
// prepare; empty: there is none.
std::string own_claim_of_plugin(const AfterScene& scene, const api::Pod& plugin,
                                std::string_view driver);
// The driver of all devices of the claim; empty if there are several, or no claim.
std::string_view only_driver(const SubjectClaim* claim);
// The words for a bug that the kubelet of the pod's node has; empty: its version has it not.
std::string kubelet_bug(const AfterScene& scene, Bug bug);

diag::SubjectName subject_of(const SubjectClaim& claim);
bool is_about(const AfterFinding& found, const SubjectClaim& claim);

// Adds facts about the driver's plugin on the node, and a command to look further.
void add_plugin_facts(const AfterScene& scene, AfterFinding& found);
// Whether the driver's plugin on the node is ready.
bool has_ready_plugin(const AfterScene& scene, const AfterFinding& found);
// The text without the names of the pod, its node, its claims and their devices: what is left is
// equal for all findings with the same trouble.
std::string without_names(const AfterScene& scene, std::string_view text);
// Whether a slice of the driver names the node.
bool publishes_on(const Inventory& inventory, std::string_view driver, std::string_view node);
// Adds the fact that the node is not ready, if it is not.
void add_node_fact(const AfterScene& scene, AfterFinding& found);

// "Reason: message" of a condition, or the one that is set.
std::string words_of(const api::Condition& condition);

}  // namespace dra::engine
