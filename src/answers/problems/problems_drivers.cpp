// src/answers/problems/problems_drivers.cpp: checks the programs on nodes that prepare devices:
// plugins of drivers, and kubelets whose version fits the API server.

#include <algorithm>
#include <map>
#include <set>

#include "dra/answers/explain/kept_away.h"
#include "dra/answers/explain/silent_driver_words.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/release.h"
#include "dra/api/subject.h"
#include "dra/base/lazy.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/features.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

using diag::Code;

constexpr int kMaxSkew = 3;  // minor releases by which a kubelet may be older than the API server

struct Plugins {
  std::set<std::string_view> nodes;      // nodes with a ready plugin
  std::set<std::string_view> not_ready;  // nodes with a plugin that is not ready
};

// Nodes for which the driver has published devices.
std::set<std::string_view> served_by(const ClusterInput& cluster, std::string_view driver) {
  std::set<std::string_view> nodes;
  for (const api::ResourceSlice& slice : cluster.snapshot.all<api::ResourceSlice>()) {
    if (slice.spec.driver == driver && !slice.spec.devices.empty() &&
        cluster.snapshot.find<api::Node>(slice.spec.node_name) != nullptr)
      nodes.insert(slice.spec.node_name);
  }
  return nodes;
}

// A pod may serve several drivers, each by a container. The kubelet removes the slices of a driver
// whose plugin goes: if they are there, and those of another driver are not, it is the other one's
// container that fails. Upstream: k8s.io/kubernetes/pkg/kubelet/cm/dra/plugin, wipingDelay.
bool fails_for_another(const ClusterInput& cluster, const std::set<std::string_view>& drivers,
                       const api::Pod& pod, std::string_view driver) {
  const auto& containers = pod.status.containers;
  if (std::ranges::none_of(containers, &api::ContainerStatus::ready) ||
      !served_by(cluster, driver).contains(pod.spec.node_name))
    return false;
  return std::ranges::any_of(drivers, [&](std::string_view other) {
    return other != driver && engine::runs_plugin_of(pod, other) &&
           !served_by(cluster, other).contains(pod.spec.node_name);
  });
}

// The nodes of plugins of known drivers; other drivers are not checked.
std::map<std::string_view, Plugins> plugins_of(const ClusterInput& cluster) {
  std::map<std::string_view, Plugins> plugins;
  std::set<std::string_view> drivers;
  for (const engine::Pool& pool : cluster.inventory.pools())
    drivers.insert(pool.driver);
  for (const api::Pod& pod : cluster.snapshot.all<api::Pod>()) {
    for (const std::string_view driver : drivers) {
      if (!engine::runs_plugin_of(pod, driver)) continue;
      const bool ready = api::is_true(pod.status.conditions, "Ready") ||
                         fails_for_another(cluster, drivers, pod, driver);
      Plugins& of_driver = plugins[driver];
      (ready ? of_driver.nodes : of_driver.not_ready).insert(pod.spec.node_name);
    }
  }
  return plugins;
}

void add_without_plugin(const ClusterInput& cluster, diag::Detail detail,
                        std::vector<Problem>& problems) {
  for (const auto& [driver, plugins] : plugins_of(cluster)) {
    Problem problem{.finding = {.code = Code::DriverNotRegistered, .severity = Severity::Warning}};
    std::size_t not_ready = 0;
    for (const std::string_view node : served_by(cluster, driver)) {
      if (plugins.nodes.contains(node)) continue;
      problem.finding.subjects.push_back({"Node", {}, std::string(node)});
      problem.clauses.push_back(not_registered(driver, node));
      not_ready += plugins.not_ready.contains(node) ? 1 : 0;
    }
    if (problem.finding.subjects.empty()) continue;
    const bool one = problem.finding.subjects.size() == 1;
    const std::string_view what = not_ready == problem.finding.subjects.size()
                                      ? "is not ready there"
                                  : not_ready == 0 ? "does not run there"
                                                   : "does not run there or is not ready";
    problem.finding.message =
        base::format("{} {} devices of {}, and the driver's plugin {}: they cannot be prepared.",
                     name_subjects(problem.finding.subjects, {"Node", "nodes"}, detail),
                     one ? "has" : "have", driver, what);
    problem.remedy.command =
        one ? command_for("describe", "node", problem.finding.subjects.front()) : "nodes";
    problems.push_back(std::move(problem));
  }
}

