// cmd/list_devices.cpp: `kubectl dra devices` and `pools`: what the slices add up to.

#include <algorithm>

#include "cmd/commands.h"
#include "cmd/list_flags.h"
#include "dra/report/list_devices.h"

namespace dra::cmd {
namespace {

using snapshot::Need;

const std::vector<Need>& inventory_needs() {
  static const std::vector<Need> needs{{.kind = api::Kind::Slice, .essential = true},
                                       {.kind = api::Kind::Claim},
                                       {.kind = api::Kind::TaintRule}};
  return needs;
}

class Devices final : public Command {
 public:
  Info info() const override {
    return {.name = "devices",
            .aliases = {"dev", "device"},
            .usage = "[NAME ...]",
            .summary = "List devices: where they are, their state, and who holds them.",
            .description =
                "STATE: free; shared (some shares taken, room for more); allocated; tainted (free, "
                "but a "
                "taint keeps claims away that do not tolerate it); unusable (in an incomplete or "
                "invalid "
                "pool); unknown (you may not read who holds it). A claim with admin access does "
                "not hold a "
                "device. NAME is a device's name or its whole id, driver/pool/device.",
            .examples = {{"devices --state free", "what is free"},
                         {"devices --node gpu-node-1 -L memory,productName",
                          "of one node, with attributes"}},
            .max_args = kAnyArgs,
            .words = Words::Devices};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_cluster();
    flags.push_back({"driver", '\0', "NAME", "Only devices of this driver.", &filter_.driver});
    flags.push_back({"label-columns", 'L', "ATTRIBUTE",
                     "Add a column for an attribute; may be repeated or joined by commas.",
                     &attributes_});
    flags.push_back({"node", '\0', "NAME", "Only devices of this node.", &filter_.node});
    flags.push_back({"pool", '\0', "NAME", "Only devices of this pool.", &filter_.pool});
    flags.push_back({"state",
                     '\0',
                     "STATE",
                     "Only devices in this state.",
                     &filter_.state,
                     {"free", "shared", "allocated", "tainted", "unusable", "unknown"}});
    std::ranges::sort(flags, {}, &Flag::name);
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    const auto snapshot = DRA_TRY(context.load(inventory_needs()));
    const engine::Inventory inventory(snapshot);
    filter_.names = context.args();
    const auto devices = report::choose_devices(inventory, filter_);
    for (const std::string& name : context.args())
      DRA_TRY(check_found(name, devices));
    if (flags_.json()) {
      json::Value report = report::devices_json(inventory, devices);
      report::add_coverage(report, snapshot.coverage());
      context.print_json(report);
      return ExitCode::Done;
    }
    if (devices.empty()) say_nothing_found(context, "");
    print_table(context, report::devices_view(devices, attribute_names()), flags_);
    return ExitCode::Done;
  }

 private:
  static Result<Done> check_found(const std::string& name,
                                  const std::vector<const engine::InventoryDevice*>& devices) {
    const bool found = std::ranges::any_of(devices, [&name](const engine::InventoryDevice* device) {
      const engine::DeviceId id = device->published.id();
      return name == id.device || name == engine::to_string(id);
    });
    if (found) return Done{};
    return Error{ErrorKind::NotFound, base::format("device \"{}\" not found", name),
                 "`kubectl dra devices` lists all; an id is driver/pool/device"};
  }

  std::vector<std::string> attribute_names() const {
    std::vector<std::string> names;
    for (const std::string& given : attributes_) {
      for (const std::string_view name : base::split(given, ','))
        names.emplace_back(name);
    }
    return names;
  }

  ListFlags flags_;
  report::DeviceFilter filter_;
  std::vector<std::string> attributes_;
};

class Pools final : public Command {
 public:
  Info info() const override {
    return {
        .name = "pools",
        .aliases = {"pool"},
        .usage = "[NAME ...]",
        .summary = "List pools: the devices that a driver publishes under one name.",
        .description =
            "SLICES is seen/expected of the newest generation; older generations are never added. "
            "A pool that is Incomplete or Invalid is passed over by the scheduler, so none of its "
            "devices is free.",
        .examples = {{"pools", "every pool with what is free in it"}},
        .max_args = kAnyArgs,
        .words = Words::Pools};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_cluster();
    flags.insert(flags.begin(), {"driver", '\0', "NAME", "Only pools of this driver.", &driver_});
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    const auto snapshot = DRA_TRY(context.load(inventory_needs()));
    const engine::Inventory inventory(snapshot);
    auto rows = report::pool_rows(inventory);
    const auto& names = context.args();
    std::erase_if(rows, [this, &names](const report::PoolRow& row) {
      if (!driver_.empty() && row.pool->driver != driver_) return true;
      return !names.empty() && std::ranges::find(names, row.pool->name) == names.end();
    });
    for (const std::string& name : names) {
      const bool found = std::ranges::any_of(
          rows, [&name](const report::PoolRow& row) { return row.pool->name == name; });
      if (!found)
        return Error{ErrorKind::NotFound, base::format("pool \"{}\" not found", name), {}};
    }
    if (flags_.json()) {
      json::Value report = report::pools_json(rows);
      report::add_coverage(report, snapshot.coverage());
      context.print_json(report);
      return ExitCode::Done;
    }
    if (rows.empty()) say_nothing_found(context, "");
    print_table(context, report::pools_view(rows), flags_);
    return ExitCode::Done;
  }

 private:
  ListFlags flags_;
  std::string driver_;
};

}  // namespace

std::unique_ptr<Command> make_devices() { return std::make_unique<Devices>(); }
std::unique_ptr<Command> make_pools() { return std::make_unique<Pools>(); }

}  // namespace dra::cmd
