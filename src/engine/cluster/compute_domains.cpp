// src/engine/cluster/compute_domains.cpp: compares the nodes of a domain's status with the nodes of
// the pods that use its template.

#include "dra/engine/cluster/compute_domains.h"

#include <algorithm>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMaxNamed = 4;  // nodes or pods in a sentence

// Older releases of the driver list a node once it is ready.
bool has_joined(const api::DomainNode& node) {
  return node.status.empty() || node.status == "Ready";
}

bool uses(const api::Pod& pod, std::string_view template_name) {
  return std::ranges::any_of(pod.spec.claims, [template_name](const api::PodClaim& claim) {
    return claim.template_name == template_name;
  });
}

void add_pods(const snapshot::Snapshot& snapshot, IncompleteDomain& out) {
  const api::ComputeDomain& domain = *out.domain;
  std::set<std::string_view> nodes;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.meta.namespace_ != domain.meta.namespace_ || pod.finished() || pod.meta.deleted ||
        !uses(pod, domain.spec.channel.claim_template.name))
      continue;
    if (pod.spec.node_name.empty()) {
      out.without_node.push_back(&pod);
    } else {
      nodes.insert(pod.spec.node_name);
    }
  }
  for (const std::string_view node : nodes) {
    if (std::ranges::find(domain.status.nodes, node, &api::DomainNode::name) ==
        domain.status.nodes.end())
      out.absent.push_back(node);
  }
}

// "node b is not ready", "nodes b and c are not ready".
std::string of_nodes(const std::vector<std::string_view>& nodes, std::string_view one,
                     std::string_view many) {
  const std::vector<std::string> names(nodes.begin(), nodes.end());
  return nodes.size() == 1 ? base::format("node {} {}", names.front(), one)
                           : base::format("nodes {} {}", base::join_first(names, kMaxNamed), many);
}

}  // namespace

std::optional<IncompleteDomain> incomplete_domain(const snapshot::Snapshot& snapshot,
                                                  std::string_view ns,
                                                  std::string_view template_name) {
  const auto& all = snapshot.all<api::ComputeDomain>();
  const auto found = std::ranges::find_if(all, [&](const api::ComputeDomain& domain) {
    return !template_name.empty() && domain.meta.namespace_ == ns &&
           domain.spec.channel.claim_template.name == template_name;
  });
  if (found == all.end()) return std::nullopt;
  IncompleteDomain out{.domain = &*found};
  for (const api::DomainNode& node : found->status.nodes) {
    if (has_joined(node)) {
      ++out.ready;
    } else {
      out.not_ready.push_back(node.name);
    }
  }
  add_pods(snapshot, out);
  const bool whole = found->spec.nodes > 0 ? out.ready >= found->spec.nodes
                                           : out.not_ready.empty() && out.absent.empty();
  if (whole) return std::nullopt;
  return out;
}

const api::ComputeDomain* domain_of_template(const snapshot::Snapshot& snapshot,
                                             std::string_view ns, std::string_view template_name) {
  const api::ComputeDomain* elsewhere = nullptr;
  for (const api::ComputeDomain& domain : snapshot.all<api::ComputeDomain>()) {
    if (domain.spec.channel.claim_template.name != template_name) continue;
    if (domain.meta.namespace_ == ns) return &domain;
    elsewhere = &domain;
  }
  return elsewhere;
}

std::string words_of(const IncompleteDomain& domain) {
  std::vector<std::string> missing;
  if (!domain.not_ready.empty())
    missing.push_back(of_nodes(domain.not_ready, "is not ready", "are not ready"));
  if (!domain.absent.empty())
    missing.push_back(of_nodes(domain.absent, "has not joined", "have not joined"));
  if (!domain.without_node.empty()) {
    std::vector<std::string> pods;
    for (const api::Pod* pod : domain.without_node)
      pods.push_back(full_name(pod->meta));
    missing.push_back(base::format(
        "{} {} no node yet",
        pods.size() == 1 ? "pod " + pods.front() : "pods " + base::join_first(pods, kMaxNamed),
        pods.size() == 1 ? "has" : "have"));
  }
  if (missing.empty()) missing.emplace_back("no pod is there that would bring the others");
  const std::int64_t wanted = domain.domain->spec.nodes;
  return base::format("ComputeDomain {} has {}{} ready: {}", full_name(domain.domain->meta),
                      domain.ready,
                      wanted > 0 ? base::format(" of {}", base::plural(wanted, "node"))
                                 : std::string(domain.ready == 1 ? " node" : " nodes"),
                      base::join(missing, ", "));
}

}  // namespace dra::engine
