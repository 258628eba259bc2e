// src/engine/whatif/proposals_nodes.cpp: to_select_nodes() of proposals.h. Each condition by which
// the pod selects nodes is tried with the values that nodes have, or without.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "dra/api/daemon_pod.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/engine/facts/host_name.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/scheduler/demands.h"
#include "src/engine/whatif/added_nodes.h"
#include "src/engine/whatif/proposals.h"

namespace dra::engine {
namespace {

// An image is made for these; on other nodes it does not start.
bool is_of_image(std::string_view key) {
  constexpr std::array<std::string_view, 5> keys = {
      "kubernetes.io/arch", "kubernetes.io/os", "beta.kubernetes.io/arch", "beta.kubernetes.io/os",
      "node.kubernetes.io/windows-build"};
  return std::ranges::find(keys, key) != keys.end();
}

// No two nodes have one value.
bool is_a_name(std::string_view key) { return key == kHostNameLabel; }

// The makes of the devices that some demand selects, by node.
class Makes {
 public:
  Makes(const Simulator& simulator, const Subject& subject) {
    const Demands demands(simulator.snapshot(), simulator.inventory(), subject);
    for (const InventoryDevice& device : simulator.inventory().devices()) {
      if (!is_selected(demands, subject, device.published)) continue;
      std::string make = make_of(device.published);
      for (const api::Node& node : simulator.nodes().nodes) {
        const auto here = is_for(device.published, node);
        if (here.ok() && here.value()) makes_[node.meta.name].insert(make);
      }
    }
  }

  // No demand selects any device: the claims have theirs already.
  bool none() const { return makes_.empty(); }

  const std::set<std::string>& on(std::string_view node) const {
    static const std::set<std::string> none;
    const auto found = makes_.find(node);
    return found == makes_.end() ? none : found->second;
  }

 private:
  static bool is_selected(const Demands& demands, const Subject& subject,
                          const PoolDevice& device) {
    bool any = false;
    for_each_unmet(subject, [&](const SubjectClaim&, const api::DeviceRequest& request) {
      for (const api::NamedDemand& demand : api::demands_of(request))
        any |= demands.outcome(*demand.demand, device) == Outcome::Chosen;
    });
    return any;
  }
  static std::string make_of(const PoolDevice& device) {
    const std::string_view driver = device.slice->spec.driver;
    std::string make(driver);
    for (const std::string_view name :
         {"productName", "model", "family", "architecture", "type", "profile", "tpuGen"}) {
      const auto* value = own_attribute(*device.device, driver, name);
      if (value != nullptr) make += base::format("|{}", attribute_text(*value));
    }
    return make;
  }

  std::map<std::string_view, std::set<std::string>> makes_;
};

class NodeSelection {
 public:
  NodeSelection(const Simulator& simulator, const Subject& subject)
      : simulator_(simulator), pod_(*subject.pod), makes_(simulator, subject) {
    for (const api::Node& node : simulator.nodes().nodes) {
      if (!selects(node)) continue;
      const auto& here = makes_.on(node.meta.name);
      makes_asked_.insert(here.begin(), here.end());
    }
  }

  std::vector<Proposal> propose() {
    for (const auto& [key, value] : pod_.spec.node_selector)
      of_selector(key, value);
    const auto& required = pod_.spec.affinity.to_nodes.required;
    if (!required || required->terms.size() != 1) return std::move(proposals_);
    const auto& expressions = required->terms.front().expressions;
    for (std::size_t i = 0; i < expressions.size(); ++i)
      of_affinity(expressions[i], i);
    return std::move(proposals_);
  }

 private:
  bool selects(const api::Node& node) const;
  bool has_makes_asked(const api::Node& node) const;
  void of_selector(std::string_view key, std::string_view value);
  void of_affinity(const api::NodeSelectorRequirement& condition, std::size_t index);
  void add(SelectNodes change, const api::Node& node);

  const Simulator& simulator_;
  const api::Pod& pod_;
  Makes makes_;
  std::set<std::string> makes_asked_;  // of the devices on the nodes that the pod selects
  std::vector<Proposal> proposals_;
};

bool NodeSelection::selects(const api::Node& node) const {
  const auto has = [&node](const auto& entry) {
    return label_of(node.meta, entry.key) == entry.value;
  };
  if (!std::ranges::all_of(pod_.spec.node_selector, has)) return false;
  const auto& required = pod_.spec.affinity.to_nodes.required;
  if (!required) return true;
  const auto matched = matches(*required, node);
  return matched.ok() && matched.value();
}

bool NodeSelection::has_makes_asked(const api::Node& node) const {
  return std::ranges::any_of(makes_.on(node.meta.name), [this](const std::string& make) {
    return makes_asked_.contains(make);
  });
}

// Where several nodes lead to one change, it is one to devices of the makes that were asked for if
// some node has these.
void NodeSelection::add(SelectNodes change, const api::Node& node) {
  change.other_devices = !makes_.none() && !has_makes_asked(node);
  for (Proposal& known : proposals_) {
    auto& other = std::get<SelectNodes>(known.front());
    SelectNodes same = change;
    same.other_devices = other.other_devices;
    if (same != other) continue;
    other.other_devices &= change.other_devices;
    return;
  }
  proposals_.push_back({std::move(change)});
}

void NodeSelection::of_selector(std::string_view key, std::string_view value) {
  if (is_of_image(key)) return;
  for (const api::Node& node : simulator_.nodes().nodes) {
    const auto* there = api::find(node.meta.labels, key);
    if (there != nullptr && *there == value) continue;
    SelectNodes change{.key = std::string(key), .text = base::format("{}={}", key, value)};
    if (there != nullptr && !is_a_name(key)) change.value = std::string(*there);
    add(std::move(change), node);
  }
}

void NodeSelection::of_affinity(const api::NodeSelectorRequirement& condition, std::size_t index) {
  if (is_of_image(condition.key)) return;
  for (const api::Node& node : simulator_.nodes().nodes) {
    const api::NodeSelector alone{{{.expressions = {condition}, .fields = {}}}};
    const auto matched = matches(alone, node);
    if (!matched.ok() || matched.value()) continue;
    const auto* there = api::find(node.meta.labels, condition.key);
    SelectNodes change{
        .key = std::string(condition.key), .expression = index, .text = describe(alone)};
    if (condition.op == "In" && there != nullptr && !is_a_name(condition.key))
      change.value = std::string(*there);
    add(std::move(change), node);
  }
}

}  // namespace

// A DaemonSet's pod is made for one node.
std::vector<Proposal> to_select_nodes(const Simulator& simulator, const Subject& subject) {
  if (subject.pod == nullptr || simulator.nodes().assumed) return {};
  const api::PodSpec& spec = subject.pod->spec;
  const bool selects = !spec.node_selector.empty() || spec.affinity.to_nodes.required;
  if (!selects || api::daemon_set_of(*subject.pod) != nullptr) return {};
  return NodeSelection(simulator, subject).propose();
}

}  // namespace dra::engine
