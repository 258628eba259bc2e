// src/answers/problems/problems_pools.cpp: finds pools that the scheduler skips, slices of older
// generations, and devices for nodes that do not exist.

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/subjects.h"
#include "dra/engine/facts/node_match.h"
#include "src/answers/problems/families.h"
#include "src/answers/problems/unreachable_devices.h"

namespace dra::answers {
namespace {

using diag::Code;

// Pools of one driver with the same problem.
struct Group {
  std::vector<const engine::Pool*> pools;
  std::int64_t devices = 0;
};
using Groups = std::map<std::string_view, Group>;

Groups in_state(const engine::Inventory& inventory, engine::PoolState state) {
  Groups groups;
  for (const engine::Pool& pool : inventory.pools()) {
    if (pool.state != state || nodes_sharing_name(pool).size() > 1) continue;
    Group& group = groups[pool.driver];
    group.pools.push_back(&pool);
    group.devices += static_cast<std::int64_t>(pool.devices.size());
  }
  return groups;
}

// Pools that several nodes publish under one name.
void add_shared_names(const engine::Inventory& inventory, std::vector<Problem>& problems) {
  constexpr std::size_t named = 4;
  for (const engine::Pool& pool : inventory.pools()) {
    const auto nodes = nodes_sharing_name(pool);
    if (nodes.size() < 2) continue;
    const std::vector<std::string> names(nodes.begin(), nodes.end());
    Problem problem = problem_of(pool_subject(pool), "pool", Code::PoolNameShared);
    problem.finding.message = base::format(
        "Nodes {} each publish a pool {} of {}: a device that is in use on one of them counts as "
        "in "
        "use on all.",
        base::join_first(names, named), pool.name, pool.driver);
    problems.push_back(std::move(problem));
  }
}

// Pools with slices of an older generation. The snapshot does not sort slices by pool.
Groups with_stale_slices(const ClusterInput& cluster) {
  Groups groups;
  std::set<const engine::Pool*> known;
  for (const api::ResourceSlice& slice : cluster.snapshot.all<api::ResourceSlice>()) {
    if (!cluster.inventory.slices().is_stale(slice)) continue;
    const auto* pool = cluster.inventory.find_pool(slice.spec.driver, slice.spec.pool.name);
    if (known.insert(pool).second) groups[slice.spec.driver].pools.push_back(pool);
  }
  return groups;
}

std::string lost(std::int64_t devices) {
  if (devices == 0) return "the scheduler passes over it";
  return base::format("the scheduler passes over its {}",
                      devices == 1 ? "device" : base::format("{} devices", devices));
}

std::string about_one(const engine::Pool& pool, Code code, const std::string& who) {
  if (code == Code::PoolStale) {
    return base::format("{} has slices of an older generation than {}; they do not count.", who,
                        pool.generation);
  }
  const std::string devices = lost(static_cast<std::int64_t>(pool.devices.size()));
  if (code == Code::PoolInvalid)
    return base::format("{} is invalid ({}): {}.", who, pool.problem, devices);
  return base::format("{} has {} of {} slices of generation {}: {}.", who, pool.slices_seen,
                      pool.slices_expected, pool.generation, devices);
}

std::string about_many(const Group& group, Code code, const std::string& who) {
  if (code == Code::PoolStale)
    return base::format("{} have slices of older generations; they do not count.", who);
  return base::format("{} are {}: the scheduler passes over their {}.", who,
                      code == Code::PoolInvalid ? "invalid" : "incomplete",
                      base::plural(group.devices, "device"));
}

void add(const Groups& groups, Code code, diag::Detail detail, std::vector<Problem>& problems) {
  for (const auto& [driver, group] : groups) {
    Problem problem{.finding = {.code = code}};
    for (const engine::Pool* pool : group.pools)
      problem.finding.subjects.push_back(pool_subject(*pool));
    const std::string who = name_subjects(problem.finding.subjects, {"Pool", "pools"}, detail);
    const bool one = group.pools.size() == 1;
    problem.finding.message =
        one ? about_one(*group.pools.front(), code, who) : about_many(group, code, who);
    // What the problem of a pod says that needs the pool.
    if (one && code != Code::PoolStale)
      problem.clauses = {engine::unusable_pool_words(*group.pools.front())};
    problem.remedy.command = one ? command_for("describe", "pool", problem.finding.subjects.front())
                                 : diag::CommandLine("pools").option("--driver", driver).text();
    problems.push_back(std::move(problem));
  }
}

struct Stranded {
  const engine::Pool* pool;
  engine::PoolDevice first;
  std::int64_t devices = 0;
};

// "node n1, which does not exist".
std::string missing_place(const engine::PoolDevice& device) {
  if (const std::string_view only = engine::only_node_of(device); !only.empty())
    return base::format("node {}, which does not exist", only);
  return base::format("nodes with {}, and there is none", engine::describe(*selector_of(device)));
}

std::string about_stranded(const std::vector<Stranded>& pools, const std::string& who) {
  const Stranded& first = pools.front();
  if (pools.size() > 1) {
    std::int64_t devices = 0;
    for (const Stranded& one : pools)
      devices += one.devices;
    return base::format("{} are for nodes that do not exist: no pod can get {} of their devices.",
                        who, devices);
  }
  const auto all = static_cast<std::int64_t>(first.pool->devices.size());
  if (first.devices < all)
    return base::format("{} has {} of {} that no pod can get, such as {}: for {}.", who,
                        first.devices, base::plural(all, "device"), first.first.device->name,
                        missing_place(first.first));
  return base::format("{} is for {}: no pod can get its {}.", who, missing_place(first.first),
                      all == 1 ? "device" : base::format("{} devices", all));
}

// A snapshot without nodes does not show which nodes exist.
void add_stranded(const ClusterInput& cluster, diag::Detail detail,
                  std::vector<Problem>& problems) {
  if (cluster.snapshot.all<api::Node>().empty()) return;
  std::map<std::string_view, std::vector<Stranded>> by_driver;
  UnreachableDevices nowhere(cluster.snapshot);
  for (const engine::Pool& pool : cluster.inventory.pools()) {
    Stranded found{.pool = &pool, .first = {}};
    for (const engine::PoolDevice& device : pool.devices) {
      if (nowhere.has(device) && found.devices++ == 0) found.first = device;
    }
    if (found.devices > 0) by_driver[pool.driver].push_back(found);
  }
  for (const auto& [driver, pools] : by_driver) {
    Problem problem{.finding = {.code = Code::NodeMissing}};
    for (const Stranded& one : pools)
      problem.finding.subjects.push_back(pool_subject(*one.pool));
    problem.finding.message =
        about_stranded(pools, name_subjects(problem.finding.subjects, {"Pool", "pools"}, detail));
    problem.remedy.command = pools.size() == 1
                                 ? command_for("describe", "pool", problem.finding.subjects.front())
                                 : diag::CommandLine("pools").option("--driver", driver).text();
    problems.push_back(std::move(problem));
  }
}

// Slices of which only the counters count.
void add_hidden(const ClusterInput& cluster, std::vector<Problem>& problems) {
  const engine::Features features = engine::features_of(cluster.snapshot.server());
  for (const api::ResourceSlice& slice : cluster.snapshot.all<api::ResourceSlice>()) {
    if (!engine::hides_devices(slice, features)) continue;
    Problem problem =
        problem_of(subject_of("ResourceSlice", slice.meta), "slice", Code::PoolInvalid);
    problem.finding.message = base::format(
        "Slice {} of pool {} has {} next to shared counters: since v1.35 the scheduler sees none "
        "of them.",
        slice.meta.name, slice.spec.pool.name,
        base::plural(std::ssize(slice.spec.devices), "device"));
    problem.remedy.text =
        "Upgrade the driver: it has to publish its devices in slices of their own.";
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::vector<Problem> pool_problems(const ClusterInput& cluster, diag::Detail detail) {
  std::vector<Problem> problems;
  add(in_state(cluster.inventory, engine::PoolState::Invalid), Code::PoolInvalid, detail, problems);
  add(in_state(cluster.inventory, engine::PoolState::Incomplete), Code::PoolIncomplete, detail,
      problems);
  add_hidden(cluster, problems);
  add_shared_names(cluster.inventory, problems);
  add_stranded(cluster, detail, problems);
  add(with_stale_slices(cluster), Code::PoolStale, detail, problems);
  return problems;
}

}  // namespace dra::answers
