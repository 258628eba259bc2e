// src/answers/explain/kept_away.cpp: runs the scheduler's filters for labels and taints with a pod
// of the DaemonSet, as its controller does.

#include "dra/answers/explain/kept_away.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/daemon_pods.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/unready.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/scheduler/node_filters.h"
#include "dra/engine/selectors/silent_drivers.h"
#include "src/answers/explain/away/likeness.h"

namespace dra::answers {
namespace {

using diag::Code;

constexpr std::string_view kExists = "Exists";
constexpr std::array<std::string_view, 7> kTolerated = {
    "node.kubernetes.io/not-ready",          "node.kubernetes.io/unreachable",
    "node.kubernetes.io/disk-pressure",      "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/pid-pressure",       "node.kubernetes.io/unschedulable",
    "node.kubernetes.io/network-unavailable"};

// A pod of the DaemonSet. No value: it has no template.
std::optional<api::Pod> pod_of(const api::Workload& set) {
  const auto roles = api::roles_of(set);
  if (roles.empty()) return std::nullopt;
  api::Pod pod;
  pod.meta.namespace_ = set.meta.namespace_;
  pod.spec = roles.front().pod->spec;
  for (const std::string_view key : kTolerated)
    pod.spec.tolerations.push_back({.key = key, .op = kExists});
  return pod;
}

// Labels that nearly every node has tell nothing of its hardware.
bool is_of_every_node(std::string_view key) {
  return key == "kubernetes.io/os" || key == "kubernetes.io/arch";
}

bool chooses_nodes(const api::PodSpec& spec) {
  return spec.affinity.to_nodes.required.has_value() ||
         std::ranges::any_of(spec.node_selector,
                             [](const auto& label) { return !is_of_every_node(label.key); });
}

// The labels of its node selector that the node does not have, as "K=V".
std::vector<std::string> missing_labels(const api::PodSpec& spec, const api::Node& node) {
  std::vector<std::string> missing;
  for (const auto& label : spec.node_selector) {
    const std::string_view* value = api::find(node.meta.labels, label.key);
    if (value == nullptr || *value != label.value)
      missing.push_back(base::format("{}={}", label.key, label.value));
  }
  return missing;
}

// A label that it selects and the node has. Empty: there is none.
std::string chosen_by(const api::PodSpec& spec, const api::Node& node) {
  for (const auto& label : spec.node_selector) {
    const std::string_view* value = api::find(node.meta.labels, label.key);
    if (!is_of_every_node(label.key) && value != nullptr && *value == label.value)
      return base::format("label {}={}, which it selects, is there", label.key, label.value);
  }
  return {};
}

// What keeps pods of the DaemonSet away from a node.
class Placement {
 public:
  Placement(const snapshot::Snapshot& snapshot, const engine::NodeLoads& loads, const api::Pod& pod)
      : filters_(snapshot, loads, pod) {}

  // No value: nothing does, as far as labels and taints go.
  std::optional<KeptAway> against(const api::Node& node) const {
    KeptAway kept{.node = &node};
    for (const diag::Reason& reason : filters_.against(node)) {
      const bool of_labels = reason.code == Code::NodeAffinity;
      if (!of_labels && reason.code != Code::NodeTainted) continue;
      // Taints of a node that it does not choose tell nothing.
      if (kept.why.empty() || (of_labels && kept.tainted)) {
        kept.why = reason.message;
        kept.tainted = !of_labels;
      }
    }
    if (kept.why.empty()) return std::nullopt;
    return kept;
  }

 private:
  engine::NodeFilters filters_;
};

// The DaemonSets that own plugin pods of the driver.
std::set<const api::Workload*> daemon_sets_of(const snapshot::Snapshot& snapshot,
                                              std::string_view driver) {
  std::set<const api::Workload*> sets;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (!engine::runs_plugin_of(pod, driver)) continue;
    const api::OwnerReference* owner = api::controller_of(pod.meta);
    const auto* set = snapshot.find_workload(owner->kind, pod.meta.namespace_, owner->name);
    if (set != nullptr && set->meta.uid == owner->uid) sets.insert(set);
  }
  return sets;
}

std::set<std::string_view> nodes_with_pods_of(const snapshot::Snapshot& snapshot,
                                              const api::Workload& set) {
  std::set<std::string_view> nodes;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    const api::OwnerReference* owner = api::controller_of(pod.meta);
    if (owner != nullptr && owner->uid == set.meta.uid) nodes.insert(engine::node_of_daemon(pod));
  }
  return nodes;
}

