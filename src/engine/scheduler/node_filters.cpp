// src/engine/scheduler/node_filters.cpp: one function for each filter, in the scheduler's order.

#include "dra/engine/scheduler/node_filters.h"

#include <algorithm>
#include <utility>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/node_match.h"
#include "src/engine/scheduler/affinity_term.h"
#include "src/engine/scheduler/declared_features.h"
#include "src/engine/scheduler/node_tolerations.h"
#include "src/engine/scheduler/nominated_pods.h"
#include "src/engine/scheduler/pod_affinity.h"
#include "src/engine/scheduler/topology_spread.h"
#include "src/engine/scheduler/unsimulated.h"
#include "src/engine/scheduler/volumes/pod_volumes.h"
#include "src/engine/scheduler/volumes/volume_filter.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMaxTermsInText = 20;

// Each node that does not match has the text in a reason.
std::string short_text(const api::NodeSelector& selector) {
  if (selector.terms.size() <= kMaxTermsInText) return describe(selector);
  api::NodeSelector first = selector;
  first.terms.resize(kMaxTermsInText);
  return base::format("{} or {} more terms", describe(first),
                      selector.terms.size() - kMaxTermsInText);
}

using diag::Code;
using diag::Reason;

constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";
constexpr std::string_view kNoSchedule = "NoSchedule";

std::string text_of(const HostPort& port) {
  const bool v6 = port.ip.find(':') != std::string_view::npos;
  const std::string address = port.ip == "0.0.0.0" ? std::string()
                              : v6                 ? base::format("[{}]:", port.ip)
                                                   : base::format("{}:", port.ip);
  return base::format("{}{}/{}", address, port.port, port.protocol);
}

// Zero for a resource that the node does not have.
std::int64_t capacity_of(const api::Node& node, std::string_view resource) {
  const api::Quantity* allocatable = api::find(node.status.allocatable, resource);
  return allocatable == nullptr ? 0 : amount_of(resource, *allocatable).value_or(0);
}

// A resource of a device plugin has a domain in its name; the node's own resources do not.
Code code_of(std::string_view resource) {
  return resource.find('/') == std::string_view::npos ? Code::NodeResources
                                                      : Code::ExtendedResource;
}

std::string shortage_text(const Amount& wanted, const ResourceLoad& load, std::int64_t capacity) {
  const auto text = [&wanted](std::int64_t value) { return amount_text(wanted.resource, value); };
  const std::string wants =
      base::format("the pod needs {} {}, and", text(wanted.value), wanted.resource);
  if (capacity == 0) return base::format("{} the node has none", wants);
  if (wanted.value > capacity) return base::format("{} the node has {}", wants, text(capacity));
  const std::string left = load.requested >= capacity ? "none" : text(capacity - load.requested);
  return base::format("{} {} of {} {} left ({} requested by {})", wants, left, text(capacity),
                      left == "1" || left == "none" ? "is" : "are", text(load.requested),
                      base::plural(load.pods, "pod"));
}

// If classes cannot be read, any extended resource may be served by one.
std::vector<ResourceFromDra> resources_from_dra(const snapshot::Snapshot& snapshot,
                                                const PodRequests& wanted) {
  std::vector<ResourceFromDra> resources;
  if (!features_of(snapshot.server()).on(Gate::DRAExtendedResource)) return resources;
  const ResourceClasses classes(snapshot.all<api::DeviceClass>());
  const bool all_seen = snapshot.coverage().saw(api::Kind::Class);
  for (const Amount& amount : wanted.amounts) {
    if (amount.value == 0 || !is_extended_resource(amount.resource)) continue;
    if (classes.of(amount.resource) != nullptr || !all_seen)
      resources.push_back({amount.resource, all_seen && classes.certain(amount.resource)});
  }
  return resources;
}

// Required affinity between pods, or topology spread that is kept.
bool has_terms_of_pods(const api::PodSpec& spec) {
  const bool spreads = std::ranges::any_of(
      spec.spread, [](const auto& one) { return one.when_unsatisfiable == "DoNotSchedule"; });
  return spreads || !spec.affinity.to_pods.required.empty() ||
         !spec.affinity.against_pods.required.empty();
}

}  // namespace

