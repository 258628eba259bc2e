// cmd/find_device.h
//
// Finds devices by the value of a flag: driver/pool/device, or the device's own name where it is
// unique.

#pragma once

#include <string>
#include <vector>

#include "dra/base/result.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::cmd {

// Each device once. Fails with NotFound and suggests similar names; with BadInput where a name is
// ambiguous.
Result<std::vector<const engine::InventoryDevice*>> find_devices(
    const engine::Inventory& inventory, const std::vector<std::string>& names);

// NotFound. The hint names similar devices, or the claim that holds a device of this name which is
// not published any more.
Error no_such_device(const engine::Inventory& inventory, const std::string& name);

// Names the claim that holds a device which is not published any more; empty if there is none.
std::string holder_hint(const engine::Inventory& inventory, const std::string& name);

}  // namespace dra::cmd
