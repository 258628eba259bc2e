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
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/scheduler/node_filters.h"

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

bool chooses_nodes(const api::PodSpec& spec) {
  return !spec.node_selector.empty() || spec.affinity.to_nodes.required.has_value();
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
    if (owner != nullptr && owner->uid == set.meta.uid) nodes.insert(pod.spec.node_name);
  }
  return nodes;
}

// The nodes for which the driver publishes slices.
std::set<std::string_view> nodes_with_slices_of(const engine::Inventory& inventory,
                                                std::string_view driver) {
  std::set<std::string_view> nodes;
  for (const engine::Pool& pool : inventory.pools()) {
    if (pool.driver != driver) continue;
    for (const api::ResourceSlice* slice : pool.slices)
      nodes.insert(slice->spec.node_name);
  }
  return nodes;
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

// Nodes that are ready, on which the driver's pod is not, and for which it has published nothing.
std::vector<KeptAway> nodes_with_failing_pods(const snapshot::Snapshot& snapshot,
                                              const std::set<std::string_view>& published,
                                              std::string_view driver) {
  std::vector<KeptAway> all;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (!engine::runs_plugin_of(pod, driver) || pod.finished() || pod.meta.deleted ||
        api::is_true(pod.status.conditions, "Ready"))
      continue;
    const auto* node = snapshot.find<api::Node>(pod.spec.node_name);
    if (node == nullptr || !engine::is_ready(*node) || published.contains(node->meta.name))
      continue;
    const api::OwnerReference* owner = api::controller_of(pod.meta);
    all.push_back(
        {.driver = driver,
         .daemon_set = owner == nullptr
                           ? nullptr
                           : snapshot.find_workload(owner->kind, pod.meta.namespace_, owner->name),
         .node = node,
         .why = base::format("pod {} of driver {} there is {}", engine::full_name(pod.meta), driver,
                             engine::trouble_in_words(pod)),
         .pod = &pod});
  }
  return all;
}

}  // namespace

std::vector<KeptAway> nodes_kept_away(const snapshot::Snapshot& snapshot,
                                      const engine::Inventory& inventory,
                                      std::span<const engine::LeftOutNode> left_out,
                                      const engine::NodeLoads& loads, std::string_view driver) {
  const snapshot::Coverage& coverage = snapshot.coverage();
  if (!coverage.saw(api::Kind::Pod) || !coverage.saw(api::Kind::Slice)) return {};
  const auto published = nodes_with_slices_of(inventory, driver);
  std::vector<KeptAway> all = nodes_with_failing_pods(snapshot, published, driver);
  const auto sets = daemon_sets_of(snapshot, driver);
  if (sets.size() != 1) return all;  // of several, each may be for other nodes
  const api::Workload& set = **sets.begin();
  const auto pod = pod_of(set);
  if (!pod) return all;
  const Placement placement(snapshot, loads, *pod);
  const auto running = nodes_with_pods_of(snapshot, set);
  for (const api::Node& node : snapshot.all<api::Node>()) {
    if (running.contains(node.meta.name) || published.contains(node.meta.name)) continue;
    auto kept = placement.against(node);
    if (!kept) continue;
    const bool chosen = kept->tainted && chooses_nodes(pod->spec);
    if (!chosen && !is_among(left_out, driver, node)) continue;
    kept->driver = driver;
    kept->daemon_set = &set;
    all.push_back(*std::move(kept));
  }
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
  if (kept.pod != nullptr) return kept.why;
  return base::format("DaemonSet {} of driver {} does not run there: {}",
                      engine::full_name(kept.daemon_set->meta), kept.driver, kept.why);
}

diag::Remedy remedy_of(const KeptAway& kept) {
  if (kept.pod != nullptr) {
    const bool crashes = engine::container_state(*kept.pod).starts_with("CrashLoopBackOff");
    return {"Fix that pod: it has to publish the node's devices.",
            diag::kubectl(crashes ? "logs" : "describe pod")
                .name(kept.pod->meta.name)
                .in(kept.pod->meta.namespace_)
                .words(crashes ? "--all-containers --previous" : "")
                .text()};
  }
  return {kept.tainted
              ? "If it has such devices, give the DaemonSet a toleration for the taint, in "
                "the values that the driver was installed with."
              : "If it has such devices, label the node as the DaemonSet wants it.",
          diag::kubectl("describe node").name(kept.node->meta.name).text()};
}

}  // namespace dra::answers
