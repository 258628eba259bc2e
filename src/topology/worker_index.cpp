// src/topology/worker_index.cpp: see worker_index.h.

#include "dra/topology/worker_index.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/workload_pods.h"
#include "dra/json/parse.h"
#include "src/topology/labels.h"
#include "src/topology/pod_environment.h"

namespace dra::topology {
namespace {

constexpr std::array<std::string_view, 2> kLabels = {"batch.kubernetes.io/job-completion-index",
                                                     "leaderworkerset.sigs.k8s.io/worker-index"};
constexpr std::string_view kVariable = "TPU_WORKER_ID";

std::optional<std::int64_t> from_environment(const json::Value& pod) {
  const json::Value* containers = pod.at({"spec", "containers"});
  if (containers == nullptr) return std::nullopt;
  for (const json::Value& container : containers->items()) {
    const auto variable = variable_of(container, kVariable);
    if (!variable || !variable->value) continue;
    if (const auto number = number_in(*variable->value)) return number;
  }
  return std::nullopt;
}

std::optional<std::int64_t> from_host_name(const json::Value& pod) {
  const json::Value* host = pod.at({"spec", "hostname"});
  if (host == nullptr) return std::nullopt;
  const NumberedName name = split_number(host->text());
  return name.name.ends_with('-') ? name.number : std::nullopt;
}

// Whether the pods have the numbers from 0 on, each once, and no others.
bool numbers_all(const std::vector<const api::Pod*>& pods, std::int64_t wanted) {
  std::set<std::int64_t> seen;
  for (const api::Pod* pod : pods) {
    const auto number = worker_number(*pod);
    if (!number || *number >= wanted || !seen.insert(*number).second) return false;
  }
  return std::ssize(seen) == wanted;
}

}  // namespace

std::optional<std::int64_t> worker_number(const api::Pod& pod) {
  const auto parsed = json::parse_json(pod.origin.raw);
  if (parsed.ok()) {
    if (const auto number = from_environment(parsed.value())) return number;
  }
  for (const std::string_view key : kLabels) {
    if (const auto number = number_in(label_of(pod.meta, key))) return number;
  }
  return parsed.ok() ? from_host_name(parsed.value()) : std::nullopt;
}

Workers::Workers(const snapshot::Snapshot& snapshot) {
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (!pod.finished() && !pod.meta.deleted) pods_[engine::maker_of(pod)].push_back(&pod);
  }
}

std::map<std::string_view, std::int64_t> Workers::of(std::span<const HostPods> hosts,
                                                     std::int64_t wanted) const {
  std::map<std::string, std::map<std::string_view, std::int64_t>> by_workload;
  for (const HostPods& host : hosts) {
    for (const api::Pod* pod : host.pods) {
      const std::string workload = engine::maker_of(*pod);
      const auto number = workload.empty() ? std::nullopt : worker_number(*pod);
      if (number) by_workload[workload].emplace(host.node, *number);
    }
  }
  for (auto& numbered : by_workload) {
    const auto pods = pods_.find(numbered.first);
    if (pods == pods_.end() || !numbers_all(pods->second, wanted)) continue;
    auto& workers = numbered.second;
    std::set<std::int64_t> left;
    for (std::int64_t i = 0; i < wanted; ++i)
      left.insert(i);
    for (const auto& [node, worker] : workers)
      left.erase(worker);
    const auto without = [&](const HostPods& host) { return !workers.contains(host.node); };
    if (left.size() == 1 && std::ranges::count_if(hosts, without) == 1)
      workers.emplace(std::ranges::find_if(hosts, without)->node, *left.begin());
    return workers;
  }
  return {};
}

}  // namespace dra::topology
