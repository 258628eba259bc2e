// src/report/describe/describe_pod.cpp: `describe pod`: its phase, its claims and their devices,
// and the containers that use them.

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/report/lists/list_claims.h"
#include "src/report/describe/describe_allocation.h"
#include "src/report/describe/describe_environment.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_problems.h"

namespace dra::report {
namespace {

using engine::SubjectClaim;
using view::Tone;

constexpr const char* kScheduled = "PodScheduled";

class PodDescription {
 public:
  PodDescription(const Scene& scene, const api::Pod& pod)
      : scene_(scene),
        pod_(pod),
        subject_(engine::subject_of_pod(scene.snapshot, pod)),
        out_(scene, "PodDescription", subject_of("Pod", pod.meta), headline()) {}

  Described build() &&;

 private:
  bool scheduled() const { return !pod_.spec.node_name.empty(); }
  bool running() const { return pod_.status.phase == "Running" || pod_.finished(); }
  std::string headline() const;
  bool is_consequence(const diag::Reason& reason) const;
  void kubelet_warning();
  void problems();
  void scheduling();
  void reservations();
  void unused_claims();
  void unknown_requests(const api::Container& container);
  void container_problems(const api::ContainerStatus& status);
  void facts();
  void set_facts();
  std::vector<api::Toleration> own_tolerations() const;
  std::string tolerations() const;
  std::string extended() const;
  std::vector<std::string> extended_of(std::string_view container) const;
  void claims();
  void containers();
  json::Value container_json(const api::Container& container, bool init) const;
  void environments();
  void conditions();
  void next();
  const api::ContainerStatus* status_of(std::string_view container) const;
  std::vector<const api::ResourceClaim*> existing() const;
  const SubjectClaim* claim_named(std::string_view pod_claim) const;

