// src/report/describe/describe_claim.cpp: one ResourceClaim: its state, consumers, requests and
// devices.

#include <algorithm>

#include "dra/api/subject.h"
#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/claim_references.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/pod_groups.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/running/kubelet_words.h"
#include "dra/report/lists/list_claims.h"
#include "src/report/describe/describe_allocation.h"
#include "src/report/describe/describe_environment.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_spec.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::string_view kPodClaimName = "resource.kubernetes.io/pod-claim-name";
constexpr std::size_t kMaxConsumers = 12;
constexpr std::size_t kMaxReservations = 256;

// A consumer that has reserved the claim, or a pod that refers to it.
struct User {
  std::string name;
  std::string status;
  Tone tone = Tone::Plain;
  const api::Pod* pod = nullptr;
  bool reserved = false;
  bool gone = false;          // it has reserved the claim, but is deleted
  std::string namesake = {};  // of one that is gone, the words for the pod that has its name
  bool no_pod = false;        // and no pod group, either
};

class ClaimDescription {
 public:
  ClaimDescription(const Scene& scene, const api::ResourceClaim& claim)
      : scene_(scene),
        claim_(claim),
        pods_seen_(scene.snapshot.coverage().saw(api::Kind::Pod, claim.meta.namespace_)) {
    add_reservations();
    add_pods();
  }

  Described build() {
    Description out(scene_, "ClaimDescription", subject_of("ResourceClaim", claim_.meta),
                    headline(), tone());
    add_deletion_problem(out);
    add_prepare_problem(out);
    add_use_problem(out);
    add_missing_node_problem(out);
    out.saw(api::Kind::Pod, "who uses the claim is not known", claim_.meta.namespace_);
    out.saw(api::Kind::Class, "whether the classes exist is not known");
    if (claim_.allocated()) {
      out.saw(api::Kind::Slice, "whether the devices are still there is not known");
      out.saw(api::Kind::TaintRule, "taints by rules are not known");
    }
    facts(out);
    users(out);
    add_requests(out, claim_.spec, allocation());
    add_constraints(out, claim_.spec.devices.constraints);
    if (claim_.allocated()) {
      out.set("allocation", add_allocation(out, claim_));
      add_device_links(out, claim_);
    }
    out.set("environment", add_environment(out, claim_, nullptr));
    add_config(out, claim_.spec, allocation());
    add_device_status(out, claim_);
    add_events(out, "ResourceClaim", claim_.meta);
    go_on(out);
    return std::move(out).finish();
  }

 private:
  void add_reservations();
  void add_pods();
  std::string headline() const;
  std::string state_words() const;
  std::string user_words() const;  // "2 pods"
  Tone tone() const;
  void add_deletion_problem(Description& out) const;
  void add_use_problem(Description& out) const;
  void add_prepare_problem(Description& out) const;
  void add_missing_node_problem(Description& out) const;
  void facts(Description& out) const;
  std::string maker() const;
  json::Value maker_json() const;
  void users(Description& out) const;
  json::Value user_json(const User& user) const;
  void go_on(Description& out) const;

  const api::Allocation* allocation() const {
    return claim_.status.allocation ? &*claim_.status.allocation : nullptr;
  }
  std::int64_t in_use() const {
    return std::ranges::count_if(users_,
                                 [](const User& user) { return user.reserved && !user.gone; });
  }
  std::int64_t waiting() const { return std::ranges::count_if(users_, waits); }
  static bool waits(const User& user) {
    return user.pod != nullptr && !user.reserved && user.pod->spec.node_name.empty();
  }

  const Scene& scene_;
  const api::ResourceClaim& claim_;
  const bool pods_seen_;
  std::vector<User> users_;
};

