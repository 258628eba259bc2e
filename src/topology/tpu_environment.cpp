// src/topology/tpu_environment.cpp: the rules of the open driver,
// kubernetes-sigs/dra-driver-google-tpu v0.2.0, cmd/tpu-dra-kubeletplugin/util.go, InitEnvs.

#include "dra/topology/tpu_environment.h"

#include <algorithm>
#include <array>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod_environment.h"
#include "dra/base/memory.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/topology/host_groups.h"
#include "dra/topology/tpu_shapes.h"
#include "src/topology/labels.h"
#include "src/topology/pod_environment.h"

namespace dra::topology {
namespace {

using Result = api::AllocationResultItem;

constexpr std::array<std::string_view, 2> kResiliencyLabels = {
    "tpu.google.com/ici-resiliency", "cloud.google.com/gke-tpu-ici-resiliency"};

bool is_tpu(const Result& result) { return engine::hands_out_hosts(result.driver); }

std::string with_commas(const Shape& shape) {
  return base::format("{},{},{}", shape.x, shape.y, shape.z);
}

class Deriver {
 public:
  Deriver(const HostFacts& host, const api::ResourceClaim& claim, const Result& first)
      : host_(host), claim_(claim), first_(first) {
    for (const Result& result : claim.status.allocation->devices.results) {
      if (result.driver == first.driver) devices_.push_back(result.device);
    }
    // If the host's number of chips is not known, the published ones count. A claim with more than
    // these was prepared while there were more.
    chips_ = std::max(host.chips, std::ssize(devices_));
  }

  TpuEnvironment run() {
    environment_.node = host_.name;
    if (std::ssize(devices_) < chips_) {
      environment_.refused = base::format(
          "the claim has {} of the {} chips of its host, and the driver prepares all or none",
          std::ssize(devices_), chips_);
      return std::move(environment_);
    }
    // The driver does not start if it cannot read the topology.
    if (const auto slice = parse_shape(host_.topology)) {
      add_slice(*slice);
    } else {
      note("The topology is not known: nothing is reported about what depends on it");
    }
    note(
        "VBAR_CONTROL_SERVICE_URL is set, too, to the address of the host, which is not read here");
    add("TPU_SKIP_MDS_QUERY", "true", VariableScope::Everywhere);
    add("KUBERNETES_NODE_NAME", std::string(host_.name), VariableScope::Host);
    add("DRA_RESOURCE_DRIVER_NAME", std::string(first_.driver), VariableScope::Everywhere);
    for (const std::string_view device : devices_)
      environment_.variables.push_back(
          {device_variable(device), std::string(claim_.meta.uid), VariableScope::Device, device});
    return std::move(environment_);
  }

 private:
  void add(std::string name, std::string value, VariableScope scope = VariableScope::Slice) {
    environment_.variables.push_back({std::move(name), std::move(value), scope});
  }
  // Adds the variable under both of its names.
  void add_twice(std::string_view name, std::string_view older, const std::string& value,
                 VariableScope scope = VariableScope::Slice) {
    add(std::string(name), value, scope);
    add(std::string(older), value, scope);
  }
  void note(std::string text) { environment_.notes.push_back(std::move(text)); }

  void add_slice(const Shape& slice) {
    const engine::TpuGeneration* generation = engine::tpu_generation_of(host_.generation);
    add("TPU_TOPOLOGY", std::string(host_.topology));
    // The cores of the whole slice: in some generations a chip has one core, in the others two.
    if (generation != nullptr)
      add("TPU_ACCELERATOR_TYPE",
          base::format("{}-{}", generation->name, slice.size() * generation->cores_per_chip));
    else
      note("The generation is not known: nothing is reported about what depends on it");
    add_bounds(slice, generation);
    if (slice.size() == chips_) {
      add("TPU_WORKER_ID", "0");
      add("TPU_WORKER_HOSTNAMES", "localhost");
    } else if (slice.size() > chips_ && slice.size() % chips_ == 0) {
      note(
          base::format("TPU_WORKER_ID and TPU_WORKER_HOSTNAMES are not the driver's in a slice of "
                       "{} hosts: a webhook of GKE or KubeRay sets them, or the pod's own spec",
                       slice.size() / chips_));
    }
  }

