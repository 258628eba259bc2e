// src/engine/cluster/pod_requests.cpp: adds up requests as upstream's PodRequests does: containers,
// sidecars, init containers, then the pod's own requests and overhead. A running pod is added up
// three times, once for each account, unless the accounts agree.

#include "dra/engine/cluster/pod_requests.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/engine/facts/features.h"

namespace dra::engine {
namespace {

using base::Quantity;
using Listed = api::Map<api::Quantity>;

constexpr std::string_view kCpu = "cpu";
constexpr std::string_view kMemory = "memory";
constexpr std::string_view kStorage = "ephemeral-storage";
constexpr std::string_view kHugePages = "hugepages-";
constexpr std::string_view kAnyAddress = "0.0.0.0";

std::optional<Quantity> read(const api::Quantity& written) {
  Quantity quantity;
  if (Quantity::read(written.text, quantity) != Quantity::Flaw::None) return std::nullopt;
  return quantity;
}

// Resources with exact quantities. A pod has a handful, so a linear search is as good as a map.
class ResourceList {
 public:
  ResourceList() = default;
  explicit ResourceList(const Listed& list) {
    for (const auto& [name, written] : list)
      set(name, written);
  }

  Quantity* find(std::string_view name) {
    const auto found = std::ranges::find(items_, name, [](const auto& item) { return item.first; });
    return found == items_.end() ? nullptr : &found->second;
  }
  void set(std::string_view name, const Quantity& quantity) {
    combine(name, quantity, [](Quantity& mine, const Quantity& q) { mine = q; });
  }
  void set(std::string_view name, const api::Quantity& written) {
    const std::optional<Quantity> quantity = read(written);
    readable_ &= quantity.has_value();
    if (quantity) set(name, *quantity);
  }
  void add(const ResourceList& other) {
    combine(other, [](Quantity& mine, const Quantity& q) { mine.add(q); });
  }
  void raise_to(const ResourceList& other) {
    combine(other, [](Quantity& mine, const Quantity& q) {
      if (mine < q) mine = q;
    });
  }

  const std::vector<std::pair<std::string_view, Quantity>>& items() const { return items_; }
  bool readable() const { return readable_; }

 private:
  template <class Combine>
  void combine(std::string_view name, const Quantity& quantity, Combine into) {
    Quantity* mine = find(name);
    if (mine != nullptr) {
      into(*mine, quantity);
    } else {
      items_.emplace_back(name, quantity);
    }
  }
  template <class Combine>
  void combine(const ResourceList& other, Combine into) {
    for (const auto& [name, quantity] : other.items_)
      combine(name, quantity, into);
    readable_ &= other.readable_;
  }

  std::vector<std::pair<std::string_view, Quantity>> items_;
  bool readable_ = true;
};

// The three accounts of a container's requests.
enum class Account { Asked, Admitted, Actual };

ResourceList asked_by(const api::ContainerResources& resources) {
  ResourceList asked(resources.requests);
  for (const auto& [name, limit] : resources.limits) {
    if (asked.find(name) == nullptr) asked.set(name, limit);
  }
  return asked;
}

const api::ContainerStatus* status_of(const api::Pod& pod, std::string_view container) {
  for (const auto* statuses : {&pod.status.containers, &pod.status.init_containers}) {
    const auto found = std::ranges::find(*statuses, container, &api::ContainerStatus::name);
    if (found != statuses->end()) return &*found;
  }
  return nullptr;
}

// The kubelet cannot grant the resize, so the spec's requests do not count.
bool resize_is_infeasible(const api::Pod& pod) {
  const api::Condition* pending = api::condition_of(pod.status.conditions, "PodResizePending");
  return pending != nullptr && pending->reason == "Infeasible";
}

// If the kubelet has not reported an account, the one before it counts.
ResourceList account_of(const api::Pod& pod, const api::Container& container, Account account) {
  if (account == Account::Asked) return asked_by(container.resources);
  if (const api::ContainerStatus* status = status_of(pod, container.name)) {
    const Listed& actual = status->actuated.requests;
    if (account == Account::Actual && !actual.empty()) return ResourceList(actual);
    if (!status->allocated.empty()) return ResourceList(status->allocated);
  }
  return resize_is_infeasible(pod) ? ResourceList() : asked_by(container.resources);
}

ResourceList sum_of_containers(const api::Pod& pod, Account account) {
  ResourceList together;
  for (const api::Container& container : pod.spec.containers)
    together.add(account_of(pod, container, account));
  ResourceList sidecars;
  ResourceList starting;
  for (const api::Container& container : pod.spec.init_containers) {
    ResourceList needed = account_of(pod, container, account);
    if (container.sidecar()) {
      together.add(needed);
      sidecars.add(needed);
      starting.raise_to(sidecars);
    } else {
      needed.add(sidecars);
      starting.raise_to(needed);
    }
  }
  together.raise_to(starting);
  return together;
}

bool same(const Listed& a, const Listed& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.key == y.key && x.value.text == y.value.text;
  });
}

