// src/answers/explain/cause_candidates.cpp: see cause_candidates.h.

#include "src/answers/explain/cause_candidates.h"

#include <algorithm>
#include <set>

#include "dra/answers/explain/kept_away.h"
#include "dra/answers/explain/silent_driver_words.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/api/words.h"
#include "dra/base/prose.h"
#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/unready.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/selectors/silent_drivers.h"
#include "src/answers/explain/device_noun.h"
#include "src/answers/explain/device_remedies.h"
#include "src/answers/explain/holders.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;
using engine::SilentDriver;

// Of a question about some nodes the driver's pod there tells why, not one on another node.
void prefer_pod_there(const snapshot::Snapshot& snapshot, const std::vector<std::string>& nodes,
                      SilentDriver& silent) {
  if (silent.pod == nullptr || nodes.empty()) return;
  const auto is_there = [&](const api::Pod& pod) {
    return !pod.finished() && std::ranges::find(nodes, pod.spec.node_name) != nodes.end() &&
           engine::runs_plugin_of(pod, silent.driver);
  };
  if (is_there(*silent.pod)) return;
  const auto& pods = snapshot.all<api::Pod>();
  const auto there = std::ranges::find_if(pods, is_there);
  if (there == pods.end()) return;
  silent.pod = &*there;
  const bool ready = api::is_true(there->status.conditions, "Ready");
  silent.link = ready ? engine::DriverLink::NoSlices : engine::DriverLink::PodNotReady;
  silent.message = ready ? std::string() : engine::unready_in_words(snapshot, *there);
}

// The silent drivers of all demands of the request; empty if some demand's class names another
// driver, or none.
std::vector<SilentDriver> silent_drivers(const Grounds& grounds,
                                         const api::DeviceRequest& request) {
  const auto& [snapshot, inventory, loads, focus] = grounds.cluster;
  std::vector<SilentDriver> silent;
  for (const api::NamedDemand& demand : api::demands_of(request)) {
    const auto* device_class = snapshot.find<api::DeviceClass>(demand.demand->device_class);
    if (device_class == nullptr) return {};
    auto drivers = engine::silent_drivers_of(snapshot, inventory, *device_class);
    if (drivers.empty()) return {};
    for (SilentDriver& one : drivers) {
      if (std::ranges::find(silent, one.driver, &SilentDriver::driver) == silent.end())
        silent.push_back(std::move(one));
    }
  }
  for (SilentDriver& one : silent)
    prefer_pod_there(snapshot, focus.nodes, one);
  say_what_keeps_away(snapshot, loads, silent);
  return silent;
}

// The message against labels that all nodes share; empty if there is none.
std::string_view no_node_is_chosen(const Grounds& grounds) {
  std::string_view shared;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    const auto against = std::ranges::find(node.other_reasons, Code::NodeAffinity, &Reason::code);
    if (against == node.other_reasons.end()) return {};
    if (!shared.empty() && shared != against->message) return {};
    shared = against->message;
  }
  return shared;
}

// No node is of the kind that the pod wants, and none of its devices is known.
Candidate without_nodes(std::string_view against, const SilentDriver& silent) {
  return {
      Code::NodeAffinity,
      base::format("{} on any node, and {}", against, words_of(silent)),
      {"Add such a node, or keep one: an autoscaler learns which devices a new node brings from "
       "one that is there, so it never adds the first, unless it foresees slices.",
       diag::kubectl("get nodes --show-labels").text()}};
}

// The drivers publish something in the cluster as it is: nothing is wrong with them.
bool are_taken_away(const Focus& focus, const std::vector<SilentDriver>& silent) {
  return std::ranges::all_of(silent, [&focus](const SilentDriver& one) {
    return std::ranges::find(focus.drivers_before, one.driver) != focus.drivers_before.end();
  });
}

Candidate without_their_nodes(const std::vector<SilentDriver>& silent) {
  std::vector<std::string> names;
  names.reserve(silent.size());
  for (const SilentDriver& one : silent)
    names.emplace_back(one.driver);
  return {Code::NoMatch,
          base::format("no node that is left has devices of {} {}",
                       names.size() == 1 ? "driver" : "drivers", base::join(names, ", ")),
          {"Keep a node with such devices, or add one.", {}}};
}

