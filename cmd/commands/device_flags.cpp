// cmd/commands/device_flags.cpp: the four flags, and the lookup of the class.

#include "cmd/commands/device_flags.h"

#include <algorithm>
#include <set>

#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/selectors/selection.h"
#include "dra/json/parse.h"

namespace dra::cmd {
namespace {

Result<Done> check_name(std::string_view what, const std::string& name,
                        const std::set<std::string>& known) {
  if (known.contains(name)) return Done{};
  const std::string near = did_you_mean(name, {known.begin(), known.end()});
  return Error{ErrorKind::NotFound, base::format("{} \"{}\" not found", what, name),
               near.empty() ? base::format("`kubectl dra {}s` lists all", what) : near};
}

std::set<std::string> driver_names(const engine::Inventory& inventory) {
  std::set<std::string> names;
  for (const engine::Pool& pool : inventory.pools())
    names.emplace(pool.driver);
  return names;
}

std::set<std::string> pool_names(const engine::Inventory& inventory, std::string_view driver) {
  std::set<std::string> names;
  for (const engine::Pool& pool : inventory.pools()) {
    if (driver.empty() || driver == pool.driver) names.emplace(pool.name);
  }
  return names;
}

std::set<std::string> node_names(const snapshot::Snapshot& snapshot) {
  std::set<std::string> names;
  const engine::Nodes all = engine::nodes_of(snapshot);
  for (const api::Node& node : all.nodes)
    names.emplace(node.meta.name);
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>())
    names.emplace(slice.spec.node_name);
  return names;
}

}  // namespace

Flag class_flag(std::string& target) {
  return {"class", '\0', "CLASS", "Only devices that the selectors of this class match.", &target};
}

Flag driver_flag(std::string& target) {
  return {"driver", '\0', "DRIVER", "Only devices of this driver.", &target};
}

Flag node_flag(std::string& target) {
  return {"node", '\0', "NODE", "Only devices that this node can use.", &target};
}

Flag pool_flag(std::string& target) {
  return {"pool", '\0', "POOL", "Only devices of this pool.", &target};
}

snapshot::Need class_need(const std::string& name) {
  return {.kind = api::Kind::Class, .names = {name}};
}

Result<std::vector<std::string_view>> selectors_of_class(const Context& context,
                                                         const snapshot::Snapshot& snapshot,
                                                         const std::string& name) {
  if (name.empty()) return std::vector<std::string_view>();
  const auto* device_class = snapshot.find<api::DeviceClass>(name);
  if (device_class == nullptr) {
    const auto refusal =
        std::ranges::find_if(snapshot.refusals(), [&name](const snapshot::Refusal& other) {
          return other.kind == api::Kind::Class && other.name == name;
        });
    const bool refused = refusal != snapshot.refusals().end();
    return refused ? refusal->error : not_found(context, api::Kind::Class, name);
  }
  return engine::expressions_of(device_class->spec.selectors);
}

Result<Done> check_text(std::string_view expression) {
  if (json::is_utf8(expression)) return Done{};
  return Error{ErrorKind::BadInput, "the expression is not UTF-8", {}};
}

Result<Done> check_filter(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                          const report::DeviceFilter& filter) {
  if (!filter.driver.empty()) DRA_TRY(check_name("driver", filter.driver, driver_names(inventory)));
  if (!filter.pool.empty())
    DRA_TRY(check_name("pool", filter.pool, pool_names(inventory, filter.driver)));
  // Who may not read nodes knows those alone that slices name.
  if (filter.node.empty() || !snapshot.coverage().saw(api::Kind::Node, "")) return Done{};
  return check_name("node", filter.node, node_names(snapshot));
}

}  // namespace dra::cmd