  void add_bounds(const Shape& slice, const engine::TpuGeneration* generation) {
    if (host_.accelerator.empty())
      return note("The accelerator is not known: nothing is reported about bounds and wrap");
    if (!host_.accelerator.ends_with("slice"))
      return note(base::format("The driver sets no bounds and no wrap for accelerator {}",
                               host_.accelerator));
    const auto chips = host_bounds(chips_);
    const auto hosts = chips ? divided(slice, *chips) : std::nullopt;
    if (hosts) {
      add_twice("TPU_CHIPS_PER_HOST_BOUNDS", "CHIPS_PER_HOST_BOUNDS", with_commas(*chips));
      add_twice("TPU_HOST_BOUNDS", "HOST_BOUNDS", with_commas(*hosts));
    } else {
      note(base::format("Hosts of {} chips do not make up {}: nothing is reported about bounds",
                        chips_, host_.topology));
    }
    if (generation != nullptr) add_twice("TPU_TOPOLOGY_WRAP", "WRAP", wrap(*generation, slice));
    add_twice("TPU_TOPOLOGY_ALT", "ALT", "false", VariableScope::Everywhere);
    if (generation != nullptr) add_resiliency(*generation, slice);
  }

  // For the driver every slice has three sides, so that a flat one never wraps as a cube does.
  static std::string wrap(const engine::TpuGeneration& generation, Shape slice) {
    slice.dimensions = 3;
    const auto wraps = wraps_of(generation, slice);
    const auto word = [&wraps](std::size_t axis) { return wraps[axis] ? "true" : "false"; };
    return base::format("{},{},{}", word(0), word(1), word(2));
  }

  // A label of the node switches it off, so that without the node it is not known.
  void add_resiliency(const engine::TpuGeneration& generation, const Shape& slice) {
    if (!generation.resilient || std::min({slice.x, slice.y, slice.z}) < 4) return;
    if (host_.node == nullptr)
      return note(
          "The node is not known, whose label may switch ENABLE_ICI_RESILIENCY off: nothing is "
          "reported about it");
    std::string_view label;
    for (const std::string_view key : kResiliencyLabels) {
      if (label.empty()) label = label_of(host_.node->meta, key);
    }
    add("ENABLE_ICI_RESILIENCY", base::lower(label) == "false" ? "false" : "true");
  }

