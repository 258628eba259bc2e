// tests/differential/answer_filters.cpp: what the filters have against a node, for filters_test.go
// to compare with the scheduler's own.
//
// Each line of input is a list of objects as JSON: the node n1, the pod default/p that looks for a
// node, and the pods on the node. It is answered by one line: the filters that say no, and the
// resources that are short, or "error" for what cannot be read.
//
// With the arguments "nodes" and a release there may be any nodes, and the line has, for each of
// them, what the filters say that look at pods on other nodes: "n1 PodAffinity;n2 TopologySpread".
// With "volumes" it has what the filters for volumes, taints and declared features say. With
// "preemption" it has the nodes of which the scheduler would pick one to delete pods on, with these
// pods: "n1 default/a,default/b;n2 ml/c", or the nodes that need no preemption: "fits n1,n2". Nodes
// with the label devices=none count as without
// devices for the pod.

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_filters.h"
#include "dra/engine/whatif/preemption.h"
#include "dra/snapshot/builder.h"

namespace {

using namespace dra;

// "the pod needs 8 cpu, and ..." is about cpu; the other reason about resources is about pods.
std::string resource_of(std::string_view message) {
  const auto words = base::split(message.substr(0, message.find(',')), ' ');
  return std::string(words.size() > 4 && words[2] == "needs" ? words[4] : "pods");
}

// The cluster of a line. No value: it cannot be read.
std::optional<snapshot::Snapshot> read_line(const std::string& line,
                                            std::optional<snapshot::Server> server = {}) {
  snapshot::Builder builder;
  if (server) builder.set_server(std::move(*server));
  if (!builder.add_text(line, "line").ok()) return std::nullopt;
  auto built = std::move(builder).build();
  if (!built.ok()) return std::nullopt;
  return std::move(built).take();
}

std::string answer(const std::string& line) {
  const auto read = read_line(line);
  if (!read) return "error";
  const snapshot::Snapshot& snapshot = *read;
  const api::Pod* pod = snapshot.find<api::Pod>("default", "p");
  const api::Node* node = snapshot.find<api::Node>("n1");
  if (pod == nullptr || node == nullptr) return "error";
  const engine::NodeLoads loads(snapshot);
  std::set<std::string> words;
  for (const diag::Reason& reason : engine::NodeFilters(snapshot, loads, *pod).against(*node)) {
    const bool of_resource =
        reason.code == diag::Code::NodeResources || reason.code == diag::Code::ExtendedResource;
    words.insert(of_resource ? resource_of(reason.message)
                             : std::string(diag::name_of(reason.code)));
  }
  return base::join(std::vector<std::string>(words.begin(), words.end()), " ");
}

// Of affinity the first that fails, as upstream's filter ends there.
std::string first_of_affinity(const std::vector<diag::Reason>& reasons) {
  const auto found = std::ranges::find_if(reasons, [](const diag::Reason& reason) {
    return engine::is_of_other_pods(reason.code) && reason.code != diag::Code::TopologySpread;
  });
  return found == reasons.end() ? std::string() : std::string(diag::name_of(found->code));
}

std::string of_spread(const std::vector<diag::Reason>& reasons) {
  const auto found = std::ranges::find(reasons, diag::Code::TopologySpread, &diag::Reason::code);
  if (found == reasons.end()) return {};
  return found->message.starts_with("the node has no label") ? "TopologySpreadLabel"
                                                             : "TopologySpread";
}

std::string answer_nodes(const std::string& line, std::string_view release) {
  const auto read =
      read_line(line, snapshot::Server{.version = std::string(release), .assumed = false});
  if (!read) return "error";
  const snapshot::Snapshot& snapshot = *read;
  const api::Pod* pod = snapshot.find<api::Pod>("default", "p");
  if (pod == nullptr) return "error";
  const engine::NodeLoads loads(snapshot);
  const engine::NodeFilters filters(snapshot, loads, *pod);
  if (!filters.not_simulated().empty()) return base::join(filters.not_simulated(), ", ");
  std::set<std::string> words;
  for (const api::Node& node : snapshot.all<api::Node>()) {
    const auto reasons = filters.against(node);
    for (const std::string& word : {of_spread(reasons), first_of_affinity(reasons)}) {
      if (!word.empty()) words.insert(base::format("{} {}", node.meta.name, word));
    }
  }
  return base::join(std::vector<std::string>(words.begin(), words.end()), ";");
}

bool is_of_volumes(diag::Code code) {
  const std::string_view name = diag::name_of(code);
  return name.starts_with("Volume") || code == diag::Code::DiskInUse ||
         code == diag::Code::NodeTainted || code == diag::Code::NodeFeatures;
}

std::string answer_volumes(const std::string& line, std::string_view release) {
  const auto read =
      read_line(line, snapshot::Server{.version = std::string(release),
                                       .assumed = false,
                                       .gates = {{"TaintTolerationComparisonOperators", true},
                                                 {"VolumeLimitScaling", true}}});
  if (!read) return "error";
  const snapshot::Snapshot& snapshot = *read;
  const api::Pod* pod = snapshot.find<api::Pod>("default", "p");
  if (pod == nullptr) return "error";
  const engine::NodeLoads loads(snapshot);
  const engine::NodeFilters filters(snapshot, loads, *pod);
  if (!filters.not_simulated().empty()) return base::join(filters.not_simulated(), ", ");
  std::set<std::string> words;
  for (const api::Node& node : snapshot.all<api::Node>()) {
    const auto reasons = filters.against(node);
    const auto has = [&reasons](diag::Code code) {
      return std::ranges::find(reasons, code, &diag::Reason::code) != reasons.end();
    };
    for (const diag::Reason& reason : reasons) {
      // Both are of one filter, which ends at the first.
      const bool second = reason.code == diag::Code::VolumeInUse && has(diag::Code::DiskInUse);
      if (is_of_volumes(reason.code) && !second)
        words.insert(base::format("{} {}", node.meta.name, diag::name_of(reason.code)));
    }
  }
  return base::join(std::vector<std::string>(words.begin(), words.end()), ";");
}

std::string answer_preemption(const std::string& line, std::string_view release) {
  const auto read =
      read_line(line, snapshot::Server{.version = std::string(release), .assumed = false});
  if (!read) return "error";
  const snapshot::Snapshot& snapshot = *read;
  const api::Pod* pod = snapshot.find<api::Pod>("default", "p");
  if (pod == nullptr) return "error";
  const engine::NodeLoads loads(snapshot);
  const engine::NodeFilters filters(snapshot, loads, *pod);
  std::vector<engine::NodeResult> results;
  std::set<std::string> fits;
  for (const api::Node& node : snapshot.all<api::Node>()) {
    const bool has_devices = api::find(node.meta.labels, "devices") == nullptr;
    results.push_back(
        {.name = std::string(node.meta.name),
         .outcome = has_devices ? engine::NodeOutcome::Fits : engine::NodeOutcome::DoesNotFit,
         .other_reasons = filters.against(node)});
    if (results.back().is_feasible()) fits.insert(results.back().name);
  }
  if (!fits.empty())
    return "fits " + base::join(std::vector<std::string>(fits.begin(), fits.end()), ",");
  const auto found = engine::preemption_for(snapshot, loads, *pod, results);
  if (!found || found->preempts != engine::Preempts::Helps) return {};
  std::vector<std::string> nodes;
  for (const engine::NodePreemption& node : found->nodes) {
    if (!node.chosen) continue;
    std::set<std::string> names;
    for (const api::Pod* victim : node.victims)
      names.insert(base::format("{}/{}", victim->meta.namespace_, victim->meta.name));
    nodes.push_back(
        base::format("{} {}", node.node->meta.name,
                     base::join(std::vector<std::string>(names.begin(), names.end()), ",")));
  }
  return base::join(nodes, ";");
}

}  // namespace

int main(int argc, char** argv) {
  const bool of_nodes = argc > 2 && std::string_view(argv[1]) == "nodes";
  const bool of_volumes = argc > 2 && std::string_view(argv[1]) == "volumes";
  const bool of_preemption = argc > 2 && std::string_view(argv[1]) == "preemption";
  for (std::string line; std::getline(std::cin, line);)
    std::cout << (of_nodes        ? answer_nodes(line, argv[2])
                  : of_volumes    ? answer_volumes(line, argv[2])
                  : of_preemption ? answer_preemption(line, argv[2])
                                  : answer(line))
              << '\n'
              << std::flush;
}
