// src/answers/problems/problems_nodes.cpp: finds nodes without the devices that similar nodes have,
// nodes with devices that are not ready, and hosts of TPUs with missing chips.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/answers/explain/kept_away.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/api/words.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/disruption_budgets.h"
#include "dra/engine/cluster/left_out_nodes.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/offered_twice.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/topology/host_groups.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

std::string message_of(const std::vector<engine::LeftOutNode>& nodes,
                       const std::vector<SubjectName>& subjects, diag::Detail detail) {
  const engine::LeftOutNode& first = nodes.front();
  std::string who = name_subjects(subjects, {"Node", "nodes"}, detail);
  if (nodes.size() == 1) {
    const std::string status = engine::node_status(*first.node);
    if (status != "Ready") who += base::format(" ({})", status);
  }
  return base::format("{} {} no devices of {}, which publishes some for {} of {} of node pool {}.",
                      who, nodes.size() == 1 ? "has" : "have", first.driver, first.publishing,
                      base::plural(static_cast<std::int64_t>(first.others + 1), "node"),
                      first.node_pool);
}

// " (KubeletNotReady: container runtime is down)"; empty if its condition says nothing.
std::string why_down(const snapshot::Snapshot& snapshot, std::string_view name) {
  const auto* node = snapshot.find<api::Node>(name);
  const api::Condition* ready =
      node == nullptr ? nullptr : api::condition_of(node->status.conditions, "Ready");
  std::string why = ready == nullptr ? "" : api::why(*ready);
  if (why.ends_with('.')) why.pop_back();
  return why.empty() ? why : base::format(" ({})", why);
}

using KeptByDriver = std::map<std::string_view, std::vector<KeptAway>>;

// Of each driver that publishes devices, the nodes that its DaemonSet is kept from.
KeptByDriver kept_by_driver(const ClusterInput& cluster,
                            const std::vector<engine::LeftOutNode>& left_out) {
  const engine::NodeLoads loads(cluster.snapshot);
  KeptByDriver kept;
  for (const engine::Pool& pool : cluster.inventory.pools()) {
    if (pool.devices.empty() || kept.contains(pool.driver)) continue;
    kept[pool.driver] =
        nodes_kept_away(cluster.snapshot, cluster.inventory, left_out, loads, pool.driver);
  }
  return kept;
}

// What keeps the DaemonSet from all these nodes. nullptr: nothing, or not the same.
const KeptAway* kept_from_all(const KeptByDriver& kept,
                              const std::vector<engine::LeftOutNode>& nodes) {
  const auto of_driver = kept.find(nodes.front().driver);
  if (of_driver == kept.end()) return nullptr;
  const KeptAway* shared = nullptr;
  for (const engine::LeftOutNode& one : nodes) {
    const auto found = std::ranges::find(of_driver->second, one.node, &KeptAway::node);
    if (found == of_driver->second.end() || (shared != nullptr && shared->cause != found->cause))
      return nullptr;
    shared = &*found;
  }
  return shared;
}

// Nodes that a DaemonSet chooses and does not tolerate. `reported`: nodes of another problem.
void add_kept_away(const KeptByDriver& kept, const std::set<const api::Node*>& reported,
                   diag::Detail detail, std::vector<Problem>& problems) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const KeptAway*>> alike;
  for (const auto& [driver, all] : kept) {
    for (const KeptAway& one : all) {
      // A driver that runs everywhere finds nothing on nodes without its hardware.
      if (one.is_likely() && !reported.contains(one.node))
        alike[{driver, one.cause}].push_back(&one);
    }
  }
  for (const auto& [key, nodes] : alike) {
    Problem problem{.finding = {.code = diag::Code::NoSlices},
                    .silent_driver = std::string(key.first)};
    for (const KeptAway* one : nodes)
      problem.finding.subjects.push_back(subject_of("Node", one->node->meta));
    const bool one = nodes.size() == 1;
    const KeptAway& first = *nodes.front();
    const std::string_view though = first.tainted && one ? ", though it is chosen for them"
                                    : first.tainted      ? ", though they are chosen for them"
                                                         : "";
    problem.finding.message =
        base::format("{} {} no devices of {}{}: {}.",
                     name_subjects(problem.finding.subjects, {"Node", "nodes"}, detail),
                     one ? "has" : "have", first.driver, though, words_of(nodes));
    diag::Remedy step = remedy_of(first);
    problem.remedy = {
        std::move(step.text),
        one ? command_for("describe", "node", problem.finding.subjects.front()) : "nodes"};
    problem.step_command = std::move(step.command);
    problems.push_back(std::move(problem));
  }
}

