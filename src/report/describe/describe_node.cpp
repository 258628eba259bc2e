// src/report/describe/describe_node.cpp: `describe node`: its devices, the pods that use them, and
// the problems that keep devices from being used.

#include <algorithm>
#include <set>

#include "dra/answers/explain/kept_away.h"
#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/left_out_nodes.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/report/lists/list_pods.h"
#include "dra/topology/missing_devices.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_problems.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxPoolsOfNode = 8;
constexpr std::size_t kMaxPods = 16;
constexpr std::size_t kMaxNamesOnNode = 3;

// Labels that describe a node. Each title is one fact, made of the keys that the node has.
struct LabelWords {
  const char* title;
  const char* key;
  const char* before;
};
constexpr LabelWords kLabels[] = {
    {"machine", "node.kubernetes.io/instance-type", ""},
    {"machine", "topology.kubernetes.io/zone", "zone "},
    {"accelerator", "cloud.google.com/gke-tpu-accelerator", ""},
    {"accelerator", "cloud.google.com/gke-accelerator", ""},
    {"accelerator", "nvidia.com/gpu.product", ""},
    {"accelerator", "cloud.google.com/gke-tpu-topology", "topology "},
    {"accelerator", "cloud.google.com/gke-accelerator-count", "count "},
    {"accelerator", "nvidia.com/gpu.clique", "clique "},
    {"place", "cloud.google.com/gce-topology-block", "block "},
    {"place", "cloud.google.com/gce-topology-subblock", "sub-block "},
    {"place", "cloud.google.com/gce-topology-host", "host "},
};

std::string label_words(const api::Node& node, std::string_view title) {
  std::vector<std::string> parts;
  for (const LabelWords& label : kLabels) {
    if (label.title != title) continue;
    const std::string_view* value = api::find(node.meta.labels, label.key);
    if (value != nullptr) parts.push_back(base::format("{}{}", label.before, *value));
  }
  return base::join(parts, ", ");
}

// The devices of one pool that the node can use.
struct Seen {
  const engine::Pool* pool;
  bool local;  // the pool's slices name this node
  Devices devices;
};

class NodeDescription {
 public:
  NodeDescription(const Scene& scene, const api::Node& node)
      : scene_(scene),
        node_(node),
        out_(scene, "NodeDescription", subject_of("Node", node.meta), headline()) {
    find_devices();
    missing_ = topology::missing_devices(scene.snapshot, scene.inventory);
  }

  Described build() &&;

 private:
  std::string headline() const;
  void find_devices();
  void problems();
  void readiness();
  std::set<std::string_view> silent_drivers(const std::vector<engine::LeftOutNode>& left_out);
  void missing_driver();
  void too_few();
  void gone();
  void facts();
  void set_facts();
  std::string taints() const;
  std::string allocatable() const;
  std::vector<const engine::MissingDevice*> missing_from(const engine::Pool& pool) const;
  json::Value pools_json() const;
  void devices();
  void pods();

  const Scene& scene_;
  const api::Node& node_;
  Description out_;
  std::vector<Seen> seen_;
  std::vector<engine::MissingDevice> missing_;
};

std::string NodeDescription::headline() const {
  return base::format("Node {}: {}", node_.meta.name, engine::node_status(node_));
}

void NodeDescription::find_devices() {
  auto pools = scene_.inventory.slices().seen_from(node_);
  if (!pools.ok()) {
    out_.problem(base::format("What it can use is not known: {}", pools.error().message),
                 "The scheduler gives up on every pod with claims that reaches this node.");
    return;
  }
  for (const engine::Pool& pool : pools.value()) {
    const engine::Pool* whole = scene_.inventory.find_pool(pool.driver, pool.name);
    const bool local = !pool.slices.front()->spec.node_name.empty();
    std::set<const api::Device*> visible;
    for (const engine::PoolDevice& device : pool.devices)
      visible.insert(device.device);
    Seen seen{whole, local, {}};
    for (const engine::InventoryDevice* device : devices_of(scene_.inventory, *whole)) {
      if (visible.contains(device->published.device)) seen.devices.push_back(device);
    }
    seen_.push_back(std::move(seen));
  }
  std::stable_partition(seen_.begin(), seen_.end(), [](const Seen& seen) { return seen.local; });
}

void NodeDescription::readiness() {
  std::size_t published = 0;
  for (const Seen& seen : seen_)
    published += seen.local ? seen.devices.size() : 0;
  const api::Condition* ready = api::condition_of(node_.status.conditions, "Ready");
  if (ready == nullptr || ready->status == "True") return;
  const std::string still =
      published == 0 ? ""
                     : base::format("; {} still published for it",
                                    published == 1 ? "1 device is"
                                                   : base::format("{} devices are", published));
  out_.problem(base::format("Not ready for {} ({}){}", age_of(ready->changed, scene_.now),
                            why(*ready), still));
}

