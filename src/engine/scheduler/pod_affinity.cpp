// src/engine/scheduler/pod_affinity.cpp: one pass over the pods on nodes counts by domain; a node
// is then a look at its labels.

#include "src/engine/scheduler/pod_affinity.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/engine/facts/features.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

bool is_open(TermMatch match) { return match > TermMatch::Yes; }

NamespaceRule rule_of(const snapshot::Snapshot& snapshot) {
  constexpr int fixed = 37;
  return minor_release(snapshot.server()) < fixed ? NamespaceRule::NoLabelsMeansAll
                                                  : NamespaceRule::ByLabels;
}

// Of a pod that has to match all terms.
TermMatch all_of(TermMatch a, TermMatch b) {
  return a == TermMatch::No || b == TermMatch::No ? TermMatch::No : std::max(a, b);
}

std::string why_open(TermMatch match) {
  return match == TermMatch::NamespaceNotRead ? "labels of namespaces cannot be read"
                                              : "a selector cannot be read";
}

// The domain with most pods; of several the one that comes first.
const Domains::value_type* largest(const Domains& domains) {
  const Domains::value_type* best = nullptr;
  for (const Domains::value_type& one : domains) {
    const bool better = best == nullptr || one.second.pods > best->second.pods ||
                        (one.second.pods == best->second.pods && one.first < best->first);
    if (better) best = &one;
  }
  return best;
}

// "pod ml/db is in zone b": where the pods of a term are. Empty: there are none.
std::string elsewhere_words(std::string_view key, const Domains& domains) {
  const auto* most = largest(domains);
  if (most == nullptr) return {};
  return base::format("{} {} {}", pods_words(most->second), most->second.pods == 1 ? "is" : "are",
                      where_words(key, most->first));
}

bool is_same_pod(const api::Pod& a, const api::Pod& b) {
  return a.meta.name == b.meta.name && a.meta.namespace_ == b.meta.namespace_;
}

std::string_view value_on(const api::Node& node, std::string_view key) {
  const std::string_view* value = api::find(node.meta.labels, key);
  return value == nullptr ? std::string_view() : *value;
}

void add_to(Domains& domains, const api::Node& node, std::string_view key, const api::Pod& pod) {
  const std::string_view* value = api::find(node.meta.labels, key);
  if (value != nullptr) domains[*value].add(pod);
}

}  // namespace

PodAffinityFilter::PodAffinityFilter(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                                     const api::Pod& pod)
    : snapshot_(snapshot), pod_(pod), rule_(rule_of(snapshot)), pods_known_(loads.saw_pods()) {
  for (const api::PodAffinityTerm& term : pod.spec.affinity.to_pods.required)
    to_pods_.push_back({.term = &term});
  for (const api::PodAffinityTerm& term : pod.spec.affinity.against_pods.required)
    against_pods_.push_back({.term = &term});
  own_ = to_pods_.empty() ? TermMatch::No : TermMatch::Yes;
  for (const Term& one : to_pods_)
    own_ = all_of(own_, match_of(snapshot, *one.term, pod, pod, rule_));
  if (!pods_known_) return;
  if (!to_pods_.empty() || !against_pods_.empty()) {
    for (const api::Pod* other : loads.placed())
      count(*other);
  }
  for (const api::Pod* other : loads.repelling())
    count_repelling(*other);
  say_elsewhere();
}

// The pod itself is not yet on a node when the scheduler asks.
void PodAffinityFilter::count(const api::Pod& other) {
  if (is_same_pod(other, pod_)) return;
  const auto* node = snapshot_.find<api::Node>(other.spec.node_name);
  if (node == nullptr) return;
  if (!to_pods_.empty()) count_for_affinity(other, *node);
  count_for_anti_affinity(other, *node);
}

// One pod has to match all terms.
void PodAffinityFilter::count_for_affinity(const api::Pod& other, const api::Node& node) {
  TermMatch match = TermMatch::Yes;
  for (const Term& one : to_pods_) {
    match = all_of(match, match_of(snapshot_, *one.term, pod_, other, rule_));
    if (match == TermMatch::No) return;
  }
  affinity_ = std::max(affinity_, match);
  if (is_open(match)) return;
  for (Term& one : to_pods_)
    add_to(one.domains, node, one.term->topology_key, other);
}

void PodAffinityFilter::count_for_anti_affinity(const api::Pod& other, const api::Node& node) {
  for (Term& one : against_pods_) {
    const TermMatch match = match_of(snapshot_, *one.term, pod_, other, rule_);
    anti_affinity_ = std::max(anti_affinity_, match);
    if (match == TermMatch::Yes) add_to(one.domains, node, one.term->topology_key, other);
  }
}

