// src/answers/explain/change_facts.cpp: looks up nodes that others are added like, and the
// controllers of pods that go away.

#include "dra/answers/explain/change_facts.h"

#include <charconv>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "dra/answers/explain/headline.h"
#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/workload.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/disruption_budgets.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/engine/facts/full_name.h"
#include "src/answers/explain/standing.h"

namespace dra::answers {
namespace {

constexpr std::string_view kJobSetName = "jobset.sigs.k8s.io/jobset-name";

struct FactsOfChange {
  const engine::Subject& subject;
  const snapshot::Snapshot& snapshot;

  ChangeFacts operator()(const engine::AddNode& change) const {
    const auto* like = snapshot.find<api::Node>(change.like);
    if (like == nullptr) return {};
    return {.node_pool = std::string(engine::node_pool_of(*like)),
            .priority = engine::priority_of(snapshot, *like)};
  }
  ChangeFacts operator()(const engine::Release& change) const {
    ChangeFacts facts;
    facts.budgets_unread = !change.pods.empty() && !engine::saw_budgets(snapshot);
    for (const std::string& name : change.pods) {
      const auto* pod = engine::find_by_full_name<api::Pod>(snapshot, name);
      if (pod == nullptr) continue;
      facts.released.push_back(released(*pod));
      const auto* controller =
          subject.pod == nullptr ? nullptr : engine::common_controller(*subject.pod, *pod);
      if (controller == nullptr) continue;
      facts.own_controller = controller->kind;
      facts.own_pods.push_back(name);
    }
    for (const std::string& name : change.claims) {
      const auto* claim = engine::find_by_full_name<api::ResourceClaim>(snapshot, name);
      if (claim != nullptr && claim->status.reserved_for.empty()) facts.unreserved.push_back(name);
    }
    return facts;
  }
  ChangeFacts operator()(const engine::SelectNodes&) const {
    ChangeFacts facts;
    if (subject.pod == nullptr) return facts;
    set_owner(*subject.pod, facts);
    const std::string_view job_set = label_of(*subject.pod, kJobSetName);
    if (facts.owner_kind == "Job" && !job_set.empty())
      std::tie(facts.owner_kind, facts.owner_name) = std::pair("JobSet", std::string(job_set));
    const auto* workload =
        snapshot.find_workload(facts.owner_kind, subject.pod->meta.namespace_, facts.owner_name);
    facts.deployer = deployer_of(workload == nullptr ? subject.pod->meta : workload->meta);
    return facts;
  }
  ChangeFacts operator()(const engine::Tolerate& change) const {
    if (!change.claim.empty()) return edit_of(change.claim);
    ChangeFacts facts;
    if (subject.pod != nullptr) facts.deployer = deployer_of(subject.pod->meta);
    return facts;
  }
  ChangeFacts operator()(const engine::DropSelector& change) const {
    ChangeFacts facts = edit_of(change.place);
    facts.last_selector = is_last(change.place);
    return facts;
  }
  ChangeFacts operator()(const engine::EditSelector& change) const { return edit_of(change.place); }
  ChangeFacts operator()(const engine::Wait&) const { return {}; }
  ChangeFacts operator()(const engine::RemoveNode&) const { return {}; }
  ChangeFacts operator()(const engine::JoinNodes&) const { return {}; }
  ChangeFacts operator()(const engine::Drain&) const { return {}; }
  template <class OfClaim>
  ChangeFacts operator()(const OfClaim& change) const {
    return edit_of(change.claim);
  }

 private:
  // An edit of a claim, or of the template that it is made from.
  ChangeFacts edit_of(const std::string& label) const {
    ChangeFacts facts;
    for (const engine::SubjectClaim& claim : subject.claims) {
      if (claim.label() != label) continue;
      const std::string_view ns = claim.namespace_.empty() && subject.pod != nullptr
                                      ? subject.pod->meta.namespace_
                                      : std::string_view(claim.namespace_);
      const auto* made_from = snapshot.find<api::ResourceClaimTemplate>(ns, claim.template_name);
      if (made_from != nullptr) {
        facts.deployer = deployer_of(made_from->meta);
      } else if (claim.claim != nullptr) {
        facts.deployer = deployer_of(claim.claim->meta);
      }
    }
    return facts;
  }
  bool is_last(const engine::SelectorPlace& place) const {
    for (const engine::SubjectClaim& claim : subject.claims) {
      if (place.of_class || claim.spec == nullptr || claim.label() != place.claim) continue;
      for (const api::DeviceRequest& request : claim.spec->devices.requests) {
        for (const api::NamedDemand& demand : api::demands_of(request)) {
          if (demand.name == place.request) return demand.demand->selectors.size() == 1;
        }
      }
    }
    return false;
  }
  ChangeFacts edit_of(const engine::SelectorPlace& place) const {
    return place.of_class ? ChangeFacts() : edit_of(place.claim);
  }

  // Sets the fields that name what creates the pod.
  template <class Facts>
  void set_owner(const api::Pod& pod, Facts& facts) const {
    engine::WorkloadName owner = engine::workload_of(snapshot, pod);
    facts.owner_kind = std::move(owner.kind);
    facts.owner_name = std::move(owner.name);
  }

  ReleasedPod released(const api::Pod& pod) const {
    ReleasedPod facts{.namespace_ = std::string(pod.meta.namespace_),
                      .name = std::string(pod.meta.name),
                      .standing = phase_of(snapshot, pod),
                      .deleted = pod.meta.deleted.has_value(),
                      .priority = pod.spec.priority,
                      .job_set = std::string(label_of(pod, kJobSetName))};
    if (const auto budgets = engine::budgets_against(snapshot, pod); !budgets.empty())
      facts.budgets = engine::words_for_budgets(budgets, pod);
    const api::OwnerReference* direct = api::controller_of(pod.meta);
    if (direct == nullptr) return facts;
    set_owner(pod, facts);
    if (direct->kind == "StatefulSet") facts.ordinal = ordinal_of(pod.meta.name);
    for (const api::Pod& other : snapshot.all<api::Pod>()) {
      const bool own =
          engine::common_controller(pod, other) != nullptr || of_same_job_set(pod, other);
      if (!own || other.finished() || other.meta.deleted) continue;
      if (other.spec.node_name.empty()) {
        facts.owner_waits = true;
      } else {
        ++facts.replicas;
      }
    }
    return facts;
  }

  static std::string_view label_of(const api::Pod& pod, std::string_view key) {
    const auto* value = api::find(pod.meta.labels, key);
    return value == nullptr ? std::string_view() : *value;
  }

  // A JobSet is suspended as a whole.
  static bool of_same_job_set(const api::Pod& pod, const api::Pod& other) {
    const std::string_view name = label_of(pod, kJobSetName);
    return !name.empty() && pod.meta.namespace_ == other.meta.namespace_ &&
           name == label_of(other, kJobSetName);
  }

  // The number at the end of the name; -1: there is none.
  static std::int64_t ordinal_of(std::string_view name) {
    const std::string_view digits = name.substr(name.rfind('-') + 1);
    std::int64_t number = -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }
};

}  // namespace

std::vector<ChangeFacts> facts_of(std::span<const engine::Change> changes,
                                  const engine::Subject& subject,
                                  const snapshot::Snapshot& snapshot) {
  std::vector<ChangeFacts> facts;
  for (const engine::Change& change : changes)
    facts.push_back(std::visit(FactsOfChange{subject, snapshot}, change));
  return facts;
}

}  // namespace dra::answers