// Nodes that publish no devices are skipped: add_labelled() and the comparison of similar nodes
// report them.
void add_nodes_not_ready(const ClusterInput& cluster, diag::Detail detail,
                         std::vector<Problem>& problems) {
  std::map<std::string_view, engine::DeviceCounts> devices;
  for (const engine::InventoryDevice& device : cluster.inventory.devices())
    devices[engine::only_node_of(device.published)].add(device);
  Problem problem{.finding = {.code = diag::Code::NodeNotReady}};
  engine::DeviceCounts all;
  for (const api::Node& node : cluster.snapshot.all<api::Node>()) {
    const auto own = devices.find(node.meta.name);
    if (own == devices.end() || engine::is_ready(node)) continue;
    problem.finding.subjects.push_back(subject_of("Node", node.meta));
    all.devices += own->second.devices;
    all.allocated += own->second.allocated;
  }
  if (problem.finding.subjects.empty()) return;
  const bool one = problem.finding.subjects.size() == 1;
  for (const SubjectName& node : problem.finding.subjects)
    problem.clauses.push_back(node_is_down(node.name));
  const auto in_use = all.known_allocated(cluster.snapshot.coverage());
  problem.finding.message = base::format(
      "{} {} not ready{}, with {}{}.",
      name_subjects(problem.finding.subjects, {"Node", "nodes"}, detail), one ? "is" : "are",
      one ? why_down(cluster.snapshot, problem.finding.subjects.front().name) : std::string(),
      base::plural(all.devices, "device"),
      !in_use            ? ", and whether they are in use is not known"
      : all.devices == 1 ? (*in_use == 1 ? ", which is in use" : ", which is not in use")
                         : base::format(", {} of them in use", *in_use));
  problem.remedy.command =
      one ? command_for("describe", "node", problem.finding.subjects.front()) : "nodes";
  problems.push_back(std::move(problem));
}

// Cordoned nodes whose pods with devices stay, because a budget lets no drain evict them.
void add_drains(const ClusterInput& cluster, std::vector<Problem>& problems) {
  for (const api::Node& node : cluster.snapshot.all<api::Node>()) {
    if (!node.spec.unschedulable) continue;
    Problem problem{.finding = {.code = diag::Code::NodeUnschedulable,
                                .severity = diag::Severity::Hint,
                                .subjects = {subject_of("Node", node.meta)}}};
    std::string why;
    for (const api::Pod& pod : cluster.snapshot.all<api::Pod>()) {
      if (pod.spec.node_name != node.meta.name || pod.spec.claims.empty()) continue;
      const auto budgets = engine::budgets_against(cluster.snapshot, pod);
      if (budgets.empty()) continue;
      if (why.empty()) why = engine::words_for_budgets(budgets, pod);
      problem.finding.subjects.push_back(subject_of("Pod", pod.meta));
    }
    const std::size_t pods = problem.finding.subjects.size() - 1;
    if (pods == 0) continue;
    problem.finding.message =
        base::format("Node {} is cordoned, and no drain removes {} with devices: {}.",
                     node.meta.name, base::plural(static_cast<std::int64_t>(pods), "pod"), why);
    problem.remedy = {
        "If the node is to be drained, run one more healthy pod of those that the "
        "budget protects, or have the budget changed.",
        command_for("describe", "node", problem.finding.subjects.front())};
    problems.push_back(std::move(problem));
  }
}

void add_offered_twice(const ClusterInput& cluster, std::vector<Problem>& problems) {
  for (const engine::OfferedTwice& twice :
       engine::offered_twice(cluster.snapshot, cluster.inventory)) {
    Problem problem =
        problem_of({"Node", {}, std::string(twice.node)}, "node", diag::Code::HardwareOfferedTwice);
    std::string words = engine::words_of(twice);
    words.front() = 'N';
    problem.finding.message = base::sentence(words);
    problems.push_back(std::move(problem));
  }
}

