// src/answers/diff/diff_subjects.cpp: groups subjects by a key that holds everything that their
// answers in both states depend on: likeness_of() for pods that wait, the trouble for pods on a
// node.

#include "src/answers/diff/diff_subjects.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/answers/explain/pods_by_cause.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/running/kubelet_words.h"
#include "src/answers/diff/visible_changes.h"

namespace dra::answers {
namespace {

using Names = std::set<std::pair<std::string_view, std::string_view>>;  // namespace and name

Names names_of(const std::vector<const api::Pod*>& pods) {
  Names names;
  for (const api::Pod* pod : pods)
    names.emplace(pod->meta.namespace_, pod->meta.name);
  return names;
}

// Claims that pods refer to, whether these exist or not.
Names claims_of_pods(const snapshot::Snapshot& state) {
  Names names;
  for (const api::Pod& pod : state.all<api::Pod>()) {
    if (pod.finished()) continue;
    const std::string_view ns = pod.meta.namespace_;
    for (const api::PodClaim& claim : pod.spec.claims)
      names.emplace(ns, claim.claim_name);
    for (const api::PodClaimStatus& claim : pod.status.claims)
      names.emplace(ns, claim.claim_name.value_or(std::string_view()));
    if (pod.status.extended_resource_claim)
      names.emplace(ns, pod.status.extended_resource_claim->claim_name);
  }
  return names;
}

bool made_for_pod(const api::ResourceClaim& claim) {
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  return owner != nullptr && owner->kind == "Pod";
}

using PodFinding = std::optional<engine::AfterFinding>;

// The first failure of a pod on its node; no value: it has none.
PodFinding finding_of(const ClusterState& state, const api::Pod& pod) {
  const engine::Subject subject = engine::subject_of_pod(state.snapshot(), pod);
  auto found = engine::after_scheduling(state.snapshot(), state.inventory(), subject, {});
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::string key_of(const PodFinding& finding) {
  if (!finding) return {};
  const engine::Trouble trouble = engine::trouble_of(*finding);
  return base::format("{}|{}|{}|{}", diag::name_of(trouble.code), engine::name_of(trouble.fails),
                      trouble.driver, trouble.what);
}

// The part of the answer that names the pod's own node.
std::string finding_words(const PodFinding& finding, const api::Pod& pod) {
  return finding ? base::format("{}: {}", pod.spec.node_name, finding->finding.message)
                 : std::string();
}

// Groups pods by a key, in the order of the first pod of each group. `words` are the wording of the
// answer, which may differ within a group.
class PodGroups {
 public:
  void add(const std::string& key, std::string words, const api::ObjectMeta& pod) {
    const auto [known, is_new] = known_.emplace(key, found_.size());
    if (is_new) {
      found_.push_back({{std::string(pod.namespace_), std::string(pod.name), {}}, {}});
      words_.push_back(std::move(words));
    } else if (words_[known->second] != words) {
      found_[known->second].words_differ = true;
    }
    found_[known->second].subjects.push_back(api::subject_of("Pod", pod));
  }

  std::vector<SubjectGroup> take() { return std::move(found_); }

 private:
  std::map<std::string, std::size_t> known_;  // index into found_ and words_
  std::vector<SubjectGroup> found_;
  std::vector<std::string> words_;  // wording of each group's first pod
};

// Subjects that wait in either state.
class WaitingSubjects {
 public:
  WaitingSubjects(const ClusterState& before, const ClusterState& after, std::string_view ns)
      : before_(before), after_(after), ns_(ns) {}

  std::vector<SubjectGroup> all() {
    const auto earlier = engine::waiting_pods(before_.snapshot());
    const auto later = engine::waiting_pods(after_.snapshot());
    waits_before_ = names_of(earlier);
    waits_after_ = names_of(later);
    for (const auto* pods : {&earlier, &later}) {
      for (const api::Pod* pod : *pods)
        add(*pod);
    }
    if (saw_both(before_.snapshot(), after_.snapshot(), api::Kind::Claim)) {
      add_claims(before_.snapshot());
      add_claims(after_.snapshot());
    }
    std::vector<SubjectGroup> found = groups_.take();
    std::ranges::move(claims_, std::back_inserter(found));
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [](const SubjectGroup& one) { return one.subjects.size(); });
    return found;
  }

 private:
  bool is_new_and_asked_for(const api::ObjectMeta& meta) {
    return (ns_.empty() || meta.namespace_ == ns_) &&
           seen_.emplace(meta.namespace_, meta.name).second;
  }

  // Key and wording of a pod in one state, for PodGroups.
  struct PodInState {
    std::string key;
    std::string words = {};
  };

  void add(const api::Pod& pod) {
    if (!is_new_and_asked_for(pod.meta)) return;
    const PodInState was = look_at(before_, waits_before_, pod);
    const PodInState is = look_at(after_, waits_after_, pod);
    groups_.add(was.key + "#" + is.key, was.words + "#" + is.words, pod.meta);
  }

  static PodInState look_at(const ClusterState& asked, const Names& waiting, const api::Pod& one) {
    const snapshot::Snapshot& state = asked.snapshot();
    const api::Pod* pod = state.find<api::Pod>(one.meta.namespace_, one.meta.name);
    if (pod == nullptr) return {.key = "absent"};
    if (waiting.contains({pod->meta.namespace_, pod->meta.name}))
      return {.key = likeness_of(state, *pod)};
    if (pod->spec.node_name.empty()) return {.key = "ended " + std::string(pod->meta.name)};
    // All running pods are equal, on any node. Pods that do not run are equal if they have the same
    // trouble.
    const auto found = finding_of(asked, *pod);
    return found ? PodInState{key_of(found), finding_words(found, *pod)}
                 : PodInState{.key = "scheduled"};
  }

  // Claims have their own list of names, because a pod and a claim can share a name.
  void add_claims(const snapshot::Snapshot& state) {
    const Names of_pods = claims_of_pods(state);
    for (const api::ResourceClaim& claim : state.all<api::ResourceClaim>()) {
      const api::ObjectMeta& meta = claim.meta;
      const bool waits = !claim.allocated() && !meta.deleted && !made_for_pod(claim) &&
                         !of_pods.contains({meta.namespace_, meta.name});
      if (!waits || (!ns_.empty() && meta.namespace_ != ns_)) continue;
      if (!seen_claims_.emplace(meta.namespace_, meta.name).second) continue;
      claims_.push_back({{std::string(meta.namespace_), {}, {std::string(meta.name)}},
                         {api::subject_of("ResourceClaim", meta)}});
    }
  }

  const ClusterState& before_;
  const ClusterState& after_;
  std::string_view ns_;
  Names waits_before_;
  Names waits_after_;
  Names seen_;
  Names seen_claims_;
  PodGroups groups_;
  std::vector<SubjectGroup> claims_;
};

// Pods that have a node in both states. Pods can be many, so a pod that is ready in both states is
// checked only if one of its devices differs.
class BoundPods {
 public:
  BoundPods(const ClusterState& before, const ClusterState& after, std::string_view ns)
      : before_(before), after_(after), ns_(ns) {}