bool is_ready(const snapshot::Snapshot& snapshot, std::string_view name) {
  const auto* node = snapshot.find<api::Node>(name);
  return node == nullptr || engine::is_ready(*node);
}

// The kubelet's condition, or what is against the node.
std::string why_not_ready(const snapshot::Snapshot& snapshot, const engine::NodeResult& result) {
  const auto* node = snapshot.find<api::Node>(result.name);
  const api::Condition* ready =
      node == nullptr ? nullptr : api::condition_of(node->status.conditions, "Ready");
  const std::string why = ready == nullptr ? std::string() : api::why(*ready);
  return why.empty() ? result.other_reasons.front().message : why;
}

// Devices that would serve the only request; 0: there are several, or a device plugin serves it.
std::int64_t free_devices(const engine::NodeResult& node) {
  return node.demands.size() == 1 && !node.demands.front().by_plugin ? node.demands.front().usable
                                                                     : 0;
}

std::string_view node_of(const api::ResourceClaim& claim) {
  const auto& allocation = claim.status.allocation;
  return allocation && allocation->node_selector ? engine::only_node(*allocation->node_selector)
                                                 : std::string_view();
}

// Whether a device of the pool counts as in use on the node although its holder is elsewhere.
bool is_held_elsewhere(const Grounds& grounds, const engine::NodeResult& node,
                       std::string_view of_pool) {
  return std::ranges::any_of(node.reasons, [&](const Reason& reason) {
    return reason.code == Code::DeviceInUse &&
           std::ranges::any_of(reason.holders, [&](const diag::Holder& holder) {
             const auto* claim = claim_called(grounds.cluster.snapshot, holder.claim);
             const std::string_view at = claim == nullptr ? std::string_view() : node_of(*claim);
             return holder.device.starts_with(of_pool) && !at.empty() && at != node.name;
           });
  });
}

// A pool that nodes share, with such a device; nullptr: there is none.
const engine::Pool* pool_held_elsewhere(const Grounds& grounds) {
  for (const engine::Pool& pool : grounds.cluster.inventory.pools()) {
    if (nodes_sharing_name(pool).size() < 2) continue;
    const std::string of_pool = base::format("{}/{}/", pool.driver, pool.name);
    const bool held = std::ranges::any_of(grounds.survey.nodes, [&](const auto& node) {
      return is_held_elsewhere(grounds, node, of_pool);
    });
    if (held) return &pool;
  }
  return nullptr;
}

// The rule whose taint one of the devices has.
const api::DeviceTaintRule* rule_on(const Grounds& grounds, const Reason& tainted) {
  for (const api::DeviceTaintRule& rule : grounds.cluster.snapshot.all<api::DeviceTaintRule>()) {
    for (const engine::InventoryDevice& device : grounds.cluster.inventory.devices()) {
      const engine::DeviceId id = device.published.id();
      const bool named =
          std::ranges::find(tainted.examples, engine::to_string(id)) != tainted.examples.end();
      if (named && std::ranges::find(device.taints, &rule, &engine::DeviceTaintOf::rule) !=
                       device.taints.end())
        return &rule;
    }
  }
  return nullptr;
}

diag::Remedy remedy_against(const api::DeviceTaintRule& rule) {
  const std::string command = diag::kubectl_dra("describe taintrule").name(rule.meta.name).text();
  if (rule.spec.selector && rule.spec.selector->is_empty())
    return {base::format("Name the device that is meant in spec.deviceSelector of taint rule {}, "
                         "or delete the rule.",
                         rule.meta.name),
            command};
  return {base::format("Delete taint rule {} when its devices are in order again.", rule.meta.name),
          command};
}

// The device's capacity that is nearest in name, or that contains the name's end or beginning.
std::string nearest_capacity(std::string_view asked, const std::vector<std::string_view>& names) {
  constexpr std::size_t least = 3;  // letters in common
  if (const std::string_view near = base::nearest(asked, names); !near.empty())
    return std::string(near);
  std::string best;
  std::size_t most = least - 1;
  for (const std::string_view name : names) {
    for (std::size_t at = 0; at < asked.size(); ++at) {
      std::size_t length = 0;
      while (at + length < asked.size() &&
             name.find(asked.substr(at, length + 1)) != std::string_view::npos)
        ++length;
      if (length > most) {
        most = length;
        best = name;
      }
    }
  }
  return best;
}