// A label may have the number of accelerators. Partitions can make more devices of them, but fewer
// devices are a problem.
void NodeDescription::too_few() {
  const char* const key = "cloud.google.com/gke-accelerator-count";
  const std::string_view* label = api::find(node_.meta.labels, key);
  if (label == nullptr) return;
  const auto count = base::Quantity::parse(*label);
  std::size_t most = 0;
  for (const Seen& seen : seen_)
    most = std::max(most, seen.local ? seen.devices.size() : 0);
  const base::Quantity published(static_cast<std::int64_t>(most));
  if (most == 0 || !count.ok() || published >= count.value()) return;
  out_.problem(base::format("Label {} says {}, and only {} published", key, *label,
                            most == 1 ? "1 device is" : base::format("{} devices are", most)),
               "Some may have failed: look at the log of the driver's pod on this node.",
               Tone::Warn);
}

// Reports drivers that should publish devices of this node and do not. Returns which these are.
std::set<std::string_view> NodeDescription::silent_drivers(
    const std::vector<engine::LeftOutNode>& left_out) {
  std::set<std::string_view> drivers;
  for (const engine::Pool& pool : scene_.inventory.pools()) {
    if (!pool.devices.empty()) drivers.insert(pool.driver);
  }
  const engine::NodeLoads loads(scene_.snapshot);
  std::set<std::string_view> silent;
  for (const std::string_view driver : drivers) {
    const auto kept =
        answers::nodes_kept_away(scene_.snapshot, scene_.inventory, left_out, loads, driver);
    const auto here = std::ranges::find_if(kept, [this](const answers::KeptAway& one) {
      return one.node->meta.name == node_.meta.name && one.is_likely();
    });
    if (here == kept.end()) continue;
    silent.insert(driver);
    const diag::Remedy remedy = answers::remedy_of(*here);
    out_.problem(base::format("It has no devices of {}: {}", driver, answers::words_of(*here)),
                 remedy.text, Tone::Warn);
  }
  return silent;
}

// Reports a driver with devices on other nodes of the node pool, but not on this one.
void NodeDescription::missing_driver() {
  const auto left_out = nodes_left_out(scene_.snapshot, scene_.inventory);
  const auto silent = silent_drivers(left_out);
  for (const engine::LeftOutNode& one : left_out) {
    if (one.node->meta.name != node_.meta.name || silent.contains(one.driver)) continue;
    out_.problem(
        base::format("Driver {} publishes nothing for it, but does for {} of {} other nodes of "
                     "node pool {}",
                     one.driver, one.publishing, one.others, one.node_pool),
        engine::is_ready(node_)
            ? "Look whether the driver's pod runs on this node, and at its log."
            : "Bring the node back first: no driver can publish devices of a node that is down.");
  }
}

// Reports pools that are no longer published although claims hold devices of them on this node.
void NodeDescription::gone() {
  std::set<std::pair<std::string_view, std::string_view>> pools;
  for (const Seen& seen : seen_) {
    if (seen.local) pools.insert({seen.pool->driver, seen.pool->name});
  }
  for (const engine::Holding& holding : scene_.inventory.usage().all()) {
    const auto& selector = holding.claim->status.allocation->node_selector;
    const bool unpublished =
        scene_.inventory.find_pool(holding.id.driver, holding.id.pool) == nullptr;
    if (unpublished && selector && engine::only_node(*selector) == node_.meta.name)
      pools.insert({holding.id.driver, holding.id.pool});
  }
  if (!scene_.snapshot.coverage().saw(api::Kind::Slice)) return;
  for (const auto& [driver, pool] : pools)
    add_gone(out_, {driver, pool, {}});
}

void NodeDescription::problems() {
  readiness();
  if (node_.spec.unschedulable)
    out_.problem("No new pods are scheduled to it (kubectl cordon)", {}, Tone::Warn);
  missing_driver();
  too_few();
  for (const Seen& seen : seen_)
    add_pool_problems(out_, *seen.pool);
  gone();
  for (const Seen& seen : seen_)
    add_tainted(out_, seen.devices);
  out_.saw(api::Kind::Slice, "its devices are not known");
  out_.saw(api::Kind::Claim, "who is using its devices is not known, and none is called free");
  out_.saw(api::Kind::TaintRule,
           "taints that rules add are not known, and no device is called free");
}

std::string NodeDescription::taints() const {
  std::vector<std::string> list;
  for (const api::NodeTaint& taint : node_.spec.taints)
    list.push_back(taint_text({taint.key, taint.value, taint.effect, taint.added}));
  return base::join(list, ", ");
}

// CPU, memory and pods, then extended resources; no huge pages and ephemeral storage.
std::string NodeDescription::allocatable() const {
  std::vector<std::string> parts;
  for (const char* name : {"cpu", "memory", "pods"}) {
    const api::Quantity* amount = api::find(node_.status.allocatable, name);
    if (amount != nullptr) parts.push_back(base::format("{} {}", name, amount->text));
  }
  for (const auto& entry : node_.status.allocatable) {
    if (entry.key.find('/') != std::string_view::npos)
      parts.push_back(base::format("{} {}", entry.key, entry.value.text));
  }
  return base::join(parts, ", ");
}

