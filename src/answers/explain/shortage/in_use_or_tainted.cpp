// src/answers/explain/shortage/in_use_or_tainted.cpp: counts the devices of all nodes that the
// subject may use, and names the tainted ones.

#include "src/answers/explain/shortage/in_use_or_tainted.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/taints.h"
#include "src/answers/explain/device_noun.h"

namespace dra::answers {
namespace {

using diag::Code;

constexpr std::size_t kNamedDevices = 3;

struct Counts {
  std::int64_t nodes = 0;  // with devices that match
  std::int64_t matching = 0;
  std::int64_t in_use = 0;
  std::set<std::string_view> tainted = {};  // driver/pool/device
};

// Whether one request for one device is all that is still to be allocated.
bool wants_one(const engine::Subject& subject) {
  std::size_t requests = 0;
  bool one = true;
  engine::for_each_unmet(subject,
                         [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
                           const auto demands = api::demands_of(request);
                           one &= demands.size() == 1 && !demands.front().demand->all() &&
                                  demands.front().demand->wanted() == 1;
                           ++requests;
                         });
  return one && requests == 1;
}

// Adds the tainted devices of the node that are not in use as well.
void add_tainted(const engine::NodeResult& node, std::set<std::string_view>& tainted) {
  std::set<std::string_view> held;
  for (const diag::Reason& reason : node.reasons) {
    if (reason.code == Code::DeviceInUse)
      held.insert(reason.examples.begin(), reason.examples.end());
  }
  for (const diag::Reason& reason : node.reasons) {
    if (reason.code != Code::DeviceTainted) continue;
    for (const std::string& device : reason.examples) {
      if (!held.contains(device)) tainted.insert(device);
    }
  }
}

// No value: some device is free, or not known, or out for another reason.
std::optional<Counts> count(const Grounds& grounds) {
  Counts counts;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    if (!node.passes_filters()) continue;
    for (const engine::DemandResult& demand : node.demands) {
      if (demand.by_plugin || demand.usable > 0 || (!demand.known && demand.matching > 0))
        return std::nullopt;
      counts.nodes += demand.matching > 0 ? 1 : 0;
      counts.matching += demand.matching;
      counts.in_use += demand.in_use;
    }
    add_tainted(node, counts.tainted);
  }
  const auto rest = static_cast<std::size_t>(counts.matching - counts.in_use);
  if (counts.nodes < 2 || counts.in_use == 0 || rest == 0 || rest != counts.tainted.size())
    return std::nullopt;
  return counts;
}

using Devices = std::vector<const engine::InventoryDevice*>;

Devices devices_called(const engine::Inventory& inventory,
                       const std::set<std::string_view>& names) {
  Devices found;
  for (const engine::InventoryDevice& device : inventory.devices()) {
    if (names.contains(engine::to_string(device.published.id()))) found.push_back(&device);
  }
  return found;
}

// "tainted k=v:NoSchedule by the driver", by whom and with what all of them are; empty: they
// differ.
std::string taint_of_all(const Devices& devices) {
  std::string shared;
  for (const engine::InventoryDevice* device : devices) {
    if (device->taints.empty()) return {};
    const engine::DeviceTaintOf& first = device->taints.front();
    std::string words = base::format(
        "tainted {} by {}",
        engine::describe_taint(first.taint->key, first.taint->value, first.taint->effect),
        first.rule == nullptr ? std::string("the driver")
                              : base::format("taint rule {}", first.rule->meta.name));
    if (!shared.empty() && shared != words) return {};
    shared = std::move(words);
  }
  return shared;
}

// "a and b of node n, c of node m"
std::string names_of(const Devices& devices) {
  std::map<std::string_view, std::vector<std::string>> by_node;
  for (const engine::InventoryDevice* device : devices)
    by_node[engine::only_node_of(device->published)].emplace_back(device->published.id().device);
  std::vector<std::string> parts;
  for (const auto& [node, names] : by_node) {
    const std::string list = base::join_first(names, kNamedDevices);
    parts.push_back(node.empty() ? list : base::format("{} of node {}", list, node));
  }
  return base::join_first(parts, kNamedDevices);
}

}  // namespace

std::optional<Candidate> in_use_or_tainted(const Grounds& grounds) {
  if (!wants_one(grounds.subject)) return std::nullopt;
  const auto counts = count(grounds);
  if (!counts) return std::nullopt;
  const std::string noun(device_noun(grounds.cluster.snapshot, grounds.subject));
  const Devices tainted = devices_called(grounds.cluster.inventory, counts->tainted);
  const std::string how = taint_of_all(tainted);
  const auto rest = static_cast<std::int64_t>(counts->tainted.size());
  return Candidate{
      Code::DeviceTainted,
      base::format("{} of {} {}s {} in use; the other{} ({}) {} {}", counts->in_use,
                   counts->matching, noun, counts->in_use == 1 ? "is" : "are",
                   rest == 1 ? std::string() : base::format(" {}", rest), names_of(tainted),
                   rest == 1 ? "is" : "are", how.empty() ? std::string("tainted") : how)};
}

}  // namespace dra::answers
