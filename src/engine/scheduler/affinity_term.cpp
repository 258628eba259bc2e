// src/engine/scheduler/affinity_term.cpp: labels first, as they exclude most pods; then namespaces.

#include "src/engine/scheduler/affinity_term.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/facts/label_match.h"

namespace dra::engine {
namespace {

// The server has added the condition for the key to the selector.
bool has_condition(const api::PodAffinityTerm& term, std::string_view key) {
  return std::ranges::find(term.selector->expressions, key, &api::NodeSelectorRequirement::key) !=
         term.selector->expressions.end();
}

// A key counts only where the term's own pod has the label.
bool meets_keys(const api::PodAffinityTerm& term, const std::vector<std::string_view>& keys,
                bool equal, const api::Pod& owner, const api::Pod& pod) {
  return std::ranges::all_of(keys, [&](std::string_view key) {
    const std::string_view* own = api::find(owner.meta.labels, key);
    if (own == nullptr || has_condition(term, key)) return true;
    const std::string_view* label = api::find(pod.meta.labels, key);
    return (label != nullptr && *label == *own) == equal;
  });
}

// A term without namespaces means that of its own pod.
TermMatch match_namespace(const snapshot::Snapshot& snapshot, const api::PodAffinityTerm& term,
                          const api::Pod& owner, const api::Pod& pod, NamespaceRule rule) {
  const std::string_view ns = pod.meta.namespace_;
  if (std::ranges::find(term.namespaces, ns) != term.namespaces.end()) return TermMatch::Yes;
  if (!term.namespace_selector) {
    const bool own = term.namespaces.empty() && owner.meta.namespace_ == ns;
    return own ? TermMatch::Yes : TermMatch::No;
  }
  if (selects_all(*term.namespace_selector)) return TermMatch::Yes;
  if (rule == NamespaceRule::NoLabelsMeansAll && selects(*term.namespace_selector, {}) == true)
    return TermMatch::Yes;
  const auto* known = snapshot.find<api::Namespace>(ns);
  if (known == nullptr) return TermMatch::NamespaceNotRead;
  const std::optional<bool> selected = selects(*term.namespace_selector, known->meta.labels);
  if (!selected) return TermMatch::SelectorNotRead;
  return *selected ? TermMatch::Yes : TermMatch::No;
}

}  // namespace

TermMatch match_of(const snapshot::Snapshot& snapshot, const api::PodAffinityTerm& term,
                   const api::Pod& owner, const api::Pod& pod, NamespaceRule rule) {
  if (!term.selector) return TermMatch::No;
  const std::optional<bool> selected = selects(*term.selector, pod.meta.labels);
  if (selected == false || !meets_keys(term, term.match_label_keys, true, owner, pod) ||
      !meets_keys(term, term.mismatch_label_keys, false, owner, pod))
    return TermMatch::No;
  const TermMatch in_namespace = match_namespace(snapshot, term, owner, pod, rule);
  return selected || in_namespace == TermMatch::No ? in_namespace : TermMatch::SelectorNotRead;
}

std::string words_of(const api::PodAffinityTerm& term, const api::Pod& owner) {
  if (!term.selector) return " that a term without labelSelector could mean";
  const std::string labels = describe(*term.selector);
  std::string words = labels.empty() ? std::string() : base::format(" that matches {}", labels);
  const bool own = term.namespaces.size() == 1 && term.namespaces[0] == owner.meta.namespace_;
  if (term.namespace_selector && selects_all(*term.namespace_selector)) {
    words += " in any namespace";
  } else if (term.namespace_selector) {
    words += base::format(" in namespaces with {}", describe(*term.namespace_selector));
  } else if (!term.namespaces.empty() && !own) {
    const std::vector<std::string> names(term.namespaces.begin(), term.namespaces.end());
    words += base::format(" in namespace {}", base::join(names, " or "));
  }
  return words;
}

}  // namespace dra::engine
