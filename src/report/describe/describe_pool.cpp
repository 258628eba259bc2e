// src/report/describe/describe_pool.cpp: `describe pool`: whether it is complete, its nodes, the
// holders of its devices, and what is left of its counters.

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/counter_headroom.h"
#include "dra/engine/cluster/subjects.h"
#include "dra/topology/missing_devices.h"
#include "src/report/describe/describe_json.h"
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
        out_(scene, "PoolDescription", pool_subject(pool), headline()) {}

  Described build() &&;

 private:
  std::string headline() const;
  void problems();
  void facts();
  std::string nodes() const;
  // The nodes that can use a device of a pool that is not bound to one; no value if it is not
  // known.
  using Names = std::vector<std::string>;
  Result<std::optional<Names>> nodes_with_access() const;
  std::string seen_by() const;
  void slices();
  json::Value slices_json() const;
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

Result<std::optional<PoolDescription::Names>> PoolDescription::nodes_with_access() const {
  const bool bound = pool_.slices.empty() || !pool_.slices.front()->spec.node_name.empty();
  const auto& nodes = scene_.snapshot.all<api::Node>();
  if (bound || nodes.empty() || !scene_.snapshot.coverage().saw(api::Kind::Node))
    return std::optional<Names>();
  Names names;
  for (const api::Node& node : nodes) {
    const auto seen = DRA_TRY(scene_.inventory.slices().seen_from(node));
    for (const engine::Pool& pool : seen) {
      if (pool.driver == pool_.driver && pool.name == pool_.name)
        names.emplace_back(node.meta.name);
    }
  }
  return std::optional(std::move(names));
}

// Empty for a pool of one node, which nodes() names.
std::string PoolDescription::seen_by() const {
  const auto found = nodes_with_access();
  if (!found.ok()) return "unknown: " + found.error().message;
  if (!found.value()) return {};
  const Names& names = *found.value();
  return base::format("{}{}", base::plural(static_cast<std::int64_t>(names.size()), "node"),
                      names.empty() ? "" : ": " + some_of(names, kMaxNodes));
}

void PoolDescription::facts() {
  out_.set("driver", pool_.driver);
  out_.set("pool", pool_json(pool_));
  out_.set("nodes", nodes());
  const auto access = nodes_with_access();
  if (access.ok() && access.value()) out_.set("usableFrom", texts_json(*access.value()));
  out_.fact("nodes", nodes());
  out_.fact("seen by", seen_by());
  if (pool_.slices.size() == 1 && stale_.empty())
    out_.fact("slice", std::string(pool_.slices.front()->meta.name));
  out_.fact("slices", base::format("{} of {}, generation {}", pool_.slices_seen,
                                   pool_.slices_expected, pool_.generation));
  const auto all_missing = topology::missing_devices(scene_.snapshot, scene_.inventory);
  std::vector<const engine::MissingDevice*> missing;
  for (const engine::MissingDevice& one : all_missing) {
    if (one.driver == pool_.driver && one.pool == pool_.name) missing.push_back(&one);
  }
  if (!devices_.empty() || !missing.empty())
    out_.fact("devices", count_states(devices_, missing.size()));
  out_.set("resourceSlices", slices_json());
  out_.set("devices", devices_json(scene_, devices_, missing));
}

json::Value PoolDescription::slices_json() const {
  json::Value list = json::Value::array();
  const auto add = [&list](const api::ResourceSlice& slice, const char* status) {
    json::Value& one = list.push(object_name_json(slice.meta));
    one.set("generation", slice.spec.pool.generation);
    one.set("status", status);
    one.set("devices", slice.spec.devices.size());
    one.set("sharedCounters", slice.spec.shared_counters.size());
    set_if_any(one, "creationTimestamp", time_json(slice.meta.created));
  };
  for (const api::ResourceSlice* slice : pool_.slices)
    add(*slice, "current");
  for (const api::ResourceSlice* slice : stale_)
    add(*slice, "stale");
  return list;
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

Described PoolDescription::build() && {
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

Described describe_pool(const Scene& scene, const engine::Pool& pool) {
  return PoolDescription(scene, pool).build();
}

}  // namespace dra::report