// The only capacity of the device with as much as is asked for, where others have less.
std::string capacity_with(const api::Device& device, std::string_view amount) {
  base::Quantity asked;
  if (base::Quantity::read(amount, asked) != base::Quantity::Flaw::None || asked.is_zero())
    return {};
  std::string only;
  for (const auto& capacity : device.capacity) {
    base::Quantity has;
    if (base::Quantity::read(capacity.value.value.text, has) != base::Quantity::Flaw::None)
      return {};
    if (asked > has) continue;
    if (!only.empty()) return {};
    only = capacity.key;
  }
  return only;
}

const engine::InventoryDevice* device_called(const engine::Inventory& inventory,
                                             std::string_view name) {
  const auto& devices = inventory.devices();
  const auto found = std::ranges::find_if(devices, [name](const engine::InventoryDevice& device) {
    return engine::to_string(device.published.id()) == name;
  });
  return found == devices.end() ? nullptr : &*found;
}

// The first capacity that the demand asks for and the device lacks; empty: none.
std::string_view missing_capacity(const api::DeviceDemand& demand, const api::Device& device) {
  if (!demand.capacity) return {};
  for (const auto& asked : demand.capacity->requests) {
    if (api::find(device.capacity, asked.key) == nullptr) return asked.key;
  }
  return {};
}

diag::Remedy remedy_of_capacity(const Grounds& grounds, const Reason& against) {
  const api::DeviceDemand* demand = engine::UnmetDemands(grounds.subject).of(against);
  const auto* device = against.examples.empty()
                           ? nullptr
                           : device_called(grounds.cluster.inventory, against.examples.front());
  if (demand == nullptr || device == nullptr) return {};
  const api::Device& published = *device->published.device;
  const std::string_view asked = missing_capacity(*demand, published);
  std::vector<std::string_view> names;
  std::vector<std::string> words;
  for (const auto& capacity : published.capacity)
    words.emplace_back(names.emplace_back(capacity.key));
  if (asked.empty() || names.empty()) return {};
  std::string near = nearest_capacity(asked, names);
  if (near.empty())
    near = capacity_with(published, api::find(demand->capacity->requests, asked)->text);
  const std::string all = base::join(words, ", ");
  return {
      near.empty()
          ? base::format("Ask for a capacity that the devices have ({}), not for {}.", all, asked)
          : base::format("Write {} in place of {} in request {}: the devices have {}. A "
                         "claim and its template cannot be edited: create them again.",
                         near, asked, against.request, all),
      diag::kubectl_dra("describe device").name(against.examples.front()).text()};
}

}  // namespace

void name_old_pods(const Grounds& grounds, Candidate& cause) {
  const api::Pod* pod = grounds.subject.pod;
  if (pod == nullptr || !cause.remedy.text.empty()) return;
  const snapshot::Snapshot& snapshot = grounds.cluster.snapshot;
  const std::string deployment =
      held_by_old_pods(snapshot, *pod, holders_in(snapshot, grounds.survey.nodes));
  if (deployment.empty()) return;
  // In place of the names of the old pods, which go and are made again.
  const std::size_t by = cause.text.find(" in use by ");
  if (by != std::string::npos && cause.code == Code::DeviceInUse &&
      cause.text.find(';') == std::string::npos)
    cause.text.resize(by + std::string_view(" in use").size());
  cause.text += base::format(by == std::string::npos ? "; old pods of its own Deployment {} hold "
                                                       "the devices"
                                                     : " by old pods of its own Deployment {}",
                             deployment);
  cause.remedy = {"Let an old pod go before the new one is made.",
                  diag::kubectl("patch deployment")
                      .name(deployment)
                      .in(pod->meta.namespace_)
                      .words("--type merge -p '{\"spec\":{\"strategy\":{\"type\":\"RollingUpdate\","
                             "\"rollingUpdate\":{\"maxSurge\":0,\"maxUnavailable\":1}}}}'")
                      .text()};
}

