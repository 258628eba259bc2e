// src/engine/selectors/silent_drivers.cpp: looks for a driver's slices, then for its DaemonSet,
// then for its pods. The first that is missing is the link.

#include "dra/engine/selectors/silent_drivers.h"

#include <algorithm>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/missing_pods.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/unready.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/selectors/driver_summary.h"

namespace dra::engine {
namespace {

constexpr std::string_view kDaemonSet = "DaemonSet";

bool has_devices(const Pool& pool) { return !pool.devices.empty(); }

bool is_ready(const api::Pod& pod) { return api::is_true(pod.status.conditions, "Ready"); }

const api::Workload* find_daemon_set(const snapshot::Snapshot& snapshot, std::string_view driver) {
  const auto& all = snapshot.all<api::Workload>();
  const auto found = std::ranges::find_if(all, [driver](const api::Workload& workload) {
    return workload.origin.kind == kDaemonSet && is_named_for(workload.meta, driver);
  });
  return found == all.end() ? nullptr : &*found;
}

// A pod that is not ready tells more.
const api::Pod* find_pod(const snapshot::Snapshot& snapshot, std::string_view driver,
                         std::string_view relative) {
  // By its name the pod of another driver of the vendor is this one's as well.
  const bool vague = !relative.empty() && knowledge_of(driver) == nullptr;
  const api::Pod* any = nullptr;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.finished() || !runs_plugin_of(pod, driver)) continue;
    if (vague && is_ready(pod) && runs_plugin_of(pod, relative)) continue;
    if (!is_ready(pod)) return &pod;
    if (any == nullptr) any = &pod;
  }
  return any;
}

void find_link(const snapshot::Snapshot& snapshot, SilentDriver& silent) {
  const snapshot::Coverage& coverage = snapshot.coverage();
  const api::Workload* set = silent.daemon_set;
  if (silent.pod != nullptr) {
    const bool ready = is_ready(*silent.pod);
    silent.link = ready ? DriverLink::NoSlices : DriverLink::PodNotReady;
    if (!ready) silent.message = unready_in_words(snapshot, *silent.pod);
    return;
  }
  if (set != nullptr) silent.unseen = why_unseen(snapshot, *set);
  if (silent.unseen) {
    silent.link = DriverLink::NotSeen;
  } else if (set != nullptr && set->status.desired_nodes == 0) {
    silent.link = DriverLink::NoNodes;
  } else if (set != nullptr) {
    silent.message = why_not_created(snapshot, *set);
    if (set->status.desired_nodes || !silent.message.empty()) silent.link = DriverLink::PodsRefused;
  } else if (coverage.saw(api::Kind::Pod) && coverage.saw(api::Kind::DaemonSet)) {
    silent.link = DriverLink::NotFound;
  }
}

// The driver, if it publishes no device in the whole cluster.
std::optional<SilentDriver> silent_driver(const snapshot::Snapshot& snapshot,
                                          const Inventory& inventory, std::string_view driver) {
  if (!snapshot.coverage().saw(api::Kind::Slice)) return std::nullopt;
  bool has_slices = false;
  for (const Pool& pool : inventory.pools()) {
    if (pool.driver != driver) continue;
    if (has_devices(pool)) return std::nullopt;
    has_slices = true;
  }
  const std::string_view relative = relative_of(inventory, driver);
  SilentDriver silent{.driver = driver,
                      .daemon_set = find_daemon_set(snapshot, driver),
                      .pod = find_pod(snapshot, driver, relative),
                      .relative = relative};
  find_link(snapshot, silent);
  const bool runs =
      !silent.link || *silent.link == DriverLink::NoSlices || *silent.link == DriverLink::NotFound;
  if (has_slices && runs) silent.link = DriverLink::NoDevices;
  return silent;
}

// The string literals in brackets after the word: of device.capacity["a"].b, "a".
void add_domains(std::string_view expression, std::string_view word,
                 std::set<std::string_view>& domains) {
  for (std::size_t at = expression.find(word); at != std::string_view::npos;
       at = expression.find(word)) {
    expression.remove_prefix(at + word.size());
    const std::string_view rest = base::trim(expression);
    if (rest.size() < 2 || rest.front() != '[' || (rest[1] != '"' && rest[1] != '\'')) continue;
    const std::size_t end = rest.find(rest[1], 2);
    if (end != std::string_view::npos) domains.insert(rest.substr(2, end - 2));
  }
}

// Drivers that the class means by the domain of an attribute or a capacity: names without a domain
// in a slice get the driver's. Only those count whose DaemonSet or pod is found.
std::vector<SilentDriver> silent_by_domain(const snapshot::Snapshot& snapshot,
                                           const Inventory& inventory,
                                           const api::DeviceClass& device_class) {
  std::set<std::string_view> domains;
  for (const api::DeviceSelector& selector : device_class.spec.selectors) {
    add_domains(selector.expression(), "device.attributes", domains);
    add_domains(selector.expression(), "device.capacity", domains);
  }
  std::vector<SilentDriver> silent;
  for (const std::string_view domain : domains) {
    auto one = silent_driver(snapshot, inventory, domain);
    if (!one) return {};
    if ((one->daemon_set != nullptr || one->pod != nullptr) && one->relative.empty())
      silent.push_back(*std::move(one));
  }
  return silent;
}

}  // namespace

std::string_view relative_of(const Inventory& inventory, std::string_view name) {
  const std::string_view domain = vendor_domain(name);
  if (domain.empty()) return {};
  for (const Pool& pool : inventory.pools()) {
    if (pool.driver != name && has_devices(pool) && vendor_domain(pool.driver) == domain)
      return pool.driver;
  }
  return {};
}

std::vector<SilentDriver> silent_drivers_of(const snapshot::Snapshot& snapshot,
                                            const Inventory& inventory,
                                            const api::DeviceClass& device_class) {
  std::vector<SilentDriver> silent;
  for (const std::string_view driver : drivers_named_by(device_class)) {
    auto one = silent_driver(snapshot, inventory, driver);
    if (!one) return {};
    silent.push_back(*std::move(one));
  }
  return silent.empty() ? silent_by_domain(snapshot, inventory, device_class) : silent;
}

}  // namespace dra::engine
