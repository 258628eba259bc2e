// src/answers/explain/device_remedies.cpp: looks at what devices have, and at the driver's pods.

#include "src/answers/explain/device_remedies.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "dra/answers/explain/headline.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/disruption_budgets.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/pod_requests.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/scheduler/node_filters.h"
#include "src/answers/explain/after/after_remedy_parts.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;
using diag::Remedy;

std::string_view id_of_name(std::string_view full_name) {
  return full_name.substr(full_name.rfind('/') + 1);
}

// --- pools

// The driver of an unusable pool on the node; empty: none is named.
std::string_view driver_of_pool(const Grounds& grounds, const Reason& reason) {
  for (const engine::Pool& pool : grounds.cluster.inventory.pools()) {
    const std::string named = base::format("pool {} of {}", pool.name, pool.driver);
    if (reason.message.find(named) != std::string::npos) return pool.driver;
  }
  return {};
}

// The driver's pod on that node is what publishes the slices.
Remedy of_pool(const Grounds& grounds, const engine::NodeResult& node, const Reason& reason) {
  const std::string_view driver = driver_of_pool(grounds, reason);
  for (const api::Pod& pod : grounds.cluster.snapshot.all<api::Pod>()) {
    if (driver.empty() || pod.spec.node_name != node.name || !engine::runs_plugin_of(pod, driver) ||
        api::is_true(pod.status.conditions, "Ready"))
      continue;
    const bool crashes = engine::container_state(pod).starts_with("CrashLoopBackOff");
    return {base::format("The pod of driver {} on node {} has to publish the slices, and it is {}: "
                         "fix it first.",
                         driver, node.name, engine::trouble_in_words(pod)),
            diag::kubectl(crashes ? "logs" : "describe pod")
                .name(pod.meta.name)
                .in(pod.meta.namespace_)
                .words(crashes ? "--all-containers --previous" : "")
                .text()};
  }
  return {};
}

// --- taints

// The request's toleration of the key of a taint that it does not tolerate.
const api::Toleration* near_toleration(const api::DeviceDemand& demand,
                                       const api::DeviceTaint& taint) {
  const auto found = std::ranges::find_if(demand.tolerations, [&taint](const auto& toleration) {
    return toleration.key == taint.key && !engine::tolerates(toleration, taint);
  });
  return found == demand.tolerations.end() ? nullptr : &*found;
}

std::string in_quotes(std::string_view text) { return base::format("\"{}\"", text); }

std::string toleration_words(std::string_view request, const api::Toleration& near,
                             const api::DeviceTaint& taint) {
  const bool effect = !near.effect.empty() && near.effect != taint.effect;
  return base::format(
      "Request {} has a toleration of {}, and it does not match: it asks for {}, and the taint has "
      "{}. {}",
      request, taint.key,
      effect ? base::format("effect {}", near.effect)
             : base::format("value {}", in_quotes(near.value)),
      effect ? std::string(taint.effect) : in_quotes(taint.value),
      effect ? "Correct its effect, or omit it." : "Write `operator: Exists`, or that value.");
}

// What is wrong with the demand's toleration that nearly matches a taint; empty: it has none.
std::string near_toleration_words(const engine::Inventory& inventory,
                                  const api::NamedDemand& named) {
  for (const engine::InventoryDevice& device : inventory.devices()) {
    for (const engine::DeviceTaintOf& taint : device.taints) {
      const api::Toleration* near = near_toleration(*named.demand, *taint.taint);
      if (near != nullptr) return toleration_words(named.name, *near, *taint.taint);
    }
  }
  return {};
}

Remedy of_taint(const Grounds& grounds) {
  Remedy remedy;
  engine::for_each_unmet(
      grounds.subject, [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
        for (const api::NamedDemand& named : api::demands_of(request)) {
          if (remedy.text.empty())
            remedy.text = near_toleration_words(grounds.cluster.inventory, named);
        }
      });
  return remedy;
}

// --- attributes of constraints

