// src/report/describe/describe_problems.cpp: one function for each problem; each says what it means
// for claims.

#include "src/report/describe/describe_problems.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/subject.h"
#include "dra/engine/cluster/nodes.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxProblemNames = 3;
constexpr const char* kUnusable =
    "its devices are not allocated, and a claim for all devices fails on every node that sees it";

std::string how_many_slices(const engine::Pool& pool) {
  const std::int64_t seen = pool.slices_seen;
  if (seen > pool.slices_expected) {
    return base::format("{} of generation {} are there, though each says {}",
                        base::plural(seen, "slice"), pool.generation, pool.slices_expected);
  }
  return base::format("{} of {} of generation {} {} there", seen,
                      base::plural(pool.slices_expected, "slice"), pool.generation,
                      seen == 1 ? "is" : "are");
}

// A claim with the devices that it holds although they are gone.
struct Gone {
  const api::ResourceClaim* claim;
  std::vector<std::string_view> devices;
};

std::vector<Gone> gone_from(const Scene& scene, const engine::DeviceId& pool,
                            const std::vector<std::string_view>& names) {
  std::vector<Gone> list;
  for (const engine::Holding& holding : scene.inventory.usage().all()) {
    const engine::DeviceId& id = holding.id;
    const bool asked = names.empty() || std::ranges::find(names, id.device) != names.end();
    if (id.driver != pool.driver || id.pool != pool.pool || !asked) continue;
    if (scene.inventory.find(id) != nullptr) continue;
    const auto known = std::ranges::find(list, holding.claim, &Gone::claim);
    Gone& entry = known == list.end() ? list.emplace_back(Gone{holding.claim, {}}) : *known;
    entry.devices.push_back(id.device);
  }
  return list;
}

}  // namespace

std::string pool_id(const engine::Pool& pool) {
  return base::format("{}/{}", pool.driver, pool.name);
}

json::Value pool_json(const engine::Pool& pool) {
  json::Value out = json::Value::object();
  out.set("name", pool.name);
  out.set("generation", pool.generation);
  out.set("resourceSliceCount", pool.slices_expected);
  out.set("slices", pool.slices_seen);
  out.set("status", engine::name_of(pool.state));
  return out;
}

std::vector<const api::ResourceSlice*> stale_slices(const Scene& scene, const engine::Pool& pool) {
  std::vector<const api::ResourceSlice*> stale;
  for (const api::ResourceSlice& slice : scene.snapshot.all<api::ResourceSlice>()) {
    const api::SliceSpec& spec = slice.spec;
    if (spec.driver == pool.driver && spec.pool.name == pool.name &&
        spec.pool.generation < pool.generation)
      stale.push_back(&slice);
  }
  return stale;
}

void add_pool_problems(Description& out, const engine::Pool& pool) {
  if (pool.state == engine::PoolState::Incomplete) {
    out.problem(
        base::format("Pool {} is incomplete: {}; {}", pool_id(pool), how_many_slices(pool),
                     kUnusable),
        "Drivers publish slice by slice: wait. If it stays, look at the driver's pod and its "
        "log.");
  }
  if (pool.state == engine::PoolState::Invalid) {
    out.problem(base::format("Pool {} is invalid: {}; {}", pool_id(pool), pool.problem, kUnusable),
                "Only the driver can correct what it publishes: look at its version and its log.");
  }
  const auto nodes = engine::nodes_sharing_name(pool);
  if (nodes.size() < 2) return;
  constexpr std::size_t named = 4;
  out.problem(
      base::format("Nodes {} each publish a pool {}: a device that is in use on one of them counts "
                   "as in use on all",
                   base::join_first(std::vector<std::string>(nodes.begin(), nodes.end()), named),
                   pool.name),
      "The driver has to use one pool for each node: look at its settings and its version.");
}

void add_node_problem(Description& out, std::string_view node, std::size_t devices) {
  const Scene& scene = out.scene();
  if (node.empty() || node_text(scene, node) == node) return;
  const std::string there = base::plural(static_cast<std::int64_t>(devices), "device");
  const auto* found = scene.snapshot.find<api::Node>(node);
  if (found == nullptr) {
    out.problem(base::format("Node {} does not exist, though {} published for it", node,
                             there + (devices == 1 ? " is" : " are")),
                "The slice goes away with its node unless another component created it.");
    return;
  }
  out.problem(base::format("Node {} is {}, though {} published for it", node,
                           engine::node_status(*found), there + (devices == 1 ? " is" : " are")),
              diag::kubectl("describe node").name(node).text(), Tone::Warn);
}

void add_tainted(Description& out, const Devices& devices) {
  std::vector<std::string> taints;
  std::size_t tainted = 0;
  for (const engine::InventoryDevice* device : devices) {
    tainted += device->taints.empty() ? 0 : 1;
    for (const engine::DeviceTaintOf& taint : device->taints)
      taints.push_back(taint_text(*taint.taint));
  }
  if (tainted == 0) return;
  const std::string_view driver = devices.front()->published.slice->spec.driver;
  const std::string which =
      devices.size() == 1 ? base::format("The only device of {}", driver)
                          : base::format("{} of {} devices of {}", tainted, devices.size(), driver);
  out.problem(base::format("{} {} a taint: {}", which, tainted == 1 ? "has" : "have",
                           some_of(taints, kMaxProblemNames)),
              {}, Tone::Warn);
}

void add_gone(Description& out, const engine::DeviceId& pool,
              const std::vector<std::string_view>& names) {
  for (const Gone& gone : gone_from(out.scene(), pool, names)) {
    const api::ObjectMeta& claim = gone.claim->meta;
    const bool one = gone.devices.size() == 1;
    out.problem(
        base::format("{} {} {} allocated to claim {}/{}, but no current slice of {}/{} "
                     "publishes {}",
                     one ? "Device" : "Devices", fold_names(gone.devices), one ? "is" : "are",
                     claim.namespace_, claim.name, pool.driver, pool.pool, one ? "it" : "them"));
    out.next(command_for("describe", "claim", subject_of("ResourceClaim", claim)),
             "claim that holds the missing device");
  }
}

}  // namespace dra::report