void PodAffinityFilter::count_repelling(const api::Pod& other) {
  if (is_same_pod(other, pod_)) return;
  const api::Node* node = nullptr;
  std::vector<std::string_view> counted;  // keys: a pod counts once for each
  for (const api::PodAffinityTerm& term : other.spec.affinity.against_pods.required) {
    const TermMatch match = match_of(snapshot_, term, other, pod_);
    repelling_ = std::max(repelling_, match);
    const bool known = std::ranges::find(counted, term.topology_key) != counted.end();
    if (match != TermMatch::Yes || known) continue;
    if (node == nullptr) node = snapshot_.find<api::Node>(other.spec.node_name);
    if (node == nullptr) return;
    add_to(repelled_[term.topology_key], *node, term.topology_key, other);
    counted.push_back(term.topology_key);
  }
}

void PodAffinityFilter::say_elsewhere() {
  for (Term& one : to_pods_)
    one.elsewhere = elsewhere_words(one.term->topology_key, one.domains);
}

// Upstream: satisfyPodAffinity. Without that rule a group with affinity to itself never starts.
bool PodAffinityFilter::is_first_of_its_group() const {
  return own_ != TermMatch::No &&
         std::ranges::all_of(to_pods_, [](const Term& one) { return one.domains.empty(); });
}

// One pod has to match all terms. Where there is none, its namespace may be the wrong one.
std::string PodAffinityFilter::wanted_words(const api::PodAffinityTerm& term) const {
  if (to_pods_.size() > 1)
    return base::format(" that matches all {} terms of the affinity", to_pods_.size());
  const bool own = term.selector && term.namespaces.empty() && !term.namespace_selector;
  return words_of(term, pod_) +
         (own ? base::format(" in namespace {}", pod_.meta.namespace_) : std::string());
}

void PodAffinityFilter::check_affinity(const api::Node& node, std::vector<Reason>& reasons) const {
  const Term* missing = nullptr;
  for (const Term& one : to_pods_) {
    const std::string_view key = one.term->topology_key;
    if (api::find(node.meta.labels, key) == nullptr) {
      reasons.push_back({.code = Code::PodAffinity,
                         .message = base::format(
                             "the node has no label {}, the topology of its pod affinity", key)});
      return;
    }
    if (missing == nullptr && domain_of(one.domains, key, node) == nullptr) missing = &one;
  }
  if (missing == nullptr || !pods_known_ || is_open(affinity_) || is_first_of_its_group()) return;
  const std::string_view key = missing->term->topology_key;
  reasons.push_back(
      {.code = Code::PodAffinity,
       .message =
           missing->domains.empty()
               ? base::format("no pod{} is {} (pod affinity)", wanted_words(*missing->term),
                              anywhere_words(key))
               : base::format("no pod{} is {} (pod affinity; {})", wanted_words(*missing->term),
                              place_words(key, value_on(node, key)), missing->elsewhere)});
}

void PodAffinityFilter::check_anti_affinity(const api::Node& node,
                                            std::vector<Reason>& reasons) const {
  for (const Term& one : against_pods_) {
    const std::string_view key = one.term->topology_key;
    const Domain* domain = domain_of(one.domains, key, node);
    if (domain == nullptr) continue;
    reasons.push_back({.code = Code::PodAntiAffinity,
                       .message = base::format("{} {} {} (pod anti-affinity)", pods_words(*domain),
                                               domain->pods == 1 ? "is" : "are",
                                               place_words(key, value_on(node, key)))});
    return;
  }
}

void PodAffinityFilter::check_repelling(const api::Node& node, std::vector<Reason>& reasons) const {
  for (const auto& [key, domains] : repelled_) {
    const Domain* domain = domain_of(domains, key, node);
    if (domain == nullptr) continue;
    reasons.push_back(
        {.code = Code::PodRepelled,
         .message = base::format("{} {} {} it away (anti-affinity)", pods_words(*domain),
                                 place_words(key, value_on(node, key)),
                                 domain->pods == 1 ? "keeps" : "keep")});
    return;
  }
}

void PodAffinityFilter::check(const api::Node& node, std::vector<Reason>& reasons) const {
  check_affinity(node, reasons);
  check_anti_affinity(node, reasons);
  check_repelling(node, reasons);
}

bool PodAffinityFilter::runs() const {
  return !to_pods_.empty() || !against_pods_.empty() ||
         std::ranges::any_of(repelled_, [](const auto& one) { return !one.second.empty(); });
}

std::vector<std::string> PodAffinityFilter::not_read() const {
  std::vector<std::string> parts;
  const auto add = [&parts](std::string_view what, TermMatch match) {
    if (is_open(match)) parts.push_back(base::format("{} ({})", what, why_open(match)));
  };
  if (!pods_known_ && !to_pods_.empty())
    parts.emplace_back("inter-pod affinity (pods cannot be read)");
  if (!pods_known_ && !against_pods_.empty())
    parts.emplace_back("inter-pod anti-affinity (pods cannot be read)");
  add("inter-pod affinity", std::max(affinity_, own_));
  add("inter-pod anti-affinity", anti_affinity_);
  add("anti-affinity of other pods", repelling_);
  return parts;
}

}  // namespace dra::engine