bool is_of_pool(const Reason& reason) {
  return reason.code == Code::PoolIncomplete || reason.code == Code::PoolInvalid;
}

const Reason* against_devices(const engine::NodeResult& node, const Reason& shortage) {
  if (shortage.code != Code::CountShort && shortage.code != Code::AllUnusable) return nullptr;
  const auto demand = std::ranges::find_if(node.demands, [&shortage](const auto& one) {
    return one.claim == shortage.claim && one.request == shortage.request;
  });
  if (demand == node.demands.end() || demand->matching == demand->in_use + demand->usable)
    return nullptr;
  const auto against = std::ranges::find_if(node.reasons, [&shortage](const Reason& reason) {
    const bool own = reason.claim == shortage.claim && reason.request == shortage.request;
    return (own && reason.devices > 0 && reason.code != shortage.code) ||
           reason.code == Code::DeviceTainted || is_of_pool(reason);
  });
  return against == node.reasons.end() ? nullptr : &*against;
}

std::optional<Candidate> nothing_published(const Grounds& grounds) {
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    if (claim.unmet() == nullptr) continue;
    for (const api::DeviceRequest& request : claim.unmet()->devices.requests) {
      if (!claim.asks(request)) continue;
      const auto silent = silent_drivers(grounds, request);
      if (silent.empty()) continue;
      if (are_taken_away(grounds.cluster.focus, silent)) return without_their_nodes(silent);
      const std::string_view against = no_node_is_chosen(grounds);
      if (!against.empty()) return without_nodes(against, silent.front());
      std::vector<std::string> words;
      words.reserve(silent.size());
      for (const SilentDriver& one : silent)
        words.push_back(words_of(one));
      return Candidate{Code::DriverPublishesNothing, base::join(words, "; "),
                       remedy_of(silent.front())};
    }
  }
  return std::nullopt;
}

std::optional<Candidate> pool_name_shared(const Grounds& grounds) {
  const engine::Pool* pool = pool_held_elsewhere(grounds);
  if (pool == nullptr) return std::nullopt;
  constexpr std::size_t named = 3;
  const auto nodes = nodes_sharing_name(*pool);
  const std::vector<std::string> names(nodes.begin(), nodes.end());
  return Candidate{
      Code::PoolNameShared,
      base::format("nodes {} publish one pool {} of {}, so a device that is in use on one of them "
                   "counts as in use on all",
                   base::join_first(names, named), pool->name, pool->driver),
      {"The driver has to publish one pool for each node: look at its settings and its version.",
       diag::kubectl_dra("describe pool")
           .name(base::format("{}/{}", pool->driver, pool->name))
           .text()}};
}

std::optional<Candidate> only_nodes_are_out(const Grounds& grounds) {
  std::vector<const engine::NodeResult*> out;
  bool other = false;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    if (node.fits() && !node.passes_filters()) {
      out.push_back(&node);
    } else {
      other = true;
    }
  }
  // A claim that is allocated decides about nodes by itself.
  if (out.empty() || grounds.survey.nodes_chosen || grounds.subject.allocated())
    return std::nullopt;
  const Reason& first = out.front()->other_reasons.front();
  const bool alike = std::ranges::all_of(out, [&first](const engine::NodeResult* node) {
    return node->other_reasons.front().message == first.message;
  });
  const bool down = std::ranges::none_of(out, [&grounds](const engine::NodeResult* node) {
    return is_ready(grounds.cluster.snapshot, node->name);
  });
  if (!alike || (!other && !down)) return std::nullopt;
  const auto count = static_cast<std::int64_t>(out.size());
  const bool one = count == 1;
  const std::string which = other ? "the only node whose devices serve it" : "the only node";
  if (!down && one) {
    const std::int64_t free = free_devices(*out.front());
    const std::string noun(device_noun(grounds.cluster.snapshot, grounds.subject));
    const std::string has = free == 0
                                ? std::string("could serve it")
                                : base::format("has {} that {}", base::plural(free, "free " + noun),
                                               free == 1 ? "matches" : "match");
    // It is the number that is asked for that the node does not have.
    const bool amount = first.code == Code::NodeResources || first.code == Code::ExtendedResource;
    return Candidate{
        first.code,
        free == 0 && amount
            ? base::format("{} (node {})", first.message, out.front()->name)
            : base::format("node {} {}, but {}", out.front()->name, has, first.message),
        remedy_against(grounds, *out.front(), first)};
  }
  if (!down)
    return Candidate{first.code,
                     base::format("{} nodes whose devices would serve it are ruled out: {}",
                                  base::all(count), first.message)};
  const std::string who = one ? base::format("{}, {},", which, out.front()->name)
                              : base::format("{} nodes whose devices serve it", base::all(count));
  return Candidate{Code::NodeNotReady,
                   base::format("{} {} not ready: {}", who, one ? "is" : "are",
                                why_not_ready(grounds.cluster.snapshot, *out.front())),
                   {"Bring the node back: its conditions and events show why. If it is gone for "
                    "good, delete it.",
                    diag::kubectl("describe node").name(out.front()->name).text()}};
}

