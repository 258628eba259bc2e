// src/engine/whatif/node_room.cpp: see node_room.h.

#include "src/engine/whatif/node_room.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"

namespace dra::engine {
namespace {

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? kAny : out;
}

std::int64_t amount_in(const std::vector<Amount>& amounts, std::string_view resource) {
  const auto found = std::ranges::find(amounts, resource, &Amount::resource);
  return found == amounts.end() ? 0 : found->value;
}

std::int64_t most_devices(const api::DeviceRequest& request) {
  std::int64_t most = 0;
  for (const api::NamedDemand& demand : api::demands_of(request))
    most = std::max(most, demand.demand->all() ? kAny : demand.demand->wanted());
  return most;
}

// Any device that its selectors choose serves it as well as another.
bool is_plain(const api::DeviceDemand& demand) {
  return !demand.all() && !demand.admin_access && !demand.capacity && demand.derived.empty();
}

// No claim has it, and what happens to other devices changes nothing about it.
bool is_free_alone(const PoolDevice& device, const DeviceFacts& facts) {
  return facts.occupancy == Occupancy::None && !facts.held && facts.taints.empty() &&
         device.device->consumes.empty() && !device.device->allow_multiple_allocations &&
         device.device->binding_conditions.empty();
}

std::int64_t free_devices(const Inventory& inventory, const Demands& demands,
                          const api::DeviceDemand& demand, const SeenPools& pools,
                          std::string_view node) {
  std::int64_t free = 0;
  for (const Pool& pool : pools) {
    if (pool.state != PoolState::Complete) continue;
    free += std::ranges::count_if(pool.devices.all(), [&](const PoolDevice& device) {
      return device.slice->spec.node_name == node &&
             is_free_alone(device, inventory.facts(device)) &&
             demands.outcome(demand, device) == Outcome::Chosen;
    });
  }
  return free;
}

// The sums of the largest one, two, and so on.
std::vector<std::int64_t> sums_of(std::vector<std::int64_t> values) {
  std::ranges::sort(values, std::greater<>());
  for (std::size_t i = 1; i < values.size(); ++i)
    values[i] = plus(values[i], values[i - 1]);
  return values;
}

std::size_t within(const std::vector<std::int64_t>& sums, std::int64_t spare) {
  return static_cast<std::size_t>(std::ranges::upper_bound(sums, spare) - sums.begin());
}

}  // namespace

PodTakes takes_of(const Subject& subject, const RequestRules& rules) {
  PodTakes takes{.amounts = requests_on_node(*subject.pod, rules).amounts};
  for_each_unmet(subject, [&takes](const SubjectClaim&, const api::DeviceRequest& request) {
    takes.devices = plus(takes.devices, most_devices(request));
  });
  return takes;
}

std::int64_t spare_devices(const Inventory& inventory, const Demands& demands,
                           const Subject& subject, const api::Node& node) {
  const auto pools = inventory.slices().seen_from(node);
  if (!pools.ok()) return 0;
  std::int64_t needs = 0;
  std::int64_t least = kAny;
  bool plain = true;
  for (const SubjectClaim& claim : subject.claims)
    plain = plain && (claim.unmet() == nullptr || claim.unmet()->devices.constraints.empty());
  for_each_unmet(subject, [&](const SubjectClaim&, const api::DeviceRequest& request) {
    const auto asked = api::demands_of(request);
    plain = plain && request.exactly && asked.size() == 1 && is_plain(*asked.front().demand);
    if (!plain) return;
    needs = plus(needs, asked.front().demand->wanted());
    least = std::min(least, free_devices(inventory, demands, *asked.front().demand, pools.value(),
                                         node.meta.name));
  });
  if (!plain) return 0;
  return needs == 0 ? kAny : std::max<std::int64_t>(0, least - needs);
}

NodeSpare spare_on(const api::Node& node, const NodeLoads& loads, const api::Pod& pod,
                   std::int64_t devices) {
  const auto capacity = [&node](std::string_view resource) {
    const api::Quantity* has = api::find(node.status.allocatable, resource);
    return has == nullptr ? 0 : amount_of(resource, *has).value_or(0);
  };
  const NodeLoad& load = loads.on(node.meta.name);
  NodeSpare spare{.devices = devices, .pods = capacity("pods") - load.pods - 1};
  spare.countable = host_ports_of(pod).empty() && loads.gap().empty() &&
                    std::ranges::none_of(pod.spec.volumes, &api::Volume::depends_on_node);
  for (const Amount& wanted : requests_to_start(pod, loads.rules()).amounts) {
    if (wanted.value == 0) continue;
    const std::int64_t used = plus(load.of(wanted.resource).requested, wanted.value);
    spare.amounts.push_back({wanted.resource, capacity(wanted.resource) - used});
  }
  for (const api::Pod* nominated : loads.nominated()) {
    if (nominated->status.nominated_node == node.meta.name)
      take(spare, {.amounts = requests_on_node(*nominated, loads.rules()).amounts});
  }
  return spare;
}

void take(NodeSpare& spare, const PodTakes& takes) {
  --spare.pods;
  spare.devices = spare.devices == kAny           ? kAny
                  : takes.devices > spare.devices ? -1
                                                  : spare.devices - takes.devices;
  for (Amount& amount : spare.amounts) {
    const std::int64_t taken = amount_in(takes.amounts, amount.resource);
    amount.value = taken == kAny ? -1 : amount.value - taken;
  }
}

Crowd::Crowd(std::span<const PodTakes* const> pods, const std::vector<Amount>& wanted)
    : size_(pods.size()) {
  std::vector<std::int64_t> devices;
  devices.reserve(pods.size());
  for (const PodTakes* pod : pods)
    devices.push_back(pod->devices);
  devices_ = sums_of(std::move(devices));
  for (const Amount& one : wanted) {
    std::vector<std::int64_t> values;
    values.reserve(pods.size());
    for (const PodTakes* pod : pods)
      values.push_back(amount_in(pod->amounts, one.resource));
    resources_.push_back({one.resource, sums_of(std::move(values))});
  }
}

std::size_t Crowd::leaving_room(const NodeSpare& spare) const {
  if (!spare.countable || spare.pods < 0) return 0;
  std::size_t least = std::min(size_, static_cast<std::size_t>(spare.pods));
  if (spare.devices != kAny) least = std::min(least, within(devices_, spare.devices));
  for (const OfResource& one : resources_)
    least = std::min(least, within(one.sums, amount_in(spare.amounts, one.resource)));
  return least;
}

bool Crowd::leaves_resources(const NodeSpare& spare) const {
  NodeSpare of_resources = spare;
  of_resources.devices = kAny;
  return leaving_room(of_resources) == size_;
}

}  // namespace dra::engine