// Drivers that classes name and that publish no device: the class is the subject, or the driver's
// DaemonSet or pod.
void add_silent(const ClusterInput& cluster, std::vector<Problem>& problems) {
  std::set<std::string_view> reported;
  const base::Lazy<engine::NodeLoads> loads;
  for (const api::DeviceClass& device_class : cluster.snapshot.all<api::DeviceClass>()) {
    auto drivers = engine::silent_drivers_of(cluster.snapshot, cluster.inventory, device_class);
    if (drivers.empty()) continue;
    say_what_keeps_away(cluster.snapshot,
                        loads.get([&cluster] { return engine::NodeLoads(cluster.snapshot); }),
                        drivers);
    for (const engine::SilentDriver& silent : drivers) {
      if (!reported.insert(silent.driver).second) continue;
      Problem problem = problem_of(subject_of("DeviceClass", device_class.meta), "class",
                                   Code::DriverPublishesNothing);
      problem.silent_driver = silent.driver;
      // A class that was left behind, or that its driver does not need here, does no harm.
      const bool idle = silent.link == engine::DriverLink::NotFound &&
                        !is_asked_for(cluster.snapshot, device_class.meta.name);
      problem.finding.severity = idle ? Severity::Hint : Severity::Warning;
      std::string words = words_of(silent);
      problem.clauses.push_back(words);
      words.front() = 'D';
      problem.finding.message =
          base::sentence(base::format("{} (class {})", words, device_class.meta.name));
      problem.remedy.text = remedy_of(silent).text;
      if (auto object = object_of(silent)) problem.finding.subjects.push_back(*std::move(object));
      problems.push_back(std::move(problem));
    }
  }
}

void add_skew(const ClusterInput& cluster, diag::Detail detail, std::vector<Problem>& problems) {
  const snapshot::Server& server = cluster.snapshot.server();
  const auto of_server = api::release_of(server.version);
  if (!of_server) return;
  std::map<std::string_view, std::vector<SubjectName>> by_version;
  for (const api::Node& node : cluster.snapshot.all<api::Node>()) {
    const auto kubelet = api::release_of(node.status.info.kubelet_version);
    if (kubelet &&
        (kubelet->minor > of_server->minor || kubelet->minor + kMaxSkew < of_server->minor))
      by_version[node.status.info.kubelet_version].push_back(subject_of("Node", node.meta));
  }
  for (auto& [version, nodes] : by_version) {
    Problem problem{.finding = {.code = Code::VersionSkew}};
    problem.finding.message =
        base::format("The kubelet of {} is {}, {} than the API server ({}{}).",
                     name_subjects(nodes, {"node", "nodes"}, detail), version,
                     api::release_of(version)->minor > of_server->minor
                         ? "newer"
                         : base::format("more than {} minor releases older", kMaxSkew),
                     server.assumed ? "assumed to be " : "", server.version);
    problem.remedy.command =
        nodes.size() == 1 ? command_for("describe", "node", nodes.front()) : "nodes";
    problem.finding.subjects = std::move(nodes);
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::vector<std::string> publishes_nothing(const ClusterInput& cluster, std::string_view driver) {
  std::vector<std::string> clauses;
  const base::Lazy<engine::NodeLoads> loads;
  for (const api::DeviceClass& device_class : cluster.snapshot.all<api::DeviceClass>()) {
    auto drivers = engine::silent_drivers_of(cluster.snapshot, cluster.inventory, device_class);
    if (std::ranges::find(drivers, driver, &engine::SilentDriver::driver) == drivers.end())
      continue;
    say_what_keeps_away(cluster.snapshot,
                        loads.get([&cluster] { return engine::NodeLoads(cluster.snapshot); }),
                        drivers);
    for (const engine::SilentDriver& silent : drivers) {
      if (silent.driver == driver) clauses.push_back(words_of(silent));
    }
  }
  return clauses;
}

std::string not_registered(std::string_view driver, std::string_view node) {
  return base::format("driver {} is not registered on node {}", driver, node);
}

std::vector<Problem> driver_problems(const ClusterInput& cluster, diag::Detail detail) {
  std::vector<Problem> problems;
  if (cluster.snapshot.coverage().saw(api::Kind::Pod))
    add_without_plugin(cluster, detail, problems);
  add_silent(cluster, problems);
  add_skew(cluster, detail, problems);
  return problems;
}

}  // namespace dra::answers
