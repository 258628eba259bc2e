// src/engine/cluster/extended_resources.cpp: finds the class of a resource as the scheduler's cache
// would, in both orders in which it may have seen the classes, and builds the special claim.

#include "dra/engine/cluster/extended_resources.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/pod_requests.h"
#include "dra/engine/facts/features.h"

namespace dra::engine {
namespace {

constexpr std::string_view kClassPrefix = "deviceclass.resource.kubernetes.io/";
constexpr std::string_view kAnnotation = "resource.kubernetes.io/extended-resource-claim";

// The requests of one container. A limit without a request is one (SetDefaults_Pod).
std::map<std::string_view, api::Quantity> requests_of(const api::Container& container) {
  std::map<std::string_view, api::Quantity> requests;
  for (const auto* list : {&container.resources.requests, &container.resources.limits}) {
    for (const auto& [name, quantity] : *list)
      requests.emplace(name, quantity);
  }
  return requests;
}

// Devices are whole. The server normalises the quantity before the scheduler reads it: "1000m" is
// 1.
std::int64_t devices_of(const api::Quantity& written) {
  base::Quantity quantity;
  base::Quantity canonical;
  if (base::Quantity::read(written.text, quantity) != base::Quantity::Flaw::None) return 0;
  if (base::Quantity::read(quantity.to_string(), canonical) != base::Quantity::Flaw::None) return 0;
  return std::max<std::int64_t>(canonical.as_int64().value_or(0), 0);
}

// One container's need of one resource.
struct Need {
  std::string name;        // of the request; made of the numbers of container and resource
  std::int64_t count = 0;  // 0: none
};

Need need_of(const api::Container& container, std::size_t index, std::string_view resource) {
  const auto requests = requests_of(container);
  const auto found = requests.find(resource);
  if (found == requests.end()) return {};
  return {base::format("container-{}-request-{}", index, std::distance(requests.begin(), found)),
          devices_of(found->second)};
}

// The requests for one resource. Containers and sidecars run for the pod's whole life and get
// devices of their own. The other init containers run one after the other and use devices of later
// containers; the largest need beyond those is one request, shared by them all.
std::vector<Need> needs_of(const api::PodSpec& spec, std::string_view resource) {
  const std::size_t starting = spec.init_containers.size();
  const auto container = [&](std::size_t i) -> const api::Container& {
    return i < starting ? spec.init_containers[i] : spec.containers[i - starting];
  };
  const auto stays = [&](std::size_t i) { return i >= starting || container(i).sidecar(); };
  std::vector<Need> needs(starting + spec.containers.size());
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (stays(i)) needs[i] = need_of(container(i), i, resource);
  }
  Need largest;
  for (std::size_t i = 0; i < starting; ++i) {
    if (stays(i)) continue;
    Need need = need_of(container(i), i, resource);
    for (std::size_t later = i; later < needs.size() && need.count > 0; ++later)
      need.count -= std::min(need.count, needs[later].count);
    if (need.count > largest.count) largest = std::move(need);
  }
  needs.push_back(std::move(largest));
  std::erase_if(needs, [](const Need& need) { return need.count == 0; });
  return needs;
}

api::DeviceRequest request_for(const Need& need, std::string_view device_class,
                               std::deque<std::string>& text) {
  api::DeviceRequest request{
      .name = text.emplace_back(need.name), .exactly = {}, .alternatives = {}};
  request.exactly.emplace();
  request.exactly->demand.device_class = device_class;
  request.exactly->demand.mode = api::kModeExactCount;
  request.exactly->demand.count = need.count;
  return request;
}

bool asks_for_extended(const api::Pod& pod) {
  const auto extended = [](const auto& entry) { return is_extended_resource(entry.key); };
  const auto asks = [&extended](const api::Container& container) {
    return std::ranges::any_of(container.resources.requests, extended) ||
           std::ranges::any_of(container.resources.limits, extended);
  };
  return std::ranges::any_of(pod.spec.containers, asks) ||
         std::ranges::any_of(pod.spec.init_containers, asks) ||
         std::ranges::any_of(pod.spec.overhead, extended);
}

}  // namespace

bool is_extended_resource(std::string_view resource) {
  if (resource.starts_with(kClassPrefix)) return true;
  return resource.find('/') != std::string_view::npos && !resource.starts_with("requests.") &&
         resource.find("kubernetes.io/") == std::string_view::npos;
}

ResourceClasses::ResourceClasses(const std::vector<api::DeviceClass>& classes) {
  std::vector<const api::DeviceClass*> order;
  order.reserve(classes.size());
  for (const api::DeviceClass& device_class : classes)
    order.push_back(&device_class);
  std::ranges::sort(order, {}, [](const auto* one) { return one->meta.name; });
  for (const api::DeviceClass* device_class : order)
    started_after_.add(*device_class);
  // The order of two classes of the same second is not known; this order lets certain() see it.
  std::ranges::reverse(order);
  std::ranges::stable_sort(order, {}, [](const auto* one) { return one->meta.created; });
  for (const api::DeviceClass* device_class : order)
    started_before_.add(*device_class);
}