  // The pods whose trouble changed.
  std::vector<SubjectGroup> changed(const std::vector<DeviceChange>& devices) const {
    Names with_changed_devices;
    for (const DeviceChange& device : devices) {
      for (const auto* side : {&device.before, &device.after}) {
        if (side->has_value()) add_names((*side)->pods, with_changed_devices);
      }
    }
    PodGroups groups;
    for (const api::Pod& pod : after_.snapshot().all<api::Pod>()) {
      const auto* earlier = before_.snapshot().find<api::Pod>(pod.meta.namespace_, pod.meta.name);
      if (earlier == nullptr || !is_bound(*earlier) || !is_bound(pod)) continue;
      if (!ns_.empty() && pod.meta.namespace_ != ns_) continue;
      const bool runs = is_ready(*earlier) && is_ready(pod);
      if (runs && !with_changed_devices.contains({pod.meta.namespace_, pod.meta.name})) continue;
      const PodFinding was = finding_of(before_, *earlier);
      const PodFinding is = finding_of(after_, pod);
      // A pod that is being deleted has not recovered.
      if (code_of(was) == code_of(is) || (pod.meta.deleted && !is)) continue;
      if (rests_on_unseen_events(*earlier, pod)) continue;
      // The phase is part of the key: a pod that has started is proof that the trouble is over, a
      // pod without a new complaint is not.
      groups.add(
          base::format("{}#{}#{} {}", key_of(was), key_of(is), pod.status.phase, is_ready(pod)),
          base::format("{}#{}", finding_words(was, *earlier), finding_words(is, pod)), pod.meta);
    }
    return groups.take();
  }

 private:
  // Adds pods written "namespace/name".
  static void add_names(const std::vector<std::string>& pods, Names& names) {
    for (const std::string_view pod : pods) {
      const std::size_t slash = std::min(pod.find('/'), pod.size() - 1);
      names.emplace(pod.substr(0, slash), pod.substr(slash + 1));
    }
  }

  static bool is_bound(const api::Pod& pod) {
    return !pod.spec.node_name.empty() && !pod.finished();
  }

  static bool is_ready(const api::Pod& pod) {
    return pod.status.phase == "Running" && api::is_true(pod.status.conditions, "Ready");
  }

  static std::optional<diag::Code> code_of(const PodFinding& finding) {
    return finding ? std::optional(finding->finding.code) : std::nullopt;
  }

  // An event reports the trouble in one state, and the other state has no readable events.
  bool rests_on_unseen_events(const api::Pod& earlier, const api::Pod& pod) const {
    if (saw_both(before_.snapshot(), after_.snapshot(), api::Kind::Event)) return false;
    const auto event_of = [](const ClusterState& state, const api::Pod& one) {
      return engine::newest_warning(state.snapshot(), "Pod", one.meta, engine::kFailedPrepare);
    };
    return event_of(before_, earlier) != nullptr || event_of(after_, pod) != nullptr;
  }

  const ClusterState& before_;
  const ClusterState& after_;
  std::string_view ns_;
};

}  // namespace

std::vector<SubjectGroup> waiting_subjects(const ClusterState& before, const ClusterState& after,
                                           std::string_view ns) {
  return WaitingSubjects(before, after, ns).all();
}

std::vector<SubjectGroup> bound_subjects(const ClusterState& before, const ClusterState& after,
                                         std::string_view ns,
                                         const std::vector<DeviceChange>& devices) {
  return BoundPods(before, after, ns).changed(devices);
}

std::optional<engine::Trouble> trouble_in(const ClusterState& state, const engine::Wanted& wanted) {
  const auto* pod = state.snapshot().find<api::Pod>(wanted.namespace_, wanted.pod);
  if (pod == nullptr) return std::nullopt;
  const PodFinding found = finding_of(state, *pod);
  return found ? std::optional(engine::trouble_of(*found)) : std::nullopt;
}

}  // namespace dra::answers