// A reservation names the uid of its pod: a new pod of the same name is another consumer.
void ClaimDescription::add_reservations() {
  for (const api::Consumer& consumer : claim_.status.reserved_for) {
    User user{.name = std::string(consumer.name), .status = {}, .reserved = true};
    if (!consumer.is_pod()) {
      user.name = api::words_of(consumer);
      user.no_pod = !engine::is_pod_group(consumer);
    } else if (!pods_seen_) {
      user.status = kUnknown;
    } else {
      const std::string_view ns = claim_.meta.namespace_;
      user.pod = engine::consuming_pod(scene_.snapshot, ns, consumer);
      user.gone = user.pod == nullptr;
      if (user.gone) {
        user.tone = Tone::Bad;
        user.namesake = engine::words_for_namesake(scene_.snapshot, ns, consumer);
        user.status = user.namesake.empty() ? "gone" : "gone, another pod has its name";
      } else {
        user.status = engine::pod_status(*user.pod);
      }
    }
    users_.push_back(std::move(user));
  }
}

void ClaimDescription::add_pods() {
  for (const api::Pod& pod : scene_.snapshot.all<api::Pod>()) {
    if (pod.meta.namespace_ != claim_.meta.namespace_ || pod.finished()) continue;
    if (!engine::names_claim(pod, claim_.meta.name)) continue;
    if (std::ranges::find(users_, &pod, &User::pod) != users_.end()) continue;
    const bool bound = !pod.spec.node_name.empty();
    users_.push_back({.name = std::string(pod.meta.name),
                      .status = engine::pod_status(pod) + (bound ? ", not reserved" : ", waits"),
                      .tone = bound ? Tone::Bad : Tone::Warn,
                      .pod = &pod});
  }
}

std::string ClaimDescription::user_words() const {
  const auto& consumers = claim_.status.reserved_for;
  const bool pods = std::ranges::all_of(consumers, &api::Consumer::is_pod);
  return base::plural(in_use(), pods ? "pod" : "user");
}

std::string ClaimDescription::state_words() const {
  if (claim_.meta.deleted)
    return in_use() > 0 ? "is being deleted, while in use by " + user_words() : "is being deleted";
  if (claim_.allocated()) {
    if (in_use() > 0) return "is allocated and in use by " + user_words();
    return pods_seen_ ? "is allocated and not in use" : "is allocated";
  }
  if (waiting() > 0) {
    return base::format("is pending: {} {} for it", base::plural(waiting(), "pod"),
                        waiting() == 1 ? "waits" : "wait");
  }
  return pods_seen_ ? "is pending, and no pod uses it" : "is pending";
}

std::string ClaimDescription::headline() const {
  return base::format("Claim {}/{} {}.", claim_.meta.namespace_, claim_.meta.name, state_words());
}

Tone ClaimDescription::tone() const {
  if (claim_.meta.deleted || waiting() > 0) return Tone::Warn;
  return claim_.allocated() && in_use() > 0 ? Tone::Good : Tone::Strong;
}

void ClaimDescription::add_deletion_problem(Description& out) const {
  if (!claim_.meta.deleted) return;
  std::vector<std::string> names;
  for (const User& user : users_) {
    if (user.reserved && !user.gone) names.push_back(user.name);
  }
  // What keeps it is said of each such pod.
  const bool reserved = std::ranges::any_of(users_, [](const User& user) { return user.gone; });
  if (names.empty() && reserved) return;
  if (names.empty()) {
    out.problem(
        "Its deletion still waits, though it is no longer in use",
        "kube-controller-manager takes the finalizer away; if it stays, see that controller's "
        "log.",
        Tone::Warn);
    return;
  }
  out.problem(base::format("Its deletion waits for {}", some_of(names, kMaxConsumers)),
              std::string(diag::info_of(diag::Code::ClaimDeleting).remedy));
}

