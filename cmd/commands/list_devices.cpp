// cmd/commands/list_devices.cpp: `kubectl dra devices`, `pools` and `drivers`. The API has no
// objects for them: they are computed from slices.

#include <algorithm>
#include <set>

#include "cmd/commands.h"
#include "cmd/commands/device_flags.h"
#include "cmd/commands/list.h"
#include "cmd/commands/list_watch.h"
#include "cmd/find_by_name.h"
#include "cmd/name_hints.h"
#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/report/lists/list_devices.h"
#include "dra/report/lists/list_drivers.h"
#include "dra/report/lists/list_pools.h"
#include "dra/report/lists/select_devices.h"
#include "dra/report/phrases/envelope.h"
#include "dra/topology/missing_devices.h"

namespace dra::cmd {
namespace {

using api::Kind;
using snapshot::Need;

// Nodes tell which devices are missing.
std::vector<Need> inventory_needs() {
  return {{.kind = Kind::Slice, .essential = true},
          {.kind = Kind::Claim},
          {.kind = Kind::TaintRule},
          {.kind = Kind::Node, .aside = true}};
}

// A pool's own name need not be unique; its whole name is.
std::string whole_name(const engine::Pool& pool) {
  return base::format("{}/{}", pool.driver, pool.name);
}

json::Value with_coverage(json::Value report, const snapshot::Snapshot& snapshot) {
  report::add_coverage(report, snapshot.coverage());
  return report;
}

// What a name that is not found is compared with. Long whole names are all similar to each other,
// so short names are compared, unless a whole one was asked for.
template <class Things>
std::vector<std::string> names_of_all(const Things& things, const std::vector<std::string>& asked) {
  std::set<std::string> names;
  if (asked.empty()) return {};
  const bool whole = std::ranges::any_of(
      asked, [](const std::string& name) { return name.find('/') != std::string::npos; });
  for (const auto& thing : things) {
    const Names known = names_of(thing);
    names.insert(whole ? known.whole : known.brief);
  }
  return {names.begin(), names.end()};
}

Info info_for(Noun noun) {
  return {.name = info_of(noun).plural,
          .aliases = aliases_of(noun),
          .usage = "[NAME ...]",
          .summary = {},
          .max_args = kAnyArgs,
          .arguments = ArgumentKind::Names,
          .noun = noun,
          .contexts = Combination::Rows};
}

class Devices final : public Command {
 public:
  Info info() const override {
    Info info = info_for(Noun::Devices);
    info.summary = "List devices: location, state, holder.";
    info.description =
        "STATE: free; shared (some shares taken, room for more); in use; blocked (its siblings "
        "have taken the counters that it shares with them); tainted (a taint keeps claims away "
        "that do not tolerate it); unusable (in an incomplete or invalid pool); missing (a claim "
        "holds it, or the shape of its machine or slice has a place for it, and no slice publishes "
        "it); unknown (you cannot read who holds it). A claim with admin access does not hold a "
        "device. NAME is a device's name or its whole id, driver/pool/device. Devices of a node "
        "are all that it can use, those in pools that it shares with others, too. Devices for "
        "which --cel or a selector of --class fails are omitted, and a warning says why.";
    info.examples = {
        {"devices --state free", "what is free"},
        {"devices --node gpu-node-1 -L memory,productName", "of one node, with attributes"},
        {"devices --sort-by .pool", "by pool"},
        {"devices --cel 'device.driver == \"gpu.nvidia.com\"' --state free",
         "what a selector matches, and is free"},
        {"devices -w", "what changes hands, as it does"}};
    return info;
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_reports();
    add_flags(flags, {{"cel", '\0', "EXPR",
                       "Only devices that this CEL selector matches; can be repeated.", &cel_},
                      class_flag(class_),
                      driver_flag(filter_.driver),
                      {"label-columns", 'L', "ATTRIBUTE",
                       "Add a column for an attribute; can be repeated or joined by commas.",
                       &flags_.label_columns},
                      node_flag(filter_.node),
                      pool_flag(filter_.pool),
                      {"state",
                       '\0',
                       "STATE",
                       "Only devices in this state.",
                       &filter_.state,
                       {"free", "shared", "in-use", "allocated", "blocked", "tainted", "unusable",
                        "missing", "unknown"}}});
    add_flags(flags, flags_.for_watch());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    const Output output = DRA_TRY(check_flags(flags_, context));
    std::vector<Need> needs = inventory_needs();
    if (!filter_.node.empty()) needs.push_back({.kind = Kind::Node});
    if (!class_.empty()) needs.push_back(class_need(class_));
    for (const std::string& expression : cel_)
      DRA_TRY(check_text(expression));
    return list_report(context, flags_, output, needs,
                       [&](const snapshot::Snapshot& snapshot, const OnReportRows& on_rows) {
                         return with_rows(context, output, snapshot, on_rows);
                       });
  }

