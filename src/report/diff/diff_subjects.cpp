// src/report/diff/diff_subjects.cpp: see diff_subjects.h.

#include "src/report/diff/diff_subjects.h"

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
#include "src/report/diff/diff_parts.h"

namespace dra::report {
namespace {

using Names = std::set<std::pair<std::string_view, std::string_view>>;  // namespace and name

Names names_of(const std::vector<const api::Pod*>& pods) {
  Names names;
  for (const api::Pod* pod : pods)
    names.emplace(pod->meta.namespace_, pod->meta.name);
  return names;
}

// Claims that pods refer to, whether they exist or not.
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

using Finding = std::optional<engine::AfterFinding>;

// What is wrong with a pod on its node, if anything is.
Finding finding_of(const AskedState& state, const api::Pod& pod) {
  const engine::Subject subject = engine::subject_of_pod(state.snapshot(), pod);
  auto found = engine::after_scheduling(state.snapshot(), state.inventory(), subject, {});
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::string key_of(const Finding& finding) {
  if (!finding) return {};
  const engine::Trouble trouble = engine::trouble_of(*finding);
  return base::format("{}|{}|{}|{}", diag::name_of(trouble.code), engine::name_of(trouble.fails),
                      trouble.driver, trouble.what);
}

// What is said of this pod alone: its node mostly is.
std::string finding_words(const Finding& finding, const api::Pod& pod) {
  return finding ? base::format("{}: {}", pod.spec.node_name, finding->finding.message)
                 : std::string();
}

// Pods by a key, in the order of their first ones.
class Groups {
 public:
  void add(const std::string& key, std::string words, const api::ObjectMeta& pod) {
    const auto [known, is_new] = known_.emplace(key, found_.size());
    if (is_new) {
      found_.push_back({{std::string(pod.namespace_), std::string(pod.name), {}}, {}});
      words_.push_back(std::move(words));
    } else if (words_[known->second] != words) {
      found_[known->second].words_differ = true;
    }
    found_[known->second].subjects.push_back(subject_of("Pod", pod));
  }

  std::vector<Alike> take() { return std::move(found_); }

 private:
  std::map<std::string, std::size_t> known_;  // index into both:
  std::vector<Alike> found_;
  std::vector<std::string> words_;  // of the first
};

// What waits in either state, alike pods together.
class Collector {
 public:
  Collector(const AskedState& before, const AskedState& after, std::string_view ns)
      : before_(before), after_(after), ns_(ns) {}

  std::vector<Alike> all() {
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
    std::vector<Alike> found = groups_.take();
    std::ranges::move(claims_, std::back_inserter(found));
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [](const Alike& one) { return one.subjects.size(); });
    return found;
  }

 private:
  bool is_asked_for(const api::ObjectMeta& meta) {
    return (ns_.empty() || meta.namespace_ == ns_) &&
           seen_.emplace(meta.namespace_, meta.name).second;
  }

  // How a pod stands in a state: by a key that pods share of which the same is to be said, and what
  // of it is said of this one alone.
  struct Standing {
    std::string key;
    std::string words = {};
  };

  void add(const api::Pod& pod) {
    if (!is_asked_for(pod.meta)) return;
    const Standing was = standing_in(before_, waits_before_, pod);
    const Standing is = standing_in(after_, waits_after_, pod);
    groups_.add(was.key + "#" + is.key, was.words + "#" + is.words, pod.meta);
  }

  static Standing standing_in(const AskedState& asked, const Names& waiting, const api::Pod& one) {
    const snapshot::Snapshot& state = asked.snapshot();
    const api::Pod* pod = state.find<api::Pod>(one.meta.namespace_, one.meta.name);
    if (pod == nullptr) return {.key = "absent"};
    if (waiting.contains({pod->meta.namespace_, pod->meta.name}))
      return {.key = answers::likeness_of(state, *pod)};
    if (pod->spec.node_name.empty()) return {.key = "ended " + std::string(pod->meta.name)};
    // One that runs is like others that do, wherever that is; one that does not is like those that
    // have the same trouble.
    const auto found = finding_of(asked, *pod);
    return found ? Standing{key_of(found), finding_words(found, *pod)}
                 : Standing{.key = "scheduled"};
  }

  // Claims and pods may have one name.
  void add_claims(const snapshot::Snapshot& state) {
    const Names of_pods = claims_of_pods(state);
    for (const api::ResourceClaim& claim : state.all<api::ResourceClaim>()) {
      const api::ObjectMeta& meta = claim.meta;
      const bool waits = !claim.allocated() && !meta.deleted && !made_for_pod(claim) &&
                         !of_pods.contains({meta.namespace_, meta.name});
      if (!waits || (!ns_.empty() && meta.namespace_ != ns_)) continue;
      if (!seen_claims_.emplace(meta.namespace_, meta.name).second) continue;
      claims_.push_back({{std::string(meta.namespace_), {}, {std::string(meta.name)}},
                         {subject_of("ResourceClaim", meta)}});
    }
  }

  const AskedState& before_;
  const AskedState& after_;
  std::string_view ns_;
  Names waits_before_;
  Names waits_after_;
  Names seen_;
  Names seen_claims_;
  Groups groups_;
  std::vector<Alike> claims_;
};

// Pods that have a node in both states. What is wrong with one on its node is quickly found, but
// they may be many: only those are asked about of which something is to be expected.
class Settled {
 public:
  Settled(const AskedState& before, const AskedState& after, std::string_view ns)
      : before_(before), after_(after), ns_(ns) {}

