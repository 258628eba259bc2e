// cmd/find_device.cpp: looks devices up by whole and by short name, and builds the hints of the
// errors.

#include "cmd/find_device.h"

#include <algorithm>
#include <set>

#include "cmd/find_by_name.h"
#include "cmd/name_hints.h"
#include "dra/base/text.h"

namespace dra::cmd {
Result<std::vector<const engine::InventoryDevice*>> find_devices(
    const engine::Inventory& inventory, const std::vector<std::string>& names) {
  std::vector<const engine::InventoryDevice*> all;
  all.reserve(inventory.devices().size());
  for (const engine::InventoryDevice& device : inventory.devices())
    all.push_back(&device);
  std::vector<const engine::InventoryDevice*> found;
  for (const std::string& name : names) {
    const engine::InventoryDevice* device = DRA_TRY(find_by_name(all, name));
    if (device == nullptr) return no_such_device(inventory, name);
    if (std::ranges::find(found, device) == found.end()) found.push_back(device);
  }
  return found;
}

// A short name is compared with short names only: long whole names are all similar to each other.
Error no_such_device(const engine::Inventory& inventory, const std::string& name) {
  const bool whole = name.find('/') != std::string::npos;
  std::set<std::string> names;
  for (const engine::InventoryDevice& device : inventory.devices()) {
    const Names known = names_of(device);
    names.insert(whole ? known.whole : known.brief);
  }
  std::string hint = holder_hint(inventory, name);
  if (hint.empty()) hint = did_you_mean(name, {names.begin(), names.end()});
  if (hint.empty()) hint = "`kubectl dra devices` lists all; an id is driver/pool/device";
  return {ErrorKind::NotFound, base::format("device \"{}\" not found", name), std::move(hint)};
}

std::string holder_hint(const engine::Inventory& inventory, const std::string& name) {
  for (const engine::Holding& holding : inventory.usage().all()) {
    if (engine::to_string(holding.id) != name && holding.id.device != name) continue;
    const api::ObjectMeta& claim = holding.claim->meta;
    return base::format("claim {}/{} holds it, but no driver publishes it any more",
                        claim.namespace_, claim.name);
  }
  return {};
}

}  // namespace dra::cmd