// The nodes for which the driver publishes slices, and whether one of these has devices.
std::map<std::string_view, bool> nodes_with_slices_of(const engine::Inventory& inventory,
                                                      std::string_view driver) {
  std::map<std::string_view, bool> nodes;
  for (const engine::Pool& pool : inventory.pools()) {
    if (pool.driver != driver) continue;
    for (const api::ResourceSlice* slice : pool.slices)
      nodes[slice->spec.node_name] |= !slice->spec.devices.empty();
  }
  return nodes;
}

bool has_devices(const std::map<std::string_view, bool>& published, const api::Node& node) {
  const auto found = published.find(node.meta.name);
  return found != published.end() && found->second;
}

bool is_among(std::span<const engine::LeftOutNode> nodes, std::string_view driver,
              const api::Node& node) {
  return std::ranges::any_of(nodes, [&](const engine::LeftOutNode& one) {
    return one.driver == driver && one.node == &node;
  });
}

// Of nodes with equal reasons one stands for all; taints decide before labels, as the labels match.
std::string reason_for_all(const std::vector<KeptAway>& all, bool tainted) {
  const KeptAway* first = nullptr;
  std::size_t alike = 0;
  std::size_t others = 0;
  for (const KeptAway& kept : all) {
    if (kept.tainted != tainted) continue;
    if (first == nullptr) first = &kept;
    ++(kept.why == first->why ? alike : others);
  }
  if (tainted)
    return others == 0 && alike == 1
               ? base::format("node {} has what it selects, but {}", first->node->meta.name,
                              first->why)
               : base::format("{} have what it selects, but {}{}",
                              base::plural(static_cast<std::int64_t>(alike + others), "node"),
                              first->why, others == 0 ? "" : ", for example");
  return others == 0 ? base::format("{} on any node", first->why) : std::string();
}

// The container that keeps the pod from getting ready, if it has several. Empty: it has one, or
// that is not known.
std::string_view failing_container(const api::Pod& pod) {
  if (pod.status.init_containers.size() + pod.status.containers.size() < 2) return {};
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    for (const api::ContainerStatus& container : *statuses) {
      if (container.state.waiting && container.state.waiting->reason != "PodInitializing")
        return container.name;
    }
  }
  return {};
}

// "container a of the driver's pod there is "
std::string pod_is(const api::Pod& pod) {
  const std::string_view container = failing_container(pod);
  return container.empty() ? std::string("the driver's pod there is ")
                           : base::format("container {} of the driver's pod there is ", container);
}

// What nodes share whose pods fail alike, whatever the number of restarts.
std::string shared_cause(const api::Pod& pod, const std::string& words) {
  const std::string state = engine::container_state(pod);
  const std::string_view rest =
      std::string_view(words).substr(std::min(state.size(), words.size()));
  return base::format("{}{}", state.substr(0, state.find(',')), rest);
}

const api::Workload* owner_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  return owner == nullptr ? nullptr
                          : snapshot.find_workload(owner->kind, pod.meta.namespace_, owner->name);
}

struct Search {
  const snapshot::Snapshot& snapshot;
  const std::map<std::string_view, bool>& published;
  const Likeness& likeness;
  std::string_view driver;
};

// The node that the driver's pod is for, if it is ready and without devices of the driver.
const api::Node* idle_node_of(const Search& search, const api::Pod& pod) {
  if (pod.finished() || pod.meta.deleted || !engine::runs_plugin_of(pod, search.driver))
    return nullptr;
  const auto* node = search.snapshot.find<api::Node>(engine::node_of_daemon(pod));
  return node == nullptr || !engine::is_ready(*node) || has_devices(search.published, *node)
             ? nullptr
             : node;
}

std::vector<KeptAway> nodes_with_failing_pods(const Search& search) {
  std::vector<KeptAway> all;
  for (const api::Pod& pod : search.snapshot.all<api::Pod>()) {
    const api::Node* node = idle_node_of(search, pod);
    if (node == nullptr || api::is_true(pod.status.conditions, "Ready")) continue;
    const std::string words = engine::unready_in_words(search.snapshot, pod);
    all.push_back({.driver = search.driver,
                   .daemon_set = owner_of(search.snapshot, pod),
                   .node = node,
                   .why = base::format("pod {} of driver {} there is {}",
                                       engine::full_name(pod.meta), search.driver, words),
                   .pod = &pod,
                   .cause = pod_is(pod) + shared_cause(pod, words)});
  }
  return all;
}