 private:
  Result<ExitCode> with_rows(const Context& context, const Output& output,
                             const snapshot::Snapshot& snapshot, const OnReportRows& on_rows) {
    const engine::Inventory inventory(snapshot);
    filter_.names = context.args();
    filter_.node_object = snapshot.find<api::Node>({}, filter_.node);
    if (!flags_.ignore_not_found) DRA_TRY(check_filter(snapshot, inventory, filter_));
    const auto missing = topology::missing_devices(snapshot, inventory);
    auto devices = report::device_rows(inventory, filter_, missing);
    DRA_TRY(apply_selectors(context, snapshot, devices));
    const ReportRows rows{
        .json = [&] { return with_coverage(report::devices_json(devices), snapshot); },
        .table =
            [&] {
              return report::devices_view(devices, flags_.columns(), output.format == Format::Wide);
            },
        .count = devices.size(),
        .name = [&](std::size_t i) { return "device/" + engine::to_string(devices[i].id()); },
        .not_found =
            missing_among(filter_.names, devices,
                          {.what = "device",
                           .hint = "`kubectl dra devices` lists all; an id is driver/pool/device",
                           .known = names_of_all(inventory.devices(), filter_.names)},
                          has_name)};
    return on_rows(rows);
  }

  static bool has_name(const report::DeviceRow& device, const std::string& name) {
    const engine::DeviceId id = device.id();
    return name == id.device || name == engine::to_string(id);
  }

  Result<Done> apply_selectors(const Context& context, const snapshot::Snapshot& snapshot,
                               std::vector<report::DeviceRow>& devices) const {
    const auto selectors = DRA_TRY(selectors_of_class(context, snapshot, class_));
    keep_matching(context, snapshot.server(), selectors, "class " + class_, devices);
    for (const std::string_view expression : cel_) {
      DRA_TRY(report::check_expression(expression, snapshot.server(), "--cel"));
      keep_matching(context, snapshot.server(), {&expression, 1}, "--cel", devices);
    }
    return Done{};
  }

  static void keep_matching(const Context& context, const snapshot::Server& server,
                            std::span<const std::string_view> selectors, const std::string& whose,
                            std::vector<report::DeviceRow>& devices) {
    if (selectors.empty()) return;
    // What a missing device had is not known.
    std::erase_if(devices, [](const report::DeviceRow& row) { return row.device == nullptr; });
    std::vector<engine::PoolDevice> published;
    published.reserve(devices.size());
    for (const report::DeviceRow& row : devices)
      published.push_back(row.device->published);
    const auto selected = report::select_devices(published, selectors, server, whose);
    for (const std::string& warning : selected.warnings)
      context.warn(warning);
    std::size_t at = 0;
    std::erase_if(devices, [&](const report::DeviceRow&) { return !selected.chosen[at++]; });
  }

  ListFlags flags_;
  report::DeviceFilter filter_;
  std::string class_;
  std::vector<std::string> cel_;
};

class Pools final : public Command {
 public:
  Info info() const override {
    Info info = info_for(Noun::Pools);
    info.summary = "List pools: the devices that a driver publishes under one name.";
    info.description =
        "SLICES is seen/expected of the newest generation; older generations are never added. A "
        "pool that is Incomplete or Invalid is passed over by the scheduler, so none of its "
        "devices is free. SHARED, BLOCKED, TAINTED, UNUSABLE and MISSING devices have a column "
        "where there are some, in each list: `devices` has what these words mean. NAME is a pool's "
        "name, or driver/pool.";
    info.examples = {{"pools", "every pool with what is free in it"},
                     {"pools gpu.nvidia.com/node-1", "one pool of one driver"}};
    return info;
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_reports();
    add_flags(flags, {{"driver", '\0', "DRIVER", "Only pools of this driver.", &driver_}});
    add_flags(flags, flags_.for_watch());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    const Output output = DRA_TRY(check_flags(flags_, context));
    return list_report(context, flags_, output, inventory_needs(),
                       [&](const snapshot::Snapshot& snapshot, const OnReportRows& on_rows) {
                         return with_rows(context, snapshot, on_rows);
                       });
  }

