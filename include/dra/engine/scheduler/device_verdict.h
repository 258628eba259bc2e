// include/dra/engine/scheduler/device_verdict.h
//
// Whether one device can be the one that a demand gets on a node: it is what the allocator picks,
// or could be picked in place of others, or all that is against it. The rules are those by which
// the allocator passes devices over; but where it stops at the first, here all are asked.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/reason.h"

namespace dra::engine {

enum class DeviceOutcome : std::uint8_t {
  Picked,     // the allocator picks it
  Possible,   // nothing is against it, and with it everything else that is asked for is had, too
  Together,   // nothing is against it alone; with it something else cannot be had
  Rejected,   // the reasons say what
  Held,       // the claim is allocated, and has it
  Allocated,  // the claim is allocated, with other devices
  ByPlugin,   // the node's device plugin serves the request, and DRA is not asked
  Unknown,    // that depends on what could not be read, or was not looked at
};
std::string_view name_of(DeviceOutcome outcome);  // "picked", as in reports

// Of a device, for one demand.
struct DeviceVerdict {
  std::string claim;    // namespace/name, or the pod's own name for it
  std::string request;  // "req" or "req/sub"
  DeviceOutcome outcome = DeviceOutcome::Unknown;
  std::vector<diag::Reason> reasons = {};  // not where it is picked or possible
};

}  // namespace dra::engine