// The attribute of a constraint that the device does not have; empty: none.
std::string_view missing_attribute(const engine::SubjectClaim& claim, std::string_view request,
                                   const engine::InventoryDevice& device) {
  for (const api::Constraint& constraint : claim.spec->devices.constraints) {
    const std::string_view attribute = constraint.match_attribute.empty()
                                           ? constraint.distinct_attribute
                                           : constraint.match_attribute;
    const std::string_view root = request.substr(0, request.find('/'));
    const auto& names = constraint.requests;
    const bool meant = names.empty() || std::ranges::find(names, root) != names.end() ||
                       std::ranges::find(names, request) != names.end();
    if (meant && engine::attribute_for(*device.published.device,
                                       device.published.slice->spec.driver, attribute) == nullptr)
      return attribute;
  }
  return {};
}

// The values that devices of the cluster have of the attribute.
std::set<std::string> values_of(const engine::Inventory& inventory, std::string_view attribute) {
  std::set<std::string> values;
  for (const engine::InventoryDevice& device : inventory.devices()) {
    const auto* value = engine::attribute_for(*device.published.device,
                                              device.published.slice->spec.driver, attribute);
    if (value != nullptr) values.insert(engine::attribute_text(*value));
  }
  return values;
}

// The attribute of the device that is meant: one with a value of the asked, or one of nearly the
// same name. With its domain; empty: none is like it.
std::string likely_attribute(const engine::Inventory& inventory,
                             const engine::InventoryDevice& device, std::string_view asked) {
  const std::set<std::string> values = values_of(inventory, asked);
  const std::string_view driver = device.published.slice->spec.driver;
  std::vector<std::string_view> ids;
  std::map<std::string_view, std::string> full;
  for (const auto& attribute : device.published.device->attributes) {
    std::string name = engine::full_attribute_name(driver, attribute.key);
    // Numbers and truth values are the same by chance.
    const bool text = attribute.value.kind() == api::DeviceAttribute::Kind::String;
    if (text && values.contains(engine::attribute_text(attribute.value))) return name;
    full.emplace(ids.emplace_back(id_of_name(attribute.key)), name);
  }
  const auto same = full.find(id_of_name(asked));
  if (same != full.end()) return same->second;
  const std::string_view near = base::nearest(id_of_name(asked), ids);
  return near.empty() ? std::string() : full[near];
}

const engine::InventoryDevice* device_named(const engine::Inventory& inventory,
                                            const std::vector<std::string>& names) {
  if (names.empty()) return nullptr;
  const auto& devices = inventory.devices();
  const auto found = std::ranges::find_if(devices, [&names](const auto& device) {
    return engine::to_string(device.published.id()) == names.front();
  });
  return found == devices.end() ? nullptr : &*found;
}

Remedy of_attribute(const Grounds& grounds, const Reason& reason) {
  const engine::Inventory& inventory = grounds.cluster.inventory;
  const auto* device = device_named(inventory, reason.examples);
  const auto& claims = grounds.subject.claims;
  const auto claim = std::ranges::find_if(
      claims, [&reason](const auto& one) { return one.label() == reason.claim; });
  if (device == nullptr || claim == claims.end() || claim->spec == nullptr) return {};
  const std::string_view asked = missing_attribute(*claim, reason.request, *device);
  const std::string near = asked.empty() ? "" : likely_attribute(inventory, *device, asked);
  if (near.empty()) return {};
  const std::string_view driver = device->published.slice->spec.driver;
  if (values_of(inventory, asked).empty())
    return {
        base::format("No device has {}. Write {}, which devices of {} have.", asked, near, driver)};
  return {
      base::format("Devices of {} have {} in place of {}: values of two attributes are never "
                   "compared. Its driver "
                   "has to publish {} (a later version may), or the constraint has to go.",
                   driver, near, asked, asked)};
}

// Taints that Kubernetes itself sets for a state of the node and takes away when that is over: to
// tolerate them is no way out. Upstream: k8s.io/kubernetes/pkg/controller/nodelifecycle,
// nodeConditionToTaintKeyStatusMap; k8s.io/cloud-provider/api.
struct StateTaint {
  std::string_view key;
  std::string_view what;
};
constexpr std::array kStateTaints = {
    StateTaint{"node.kubernetes.io/disk-pressure", "Free the disk of node {}"},
    StateTaint{"node.kubernetes.io/memory-pressure", "Free memory on node {}"},
    StateTaint{"node.kubernetes.io/pid-pressure", "End processes on node {}, which has too many"},
    StateTaint{"node.kubernetes.io/network-unavailable", "Get the network of node {} to work"},
    StateTaint{"node.cloudprovider.kubernetes.io/uninitialized",
               "Look at the cloud controller manager, which has not initialized node {}"}};