// Nodes with the label of a driver that publishes nothing for them. `reported`: nodes of
// another problem.
void add_labelled(const ClusterInput& cluster, const std::set<const api::Node*>& reported,
                  diag::Detail detail, std::vector<Problem>& problems) {
  const snapshot::Coverage& coverage = cluster.snapshot.coverage();
  if (!coverage.saw(api::Kind::Slice)) return;
  std::set<std::pair<std::string_view, std::string_view>> published;  // driver, node
  for (const engine::Pool& pool : cluster.inventory.pools())
    published.emplace(pool.driver, engine::host_of(pool));
  std::map<std::string_view, std::vector<SubjectName>> nodes;
  for (const api::Node& node : cluster.snapshot.all<api::Node>()) {
    const std::string_view driver = topology::driver_by_label(node);
    if (driver.empty() || reported.contains(&node)) continue;
    if (!published.contains({driver, node.meta.name}))
      nodes[driver].push_back(subject_of("Node", node.meta));
  }
  for (auto& [driver, subjects] : nodes) {
    const bool one = subjects.size() == 1;
    Problem problem{.finding = {.code = diag::Code::NoSlices},
                    .silent_driver = std::string(driver)};
    problem.finding.message =
        base::format("{} {} the label {}=true, and {} publishes nothing for {}.",
                     name_subjects(subjects, {"Node", "nodes"}, detail), one ? "has" : "have",
                     topology::kTpuDriverLabel, driver, one ? "it" : "them");
    problem.remedy.command = one ? command_for("describe", "node", subjects.front()) : "nodes";
    problem.finding.subjects = std::move(subjects);
    problems.push_back(std::move(problem));
  }
}

// Hosts of TPUs with missing chips. Hosts in use are skipped, because their pods show whether they
// still run.
void add_degraded_hosts(const ClusterInput& cluster, diag::Detail detail,
                        std::vector<Problem>& problems) {
  Problem problem{.finding = {.code = diag::Code::PartialHost}};
  std::string chips;
  for (const engine::Pool& pool : cluster.inventory.pools()) {
    if (pool.state != engine::PoolState::Complete) continue;
    const auto host = engine::tpu_host_of(cluster.snapshot, pool);
    if (!host || !host->degraded() || !engine::is_free(cluster.inventory, pool)) continue;
    problem.finding.subjects.push_back({"Node", "", std::string(host->node)});
    chips = base::format("{} of its {} chips", host->published, host->chips);
  }
  if (problem.finding.subjects.empty()) return;
  const bool one = problem.finding.subjects.size() == 1;
  problem.finding.message =
      base::format("{} {} {}, and the driver prepares all of a host or none: no pod can use {}.",
                   name_subjects(problem.finding.subjects, {"TPU host", "TPU hosts"}, detail),
                   one ? "has" : "have", one ? chips : "lost chips", one ? "it" : "them");
  problem.remedy.command =
      one ? command_for("describe", "node", problem.finding.subjects.front()) : "topology";
  problems.push_back(std::move(problem));
}

}  // namespace

std::vector<Problem> node_problems(const ClusterInput& cluster, diag::Detail detail) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<engine::LeftOutNode>> groups;
  const auto left_out = engine::nodes_left_out(cluster.snapshot, cluster.inventory);
  for (const engine::LeftOutNode& one : left_out)
    groups[{one.driver, one.node_pool}].push_back(one);
  std::vector<Problem> problems;
  const KeptByDriver kept = kept_by_driver(cluster, left_out);
  std::set<const api::Node*> reported;
  add_nodes_not_ready(cluster, detail, problems);
  for (const auto& [key, nodes] : groups) {
    Problem problem{.finding = {.code = diag::Code::NoSlices},
                    .silent_driver = std::string(key.first)};
    for (const engine::LeftOutNode& one : nodes) {
      problem.finding.subjects.push_back(subject_of("Node", one.node->meta));
      reported.insert(one.node);
    }
    problem.finding.message = message_of(nodes, problem.finding.subjects, detail);
    if (const KeptAway* away = kept_from_all(kept, nodes)) {
      problem.finding.message += base::format(" {}.", words_of(*away));
      problem.remedy.text = remedy_of(*away).text;
    } else if (std::ranges::none_of(nodes, [](const engine::LeftOutNode& one) {
                 return engine::is_ready(*one.node);
               })) {
      problem.remedy.text = base::format(
          "Bring {} back first: a driver can hardly publish devices of a node that is not ready.",
          nodes.size() == 1 ? "the node" : "the nodes");
    }
    problem.remedy.command = nodes.size() == 1
                                 ? command_for("describe", "node", problem.finding.subjects.front())
                                 : "nodes";
    problems.push_back(std::move(problem));
  }
  add_kept_away(kept, reported, detail, problems);
  add_labelled(cluster, reported, detail, problems);
  add_degraded_hosts(cluster, detail, problems);
  add_drains(cluster, problems);
  add_offered_twice(cluster, problems);
  return problems;
}

}  // namespace dra::answers