// Another pod of the driver on the same node may be the one that publishes.
void add_nodes_without_finds(const Search& search, std::vector<KeptAway>& all) {
  for (const api::Pod& pod : search.snapshot.all<api::Pod>()) {
    const api::Node* node = idle_node_of(search, pod);
    if (node == nullptr || !api::is_true(pod.status.conditions, "Ready") ||
        is_control_plane(*node) || std::ranges::find(all, node, &KeptAway::node) != all.end())
      continue;
    const bool has_slice = search.published.contains(node->meta.name);
    std::string like = search.likeness.of(*node);
    // A driver that runs everywhere need not publish slices where it has nothing to publish.
    if (!has_slice && like.empty()) continue;
    std::string cause(has_slice ? "the driver runs there and found no device: its slice is empty"
                                : "the driver runs there and has published no slice");
    all.push_back({.driver = search.driver,
                   .daemon_set = owner_of(search.snapshot, pod),
                   .node = node,
                   .why = cause,
                   .pod = &pod,
                   .finds_nothing = true,
                   .has_slice = has_slice,
                   .like = std::move(like),
                   .cause = cause});
  }
}

// A node that the DaemonSet does not choose, though it should: it lacks one label, and is like
// nodes with devices. `kept` says what the scheduler's filters have against it.
bool is_like_others(const Search& search, const api::PodSpec& spec, KeptAway& kept) {
  const api::Node& node = *kept.node;
  if (kept.tainted || !engine::is_ready(node) || is_control_plane(node)) return false;
  const std::vector<std::string> missing = missing_labels(spec, node);
  if (missing.size() > 1) return false;
  const std::string_view label = missing.empty() ? std::string_view() : missing.front();
  kept.like = search.likeness.of(node, label.substr(0, label.find('=')));
  if (kept.like.empty() && !label.empty()) kept.like = chosen_by(spec, node);
  return !kept.like.empty();
}

}  // namespace

std::vector<KeptAway> nodes_kept_away(const snapshot::Snapshot& snapshot,
                                      const engine::Inventory& inventory,
                                      std::span<const engine::LeftOutNode> left_out,
                                      const engine::NodeLoads& loads, std::string_view driver) {
  const snapshot::Coverage& coverage = snapshot.coverage();
  if (!coverage.saw(api::Kind::Pod) || !coverage.saw(api::Kind::Slice)) return {};
  const auto published = nodes_with_slices_of(inventory, driver);
  const Likeness likeness(snapshot, inventory, driver);
  const Search search{snapshot, published, likeness, driver};
  std::vector<KeptAway> all = nodes_with_failing_pods(search);
  const auto sets = daemon_sets_of(snapshot, driver);
  const auto pod = sets.size() == 1 ? pod_of(**sets.begin()) : std::nullopt;
  if (!pod) {  // of several, each may be for other nodes
    add_nodes_without_finds(search, all);
    return all;
  }
  const api::Workload& set = **sets.begin();
  const Placement placement(snapshot, loads, *pod);
  const auto running = nodes_with_pods_of(snapshot, set);
  for (const api::Node& node : snapshot.all<api::Node>()) {
    if (running.contains(node.meta.name) || published.contains(node.meta.name)) continue;
    auto kept = placement.against(node);
    if (!kept) continue;
    const bool chosen = kept->tainted && chooses_nodes(pod->spec) && !is_control_plane(node);
    const bool like = is_like_others(search, pod->spec, *kept);
    if (!chosen && !like && !is_among(left_out, driver, node)) continue;
    kept->driver = driver;
    kept->daemon_set = &set;
    const auto missing = missing_labels(pod->spec, node);
    if (!kept->tainted && missing.size() == 1 && kept->why.starts_with("nodeSelector"))
      kept->label = missing.front();
    kept->cause =
        base::format("DaemonSet {} {}", engine::full_name(set.meta),
                     kept->label.empty()
                         ? base::format("does not run there: {}", kept->why)
                         : base::format("selects {}, a label that is missing there", kept->label));
    all.push_back(*std::move(kept));
  }
  add_nodes_without_finds(search, all);
  return all;
}