// What to do about the node if one of these taints keeps the pod away. Empty: none does.
Remedy of_state_of_node(const Grounds& grounds, std::string_view name) {
  const auto* node = grounds.cluster.snapshot.find<api::Node>(name);
  if (node == nullptr || grounds.subject.pod == nullptr) return {};
  const bool compares = engine::tolerations_compare(grounds.cluster.snapshot.server());
  for (const api::NodeTaint* taint : engine::untolerated(*node, *grounds.subject.pod, compares)) {
    const auto state = std::ranges::find(kStateTaints, taint->key, &StateTaint::key);
    if (state == kStateTaints.end()) continue;
    std::string what(state->what);
    what.replace(what.find("{}"), 2, name);
    return {base::format("{}: the taint goes away by itself then. A toleration would not help the "
                         "node.",
                         what),
            diag::kubectl("describe node").name(name).text()};
  }
  return {};
}

// " It is not drained yet: PodDisruptionBudget ..." of the pods there that use the subject's
// claims. Empty: no budget is in the way, or none can be read.
std::string why_not_drained(const Grounds& grounds, std::string_view node) {
  const snapshot::Snapshot& snapshot = grounds.cluster.snapshot;
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    if (!claim.allocated()) continue;
    for (const api::Consumer& consumer : claim.claim->status.reserved_for) {
      const api::Pod* pod = engine::consuming_pod(snapshot, claim.claim->meta.namespace_, consumer);
      if (pod == nullptr || pod->spec.node_name != node) continue;
      const auto budgets = engine::budgets_against(snapshot, *pod);
      if (!budgets.empty())
        return base::format(" {}.", capitalized(engine::words_for_budgets(budgets, *pod)));
    }
  }
  return {};
}

// The scheduler turns to DRA for the resource where no device plugin has it.
bool is_served_by_dra(const snapshot::Snapshot& snapshot, std::string_view resource) {
  return engine::features_of(snapshot.server()).on(engine::Gate::DRAExtendedResource) &&
         engine::ResourceClasses(snapshot.all<api::DeviceClass>()).of(resource) != nullptr;
}

// The pod asks for more than the whole node has, or the node lists 0 of what DRA serves. Empty: it
// does not, or the node has nothing of it, so that another node or a device plugin is missing.
Remedy of_resources(const Grounds& grounds, std::string_view name) {
  const snapshot::Snapshot& snapshot = grounds.cluster.snapshot;
  const auto* node = snapshot.find<api::Node>(name);
  if (node == nullptr || grounds.subject.pod == nullptr) return {};
  const auto rules = engine::request_rules_of(snapshot.server());
  for (const engine::Amount& wanted :
       engine::requests_to_start(*grounds.subject.pod, rules).amounts) {
    const api::Quantity* allocatable = api::find(node->status.allocatable, wanted.resource);
    if (allocatable == nullptr) continue;
    const std::int64_t capacity = engine::amount_of(wanted.resource, *allocatable).value_or(0);
    if (capacity == 0 && engine::is_of_plugin(snapshot.server(), *node, wanted.resource) &&
        is_served_by_dra(snapshot, wanted.resource))
      return {base::format("Remove {} from the status of each node that lists 0 of it, or update "
                           "kube-scheduler to v1.35, which does not count that.",
                           wanted.resource),
              command_of({.resource = std::string(wanted.resource),
                          .command = engine::Command::ForgetResource,
                          .object = {"Node", {}, std::string(name)}})};
    if (capacity <= 0 || wanted.value <= capacity) continue;
    return {
        base::format("Ask for at most {} {} in one pod, or add a larger node: that is all that "
                     "node {} has.",
                     engine::amount_text(wanted.resource, capacity), wanted.resource, name)};
  }
  return {};
}

// The claim of a volume of the pod that the reason is about. Empty: it is about none.
std::string_view volume_claim_of(const api::Pod& pod, const Reason& reason) {
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!volume.source.claim) continue;
    const std::string_view name = volume.source.claim->claim;
    const std::string start = base::format("PersistentVolumeClaim {}", name);
    const std::size_t at = reason.message.find(start);
    if (at == std::string::npos) continue;
    const std::string_view behind = std::string_view(reason.message).substr(at + start.size());
    if (behind.empty() || behind.front() == ' ' || behind.front() == ':') return name;
  }
  return {};
}