// Takes back the reservation and the devices. A claim without reservations keeps its devices: the
// controller frees them only where it takes back the last reservation itself. Upstream:
// k8s.io/kubernetes/pkg/controller/resourceclaim (Controller.syncClaim).
std::string command_to_free(const api::ResourceClaim& claim) {
  std::string patch = R"({"status":{"allocation":null,"reservedFor":null)";
  patch += claim.status.devices.empty() ? "}}" : R"(,"devices":null}})";
  return diag::kubectl("patch resourceclaim")
      .name(claim.meta.name)
      .in(claim.meta.namespace_)
      .words("--subresource=status --type=merge")
      .option("-p", patch)
      .text();
}

std::optional<Candidate> held_till_someone_acts(const Grounds& grounds, const Reason& shortage,
                                                std::string_view in_use) {
  if (in_use.empty() && shortage.code != Code::CountShort && shortage.code != Code::AllUnusable)
    return std::nullopt;
  const HoldersByClaim holders = holders_in(grounds.cluster.snapshot, grounds.survey.nodes);
  const std::string name = held_for_good(holders);
  const auto* claim = name.empty() ? nullptr : claim_called(grounds.cluster.snapshot, name);
  if (claim == nullptr) return std::nullopt;
  const std::string_view what = in_use.empty() ? std::string_view(shortage.message) : in_use;
  const engine::HolderFacts& holder = holders.begin()->second;
  if (holder.state == engine::HolderState::NotAPod)
    return Candidate{
        Code::DeviceInUse,
        base::format("{}: claim {} is reserved for {}, which is not a pod", what, name,
                     holder.consumer),
        {base::format("If {} is gone, free claim {}: the claim controller does that for pods only.",
                      holder.consumer, name),
         command_to_free(*claim)}};
  if (holder.state != engine::HolderState::Stuck) return std::nullopt;
  const std::string_view pod = claim->status.reserved_for.front().name;
  const std::string full = base::format("{}/{}", claim->meta.namespace_, pod);
  const bool named = what.find(full) != std::string_view::npos;
  return Candidate{Code::DeviceInUse,
                   named ? base::format("{}, which is deleted and does not go away", what)
                         : base::format("{}: pod {} is deleted and does not go away", what, full),
                   {"Find out why that pod does not go away.",
                    diag::kubectl_dra("explain pod").name(pod).in(claim->meta.namespace_).text()}};
}

std::optional<Candidate> against_all_devices(const Grounds& grounds, const Reason& shortage) {
  // Of all devices the first that is lacking decides, and there the holders count as well.
  if (shortage.code != Code::CountShort) return std::nullopt;
  const Reason* shared = nullptr;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    const Reason* against = against_devices(node, shortage);
    if (against == nullptr || (shared != nullptr && against->message != shared->message))
      return std::nullopt;
    shared = against;
  }
  if (shared == nullptr) return std::nullopt;
  Candidate candidate{shared->code, base::format("{}: {}", shortage.message, shared->message)};
  if (shared->code == Code::CapacityMissing)
    candidate.remedy = remedy_of_capacity(grounds, *shared);
  if (shared->code == Code::DeviceTainted) {
    if (const auto* rule = rule_on(grounds, *shared)) candidate.remedy = remedy_against(*rule);
  }
  return candidate;
}

}  // namespace dra::answers
