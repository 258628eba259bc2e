// src/report/describe/describe_pool.cpp: `describe pool`: whether it is complete, its nodes, the
// holders of its devices, and what is left of its counters.

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/counter_headroom.h"
#include "dra/topology/missing_devices.h"
#include "src/report/describe/describe_problems.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxNodes = 4;

class PoolDescription {
 public:
  PoolDescription(const Scene& scene, const engine::Pool& pool)
      : scene_(scene),
        pool_(pool),
        devices_(devices_of(scene.inventory, pool)),
        stale_(stale_slices(scene, pool)),
        counters_(scene.inventory),
        out_(scene, headline()) {}

  view::Document build() &&;

 private:
  std::string headline() const;
  void problems();
  void facts();
  std::string nodes() const;
  std::string seen_by() const;
  void slices();
  void counters();

  const Scene& scene_;
  const engine::Pool& pool_;
  Devices devices_;
  std::vector<const api::ResourceSlice*> stale_;
  engine::CounterHeadroom counters_;
  Description out_;
};

std::string PoolDescription::headline() const {
  return base::format("Pool {}: {}, {} in {}", pool_id(pool_),
                      base::lower(engine::name_of(pool_.state)),
                      base::plural(static_cast<std::int64_t>(pool_.devices.size()), "device"),
                      base::plural(static_cast<std::int64_t>(pool_.slices.size()), "slice"));
}

void PoolDescription::problems() {
  add_pool_problems(out_, pool_);
  if (!stale_.empty()) {
    out_.problem(base::format("{} of an older generation {} still there and {} ignored",
                              base::plural(static_cast<std::int64_t>(stale_.size()), "slice"),
                              stale_.size() == 1 ? "is" : "are", stale_.size() == 1 ? "is" : "are"),
                 {}, Tone::Warn);
  }
  std::vector<std::string_view> nodes;
  for (const api::ResourceSlice* slice : pool_.slices) {
    const std::string_view node = slice->spec.node_name;
    if (!nodes.empty() && nodes.back() == node) continue;
    add_node_problem(out_, node, slice->spec.devices.size());
    nodes.push_back(node);
  }
  add_tainted(out_, devices_);
  add_gone(out_, {pool_.driver, pool_.name, {}});
  out_.saw(api::Kind::Claim, "who is using its devices is not known, and none is called free");
  out_.saw(api::Kind::TaintRule,
           "taints that rules add are not known, and no device is called free");
}

// The nodes that the slices name, each once.
std::string PoolDescription::nodes() const {
  std::vector<std::string> places;
  for (const api::ResourceSlice* slice : pool_.slices)
    places.push_back(nodes_text(scene_, *slice));
  return some_of(places, kMaxNodes);
}

// The nodes that can use a device of the pool; empty for a pool of one node, which nodes() names.
std::string PoolDescription::seen_by() const {
  const bool bound = pool_.slices.empty() || !pool_.slices.front()->spec.node_name.empty();
  if (bound || !scene_.snapshot.coverage().saw(api::Kind::Node)) return {};
  std::vector<std::string> names;
  for (const api::Node& node : scene_.snapshot.all<api::Node>()) {
    const auto seen = scene_.inventory.slices().seen_from(node);
    if (!seen.ok()) return "unknown: " + seen.error().message;
    for (const engine::Pool& pool : seen.value()) {
      if (pool.driver == pool_.driver && pool.name == pool_.name)
        names.emplace_back(node.meta.name);
    }
  }
  if (scene_.snapshot.all<api::Node>().empty()) return {};
  return base::format("{}{}", base::plural(static_cast<std::int64_t>(names.size()), "node"),
                      names.empty() ? "" : ": " + some_of(names, kMaxNodes));
}

void PoolDescription::facts() {
  out_.fact("nodes", nodes());
  out_.fact("seen by", seen_by());
  if (pool_.slices.size() == 1 && stale_.empty())
    out_.fact("slice", std::string(pool_.slices.front()->meta.name));
  out_.fact("slices", base::format("{} of {}, generation {}", pool_.slices_seen,
                                   pool_.slices_expected, pool_.generation));
  const auto missing = static_cast<std::size_t>(
      std::ranges::count_if(topology::missing_devices(scene_.snapshot, scene_.inventory),
                            [this](const engine::MissingDevice& one) {
                              return one.driver == pool_.driver && one.pool == pool_.name;
                            }));
  if (!devices_.empty() || missing > 0) out_.fact("devices", count_states(devices_, missing));
}

void PoolDescription::slices() {
  if (stale_.empty() && pool_.slices.size() < 2) return;
  view::Table table = section_table({"SLICE", "GEN", "STATUS", "DEVICES", "COUNTER SETS", "AGE"});
  const auto add = [this, &table](const api::ResourceSlice& slice, const char* status, Tone tone) {
    table.rows.push_back({cell(slice.meta.name), cell(slice.spec.pool.generation),
                          cell(status, tone),
                          cell(static_cast<std::int64_t>(slice.spec.devices.size())),
                          cell(static_cast<std::int64_t>(slice.spec.shared_counters.size())),
                          cell(age_of(slice.meta.created, scene_.now))});
  };
  for (const api::ResourceSlice* slice : pool_.slices)
    add(*slice, "current", Tone::Plain);
  for (const api::ResourceSlice* slice : stale_)
    add(*slice, "stale", Tone::Bad);
  out_.section("Slices");
  out_.add(std::move(table));
}

void PoolDescription::counters() {
  std::vector<std::string_view> sets;
  for (const api::ResourceSlice* slice : pool_.slices) {
    for (const api::CounterSet& set : slice->spec.shared_counters)
      sets.push_back(set.name);
  }
  if (sets.empty()) return;
  const auto index = static_cast<std::size_t>(&pool_ - scene_.inventory.pools().data());
  add_counters(out_, counters_.counters_of(index), sets);
}

view::Document PoolDescription::build() && {
  problems();
  facts();
  slices();
  add_devices(out_, devices_, {.title = "Devices"});
  counters();
  add_taints(out_, devices_);
  out_.next(diag::CommandLine("devices")
                .option("--driver", pool_.driver)
                .option("--pool", pool_.name)
                .words("-o wide")
                .text(),
            "each device");
  return std::move(out_).finish();
}

}  // namespace

view::Document describe_pool(const Scene& scene, const engine::Pool& pool) {
  return PoolDescription(scene, pool).build();
}

}  // namespace dra::report