  const Scene& scene_;
  const api::Pod& pod_;
  engine::Subject subject_;
  Description out_;
};

std::string PodDescription::headline() const {
  const std::string where = scheduled()       ? base::format(" on {}", pod_.spec.node_name)
                            : pod_.finished() ? ""
                                              : ", not scheduled";
  return base::format("Pod {}/{}: {}{}", pod_.meta.namespace_, pod_.meta.name,
                      engine::pod_status(pod_), where);
}

// The existing claims of the pod, each once: a pod may refer to a claim twice.
std::vector<const api::ResourceClaim*> PodDescription::existing() const {
  std::vector<const api::ResourceClaim*> found;
  for (const SubjectClaim& claim : subject_.claims) {
    const bool known = std::ranges::find(found, claim.claim) != found.end();
    if (claim.claim != nullptr && !known) found.push_back(claim.claim);
  }
  return found;
}

const SubjectClaim* PodDescription::claim_named(std::string_view pod_claim) const {
  const auto found = std::ranges::find(subject_.claims, pod_claim, &SubjectClaim::pod_claim);
  return found == subject_.claims.end() ? nullptr : &*found;
}

const api::ContainerStatus* PodDescription::status_of(std::string_view container) const {
  for (const auto* statuses : {&pod_.status.init_containers, &pod_.status.containers}) {
    const auto found = std::ranges::find(*statuses, container, &api::ContainerStatus::name);
    if (found != statuses->end()) return &*found;
  }
  return nullptr;
}

// A missing template explains that a claim is not created, and the controller's message about it;
// the message explains that the claim is not created. Only the first cause is printed.
bool PodDescription::is_consequence(const diag::Reason& reason) const {
  const auto also = [this, &reason](diag::Code cause) {
    return std::ranges::any_of(subject_.blockers, [&reason, cause](const diag::Reason& other) {
      return other.code == cause && other.claim == reason.claim;
    });
  };
  if (reason.code == diag::Code::ClaimCreationFailed) return also(diag::Code::TemplateMissing);
  return reason.code == diag::Code::ClaimNotCreated &&
         (also(diag::Code::TemplateMissing) || also(diag::Code::ClaimCreationFailed));
}

// Reasons that stop the pod before filtering, and the scheduler's own message.
void PodDescription::scheduling() {
  if (scheduled() || pod_.finished()) return;
  for (const diag::Reason& reason : subject_.blockers) {
    if (!is_consequence(reason))
      out_.problem(capitalised(reason.message), std::string(diag::info_of(reason.code).remedy));
  }
  for (const api::Condition& condition : pod_.status.conditions) {
    if (condition.type != kScheduled || condition.status != "False") continue;
    const std::string message = without_preemption(condition.message);
    if (message.empty() || condition.reason == "SchedulingGated") continue;
    out_.problem(
        base::format("The scheduler, {}: {}", ago(condition.changed, scene_.now), message));
  }
}

// The kubelet reports problems of a bound pod in events only.
void PodDescription::kubelet_warning() {
  if (!scheduled() || running()) return;
  const api::Event* newest = engine::newest_warning(scene_.snapshot, "Pod", pod_.meta);
  if (newest == nullptr) return;
  out_.problem(base::format("{}, {}: {}", newest->reason, ago(newest->last_seen(), scene_.now),
                            newest->message));
}

// A bound pod whose claims are not reserved for it does not start.
void PodDescription::reservations() {
  if (!scheduled() || pod_.finished()) return;
  for (const SubjectClaim& claim : subject_.claims) {
    if (claim.claim == nullptr) {
      if (claim.state == engine::ClaimState::Missing)
        out_.problem(base::format("Claim {} does not exist", claim.label()));
      continue;
    }
    const auto& reserved = claim.claim->status.reserved_for;
    const bool for_it = std::ranges::any_of(reserved, [this](const api::Consumer& consumer) {
      return !consumer.is_pod() || consumer.uid == pod_.meta.uid;
    });
    if (for_it) continue;
    out_.problem(
        base::format("Claim {} is not reserved for this pod, and the kubelet does not start it "
                     "without",
                     claim.label()),
        "A scheduler reserves claims before it binds a pod. One without DRA does not, and "
        "spec.nodeName set by hand bypasses the scheduler.");
  }
}

void PodDescription::unused_claims() {
  for (const api::PodClaim& claim : pod_.spec.claims) {
    const auto uses = [&claim](const api::Container& container) {
      return std::ranges::find(container.resources.claims, claim.name,
                               &api::ContainerClaim::name) != container.resources.claims.end();
    };
    const bool used = std::ranges::any_of(pod_.spec.containers, uses) ||
                      std::ranges::any_of(pod_.spec.init_containers, uses);
    if (used) continue;
    out_.problem(
        base::format("No container uses claim {}: its devices are taken, and nothing in the "
                     "pod sees them",
                     claim.name),
        "Name it in resources.claims of a container.", Tone::Warn);
  }
}

// The API server does not check that the request of a container is one of the claim's.
void PodDescription::unknown_requests(const api::Container& container) {
  for (const api::ContainerClaim& use : container.resources.claims) {
    const SubjectClaim* claim = claim_named(use.name);
    if (use.request.empty() || claim == nullptr || claim->spec == nullptr) continue;
    const auto& requests = claim->spec->devices.requests;
    if (std::ranges::find(requests, use.request, &api::DeviceRequest::name) != requests.end())
      continue;
    out_.problem(base::format("Container {} uses request {} of claim {}, which has no such request",
                              container.name, use.request, use.name));
  }
}

void PodDescription::container_problems(const api::ContainerStatus& status) {
  const auto& [waiting, is_running, terminated] = status.state;
  const auto with = [](std::string_view reason, std::string_view message) {
    return message.empty() ? std::string(reason) : base::format("{}: {}", reason, message);
  };
  if (waiting && !waiting->reason.empty() && waiting->reason != "PodInitializing") {
    out_.problem(base::format("Container {} waits: {}", status.name,
                              with(waiting->reason, waiting->message)),
                 {}, Tone::Warn);
  }
  if (terminated && terminated->exit_code != 0) {
    out_.problem(base::format("Container {} ended {} with exit code {}: {}", status.name,
                              ago(terminated->finished, scene_.now), terminated->exit_code,
                              with(terminated->reason, terminated->message)));
  }
  for (const api::ResourceStatus& resource : status.resources) {
    for (const api::ResourceHealth& health : resource.resources) {
      if (health.health.empty() || health.health == api::kHealthy) continue;
      const Tone tone = health.health == "Unknown" ? Tone::Warn : Tone::Bad;
      out_.problem(base::format("Health of {} in container {} is {}", health.id, status.name,
                                with(health.health, health.message)),
                   {}, tone);
    }
  }
}

void PodDescription::problems() {
  scheduling();
  if (!pod_.status.message.empty()) out_.problem(capitalised(std::string(pod_.status.message)));
  reservations();
  kubelet_warning();
  for (const auto* statuses : {&pod_.status.init_containers, &pod_.status.containers}) {
    for (const api::ContainerStatus& status : *statuses)
      container_problems(status);
  }
  unused_claims();
  for (const auto* containers : {&pod_.spec.init_containers, &pod_.spec.containers}) {
    for (const api::Container& container : *containers)
      unknown_requests(container);
  }
  if (subject_.claims.empty() && !engine::uses_claims(pod_)) {
    out_.problem("It uses no claims, and so no devices of this kind", {}, Tone::Dim);
    return;
  }
  out_.saw(api::Kind::Claim, "what it asks for and got is not known");
  out_.saw(api::Kind::Slice, "what its devices are is not known");
}

// Without the tolerations for not-ready and unreachable nodes that every pod has.
std::vector<api::Toleration> PodDescription::own_tolerations() const {
  std::vector<api::Toleration> own;
  for (const api::Toleration& toleration : pod_.spec.tolerations) {
    if (!toleration.key.starts_with("node.kubernetes.io/")) own.push_back(toleration);
  }
  return own;
}

std::string PodDescription::tolerations() const {
  std::vector<std::string> list;
  for (const api::Toleration& toleration : own_tolerations())
    list.push_back(toleration_text(toleration));
  return base::join(list, ", ");
}

// "example.com/gpu of container main as request r0".
std::string PodDescription::extended() const {
  if (!pod_.status.extended_resource_claim) return {};
  const api::ExtendedResourceClaim& claim = *pod_.status.extended_resource_claim;
  std::vector<std::string> parts;
  for (const api::ExtendedResourceRequest& mapping : claim.mappings) {
    parts.push_back(base::format("{} of container {} as request {}", mapping.resource,
                                 mapping.container, mapping.request));
  }
  return base::format("claim {}{}", claim.claim_name,
                      parts.empty() ? "" : ": " + base::join(parts, ", "));
}

json::Value extended_json(const api::ExtendedResourceClaim& claim) {
  json::Value out = json::Value::object();
  out.set("resourceClaimName", claim.claim_name);
  json::Value mappings = json::Value::array();
  for (const api::ExtendedResourceRequest& mapping : claim.mappings) {
    json::Value& one = mappings.push(json::Value::object());
    one.set("containerName", mapping.container);
    one.set("resourceName", mapping.resource);
    one.set("requestName", mapping.request);
  }
  set_if_any(out, "requestMappings", std::move(mappings));
  return out;
}

void PodDescription::set_facts() {
  out_.set("status", engine::pod_status(pod_));
  out_.set("nodeName", pod_.spec.node_name);
  out_.set("nominatedNodeName", pod_.status.nominated_node);
  out_.set("schedulerName", pod_.spec.scheduler_name);
  out_.set("nodeSelector", pairs_json(pod_.spec.node_selector));
  out_.set("tolerations", tolerations_json(own_tolerations()));
  if (pod_.status.extended_resource_claim)
    out_.set("extendedResourceClaimStatus", extended_json(*pod_.status.extended_resource_claim));
}

void PodDescription::facts() {
  set_facts();
  if (scheduled()) out_.fact("node", node_text(scene_, pod_.spec.node_name));
  if (!pod_.status.nominated_node.empty()) {
    out_.fact("nominated",
              base::format("{}, where pods are preempted for it", pod_.status.nominated_node));
  }
  const std::string_view scheduler = pod_.spec.scheduler_name;
  if (!scheduler.empty() && scheduler != api::kDefaultScheduler)
    out_.fact("scheduler", std::string(scheduler));
  std::vector<std::string> labels;
  for (const auto& label : pod_.spec.node_selector)
    labels.push_back(base::format("{}={}", label.key, label.value));
  out_.fact("only nodes", base::join(labels, ", "));
  out_.fact("tolerates", tolerations());
  out_.fact("extended", extended());
  add_owner(out_, pod_.meta);
  add_lifecycle(out_, pod_.meta);
}

std::string state_of(const SubjectClaim& claim) {
  if (claim.claim != nullptr) return claim_state(*claim.claim);
  if (claim.state == engine::ClaimState::NotCreated) return "not created";
  if (claim.state == engine::ClaimState::Unknown) return std::string(kUnknown);
  return std::string(engine::name_of(claim.state));
}

std::string requests_text(const SubjectClaim& claim) {
  if (claim.spec == nullptr) return {};
  std::vector<std::string> requests;
  for (const api::DeviceRequest& request : claim.spec->devices.requests) {
    std::vector<std::string> demands;
    for (const api::NamedDemand& demand : api::demands_of(request))
      demands.push_back(describe_demand(*demand.demand));
    requests.push_back(base::join(demands, " or "));
  }
  return base::join(requests, ", ");
}

json::Value claim_json(const SubjectClaim& claim) {
  json::Value out = json::Value::object();
  set_if_any(out, "name", claim.pod_claim);
  set_if_any(out, "resourceClaimName", claim.name);
  set_if_any(out, "resourceClaimTemplateName", claim.template_name);
  out.set("state", engine::name_of(claim.state));
  set_if_any(out, "asksFor", requests_text(claim));
  return out;
}

void PodDescription::claims() {
  json::Value list = json::Value::array();
  view::Fields lines = section_fields();
  for (const SubjectClaim& claim : subject_.claims) {
    list.push(claim_json(claim));
    const bool allocated = claim.allocated();
    std::string name = claim.name;
    if (!claim.template_name.empty()) {
      name += base::format("{}from template {}", name.empty() ? "" : ", ", claim.template_name);
    }
    const std::string asks = requests_text(claim);
    lines.fields.push_back(
        {claim.pod_claim.empty() ? "(extended)" : std::string(claim.pod_claim),
         {span(name + ": "), span(state_of(claim), allocated ? Tone::Good : Tone::Warn),
          span(asks.empty() ? "" : "; asks for " + asks)}});
  }
  out_.set("claims", std::move(list));
  out_.section("Claims");
  out_.add(std::move(lines));
  json::Value allocations = json::Value::array();
  const std::vector<const api::ResourceClaim*> found = existing();
  for (const api::ResourceClaim* claim : found) {
    if (!claim->allocated()) continue;
    json::Value& one = allocations.push(json::Value::object());
    one.set("resourceClaimName", claim->meta.name);
    json::Value allocation = add_allocation(
        out_, *claim,
        found.size() == 1 ? "Devices" : base::format("Devices of claim {}", claim->meta.name));
    for (json::Member& member : allocation.members())
      one.set(std::move(member.key), std::move(member.value));
  }
  out_.set("allocations", std::move(allocations));
}

std::vector<std::string> PodDescription::extended_of(std::string_view container) const {
  std::vector<std::string> resources;
  if (!pod_.status.extended_resource_claim) return resources;
  for (const api::ExtendedResourceRequest& mapping :
       pod_.status.extended_resource_claim->mappings) {
    if (mapping.container == container) resources.emplace_back(mapping.resource);
  }
  return resources;
}

// "waits (ContainerCreating)", "running for 3h", "ended (Completed)".
std::string state_text(const api::ContainerStatus* status, base::Instant now) {
  if (status == nullptr) return {};
  const api::ContainerState& state = status->state;
  if (state.running) return "running for " + age_of(state.running->started, now);
  if (state.terminated) return base::format("ended ({})", state.terminated->reason);
  return state.waiting && !state.waiting->reason.empty()
             ? base::format("waits ({})", state.waiting->reason)
             : "waits";
}

json::Value PodDescription::container_json(const api::Container& container, bool init) const {
  json::Value out = json::Value::object();
  out.set("name", container.name);
  if (init) out.set("init", true);
  json::Value claims = json::Value::array();
  for (const api::ContainerClaim& claim : container.resources.claims) {
    json::Value& one = claims.push(json::Value::object());
    one.set("name", claim.name);
    set_if_any(one, "request", claim.request);
  }
  set_if_any(out, "claims", std::move(claims));
  set_if_any(out, "extendedResources", texts_json(extended_of(container.name)));
  const api::ContainerStatus* status = status_of(container.name);
  if (status == nullptr) return out;
  set_if_any(out, "state", state_text(status, scene_.now));
  out.set("restartCount", status->restarts);
  return out;
}

void PodDescription::containers() {
  json::Value list = json::Value::array();
  view::Table table = section_table({"CONTAINER", "USES", "STATE", "RESTARTS"});
  const auto add = [this, &table, &list](const api::Container& container, const char* kind) {
    list.push(container_json(container, *kind != '\0'));
    std::vector<std::string> uses;
    for (const api::ContainerClaim& claim : container.resources.claims) {
      uses.push_back(claim.request.empty() ? std::string(claim.name)
                                           : base::format("{}/{}", claim.name, claim.request));
    }
    for (const std::string& resource : extended_of(container.name))
      uses.push_back(resource + " (extended)");
    const api::ContainerStatus* status = status_of(container.name);
    const bool restarted = status != nullptr && status->restarts > 0;
    table.rows.push_back({cell(base::format("{}{}", container.name, kind)),
                          cell(uses.empty() ? "no claim" : base::join(uses, ", ")),
                          cell(state_text(status, scene_.now)),
                          restarted ? cell(status->restarts) : cell("")});
  };
  for (const api::Container& container : pod_.spec.init_containers)
    add(container, " (init)");
  for (const api::Container& container : pod_.spec.containers)
    add(container, "");
  drop_empty_columns(table);
  out_.set("containers", std::move(list));
  out_.section("Containers");
  out_.add(std::move(table));
}

void PodDescription::environments() {
  const std::vector<const api::ResourceClaim*> found = existing();
  json::Value list = json::Value::array();
  for (const api::ResourceClaim* claim : found) {
    json::Value environment =
        add_environment(out_, *claim, &pod_,
                        found.size() == 1 ? "" : base::format(" by claim {}", claim->meta.name));
    if (!environment.is(json::Kind::Null)) list.push(std::move(environment));
  }
  out_.set("environments", std::move(list));
}

// Conditions that are as expected are left out, and so is the scheduler's message, which is printed
// above.
void PodDescription::conditions() {
  std::vector<api::Condition> unusual;
  for (const api::Condition& condition : pod_.status.conditions) {
    const bool is_bad_news = condition.type == "DisruptionTarget";
    const bool said = condition.type == kScheduled && !condition.message.empty();
    if (!said && (condition.status == "True") == is_bad_news) unusual.push_back(condition);
  }
  if (!pod_.finished()) add_conditions(out_, unusual);
}

void PodDescription::next() {
  if (!pod_.finished() && (!scheduled() || pod_.status.phase == "Pending"))
    out_.next(command_for("explain", "pod", subject_of("Pod", pod_.meta)),
              scheduled() ? "why it does not start" : "why it waits");
  for (const api::ResourceClaim* claim : existing())
    out_.next(command_for("describe", "claim", subject_of("ResourceClaim", claim->meta)),
              "its claim");
}

Described PodDescription::build() && {
  problems();
  facts();
  claims();
  containers();
  environments();
  conditions();
  add_events(out_, "Pod", pod_.meta);
  next();
  return std::move(out_).finish();
}

}  // namespace

Described describe_pod(const Scene& scene, const api::Pod& pod) {
  return PodDescription(scene, pod).build();
}

}  // namespace dra::report