std::vector<const api::NodeTaint*> untolerated(const api::Node& node, const api::Pod& pod,
                                               bool compares) {
  std::vector<const api::NodeTaint*> taints;
  for (const api::NodeTaint& taint : node.spec.taints) {
    const bool keeps_away = taint.effect == kNoSchedule || taint.effect == "NoExecute";
    if (keeps_away && !tolerates(pod, taint, compares)) taints.push_back(&taint);
  }
  return taints;
}

bool is_of_other_pods(Code code) {
  return code == Code::TopologySpread || code == Code::PodAffinity ||
         code == Code::PodAntiAffinity || code == Code::PodRepelled || code == Code::VolumeInUse;
}

bool depends_on_other_pods(const api::Pod& pod, const NodeLoads& loads) {
  return has_terms_of_pods(pod.spec) || !loads.repelling().empty() || has_volume_claims(pod.spec);
}

bool is_tied_to_waiting_pods(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  if (has_terms_of_pods(pod.spec)) return true;
  if (!has_volume_claims(pod.spec)) return false;
  const auto needed = {api::Kind::PersistentVolumeClaim, api::Kind::PersistentVolume,
                       api::Kind::StorageClass};
  const bool known = std::ranges::all_of(
      needed, [&snapshot](api::Kind kind) { return snapshot.coverage().saw(kind); });
  if (!known) return true;
  const PodVolumes volumes = volumes_of(snapshot, pod);
  return !volumes.waiting.empty() || !volumes.made_at_once.empty() ||
         std::ranges::any_of(volumes.bound, [](const PodVolumeClaim& claim) {
           const auto& modes = claim.spec->access_modes;
           return std::ranges::find(modes, "ReadWriteOncePod") != modes.end();
         });
}

bool depends_on_far_pods(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                         const NodeLoads& loads) {
  const auto repels = [&](const api::Pod* other) {
    return other->spec.node_name != pod.spec.node_name &&
           std::ranges::any_of(other->spec.affinity.against_pods.required, [&](const auto& term) {
             return match_of(snapshot, term, *other, pod) != TermMatch::No;
           });
  };
  return is_tied_to_waiting_pods(snapshot, pod) || std::ranges::any_of(loads.repelling(), repels);
}

bool has_affinity_to_its_like(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  return std::ranges::any_of(pod.spec.affinity.to_pods.required, [&](const auto& term) {
    return match_of(snapshot, term, pod, pod) != TermMatch::No;
  });
}

NodeFilters::NodeFilters(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                         const api::Pod& pod, const OtherPodsReasons* elsewhere)
    : pod_(pod),
      loads_(loads),
      server_(snapshot.server()),
      compares_(tolerations_compare(snapshot.server())),
      wanted_(requests_to_start(pod, loads.rules())),
      ports_(host_ports_of(pod)),
      from_dra_(resources_from_dra(snapshot, wanted_)),
      features_(features_needed(pod.spec, snapshot.server())),
      not_simulated_(unsimulated_parts(snapshot, pod, loads)),
      elsewhere_(elsewhere) {
  if (!pod.spec.node_name.empty() && !pod.finished()) own_ = requests_on_node(pod, loads.rules());
  if (const auto& required = pod.spec.affinity.to_nodes.required) {
    for (const api::NodeSelectorTerm& term : required->terms)
      terms_.emplace_back(api::NodeSelector{{term}});
    affinity_text_ = terms_.empty() ? "without terms" : short_text(*required);
  }
  if (!wanted_.readable) not_simulated_.emplace_back("requests that are not valid quantities");
  const auto& nodes = snapshot.all<api::Node>();
  const auto is_open = [&nodes](const ResourceFromDra& one) {
    return !one.certain && std::ranges::any_of(nodes, [&one](const api::Node& node) {
      return capacity_of(node, one.resource) == 0;
    });
  };
  for (const ResourceFromDra& one : from_dra_) {
    if (is_open(one))
      not_simulated_.push_back(
          base::format("whether a device class serves the resource {}", one.resource));
  }
  if (VolumeFilter::concerns(pod)) {
    volumes_ = std::make_unique<const VolumeFilter>(snapshot, loads, pod);
    add_not_simulated(volumes_->not_read());
  }
  if (elsewhere_ == nullptr) add_filters_of_other_pods(snapshot);
  if (NominatedPods::concern(loads, pod))
    nominated_ = std::make_unique<const NominatedPods>(snapshot, loads, pod, elsewhere,
                                                       elsewhere_ == nullptr && run_pod_affinity());
}

