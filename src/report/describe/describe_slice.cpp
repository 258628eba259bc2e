// src/report/describe/describe_slice.cpp: `describe slice`: whether the scheduler uses it, its
// devices and their holders.

#include <algorithm>

#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/counter_headroom.h"
#include "dra/engine/cluster/subjects.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_problems.h"

namespace dra::report {
namespace {

class SliceDescription {
 public:
  SliceDescription(const Scene& scene, const api::ResourceSlice& slice)
      : scene_(scene),
        slice_(slice),
        pool_(*scene.inventory.find_pool(slice.spec.driver, slice.spec.pool.name)),
        devices_(devices_of(scene.inventory, slice)),
        counters_(scene.inventory),
        out_(scene, "SliceDescription", subject_of("ResourceSlice", slice.meta), headline()) {}

  Described build() &&;

 private:
  bool stale() const { return slice_.spec.pool.generation < pool_.generation; }
  // True for a slice of the newest generation that uses a feature the scheduler does not know.
  bool ignored() const {
    return !stale() && std::ranges::find(pool_.slices, &slice_) == pool_.slices.end();
  }
  std::string_view status() const;  // as texts have it
  std::string headline() const;
  void problems();
  void facts();
  void set_facts();
  void counters();
  std::string pool_text() const;
  std::string content() const;

  const Scene& scene_;
  const api::ResourceSlice& slice_;
  const engine::Pool& pool_;
  Devices devices_;
  engine::CounterHeadroom counters_;
  Description out_;
};

std::string SliceDescription::content() const {
  const auto devices = static_cast<std::int64_t>(slice_.spec.devices.size());
  const auto sets = static_cast<std::int64_t>(slice_.spec.shared_counters.size());
  if (sets == 0) return base::plural(devices, "device");
  const std::string counters = base::plural(sets, "counter set");
  return devices == 0 ? counters
                      : base::format("{} and {}", base::plural(devices, "device"), counters);
}

std::string_view SliceDescription::status() const {
  if (stale()) return "stale";
  if (ignored()) return "ignored";
  if (pool_.state == engine::PoolState::Incomplete) return "in an incomplete pool";
  return pool_.state == engine::PoolState::Invalid ? "in an invalid pool" : "current";
}

std::string SliceDescription::headline() const {
  return base::format("Slice {}: {}, {} of {}", slice_.meta.name, status(), content(),
                      slice_.spec.driver);
}

void SliceDescription::problems() {
  if (stale()) {
    const api::ResourceSlice* newest = pool_.slices.empty() ? nullptr : pool_.slices.front();
    const std::string by =
        newest == nullptr ? "" : base::format(", published by slice {}", newest->meta.name);
    out_.problem(
        base::format("Stale: it is of generation {}, and its pool is at generation {}{}; what "
                     "it publishes does not count",
                     slice_.spec.pool.generation, pool_.generation, by),
        "The driver deletes old slices itself. If it stays, look at the driver's pod and its "
        "log.");
    std::vector<std::string_view> names;
    for (const api::Device& device : slice_.spec.devices)
      names.push_back(device.name);
    if (!names.empty()) add_gone(out_, {slice_.spec.driver, slice_.spec.pool.name, {}}, names);
    return;
  }
  if (ignored()) {
    out_.problem(base::format("The scheduler of {} ignores it: it uses a feature that is off there",
                              scene_.snapshot.server().version));
  }
  add_pool_problems(out_, pool_);
  add_node_problem(out_, slice_.spec.node_name, slice_.spec.devices.size());
  add_tainted(out_, devices_);
  out_.saw(api::Kind::Claim, "who is using its devices is not known, and none is called free");
  out_.saw(api::Kind::TaintRule,
           "taints that rules add are not known, and no device is called "
           "free");
}

std::string SliceDescription::pool_text() const {
  const api::PoolRef& ref = slice_.spec.pool;
  if (stale()) return base::format("{}, generation {}", ref.name, ref.generation);
  return base::format("{}, generation {} (newest), {} of {}", ref.name, ref.generation,
                      pool_.slices_seen, base::plural(pool_.slices_expected, "slice"));
}

void SliceDescription::set_facts() {
  const api::SliceSpec& spec = slice_.spec;
  out_.set("status", stale() ? "stale" : ignored() ? "ignored" : "current");
  out_.set("driver", spec.driver);
  out_.set("generation", spec.pool.generation);
  out_.set("pool", pool_json(pool_));
  out_.set("nodes", nodes_text(scene_, slice_));
  // Devices of a stale slice have no state.
  json::Value names = json::Value::array();
  if (devices_.empty()) {
    for (const api::Device& device : spec.devices)
      names.push(device.name);
  }
  out_.set("deviceNames", std::move(names));
  out_.set("devices", devices_json(scene_, devices_));
}

void SliceDescription::facts() {
  set_facts();
  const api::SliceSpec& spec = slice_.spec;
  out_.fact("driver", std::string(spec.driver));
  out_.fact("pool", pool_text());
  out_.fact("nodes", nodes_text(scene_, slice_));
  if (!devices_.empty()) out_.fact("devices", count_states(devices_));
  if (stale() && !spec.devices.empty()) {
    std::vector<std::string_view> names;
    for (const api::Device& device : spec.devices)
      names.push_back(device.name);
    out_.fact("devices", base::format("{}: {}", names.size(), fold_names(names)));
  }
  add_owner(out_, slice_.meta);
  add_lifecycle(out_, slice_.meta);
}

// The counter sets of the slice, or the slices with the sets that its devices consume.
void SliceDescription::counters() {
  if (stale() || pool_.slices.empty()) return;
  std::vector<std::string_view> own;
  for (const api::CounterSet& set : slice_.spec.shared_counters)
    own.push_back(set.name);
  const auto index = static_cast<std::size_t>(&pool_ - scene_.inventory.pools().data());
  add_counters(out_, counters_.counters_of(index), own);
}

Described SliceDescription::build() && {
  problems();
  facts();
  add_devices(out_, devices_, {.title = "Devices"});
  counters();
  add_taints(out_, devices_);
  add_events(out_, "ResourceSlice", slice_.meta);
  out_.next(command_for("describe", "pool", pool_subject(pool_)), "the whole pool");
  return std::move(out_).finish();
}

}  // namespace

Described describe_slice(const Scene& scene, const api::ResourceSlice& slice) {
  return SliceDescription(scene, slice).build();
}

}  // namespace dra::report
