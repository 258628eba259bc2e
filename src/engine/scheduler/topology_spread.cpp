// src/engine/scheduler/topology_spread.cpp: nodes make the domains, then pods are counted in them.

#include "src/engine/scheduler/topology_spread.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/facts/label_match.h"
#include "dra/engine/scheduler/node_filters.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

// The keys count as far as the pod itself has the labels. No value: the selector cannot be read.
std::optional<bool> is_meant(const api::TopologySpreadConstraint& constraint, const api::Pod& owner,
                             const api::Pod& pod) {
  if (!constraint.selector) return false;
  for (const std::string_view key : constraint.match_label_keys) {
    const std::string_view* own = api::find(owner.meta.labels, key);
    const std::string_view* label = api::find(pod.meta.labels, key);
    if (own != nullptr && (label == nullptr || *label != *own)) return false;
  }
  return selects(*constraint.selector, pod.meta.labels);
}

// A selector without conditions counts no pod on a node, though it means the pod itself
// (countPodsMatchSelector).
bool counts_no_pod(const api::TopologySpreadConstraint& constraint, const api::Pod& owner) {
  return !constraint.selector ||
         (selects_all(*constraint.selector) &&
          std::ranges::none_of(constraint.match_label_keys, [&owner](std::string_view key) {
            return api::find(owner.meta.labels, key) != nullptr;
          }));
}

std::int64_t min_domains_of(const api::TopologySpreadConstraint& constraint) {
  return constraint.min_domains.value_or(1);
}

// "zone b has 1": the domain with fewest pods, of several the one that comes first.
std::string fewest_words(std::string_view key, const Domains& domains) {
  const Domains::value_type* least = nullptr;
  for (const Domains::value_type& one : domains) {
    const bool better = least == nullptr || one.second.pods < least->second.pods ||
                        (one.second.pods == least->second.pods && one.first < least->first);
    if (better) least = &one;
  }
  return least == nullptr
             ? std::string()
             : base::format("{} has {}", domain_words(key, least->first), least->second.pods);
}

}  // namespace

TopologySpreadFilter::TopologySpreadFilter(const snapshot::Snapshot& snapshot,
                                           const NodeLoads& loads, const api::Pod& pod,
                                           base::FunctionRef<bool(const api::Node&)> is_selected)
    : snapshot_(snapshot), pod_(pod), pods_known_(loads.saw_pods()) {
  for (const api::TopologySpreadConstraint& from : pod.spec.spread) {
    if (from.when_unsatisfiable != "DoNotSchedule") continue;
    const std::optional<bool> itself = is_meant(from, pod, pod);
    constraints_.push_back(
        {.from = &from, .counts_itself = itself == true, .readable = itself.has_value()});
  }
  if (constraints_.empty() || !pods_known_) return;
  add_nodes(is_selected);
  for (const api::Pod* other : loads.placed())
    count(*other);
  for (Constraint& one : constraints_) {
    if (std::ssize(one.domains) < min_domains_of(*one.from)) continue;
    const auto least = std::ranges::min_element(
        one.domains, {}, [](const Domains::value_type& domain) { return domain.second.pods; });
    one.fewest = least->second.pods;
  }
}

// A node counts for a constraint only if it has the labels of all of them.
bool TopologySpreadFilter::is_in_all(const api::Node& node) const {
  return std::ranges::all_of(constraints_, [&node](const Constraint& one) {
    return api::find(node.meta.labels, one.from->topology_key) != nullptr;
  });
}

void TopologySpreadFilter::add_nodes(base::FunctionRef<bool(const api::Node&)> is_selected) {
  const bool compares = tolerations_compare(snapshot_.server());
  for (const api::Node& node : snapshot_.all<api::Node>()) {
    if (!is_in_all(node)) continue;
    const bool selected = is_selected(node);
    for (Constraint& one : constraints_) {
      const bool out =
          (one.from->node_affinity_policy != "Ignore" && !selected) ||
          (one.from->node_taints_policy == "Honor" && !untolerated(node, pod_, compares).empty());
      if (out) continue;
      one.nodes.insert(&node);
      one.domains.try_emplace(*api::find(node.meta.labels, one.from->topology_key));
    }
  }
}

// A pod that is being deleted counts no more, and the pod itself is not yet on a node when the
// scheduler asks.
void TopologySpreadFilter::count(const api::Pod& other) {
  if (other.meta.deleted || other.meta.namespace_ != pod_.meta.namespace_ ||
      other.meta.name == pod_.meta.name)
    return;
  const api::Node* node = nullptr;
  for (Constraint& one : constraints_) {
    if (counts_no_pod(*one.from, pod_)) continue;
    const std::optional<bool> meant = is_meant(*one.from, pod_, other);
    one.readable = one.readable && meant;
    if (meant != true) continue;
    if (node == nullptr) node = snapshot_.find<api::Node>(other.spec.node_name);
    if (node == nullptr) return;
    if (one.nodes.contains(node))
      one.domains[*api::find(node->meta.labels, one.from->topology_key)].add(other);
  }
}

std::string TopologySpreadFilter::words_against(const Constraint& constraint,
                                                std::string_view value, std::int64_t pods) const {
  const api::TopologySpreadConstraint& from = *constraint.from;
  const std::string labels = from.selector ? describe(*from.selector) : std::string();
  const std::string matching =
      labels.empty() ? std::string()
                     : base::format(" that {} {}", pods == 1 ? "matches" : "match", labels);
  const bool few = std::ssize(constraint.domains) < min_domains_of(from);
  const std::string why = few ? base::format("the pod can use {} of at least {} (minDomains)",
                                             base::plural(std::ssize(constraint.domains), "domain"),
                                             min_domains_of(from))
                              : fewest_words(from.topology_key, constraint.domains);
  return base::format("{} has {}{}, and maxSkew {} allows no more: {} (topology spread)",
                      own_domain_words(from.topology_key, value), base::plural(pods, "pod"),
                      matching, from.max_skew, why);
}

// Upstream goes through the constraints in their order, and ends with the first that fails.
void TopologySpreadFilter::check(const api::Node& node, std::vector<Reason>& reasons) const {
  for (const Constraint& one : constraints_) {
    const std::string_view key = one.from->topology_key;
    const std::string_view* value = api::find(node.meta.labels, key);
    if (value == nullptr) {
      reasons.push_back(
          {.code = Code::TopologySpread,
           .message = base::format("the node has no label {}, by which the pod is spread", key)});
      return;
    }
    if (!pods_known_ || !one.readable) continue;
    const Domain* domain = domain_of(one.domains, key, node);
    const std::int64_t pods = domain == nullptr ? 0 : domain->pods;
    if (pods + (one.counts_itself ? 1 : 0) - one.fewest <= one.from->max_skew) continue;
    reasons.push_back({.code = Code::TopologySpread, .message = words_against(one, *value, pods)});
    return;
  }
}

std::vector<std::string> TopologySpreadFilter::not_read() const {
  if (constraints_.empty()) return {};
  if (!pods_known_) return {"topology spread constraints (pods cannot be read)"};
  if (std::ranges::all_of(constraints_, &Constraint::readable)) return {};
  return {"topology spread constraints (a selector cannot be read)"};
}

}  // namespace dra::engine