void NodeFilters::add_filters_of_other_pods(const snapshot::Snapshot& snapshot) {
  const auto selected = [this](const api::Node& node) { return is_selected(node); };
  spread_ = std::make_unique<const TopologySpreadFilter>(snapshot, loads_, pod_, selected);
  pod_affinity_ = std::make_unique<const PodAffinityFilter>(snapshot, loads_, pod_);
  add_not_simulated(spread_->not_read());
  add_not_simulated(pod_affinity_->not_read());
}

void NodeFilters::add_not_simulated(const std::vector<std::string>& parts) {
  not_simulated_.insert(not_simulated_.end(), parts.begin(), parts.end());
}

bool NodeFilters::run_pod_affinity() const { return pod_affinity_->runs(); }

NodeFilters::NodeFilters(NodeFilters&&) noexcept = default;
NodeFilters::~NodeFilters() = default;

std::vector<Reason> NodeFilters::against(const api::Node& node) const {
  std::vector<Reason> reasons = against_now(node);
  return nominated_ == nullptr ? reasons : nominated_->add_to(std::move(reasons), node);
}

std::vector<Reason> NodeFilters::against_now(const api::Node& node) const {
  std::vector<Reason> reasons;
  check_name(node, reasons);
  check_taints(node, reasons);
  check_labels(node, reasons);
  if (loads_.gap().empty()) {
    check_ports(node, reasons);
    check_pod_count(node, reasons);
    check_resources(node, reasons);
  }
  if (volumes_ != nullptr) volumes_->check(node, elsewhere_ == nullptr, reasons);
  check_features(node, reasons);
  check_other_pods(node, reasons);
  return reasons;
}

void NodeFilters::check_features(const api::Node& node, std::vector<Reason>& reasons) const {
  std::vector<std::string> missing;
  for (const std::string_view feature : features_) {
    const auto& declared = node.status.declared_features;
    if (std::ranges::find(declared, feature) == declared.end()) missing.emplace_back(feature);
  }
  if (missing.empty()) return;
  reasons.push_back({.code = Code::NodeFeatures,
                     .message = base::format("the kubelet of the node does not declare {}",
                                             base::join(missing, ", "))});
}

void NodeFilters::check_other_pods(const api::Node& node, std::vector<Reason>& reasons) const {
  if (elsewhere_ == nullptr) {
    spread_->check(node, reasons);
    return pod_affinity_->check(node, reasons);
  }
  const auto known = elsewhere_->find(node.meta.name);
  if (known != elsewhere_->end())
    reasons.insert(reasons.end(), known->second.begin(), known->second.end());
}

void NodeFilters::check_name(const api::Node& node, std::vector<Reason>& reasons) const {
  const std::string_view wanted = pod_.spec.node_name;
  if (wanted.empty() || wanted == node.meta.name) return;
  reasons.push_back(
      {.code = Code::NodeName, .message = base::format("spec.nodeName is {}", wanted)});
}

// The node controller also taints a cordoned node; that is reported once.
void NodeFilters::check_taints(const api::Node& node, std::vector<Reason>& reasons) const {
  const api::NodeTaint cordon{kUnschedulableTaint, {}, kNoSchedule, {}};
  const bool cordoned = node.spec.unschedulable && !tolerates(pod_, cordon, compares_);
  if (cordoned) {
    reasons.push_back(
        {.code = Code::NodeUnschedulable, .message = "the node is cordoned (spec.unschedulable)"});
  }
  std::vector<std::string> taints;
  for (const api::NodeTaint* taint : untolerated(node, pod_, compares_)) {
    if (cordoned && taint->key == kUnschedulableTaint) continue;
    taints.push_back(describe_taint(taint->key, taint->value, taint->effect));
  }
  if (taints.empty()) return;
  reasons.push_back({.code = Code::NodeTainted,
                     .message = base::format(taints.size() == 1 ? "taint {} is not tolerated"
                                                                : "taints {} are not tolerated",
                                             base::join(taints, ", "))});
}

// One matching term suffices; an unreadable one matches no node.
bool NodeFilters::affinity_selects(const api::Node& node) const {
  return !pod_.spec.affinity.to_nodes.required ||
         std::ranges::any_of(terms_, [&node](const NodeMatcher& term) {
           const auto matched = term.matches(node);
           return matched.ok() && matched.value();
         });
}