// The kubelet nearly always reports what the spec says; then one sum is enough.
bool accounts_agree(const api::Pod& pod) {
  if (resize_is_infeasible(pod)) return false;
  const auto agrees = [&pod](const api::Container& container) {
    const api::ContainerStatus* status = status_of(pod, container.name);
    if (status == nullptr) return true;
    const Listed& asked = container.resources.requests;
    const Listed& actual = status->actuated.requests;
    return (status->allocated.empty() || same(status->allocated, asked)) &&
           (actual.empty() || same(actual, asked));
  };
  return std::ranges::all_of(pod.spec.containers, agrees) &&
         std::ranges::all_of(pod.spec.init_containers, agrees);
}

bool has_sums_of_kubelet(const api::Pod& pod) {
  return !pod.status.allocated.empty() && pod.status.actuated &&
         !pod.status.actuated->requests.empty();
}

ResourceList of_containers_on_node(const api::Pod& pod, const RequestRules& rules) {
  const bool summed = rules.resize_of_pods && has_sums_of_kubelet(pod);
  if (!summed && accounts_agree(pod)) return sum_of_containers(pod, Account::Asked);
  ResourceList largest;
  if (!resize_is_infeasible(pod)) largest = sum_of_containers(pod, Account::Asked);
  largest.raise_to(summed ? ResourceList(pod.status.allocated)
                          : sum_of_containers(pod, Account::Admitted));
  largest.raise_to(summed ? ResourceList(pod.status.actuated->requests)
                          : sum_of_containers(pod, Account::Actual));
  return largest;
}

// Resources that a pod as a whole may request.
bool is_for_pods(std::string_view resource) {
  return resource == kCpu || resource == kMemory || resource.starts_with(kHugePages);
}

// The pod's own requests replace its containers' sum. A limit alone counts as a request if no
// container requests that resource; for huge pages the limit always is the request.
void apply_pod_level(const ResourceList& asked, const Listed& limits, ResourceList& sum) {
  ResourceList known = asked;
  for (const auto& [name, quantity] : asked.items()) {
    if (is_for_pods(name)) sum.set(name, quantity);
  }
  for (const auto& [name, limit] : limits) {
    const bool open = sum.find(name) == nullptr || name.starts_with(kHugePages);
    if (is_for_pods(name) && known.find(name) == nullptr && open) sum.set(name, limit);
  }
}

ResourceList pod_level_on_node(const api::Pod& pod, const RequestRules& rules) {
  const Listed& asked = pod.spec.resources.requests;
  if (!rules.resize || !rules.resize_of_pods || !pod.status.actuated) return ResourceList(asked);
  ResourceList largest;
  if (!resize_is_infeasible(pod)) largest = ResourceList(asked);
  largest.raise_to(ResourceList(pod.status.actuated->requests));
  largest.raise_to(ResourceList(pod.status.allocated));
  return largest;
}

bool asks_as_a_whole(const api::Pod& pod) {
  const api::ContainerResources& resources = pod.spec.resources;
  const auto supported = [](const auto& entry) { return is_for_pods(entry.key); };
  return std::ranges::any_of(resources.requests, supported) ||
         std::ranges::any_of(resources.limits, supported);
}