void ResourceClasses::Served::add(const api::DeviceClass& device_class) {
  if (!device_class.spec.extended_resource.empty()) {
    const auto [found, added] = named.emplace(device_class.spec.extended_resource, &device_class);
    const api::ObjectMeta& other = found->second->meta;
    const api::ObjectMeta& meta = device_class.meta;
    const bool newer = meta.created > other.created;
    if (!added && !newer && (meta.created < other.created || meta.name >= other.name)) return;
    found->second = &device_class;
  }
  by_own_name[device_class.meta.name] = &device_class;
}

const api::DeviceClass* ResourceClasses::Served::of(std::string_view resource) const {
  const bool own = resource.starts_with(kClassPrefix);
  const auto& classes = own ? by_own_name : named;
  const auto found = classes.find(own ? resource.substr(kClassPrefix.size()) : resource);
  return found == classes.end() ? nullptr : found->second;
}

const api::DeviceClass* ResourceClasses::of(std::string_view resource) const {
  const api::DeviceClass* served = started_after_.of(resource);
  return served != nullptr ? served : started_before_.of(resource);
}

bool ResourceClasses::certain(std::string_view resource) const {
  return started_after_.of(resource) == started_before_.of(resource);
}

std::vector<std::string> extended_resources_of(const snapshot::Server& server,
                                               const api::Pod& pod) {
  std::vector<std::string> resources;
  if (!asks_for_extended(pod)) return resources;
  for (const Amount& amount : requests_to_start(pod, request_rules_of(server)).amounts) {
    if (amount.value != 0 && is_extended_resource(amount.resource))
      resources.emplace_back(amount.resource);
  }
  std::ranges::sort(resources);
  return resources;
}

std::unique_ptr<const ExtendedClaim> extended_claim_of(const snapshot::Snapshot& snapshot,
                                                       const api::Pod& pod) {
  if (!features_of(snapshot.server()).on(Gate::DRAExtendedResource)) return nullptr;
  auto resources = extended_resources_of(snapshot.server(), pod);
  if (resources.empty()) return nullptr;
  const ResourceClasses classes(snapshot.all<api::DeviceClass>());
  std::erase_if(resources, [&](const std::string& one) { return classes.of(one) == nullptr; });
  if (resources.empty()) return nullptr;
  auto claim = std::make_unique<ExtendedClaim>();
  std::vector<std::pair<api::DeviceRequest, std::string>> requests;
  for (const std::string& resource : resources) {
    for (const Need& need : needs_of(pod.spec, resource)) {
      requests.emplace_back(request_for(need, classes.of(resource)->meta.name, claim->text),
                            resource);
    }
  }
  // Sorted as text: the tenth container's stands before the second's.
  std::ranges::sort(requests, {}, [](const auto& request) { return request.first.name; });
  for (auto& [request, resource] : requests) {
    claim->spec.devices.requests.push_back(std::move(request));
    claim->of_request.push_back(std::move(resource));
  }
  claim->resources = std::move(resources);
  return claim;
}

bool is_for_extended_resources(const api::ResourceClaim& claim) {
  const std::string_view* special = api::find(claim.meta.annotations, kAnnotation);
  return special != nullptr && *special == "true";
}

const api::ResourceClaim* left_over_claim(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const auto is_of = [&pod](const api::ResourceClaim& claim) {
    const api::OwnerReference* owner = api::controller_of(claim.meta);
    return is_for_extended_resources(claim) && owner != nullptr && owner->name == pod.meta.name &&
           owner->uid == pod.meta.uid;
  };
  const auto& claims = snapshot.all<api::ResourceClaim>();
  const auto found = std::ranges::find_if(claims, is_of);
  return found == claims.end() ? nullptr : &*found;
}

bool is_of_plugin(const snapshot::Server& server, const api::Node& node,
                  std::string_view resource) {
  constexpr int listed_is_enough = 34;
  const api::Quantity* amount = api::find(node.status.allocatable, resource);
  return amount != nullptr && (minor_release(server) <= listed_is_enough ||
                               amount_of(resource, *amount).value_or(0) > 0);
}

std::vector<std::string_view> served_by_plugin(const snapshot::Server& server,
                                               const api::Node& node,
                                               const std::vector<std::string>& resources) {
  std::vector<std::string_view> served;
  for (const std::string& resource : resources) {
    if (is_of_plugin(server, node, resource)) served.push_back(resource);
  }
  return served;
}

namespace {

bool is_offered(const snapshot::Snapshot& snapshot, const std::string& resource) {
  return std::ranges::any_of(snapshot.all<api::Node>(), [&resource](const api::Node& node) {
    return api::find(node.status.allocatable, resource) != nullptr;
  });
}

}  // namespace

std::vector<std::string> resources_nowhere(const snapshot::Snapshot& snapshot,
                                           const api::Pod& pod) {
  const snapshot::Coverage& coverage = snapshot.coverage();
  if (!coverage.saw(api::Kind::Node) || !coverage.saw(api::Kind::Class) ||
      snapshot.all<api::Node>().empty())
    return {};
  std::vector<std::string> resources = extended_resources_of(snapshot.server(), pod);
  std::erase_if(resources, [&snapshot](const std::string& resource) {
    return is_offered(snapshot, resource);
  });
  if (resources.empty() || extended_claim_of(snapshot, pod) != nullptr) return {};
  return resources;
}

}  // namespace dra::engine
