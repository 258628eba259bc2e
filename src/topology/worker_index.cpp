// src/topology/worker_index.cpp: tries the workloads of each slice until the pods of one number all
// hosts.

#include "dra/topology/worker_index.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/api/pod_environment.h"
#include "dra/base/memory.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/workload_pods.h"
#include "src/topology/labels.h"
#include "src/topology/pod_environment.h"

namespace dra::topology {
namespace {

constexpr std::array<std::string_view, 2> kLabels = {"batch.kubernetes.io/job-completion-index",
                                                     "leaderworkerset.sigs.k8s.io/worker-index"};
constexpr std::string_view kVariable = "TPU_WORKER_ID";

std::optional<std::int64_t> from_environment(const api::PodEnvironment& pod) {
  for (const api::ContainerEnvironment& container : pod.containers) {
    const auto variable = variable_of(container, kVariable);
    if (!variable || !variable->value) continue;
    if (const auto number = number_in(*variable->value)) return number;
  }
  return std::nullopt;
}

std::optional<std::int64_t> from_host_name(const api::PodEnvironment& pod) {
  const NumberedName name = split_number(pod.host_name);
  return name.name.ends_with('-') ? name.number : std::nullopt;
}

// The pods have the numbers from 0 on, each once, and no others.
bool numbers_all(const std::vector<const api::Pod*>& pods, std::int64_t wanted) {
  std::set<std::int64_t> seen;
  for (const api::Pod* pod : pods) {
    const auto number = worker_number(*pod);
    if (!number || *number >= wanted || !seen.insert(*number).second) return false;
  }
  return std::ssize(seen) == wanted;
}

// A claim may still name a pod that has ended or is being deleted, whose number its successor has.
bool lives(const api::Pod& pod) { return !pod.finished() && !pod.meta.deleted; }

// Hosts by the numbers of the pods of one workload.
struct Numbered {
  std::map<std::string_view, std::int64_t> workers;  // by node
  // No host has pods with two numbers, and no two hosts have one.
  bool one_for_each = true;

  void add(std::string_view node, const api::Pod& pod) {
    const auto number = worker_number(pod);
    if (!number) return;
    const bool taken = std::ranges::any_of(workers, [&](const auto& worker) {
      return worker.second == *number && worker.first != node;
    });
    one_for_each =
        !taken && workers.emplace(node, *number).first->second == *number && one_for_each;
  }
};

// If some of the pods run elsewhere, the others do not number the hosts of this slice.
bool are_within(const std::vector<const api::Pod*>& pods, std::span<const HostPods> hosts) {
  return std::ranges::all_of(pods, [hosts](const api::Pod* pod) {
    const std::string_view node = pod->spec.node_name;
    return node.empty() || std::ranges::find(hosts, node, &HostPods::node) != hosts.end();
  });
}

// The pod that is left belongs to the host that is left: it is not there yet, or waits on it.
void infer_last(const std::vector<const api::Pod*>& pods, std::span<const HostPods> hosts,
                std::map<std::string_view, std::int64_t>& workers) {
  const auto without = [&](const HostPods& host) { return !workers.contains(host.node); };
  if (std::ranges::count_if(hosts, without) != 1) return;
  const std::string_view node = std::ranges::find_if(hosts, without)->node;
  const api::Pod* last = nullptr;
  for (const api::Pod* pod : pods) {
    const auto number = worker_number(*pod);
    const bool is_known = std::ranges::any_of(
        workers, [&number](const auto& worker) { return worker.second == *number; });
    if (is_known) continue;
    if (last != nullptr) return;
    last = pod;
  }
  if (last != nullptr && (last->spec.node_name.empty() || last->spec.node_name == node))
    workers.emplace(node, *worker_number(*last));
}

}  // namespace

std::optional<std::int64_t> worker_number(const api::Pod& pod) {
  base::Arena arena;
  const api::PodEnvironment environment = api::environment_of(pod, arena);
  if (const auto number = from_environment(environment)) return number;
  for (const std::string_view key : kLabels) {
    if (const auto number = number_in(label_of(pod.meta, key))) return number;
  }
  return from_host_name(environment);
}

Workers::Workers(const snapshot::Snapshot& snapshot) {
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (lives(pod)) pods_[engine::maker_of(pod)].push_back(&pod);
  }
}

std::map<std::string_view, std::int64_t> Workers::of(std::span<const HostPods> hosts,
                                                     std::int64_t wanted) const {
  std::map<std::string, Numbered> by_workload;
  for (const HostPods& host : hosts) {
    for (const api::Pod* pod : host.pods) {
      const std::string workload = engine::maker_of(*pod);
      if (!workload.empty() && lives(*pod)) by_workload[workload].add(host.node, *pod);
    }
  }
  for (auto& [workload, numbered] : by_workload) {
    const auto pods = pods_.find(workload);
    if (pods == pods_.end() || !numbered.one_for_each || numbered.workers.empty()) continue;
    if (!numbers_all(pods->second, wanted) || !are_within(pods->second, hosts)) continue;
    infer_last(pods->second, hosts, numbered.workers);
    return numbered.workers;
  }
  return {};
}

}  // namespace dra::topology