// The node's own resources and those with a domain; the scheduler ignores other names.
bool is_counted(std::string_view resource) {
  if (resource == kCpu || resource == kMemory || resource == kStorage) return true;
  if (resource.starts_with(kHugePages) || resource.starts_with("attachable-volumes-")) return true;
  if (resource.find("kubernetes.io/") != std::string_view::npos) return true;
  return resource.find('/') != std::string_view::npos && !resource.starts_with("requests.");
}

// Negative quantities, which servers refuse, count as zero.
std::int64_t count(std::string_view resource, const Quantity& quantity) {
  if (quantity.sign() < 0) return 0;
  const auto value = resource == kCpu ? quantity.milli_value() : quantity.value();
  return value.value_or(std::numeric_limits<std::int64_t>::max());
}

int rank_of(std::string_view resource) {
  return resource == kCpu ? 0 : resource == kMemory ? 1 : resource == kStorage ? 2 : 3;
}

PodRequests counted(const ResourceList& list) {
  PodRequests requests{.amounts = {}, .readable = list.readable()};
  for (const auto& [name, quantity] : list.items()) {
    if (is_counted(name)) requests.amounts.push_back({name, count(name, quantity)});
  }
  std::ranges::sort(requests.amounts, {}, [](const Amount& amount) {
    return std::tuple(rank_of(amount.resource), amount.resource);
  });
  return requests;
}

void add_ports(const api::Pod& pod, const api::Container& container, std::vector<HostPort>& ports) {
  for (const api::ContainerPort& port : container.ports) {
    const bool of_host = port.host_port != 0 || !pod.spec.host_network;
    const std::int64_t number = of_host ? port.host_port : port.container_port;
    if (number <= 0) continue;
    ports.push_back({.ip = port.host_ip.empty() ? kAnyAddress : port.host_ip,
                     .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                     .port = number});
  }
}

}  // namespace

RequestRules request_rules_of(const snapshot::Server& server) {
  const int minor = minor_release(server);
  return {.of_pods = minor >= 34, .resize = minor >= 33, .resize_of_pods = minor >= 36};
}

PodRequests requests_to_start(const api::Pod& pod, const RequestRules& rules) {
  ResourceList sum = sum_of_containers(pod, Account::Asked);
  if (rules.of_pods && asks_as_a_whole(pod))
    apply_pod_level(ResourceList(pod.spec.resources.requests), pod.spec.resources.limits, sum);
  sum.add(ResourceList(pod.spec.overhead));
  return counted(sum);
}

PodRequests requests_on_node(const api::Pod& pod, const RequestRules& rules) {
  ResourceList sum =
      rules.resize ? of_containers_on_node(pod, rules) : sum_of_containers(pod, Account::Asked);
  if (rules.of_pods && asks_as_a_whole(pod))
    apply_pod_level(pod_level_on_node(pod, rules), pod.spec.resources.limits, sum);
  sum.add(ResourceList(pod.spec.overhead));
  return counted(sum);
}

std::optional<std::int64_t> amount_of(std::string_view resource, const api::Quantity& quantity) {
  const std::optional<Quantity> exact = read(quantity);
  if (!exact) return std::nullopt;
  return count(resource, *exact);
}

std::string amount_text(std::string_view resource, std::int64_t value) {
  if (resource == kCpu)
    return value % 1000 == 0 ? base::format("{}", value / 1000) : base::format("{}m", value);
  const bool bytes =
      resource == kMemory || resource == kStorage || resource.starts_with(kHugePages);
  return Quantity(value, bytes ? Quantity::Format::BinarySI : Quantity::Format::DecimalSI)
      .to_string();
}

std::vector<HostPort> host_ports_of(const api::Pod& pod) {
  std::vector<HostPort> ports;
  for (const api::Container& container : pod.spec.init_containers) {
    if (container.sidecar()) add_ports(pod, container, ports);
  }
  for (const api::Container& container : pod.spec.containers)
    add_ports(pod, container, ports);
  return ports;
}

bool conflict(const HostPort& a, const HostPort& b) {
  const bool same_address = a.ip == b.ip || a.ip == kAnyAddress || b.ip == kAnyAddress;
  return same_address && a.port == b.port && a.protocol == b.protocol;
}

}  // namespace dra::engine
