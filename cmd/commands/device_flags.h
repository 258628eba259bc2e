// cmd/commands/device_flags.h
//
// The flags that choose devices: --class, --driver, --node and --pool, and what they need to read.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/report/lists/list_devices.h"

namespace dra::cmd {

// Completion offers names from the cluster for the values DRIVER, NODE, POOL and CLASS.
Flag class_flag(std::string& target);
Flag driver_flag(std::string& target);
Flag node_flag(std::string& target);
Flag pool_flag(std::string& target);

// The selectors of a class; none for an empty name. The snapshot must be loaded with class_need().
// Fails with NotFound, or with the server's refusal.
snapshot::Need class_need(const std::string& name);
Result<std::vector<std::string_view>> selectors_of_class(const Context& context,
                                                         const snapshot::Snapshot& snapshot,
                                                         const std::string& name);

// Fails with NotFound for a driver, pool or node that the filter names and nothing knows: it would
// choose no device, and the answer would look as if there were none.
Result<Done> check_filter(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                          const report::DeviceFilter& filter);

// Fails with BadInput for text that is not UTF-8, which no API object can hold.
Result<Done> check_text(std::string_view expression);

}  // namespace dra::cmd