Remedy of_volume_claim(const Grounds& grounds, const Reason& reason) {
  if (grounds.subject.pod == nullptr) return {};
  const api::Pod& pod = *grounds.subject.pod;
  const std::string_view claim = volume_claim_of(pod, reason);
  const std::string text(diag::info_of(reason.code).remedy);
  if (claim.empty()) return {};
  if (reason.code == Code::VolumeClaimMissing)
    return {text, diag::kubectl("get pvc").in(pod.meta.namespace_).text()};
  return {text, diag::kubectl("describe pvc").name(claim).in(pod.meta.namespace_).text()};
}

// "gpu.example.com" of `device.attributes["gpu.example.com"].model`; empty: there is none.
std::string_view domain_in(std::string_view part) {
  const std::size_t open = part.find('[');
  if (open == std::string_view::npos || open + 1 == part.size()) return {};
  const char quote = part[open + 1];
  if (quote != '"' && quote != '\'') return {};
  const std::size_t close = part.find(quote, open + 2);
  return close == std::string_view::npos ? std::string_view()
                                         : part.substr(open + 2, close - open - 2);
}

}  // namespace

Remedy remedy_against(const Grounds& grounds, const engine::NodeResult& node,
                      const Reason& reason) {
  if (diag::name_of(reason.code).starts_with("Volume")) return of_volume_claim(grounds, reason);
  switch (reason.code) {
    case Code::NodeTainted:
      return of_state_of_node(grounds, node.name);
    case Code::NodeResources:
    case Code::ExtendedResource:
      return of_resources(grounds, node.name);
    case Code::ExtendedClaimEmpty:
      return {
          "Ask for these devices by a claim, too, in place of the extended resource; or keep "
          "the pod from nodes whose device plugin serves it."};
    case Code::NodeUnschedulable:
      return {base::format("Uncordon node {}, if it is to take pods again.{}", node.name,
                           why_not_drained(grounds, node.name)),
              diag::kubectl("uncordon").name(node.name).text()};
    default:
      return {};
  }
}

Remedy remedy_for(const Grounds& grounds, const engine::NodeResult& node, Code code) {
  for (const auto* reasons : {&node.other_reasons, &node.reasons}) {
    const auto reason = std::ranges::find(*reasons, code, &Reason::code);
    if (reason == reasons->end()) continue;
    switch (code) {
      case Code::AllPoolUnusable:
      case Code::PoolIncomplete:
      case Code::PoolInvalid:
        return of_pool(grounds, node, *reason);
      case Code::DeviceTainted:
        return of_taint(grounds);
      case Code::ConstraintAttributeMissing:
        return of_attribute(grounds, *reason);
      default:
        return remedy_against(grounds, node, *reason);
    }
  }
  return {};
}

Remedy remedy_for(const SelectorFinding& finding) {
  if (finding.key.empty() || finding.devices < finding.of) return {};
  std::vector<std::string_view> ids;
  std::map<std::string_view, std::string_view> full;
  for (const std::string& name : finding.names)
    full.emplace(ids.emplace_back(id_of_name(name)), name);
  const std::string_view key = id_of_name(finding.key);
  const auto same = full.find(key);
  const std::string_view near = same != full.end() ? key : base::nearest(key, ids);
  if (near.empty()) {
    return {
        base::format("Put a name that the devices have in place of {}, which none of them has, or "
                     "remove the condition.",
                     finding.part)};
  }
  const std::string_view name = full[near];
  const bool of_capacity = finding.part.find(".capacity") != std::string::npos;
  const std::string_view domain = domain_in(finding.part);
  const std::string missing =
      domain.empty() || finding.key.find('/') != std::string::npos || finding.key == domain
          ? finding.key
          : base::format("{}/{}", domain, finding.key);
  return {base::format("Write device.{}[\"{}\"].{}: no device has {}.",
                       of_capacity ? "capacity" : "attributes", name.substr(0, name.find('/')),
                       near, missing)};
}

}  // namespace dra::answers