bool NodeFilters::is_selected(const api::Node& node) const {
  return affinity_selects(node) &&
         std::ranges::all_of(pod_.spec.node_selector, [&node](const auto& wanted) {
           const std::string_view* label = api::find(node.meta.labels, wanted.key);
           return label != nullptr && *label == wanted.value;
         });
}

void NodeFilters::check_labels(const api::Node& node, std::vector<Reason>& reasons) const {
  std::vector<std::string> missing;
  for (const auto& [key, value] : pod_.spec.node_selector) {
    const std::string_view* label = api::find(node.meta.labels, key);
    if (label == nullptr || *label != value) missing.push_back(base::format("{}={}", key, value));
  }
  if (!missing.empty()) {
    reasons.push_back(
        {.code = Code::NodeAffinity,
         .message = base::format("nodeSelector {} does not match", base::join(missing, ","))});
  }
  if (affinity_selects(node)) return;
  reasons.push_back(
      {.code = Code::NodeAffinity,
       .message = base::format("required node affinity {} does not match", affinity_text_)});
}

void NodeFilters::check_ports(const api::Node& node, std::vector<Reason>& reasons) const {
  if (ports_.empty()) return;
  for (const HostPort& port : ports_) {
    const auto& uses = loads_.on(node.meta.name).ports;
    const auto use = std::ranges::find_if(uses, [this, &port](const PortUse& taken) {
      return taken.pod != &pod_ && conflict(port, taken.port);
    });
    if (use == uses.end()) continue;
    reasons.push_back({.code = Code::NodePorts,
                       .message = base::format("port {} is taken by pod {}/{}", text_of(port),
                                               use->pod->meta.namespace_, use->pod->meta.name)});
  }
}

bool NodeFilters::is_counted_on(const api::Node& node) const {
  return pod_.spec.node_name == node.meta.name && !pod_.finished();
}

// A node without a number of pods takes none.
void NodeFilters::check_pod_count(const api::Node& node, std::vector<Reason>& reasons) const {
  const std::int64_t allowed = capacity_of(node, "pods");
  const std::int64_t there = loads_.on(node.meta.name).pods - (is_counted_on(node) ? 1 : 0);
  if (there < allowed) return;
  std::string message =
      allowed > 0 ? base::format("the node takes {}, and {} there", base::plural(allowed, "pod"),
                                 there == 1 ? "1 is" : base::format("{} are", there))
      : api::find(node.status.allocatable, "pods") != nullptr
          ? "the node takes no pods (status.allocatable)"
          : "the node does not say how many pods it takes (status.allocatable), which means none";
  reasons.push_back({.code = Code::NodeResources, .message = std::move(message)});
}

bool NodeFilters::may_be_served_by_dra(std::string_view resource) const {
  return std::ranges::find(from_dra_, resource, &ResourceFromDra::resource) != from_dra_.end();
}

// Less than zero may be left if a node has shrunk. The scheduler leaves a resource that the node
// does not have to DRA if a device class serves it (shouldDelegateResourceToDRA).
void NodeFilters::check_resources(const api::Node& node, std::vector<Reason>& reasons) const {
  const NodeLoad& there = loads_.on(node.meta.name);
  for (const Amount& wanted : wanted_.amounts) {
    if (wanted.value == 0) continue;
    const std::int64_t capacity = capacity_of(node, wanted.resource);
    const bool from_dra = capacity == 0 && may_be_served_by_dra(wanted.resource);
    if (from_dra && !is_of_plugin(server_, node, wanted.resource)) continue;
    ResourceLoad load = there.of(wanted.resource);
    if (is_counted_on(node)) {
      const auto own = std::ranges::find(own_.amounts, wanted.resource, &Amount::resource);
      if (own != own_.amounts.end() && own->value != 0) {
        load.requested -= own->value;
        --load.pods;
      }
    }
    if (load.requested <= capacity && wanted.value <= capacity - load.requested) continue;
    reasons.push_back(
        {.code = code_of(wanted.resource),
         .message = from_dra ? base::format("the node still lists {}: 0 of a device plugin, and "
                                            "kube-scheduler v1.34 does not turn to DRA then",
                                            wanted.resource)
                             : shortage_text(wanted, load, capacity)});
  }
}

}  // namespace dra::engine