void say_what_keeps_away(const snapshot::Snapshot& snapshot, const engine::NodeLoads& loads,
                         std::span<engine::SilentDriver> drivers) {
  for (engine::SilentDriver& silent : drivers) {
    if (silent.link != engine::DriverLink::NoNodes || !snapshot.coverage().saw(api::Kind::Node))
      continue;
    const auto pod = pod_of(*silent.daemon_set);
    if (!pod) continue;
    const Placement placement(snapshot, loads, *pod);
    std::vector<KeptAway> all;
    for (const api::Node& node : snapshot.all<api::Node>()) {
      if (auto kept = placement.against(node)) all.push_back(*std::move(kept));
    }
    // If nothing is against a node, the controller has not caught up.
    if (all.empty() || all.size() < snapshot.all<api::Node>().size()) continue;
    silent.tainted = std::ranges::any_of(all, &KeptAway::tainted) && chooses_nodes(pod->spec);
    silent.message = reason_for_all(all, std::ranges::any_of(all, &KeptAway::tainted));
  }
}

std::string words_of(const KeptAway& kept) {
  if (kept.pod != nullptr && !kept.finds_nothing) return kept.why;
  const std::string like = kept.like.empty() ? std::string() : base::format(" ({})", kept.like);
  if (kept.finds_nothing)
    return base::format(
        "driver {} runs there and {}{}", kept.driver,
        kept.has_slice ? "found no device: its slice is empty" : "has published no slice", like);
  const std::string set = engine::full_name(kept.daemon_set->meta);
  if (!kept.label.empty())
    return base::format("DaemonSet {} of driver {} selects {}, a label that is missing there{}",
                        set, kept.driver, kept.label, like);
  return base::format("DaemonSet {} of driver {} does not run there: {}{}", set, kept.driver,
                      kept.why, like);
}

std::string words_of(std::span<const KeptAway* const> kept) {
  const KeptAway& first = *kept.front();
  if (kept.size() == 1 || first.pod == nullptr || first.finds_nothing) return words_of(first);
  return base::format("the pods of driver {} there are {}", first.driver,
                      std::string_view(first.cause).substr(pod_is(*first.pod).size()));
}

diag::Remedy remedy_of(const KeptAway& kept) {
  if (kept.finds_nothing)
    return {base::format("{}ook at the log of the driver's pod there: a driver looks for devices "
                         "when it starts, so restart it when the node has them.",
                         kept.like.empty() ? "If the node has such devices, l" : "L"),
            diag::kubectl("logs")
                .name(kept.pod->meta.name)
                .in(kept.pod->meta.namespace_)
                .words("--all-containers --tail=50")
                .text()};
  if (kept.pod != nullptr) {
    const bool crashes = engine::container_state(*kept.pod).starts_with("CrashLoopBackOff");
    const std::string_view container = crashes ? failing_container(*kept.pod) : std::string_view();
    diag::CommandLine command = diag::kubectl(crashes ? "logs" : "describe pod");
    command.name(kept.pod->meta.name).in(kept.pod->meta.namespace_);
    if (!container.empty()) command.option("-c", container);
    if (crashes) command.words(container.empty() ? "--all-containers --previous" : "--previous");
    return {"Fix that pod: it has to publish the node's devices.", command.text()};
  }
  const std::string_view node = kept.node->meta.name;
  if (kept.tainted)
    return {
        "If it has such devices, give the DaemonSet a toleration for the taint, in the values "
        "that the driver was installed with.",
        diag::kubectl("describe node").name(node).text()};
  if (kept.label.empty())
    return {"If it has such devices, label the node as the DaemonSet wants it.",
            diag::kubectl("describe node").name(node).text()};
  const std::size_t equals = kept.label.find('=');
  const bool other = api::find(kept.node->meta.labels, kept.label.substr(0, equals)) != nullptr;
  return {base::format("{}abel the node, and its node pool for nodes to come.",
                       kept.like.empty() ? "If it has such devices, l" : "L"),
          diag::kubectl("label node")
              .name(node)
              .name(kept.label)
              .words(other ? "--overwrite" : "")
              .text()};
}

}  // namespace dra::answers
