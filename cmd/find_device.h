// cmd/find_device.h
//
// Devices as a flag names them: driver/pool/device, or the last part where only one device has it.

#pragma once

#include <string>
#include <vector>

#include "dra/base/result.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::cmd {

// Each once. Fails with NotFound, and says which names are near; with BadInput where several
// devices have a name.
Result<std::vector<const engine::InventoryDevice*>> find_devices(
    const engine::Inventory& inventory, const std::vector<std::string>& names);

// Says which names are near, or who holds it all the same.
Error no_such_device(const engine::Inventory& inventory, const std::string& name);

// Who holds a device that no driver publishes any more; empty if nobody does.
std::string holder_hint(const engine::Inventory& inventory, const std::string& name);

// "did you mean a, b or c?", of the names that are near to the word; empty if none is.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

}  // namespace dra::cmd
