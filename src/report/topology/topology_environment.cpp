// src/report/topology/topology_environment.cpp: finds the environment of each host, and groups
// hosts whose variables are equal.

#include "src/report/topology/topology_environment.h"

#include <algorithm>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/report/phrases/environment_json.h"
#include "dra/report/phrases/environment_words.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using topology::ChipGrid;
using topology::GridCell;
using topology::GridHost;
using topology::TpuVariable;
using topology::VariableScope;
using view::Tone;

constexpr std::size_t kMaxHosts = 8;  // names of hosts in a line

// The variables of a slice, without those that are the same in every slice and those that differ
// from host to host.
std::string slice_text(const topology::TpuEnvironment& environment) {
  std::vector<std::string> parts;
  for (const TpuVariable& variable : environment.variables) {
    if (variable.scope == VariableScope::Slice && !repeats_another(variable))
      parts.push_back(base::format("{}={}", variable.name, variable.value));
  }
  return base::join(parts, " ");
}

struct Alike {
  std::string text;
  std::vector<const GridHost*> hosts;
};

// "workers 0…3"; names of nodes if the numbers are not known.
std::string names_of(const std::vector<const GridHost*>& hosts) {
  const bool numbered =
      std::ranges::all_of(hosts, [](const GridHost* host) { return host->worker.has_value(); });
  if (!numbered) {
    std::vector<std::string_view> nodes;
    nodes.reserve(hosts.size());
    for (const GridHost* host : hosts)
      nodes.push_back(host->node);
    return fold_nodes(nodes, kMaxHosts);
  }
  std::vector<std::string> numbers;
  numbers.reserve(hosts.size());
  for (const GridHost* host : hosts)
    numbers.push_back(base::format("{}", *host->worker));
  return base::format("{} {}", hosts.size() == 1 ? "worker" : "workers",
                      fold_names({numbers.begin(), numbers.end()}));
}

}  // namespace

GridEnvironments environments_of(const ChipGrid& grid, const Scene& scene) {
  std::vector<const api::ResourceClaim*> holders(grid.hosts.size());
  for (const GridCell& cell : grid.cells) {
    if (!cell.device || holders[cell.host] != nullptr) continue;
    for (const engine::Holding& holding : scene.inventory.devices()[*cell.device].holders) {
      if (!holding.admin()) holders[cell.host] = holding.claim;
    }
  }
  GridEnvironments environments(grid.hosts.size());
  for (std::size_t i = 0; i < holders.size(); ++i) {
    if (holders[i] == nullptr) continue;
    auto found = topology::tpu_environment(scene.snapshot, scene.inventory, *holders[i]);
    // The driver refuses several claims on one host.
    if (!found || found->variables.empty()) continue;
    HostEnvironment& own = environments[i].emplace(HostEnvironment{*std::move(found)});
    for (const api::Pod* pod : topology::pods_with(scene.snapshot, *holders[i]))
      std::ranges::move(topology::tpu_overrides(own.environment, *holders[i], *pod),
                        std::back_inserter(own.overrides));
  }
  return environments;
}

void set_environment(json::Value& host, const HostEnvironment& environment) {
  host.set("environment", variables_json(environment.environment));
  if (!environment.overrides.empty()) host.set("overrides", overrides_json(environment.overrides));
}

void add_environments(const ChipGrid& grid, const Scene& scene, view::Document& document) {
  const GridEnvironments environments = environments_of(grid, scene);
  std::vector<Alike> alike;
  std::vector<topology::TpuOverride> overrides;
  for (std::size_t i = 0; i < environments.size(); ++i) {
    if (!environments[i]) continue;
    std::string text = slice_text(environments[i]->environment);
    std::ranges::copy(environments[i]->overrides, std::back_inserter(overrides));
    if (text.empty()) continue;
    auto found = std::ranges::find(alike, text, &Alike::text);
    if (found == alike.end()) found = alike.insert(found, {std::move(text), {}});
    found->hosts.push_back(&grid.hosts[i]);
  }
  for (const Alike& one : alike) {
    const std::string of =
        grid.hosts.size() == 1 ? "" : base::format(" of {}", names_of(one.hosts));
    document.add(
        view::Paragraph{.spans = {span(base::format("environment{} (derived)", of), Tone::Strong),
                                  span("  " + one.text)},
                        .indent = 2});
  }
  for (const std::string& words : difference_words(overrides, nullptr)) {
    document.add(view::Paragraph{
        .spans = {span("! ", Tone::Warn), span(base::format("{}: {}", words, kDifferenceMeans))},
        .indent = 2});
  }
}

}  // namespace dra::report