void NodeDescription::set_facts() {
  out_.set("status", engine::node_status(node_));
  if (node_.spec.unschedulable) out_.set("unschedulable", true);
  json::Value labels = json::Value::object();
  for (const LabelWords& label : kLabels) {
    const std::string_view* value = api::find(node_.meta.labels, label.key);
    if (value != nullptr) labels.set(label.key, *value);
  }
  out_.set("labels", std::move(labels));
  out_.set("nodePool", engine::node_pool_of(node_));
  json::Value taints = json::Value::array();
  for (const api::NodeTaint& taint : node_.spec.taints)
    taints.push(taint_json({taint.key, taint.value, taint.effect, taint.added}));
  out_.set("taints", std::move(taints));
  out_.set("allocatable", quantities_json(node_.status.allocatable));
  out_.set("kubeletVersion", node_.status.info.kubelet_version);
}

void NodeDescription::facts() {
  set_facts();
  out_.fact("machine", label_words(node_, "machine"));
  out_.fact("node pool", std::string(engine::node_pool_of(node_)));
  for (const char* title : {"accelerator", "place"})
    out_.fact(title, label_words(node_, title));
  out_.fact("taints", taints());
  out_.fact("allocatable", allocatable());
  out_.fact("kubelet", std::string(node_.status.info.kubelet_version));
  add_lifecycle(out_, node_.meta);
}

// Devices of the pool that should be on the node and are not published.
std::vector<const engine::MissingDevice*> NodeDescription::missing_from(
    const engine::Pool& pool) const {
  std::vector<const engine::MissingDevice*> missing;
  for (const engine::MissingDevice& one : missing_) {
    if (one.driver == pool.driver && one.pool == pool.name && one.node == node_.meta.name)
      missing.push_back(&one);
  }
  return missing;
}

json::Value NodeDescription::pools_json() const {
  json::Value list = json::Value::array();
  for (const Seen& seen : seen_) {
    json::Value& one = list.push(json::Value::object());
    one.set("driver", seen.pool->driver);
    one.set("pool", pool_json(*seen.pool));
    one.set("local", seen.local);
    one.set("devices", devices_json(scene_, seen.devices, missing_from(*seen.pool)));
  }
  return list;
}

void NodeDescription::devices() {
  out_.set("pools", pools_json());
  std::size_t shown = 0;
  for (const Seen& seen : seen_) {
    if (shown++ == kMaxPoolsOfNode) {
      out_.note(base::format("and {} more pools: {}", seen_.size() - kMaxPoolsOfNode,
                             out_.command("pools")));
      break;
    }
    const std::string which =
        seen.local ? "" : base::format(" in pool {}, which other nodes share", seen.pool->name);
    add_devices(out_, seen.devices,
                {.title = base::format("Devices of {}{} ({})", seen.pool->driver, which,
                                       count_states(seen.devices, missing_from(*seen.pool).size())),
                 .attributes = false});
  }
  if (!seen_.empty() || !scene_.snapshot.coverage().saw(api::Kind::Slice)) return;
  out_.section("Devices");
  const auto missing = std::ranges::count(missing_, node_.meta.name, &engine::MissingDevice::node);
  out_.note(missing == 0
                ? std::string("no driver publishes any for this node")
                : base::format("{} missing: no driver publishes any for this node", missing));
}

void NodeDescription::pods() {
  if (!out_.saw(api::Kind::Pod, "pods that use its devices are not known")) return;
  json::Value list = json::Value::array();
  view::Table table = section_table({"POD", "STATUS", "DEVICES", "CLAIMS"});
  std::size_t left = 0;
  for (const api::Pod& pod : scene_.snapshot.all<api::Pod>()) {
    if (pod.spec.node_name != node_.meta.name || !engine::uses_claims(pod) || pod.finished())
      continue;
    const PodRow row = pod_row(scene_.snapshot, pod);
    std::vector<std::string> claims;
    for (const engine::SubjectClaim& claim : engine::subject_of_pod(scene_.snapshot, pod).claims)
      claims.push_back(claim.name.empty() ? std::string(claim.pod_claim) : claim.name);
    json::Value& one = list.push(object_name_json(pod.meta));
    one.set("status", row.status);
    one.set("resourceClaims", texts_json(claims));
    if (table.rows.size() == kMaxPods) {
      ++left;
      continue;
    }
    table.rows.push_back({cell(base::format("{}/{}", pod.meta.namespace_, pod.meta.name)),
                          cell(row.status), cell(row.devices),
                          cell(some_of(claims, kMaxNamesOnNode))});
  }
  out_.set("pods", std::move(list));
  out_.section("Pods with claims");
  out_.add(std::move(table));
  if (left > 0) out_.note(base::format("and {} more: {}", left, out_.command("pods -A")));
}

Described NodeDescription::build() && {
  problems();
  facts();
  devices();
  pods();
  add_events(out_, "Node", node_.meta);
  const bool any =
      std::ranges::any_of(seen_, [](const Seen& seen) { return !seen.devices.empty(); });
  if (any)
    out_.next(diag::CommandLine("devices").option("--node", node_.meta.name).text(), "each device");
  return std::move(out_).finish();
}

}  // namespace

Described describe_node(const Scene& scene, const api::Node& node) {
  return NodeDescription(scene, node).build();
}

}  // namespace dra::report