 private:
  Result<ExitCode> with_rows(const Context& context, const snapshot::Snapshot& snapshot,
                             const OnReportRows& on_rows) const {
    const engine::Inventory inventory(snapshot);
    if (!flags_.ignore_not_found) DRA_TRY(check_filter(snapshot, inventory, {.driver = driver_}));
    auto pools = report::pool_rows(inventory, topology::missing_devices(snapshot, inventory));
    const auto& names = context.args();
    std::erase_if(pools, [this, &names](const report::PoolRow& row) {
      if (!driver_.empty() && row.pool->driver != driver_) return true;
      return !names.empty() && std::ranges::none_of(names, [&row](const std::string& name) {
        return has_name(row, name);
      });
    });
    const ReportRows rows{
        .json = [&] { return with_coverage(report::pools_json(pools), snapshot); },
        .table = [&] { return report::pools_view(pools); },
        .count = pools.size(),
        .name = [&](std::size_t i) { return "pool/" + whole_name(*pools[i].pool); },
        .not_found = missing_among(
            names, pools,
            {.what = "pool",
             .hint = "`kubectl dra pools` lists all; a pool is named POOL or DRIVER/POOL",
             .known = names_of_all(inventory.pools(), names)},
            has_name)};
    return on_rows(rows);
  }

  static bool has_name(const report::PoolRow& row, const std::string& name) {
    return name == row.pool->name || name == whole_name(*row.pool);
  }

  ListFlags flags_;
  std::string driver_;
};

class Drivers final : public Command {
 public:
  Info info() const override {
    Info info = info_for(Noun::Drivers);
    info.summary = "List drivers: devices, nodes, problems.";
    info.description =
        "CLASSES are those whose selectors name the driver. NODES is how many nodes can use a "
        "device of it, of all nodes. STATUS counts pools that are incomplete, invalid, or have "
        "slices of older generations.";
    info.examples = {{"drivers", "every driver that publishes devices"}};
    return info;
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_reports();
    add_flags(flags, flags_.for_watch());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    const Output output = DRA_TRY(check_flags(flags_, context));
    std::vector<Need> needs = inventory_needs();
    needs.push_back({.kind = Kind::Class});
    needs.push_back({.kind = Kind::Node});
    return list_report(context, flags_, output, needs,
                       [&](const snapshot::Snapshot& snapshot, const OnReportRows& on_rows) {
                         return with_rows(context, snapshot, on_rows);
                       });
  }

 private:
  static Result<ExitCode> with_rows(const Context& context, const snapshot::Snapshot& snapshot,
                                    const OnReportRows& on_rows) {
    const engine::Inventory inventory(snapshot);
    auto drivers = engine::summarize_drivers(snapshot, inventory,
                                             topology::missing_devices(snapshot, inventory));
    const auto& names = context.args();
    std::vector<std::string> known;
    known.reserve(drivers.size());
    for (const engine::DriverSummary& driver : drivers)
      known.emplace_back(driver.name);
    std::erase_if(drivers, [&names](const engine::DriverSummary& driver) {
      return !names.empty() && std::ranges::find(names, driver.name) == names.end();
    });
    const ReportRows rows{
        .json = [&] { return with_coverage(report::drivers_json(drivers), snapshot); },
        .table = [&] { return report::drivers_view(drivers); },
        .count = drivers.size(),
        .name = [&](std::size_t i) { return base::format("driver/{}", drivers[i].name); },
        .not_found = missing_among(names, drivers, {.what = "driver", .known = known},
                                   [](const engine::DriverSummary& driver,
                                      const std::string& name) { return driver.name == name; })};
    return on_rows(rows);
  }

  ListFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_devices() { return std::make_unique<Devices>(); }
std::unique_ptr<Command> make_drivers() { return std::make_unique<Drivers>(); }
std::unique_ptr<Command> make_pools() { return std::make_unique<Pools>(); }

}  // namespace dra::cmd