  const HostFacts& host_;
  const api::ResourceClaim& claim_;
  const Result& first_;
  std::vector<std::string_view> devices_;
  std::int64_t chips_ = 0;
  TpuEnvironment environment_;
};

// The container gets chips by this request of the claim; empty: by all requests.
bool gets_chips(const api::ResourceClaim& claim, std::string_view request) {
  return std::ranges::any_of(
      claim.status.allocation->devices.results, [request](const Result& result) {
        // The result of an alternative names it: "request/alternative".
        const std::string_view main = result.request.substr(0, result.request.find('/'));
        return is_tpu(result) && (request.empty() || main == request);
      });
}

bool uses(const api::Pod& pod, const api::Container& container, const api::ResourceClaim& claim) {
  const auto is_claim = [&](std::string_view reference) {
    return std::ranges::any_of(pod.spec.claims,
                               [&](const api::PodClaim& one) {
                                 return one.name == reference && one.claim_name == claim.meta.name;
                               }) ||
           std::ranges::any_of(pod.status.claims, [&](const api::PodClaimStatus& one) {
             return one.name == reference && one.claim_name == claim.meta.name;
           });
  };
  for (const api::ContainerClaim& use : container.resources.claims) {
    if (is_claim(use.name) && gets_chips(claim, use.request)) return true;
  }
  const auto& extended = pod.status.extended_resource_claim;
  if (!extended || extended->claim_name != claim.meta.name) return false;
  return std::ranges::any_of(extended->mappings, [&](const api::ExtendedResourceRequest& one) {
    return one.container == container.name && gets_chips(claim, one.request);
  });
}

// The names to look for in containers, with those that the driver sets for slices of one host.
std::vector<std::string> names_of(const TpuEnvironment& environment) {
  std::vector<std::string> names;
  for (const TpuVariable& variable : environment.variables)
    names.push_back(variable.name);
  for (const char* name : {"TPU_WORKER_ID", "TPU_WORKER_HOSTNAMES"}) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return names;
}

std::optional<std::string> value_in(const TpuEnvironment& environment, std::string_view name) {
  const auto found = std::ranges::find(environment.variables, name, &TpuVariable::name);
  if (found == environment.variables.end()) return std::nullopt;
  return found->value;
}

}  // namespace

std::string device_variable(std::string_view device) {
  return base::format("TPU_DEVICE_{}_RESOURCE_CLAIM", device);
}

bool TpuOverride::differs() const {
  // $(NAME) depends on other variables.
  return driver && value && value->find("$(") == std::string::npos && *driver != *value;
}

std::optional<TpuEnvironment> tpu_environment(const snapshot::Snapshot& snapshot,
                                              const engine::Inventory& inventory,
                                              const api::ResourceClaim& claim) {
  if (!claim.allocated()) return std::nullopt;
  const auto& results = claim.status.allocation->devices.results;
  const auto first = std::ranges::find_if(results, is_tpu);
  if (first == results.end()) return std::nullopt;
  // The driver names pools like their nodes, so the node of an unpublished pool is known, too.
  const engine::Pool* pool = inventory.find_pool(first->driver, first->pool);
  const std::string_view host = pool == nullptr ? std::string_view() : engine::host_of(*pool);
  const HostFacts facts = host_facts(snapshot, host.empty() ? first->pool : host, pool);
  return Deriver(facts, claim, *first).run();
}

std::vector<TpuOverride> tpu_overrides(const TpuEnvironment& environment,
                                       const api::ResourceClaim& claim, const api::Pod& pod) {
  std::vector<TpuOverride> overrides;
  if (environment.variables.empty()) return overrides;
  base::Arena arena;
  const api::PodEnvironment of_pod = api::environment_of(pod, arena);
  const auto add_all = [&](const api::Container& container,
                           const std::vector<api::ContainerEnvironment>& all) {
    const auto text = std::ranges::find(all, container.name, &api::ContainerEnvironment::name);
    if (text == all.end() || !uses(pod, container, claim)) return;
    for (const std::string& name : names_of(environment)) {
      auto own = variable_of(*text, name);
      if (!own) continue;
      overrides.push_back({.pod = &pod,
                           .container = container.name,
                           .name = name,
                           .value = std::move(own->value),
                           .from = std::move(own->from),
                           .driver = value_in(environment, name)});
    }
  };
  for (const api::Container& container : pod.spec.init_containers)
    add_all(container, of_pod.init_containers);
  for (const api::Container& container : pod.spec.containers)
    add_all(container, of_pod.containers);
  return overrides;
}

std::vector<const api::Pod*> pods_with(const snapshot::Snapshot& snapshot,
                                       const api::ResourceClaim& claim) {
  std::vector<const api::Pod*> pods;
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    if (!consumer.is_pod()) continue;
    const auto* pod = snapshot.find<api::Pod>(claim.meta.namespace_, consumer.name);
    // A later pod of the same name has not reserved it.
    if (pod != nullptr && pod->meta.uid == consumer.uid) pods.push_back(pod);
  }
  return pods;
}

}  // namespace dra::topology
