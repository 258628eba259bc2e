// include/dra/engine/scheduler/device_verdict.h
//
// The verdict on one device for a demand on a node: the allocator picks it, could pick it in place
// of others, or rejects it, with every reason. The rules are the allocator's; it stops at the first
// that rejects a device, here all are asked.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/reason.h"

namespace dra::engine {

enum class DeviceOutcome : std::uint8_t {
  Picked,     // the allocator picks it
  Possible,   // nothing rejects it, and with it all other demands are met, too
  Together,   // nothing rejects it alone; with it another demand cannot be met
  Rejected,   // for the reasons given
  Held,       // the claim is allocated with it
  Allocated,  // the claim is allocated with other devices
  ByPlugin,   // the node's device plugin serves the request, and DRA is not asked
  Unknown,    // something could not be read, or was not looked at
};
std::string_view name_of(DeviceOutcome outcome);  // "picked", as in reports

// For one demand.
struct DeviceVerdict {
  std::string claim;    // namespace/name, or the pod's own name for it
  std::string request;  // "req" or "req/sub"
  DeviceOutcome outcome = DeviceOutcome::Unknown;
  std::vector<diag::Reason> reasons = {};  // none if it is picked or possible
};

}  // namespace dra::engine