  // Of those whose trouble is not what it was.
  std::vector<Alike> changed(const std::vector<DeviceChange>& devices) const {
    Names concerned;
    for (const DeviceChange& device : devices) {
      for (const auto* side : {&device.before, &device.after}) {
        if (side->has_value()) add_names((*side)->pods, concerned);
      }
    }
    Groups groups;
    for (const api::Pod& pod : after_.snapshot().all<api::Pod>()) {
      const auto* earlier = before_.snapshot().find<api::Pod>(pod.meta.namespace_, pod.meta.name);
      if (earlier == nullptr || !is_settled(*earlier) || !is_settled(pod)) continue;
      if (!ns_.empty() && pod.meta.namespace_ != ns_) continue;
      const bool runs = is_ready(*earlier) && is_ready(pod);
      if (runs && !concerned.contains({pod.meta.namespace_, pod.meta.name})) continue;
      const Finding was = finding_of(before_, *earlier);
      const Finding is = finding_of(after_, pod);
      // That a pod goes is no recovery.
      if (code_of(was) == code_of(is) || (pod.meta.deleted && !is)) continue;
      if (told_by_one(*earlier, pod)) continue;
      // One that has started says more than one of which nobody complains any more.
      groups.add(
          base::format("{}#{}#{} {}", key_of(was), key_of(is), pod.status.phase, is_ready(pod)),
          base::format("{}#{}", finding_words(was, *earlier), finding_words(is, pod)), pod.meta);
    }
    return groups.take();
  }

 private:
  // Of "namespace/name".
  static void add_names(const std::vector<std::string>& pods, Names& names) {
    for (const std::string_view pod : pods) {
      const std::size_t slash = std::min(pod.find('/'), pod.size() - 1);
      names.emplace(pod.substr(0, slash), pod.substr(slash + 1));
    }
  }

  static bool is_settled(const api::Pod& pod) {
    return !pod.spec.node_name.empty() && !pod.finished();
  }

  static bool is_ready(const api::Pod& pod) {
    return pod.status.phase == "Running" && api::is_true(pod.status.conditions, "Ready");
  }

  static std::optional<diag::Code> code_of(const Finding& finding) {
    return finding ? std::optional(finding->finding.code) : std::nullopt;
  }

  // An event tells of it in one state, and in the other none can be seen.
  bool told_by_one(const api::Pod& earlier, const api::Pod& pod) const {
    if (saw_both(before_.snapshot(), after_.snapshot(), api::Kind::Event)) return false;
    const auto tells = [](const AskedState& state, const api::Pod& of) {
      return engine::newest_warning(state.snapshot(), "Pod", of.meta, engine::kFailedPrepare);
    };
    return tells(before_, earlier) != nullptr || tells(after_, pod) != nullptr;
  }

  const AskedState& before_;
  const AskedState& after_;
  std::string_view ns_;
};

}  // namespace

std::vector<Alike> waiting_subjects(const AskedState& before, const AskedState& after,
                                    std::string_view ns) {
  return Collector(before, after, ns).all();
}

std::vector<Alike> settled_subjects(const AskedState& before, const AskedState& after,
                                    std::string_view ns, const std::vector<DeviceChange>& devices) {
  return Settled(before, after, ns).changed(devices);
}

std::optional<engine::Trouble> trouble_in(const AskedState& state, const engine::Wanted& wanted) {
  const auto* pod = state.snapshot().find<api::Pod>(wanted.namespace_, wanted.pod);
  if (pod == nullptr) return std::nullopt;
  const Finding found = finding_of(state, *pod);
  return found ? std::optional(engine::trouble_of(*found)) : std::nullopt;
}

}  // namespace dra::report