void ClaimDescription::add_use_problem(Description& out) const {
  for (const User& user : users_) {
    if (user.no_pod) {
      out.problem(base::format("Reserved for {}, which is not a pod", user.name),
                  base::format("If {} is gone, the claim has to be freed by hand: the claim "
                               "controller does that for pods only.",
                               user.name),
                  Tone::Warn);
    } else if (user.gone) {
      out.problem(
          base::format("Reserved for pod {}, which is gone{}", user.name, user.namesake),
          "kube-controller-manager removes the reservation; if it stays, see that controller's "
          "log.");
    } else if (!user.reserved && claim_.allocated() && !waits(user)) {
      out.problem(
          base::format("Pod {} has a node, but the claim is not reserved for it: the kubelet "
                       "does not start it",
                       user.name),
          "Delete the pod and let the scheduler choose its node.");
    }
  }
  const bool full = claim_.status.reserved_for.size() >= kMaxReservations;
  if (full)
    out.problem(base::format("Reserved for {} users: no more can share it", kMaxReservations));
  if (pods_seen_ && claim_.allocated() && !claim_.meta.deleted && users_.empty()) {
    out.problem("It keeps its devices although no pod uses it",
                "Delete the claim if it is not needed: that frees the devices.", Tone::Warn);
  }
}

// The kubelet reports failures to prepare devices in events of the pod, not of the claim.
void ClaimDescription::add_prepare_problem(Description& out) const {
  for (const User& user : users_) {
    if (user.pod == nullptr || user.pod->status.phase == "Running") continue;
    const api::Event* failed =
        engine::newest_warning(scene_.snapshot, "Pod", user.pod->meta, engine::kFailedPrepare);
    if (failed == nullptr || user.pod->finished()) continue;
    out.problem(base::format("Pod {} does not start: {}, {}: {}", user.name, failed->reason,
                             ago(failed->last_seen(), scene_.now), failed->message));
  }
}

void ClaimDescription::add_missing_node_problem(Description& out) const {
  if (!claim_.allocated() || !allocation()->node_selector) return;
  const auto& nodes = scene_.snapshot.all<api::Node>();
  if (nodes.empty() || !scene_.snapshot.coverage().saw(api::Kind::Node)) return;
  const bool any = std::ranges::any_of(nodes, [this](const api::Node& node) {
    const auto matches = engine::matches(*allocation()->node_selector, node);
    return !matches.ok() || matches.value();
  });
  if (!any) {
    out.problem(base::format("No node is {}: no pod can use the claim where it is allocated",
                             engine::describe(*allocation()->node_selector)),
                "Delete the pods that use the claim; it is then freed, or allocated again.");
  }
}

// The origin of the claim: a template and a pod, or the scheduler for an extended resource.
std::string ClaimDescription::maker() const {
  const api::OwnerReference* owner = api::controller_of(claim_.meta);
  if (owner == nullptr || owner->kind != "Pod") return {};
  const std::string_view* reference = api::find(claim_.meta.annotations, kPodClaimName);
  if (engine::is_for_extended_resources(claim_))
    return base::format("by the scheduler, for extended resources of pod {}", owner->name);
  if (reference == nullptr) return {};
  const auto* pod = scene_.snapshot.find<api::Pod>(claim_.meta.namespace_, owner->name);
  if (pod != nullptr) {
    const auto& claims = pod->spec.claims;
    const auto entry = std::ranges::find(claims, *reference, &api::PodClaim::name);
    if (entry != claims.end() && !entry->template_name.empty())
      return base::format("from template {}, as claim {} of pod {}", entry->template_name,
                          *reference, owner->name);
  }
  return base::format("from a template, as claim {} of pod {}", *reference, owner->name);
}

// The same as JSON; null where maker() is empty.
json::Value ClaimDescription::maker_json() const {
  const api::OwnerReference* owner = api::controller_of(claim_.meta);
  if (maker().empty()) return {};
  json::Value out = json::Value::object();
  out.set("pod", owner->name);
  if (engine::is_for_extended_resources(claim_)) {
    out.set("extendedResource", true);
    return out;
  }
  const std::string_view* reference = api::find(claim_.meta.annotations, kPodClaimName);
  out.set("resourceClaim", *reference);
  const auto* pod = scene_.snapshot.find<api::Pod>(claim_.meta.namespace_, owner->name);
  if (pod == nullptr) return out;
  const auto& claims = pod->spec.claims;
  const auto entry = std::ranges::find(claims, *reference, &api::PodClaim::name);
  if (entry != claims.end()) set_if_any(out, "resourceClaimTemplateName", entry->template_name);
  return out;
}

void ClaimDescription::facts(Description& out) const {
  out.set("state", claim_state(claim_));
  out.set("createdFor", maker_json());
  out.fact("state", claim_state_words(claim_state(claim_)));
  if (const api::Allocation* allocation = this->allocation()) {
    out.fact("node", allocation->node_selector ? engine::describe(*allocation->node_selector)
                                               : "every node");
    if (allocation->at) out.fact("allocated", ago(allocation->at, scene_.now));
  }
  const std::string made = maker();
  out.fact("made", made);
  if (made.empty()) add_owner(out, claim_.meta);
  add_lifecycle(out, claim_.meta);
  for (const User& user : users_) {
    if (!waits(user)) continue;
    const auto* word = api::condition_of(user.pod->status.conditions, "PodScheduled");
    if (word == nullptr || word->message.empty()) continue;
    out.fact("scheduler", without_preemption(word->message));
    out.set("schedulerMessage", without_preemption(word->message));
    break;
  }
}

json::Value ClaimDescription::user_json(const User& user) const {
  json::Value out = json::Value::object();
  out.set("name", user.name);
  out.set("reserved", user.reserved);
  set_if_any(out, "status", user.status);
  if (user.pod == nullptr) return out;
  set_if_any(out, "nodeName", user.pod->spec.node_name);
  set_if_any(out, "containers", containers_with(*user.pod, claim_.meta.name));
  return out;
}

void ClaimDescription::users(Description& out) const {
  json::Value list = json::Value::array();
  for (const User& user : users_)
    list.push(user_json(user));
  out.set("consumers", std::move(list));
  const bool pods = std::ranges::all_of(claim_.status.reserved_for, &api::Consumer::is_pod);
  view::Table table =
      section_table({pods ? "POD" : "CONSUMER", "STATUS", "NODE", "CONTAINERS"}, {"STATUS"});
  for (const User& user : users_) {
    if (table.rows.size() == kMaxConsumers) break;
    const bool there = user.pod != nullptr;
    table.rows.push_back({cell(user.name), cell(user.status, user.tone),
                          cell(there ? user.pod->spec.node_name : std::string_view()),
                          cell(there ? containers_with(*user.pod, claim_.meta.name) : "")});
  }
  const std::size_t left = users_.size() - table.rows.size();
  drop_empty_columns(table);
  out.section("Used by");
  out.add(std::move(table));
  if (left > 0) out.note(base::format("and {} more", left));
}

void ClaimDescription::go_on(Description& out) const {
  const auto pod = [this](const User& user) {
    return SubjectName{"Pod", std::string(claim_.meta.namespace_), std::string(user.name)};
  };
  if (!claim_.allocated()) {
    out.next(command_for("explain", "claim", subject_of("ResourceClaim", claim_.meta)),
             "why it is not allocated");
    return;
  }
  for (const User& user : users_) {
    const bool stuck = user.pod != nullptr && !user.pod->spec.node_name.empty() &&
                       user.pod->status.phase == "Pending";
    if (stuck) out.next(command_for("explain", "pod", pod(user)), "why it does not start");
    if (stuck) break;
  }
  const auto waiting = std::ranges::find_if(users_, waits);
  if (waiting != users_.end())
    out.next(command_for("explain", "pod", pod(*waiting)), "why it waits");
}

}  // namespace

Described describe_claim(const Scene& scene, const api::ResourceClaim& claim) {
  return ClaimDescription(scene, claim).build();
}

}  // namespace dra::report
